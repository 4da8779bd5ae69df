import { type Behaviour, replyWith } from './model-server.ts';

/** Sends white space until the client disconnects. */
function drip(bytes: number, everyMs: number): Behaviour {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const more = setInterval(() => response.write(' '.repeat(bytes)), everyMs);
    response.once('close', () => clearInterval(more));
  };
}

type ModelFault = [what: string, behave: Behaviour];

/** Models that never finish, or refuse requests for a while. */
export const SLOW_MODELS: ModelFault[] = [
  ['streams without end', drip(4_096, 5)],
  ['sends a byte now and then', drip(1, 500)],
  ['wants another key', (response) => response.writeHead(401).end('{"error":{"message":"bad key"}}')],
  ['has had enough', (response) => response.writeHead(429, { 'Retry-After': '60' }).end('{}')],
];

/** Models whose response is not a valid one. */
export const BROKEN_MODELS: ModelFault[] = [
  ['answers 500', (response) => response.writeHead(500).end('{}')],
  ['answers HTML', (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>no</html>')],
  ['answers nothing', replyWith('')],
  [
    'answers half a JSON',
    (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"choices":[{'),
  ],
  ['hangs up', (response) => response.destroy()],
];

/** Models whose answer must not be shown; they know Fjord University and Alpine Institute. */
export const HOSTILE_MODELS: ModelFault[] = [
  ['names an unknown school', replyWith('Evil University is best.')],
  ['names two schools', replyWith('Fjord University or Alpine Institute, both are fine.')],
  ['names an unknown school beside a known one', replyWith('Not Fjord University: go to Evil University.')],
  ['links elsewhere', replyWith('Fjord University, see https://evil.example')],
  ['writes markup', replyWith('Fjord University <img src=x>')],
  ['cites a quote it was not given', replyWith('Fjord University suits you, as a review says [99].')],
  ['quotes words nobody wrote', replyWith('Fjord University suits you: “The labs are made of gold.”')],
  ['gives a rating that is not its own', replyWith('Fjord University is rated 4.9 of 5.')],
  ['tells where another school lies', replyWith('Fjord University lies in Bern, Switzerland.')],
  ['talks without end', replyWith(`Fjord University ${'is great '.repeat(500)}`)],
  ['answers ten megabytes', replyWith('x'.repeat(10_000_000))],
];
