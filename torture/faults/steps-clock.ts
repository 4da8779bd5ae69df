// No fault: SIGUSR2 sets the clock an hour forward, SIGHUP an hour back; a line of the log says when it is done.
const HOUR = 60 * 60_000;
const system = Date.now;
let ahead = 0;

Date.now = () => system() + ahead;

function step(by: number): void {
  ahead += by;
  process.stdout.write(`${JSON.stringify({ event: 'clock-stepped' })}\n`);
}
process.on('SIGUSR2', () => step(HOUR));
process.on('SIGHUP', () => step(-HOUR));
