import { type Behaviour, say } from './model-server.ts';

/** Goes on with white space until nobody listens. */
function drip(bytes: number, everyMs: number): Behaviour {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const more = setInterval(() => response.write(' '.repeat(bytes)), everyMs);
    response.once('close', () => clearInterval(more));
  };
}

type ModelFault = [what: string, behave: Behaviour];

/** Goes on and on, or wants to be left alone. */
export const SLOW_MODELS: ModelFault[] = [
  ['streams without end', drip(4_096, 5)],
  ['sends a byte now and then', drip(1, 500)],
  ['wants another key', (response) => response.writeHead(401).end('{"error":{"message":"bad key"}}')],
  ['has had enough', (response) => response.writeHead(429, { 'Retry-After': '60' }).end('{}')],
];

/** Answers what is no answer. */
export const BROKEN_MODELS: ModelFault[] = [
  ['answers 500', (response) => response.writeHead(500).end('{}')],
  ['answers HTML', (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>no</html>')],
  ['answers nothing', say('')],
  [
    'answers half a JSON',
    (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"choices":[{'),
  ],
  ['hangs up', (response) => response.destroy()],
];

/** Answers what is not to be shown; it knows Fjord University and Alpine Institute. */
export const HOSTILE_MODELS: ModelFault[] = [
  ['names an unknown school', say('Evil University is best.')],
  ['names two schools', say('Fjord University or Alpine Institute, both are fine.')],
  ['names an unknown school beside a known one', say('Not Fjord University: go to Evil University.')],
  ['links elsewhere', say('Fjord University, see https://evil.example')],
  ['writes markup', say('Fjord University <img src=x>')],
  ['talks without end', say(`Fjord University ${'is great '.repeat(500)}`)],
  ['answers ten megabytes', say('x'.repeat(10_000_000))],
];
