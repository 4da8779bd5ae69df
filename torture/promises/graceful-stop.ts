import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import * as accounts from '../../src/contract/accounts.ts';
import * as profiles from '../../src/contract/profiles.ts';
import { reviewPost, sendPatiently } from '../http.ts';
import { listMails } from '../mails.ts';
import { openSqlitePlace } from '../places.ts';
import { inTurn, type Population, populate } from '../population.ts';
import { count, describeFaults, type Promised } from '../promise.ts';
import { type Server, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

const ROUNDS = 20;
const IN_FLIGHT = 50;
const IDLE = 10;
const EXIT_WITHIN_MS = 10_000;
const MAILS_WITHIN_MS = 70_000;
/** The signal follows the requests after this: all are then read, and not even the shortest is answered. */
const IN_FLIGHT_AFTER_MS = 30;

/** A status, or that the connection broke before the answer was whole. */
type Outcome = number | 'broken';

interface Stopped {
  readonly outcomes: readonly Outcome[];
  readonly recommendation: Outcome;
  readonly exit: number | string;
  readonly exitMs: number;
  /** Passcodes that were promised to be mailed. */
  readonly promisedMails: number;
}

/** A model that takes requests and never answers. */
async function startHangingModel() {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => once(server, 'request'),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Model = Awaited<ReturnType<typeof startHangingModel>>;

/** Asks over an agent's own connections. */
function ask(agent: Agent, url: string, method: string, body?: object, token?: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const text = body && JSON.stringify(body);
    const headers = {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    };
    request(url, { agent, method, headers }, (response) => {
      response.on('error', () => resolve('broken'));
      response.resume().on('end', () => resolve(response.complete ? (response.statusCode ?? 'broken') : 'broken'));
    })
      .on('error', () => resolve('broken'))
      .end(text);
  });
}

/** Opens connections, each of which was answered once: only then has the server accepted it. */
async function openConnections(url: string, amount: number): Promise<Agent> {
  const agent = new Agent({ keepAlive: true, maxSockets: amount });
  await Promise.all(Array.from({ length: amount }, () => ask(agent, `${url}/healthz`, 'GET')));
  return agent;
}

/** Logins, posts and passcodes at once: what takes long and what does not. */
function sendMany(agent: Agent, url: string, { targets, reviewers, accounts: people }: Population) {
  const passcodes: Promise<Outcome>[] = [];
  const all = Array.from({ length: IN_FLIGHT }, (_, index) => {
    const { email, password } = inTurn(people, index);
    if (index % 5 === 0) {
      const asking = ask(agent, url + accounts.forgotPassword.path, 'POST', { email });
      passcodes.push(asking);
      return asking;
    }
    if (index % 5 < 3) return ask(agent, url + accounts.login.path, 'POST', { email, password });
    const pair = { target: targets[0], author: inTurn(reviewers, index) };
    const [{ path }, { body, token }] = reviewPost(pair, { rating: 2, review: 'In flight.' });
    return ask(agent, url + path, 'POST', body, token);
  });
  return { all, passcodes };
}

const PREFERENCES = {
  ...{ location: 'Anywhere', major: 'History', academicLevel: 'Any', campusSetting: 'Town', finance: 'Little' },
  ...{ goals: 'Learning', living: 'On campus', personal: 'None' },
};

/** Sends a signal to a server with 50 requests in flight, one of them for a model that hangs, and idle connections. */
async function stopInFlight(server: Server, population: Population, model: Model, signals: readonly NodeJS.Signals[]) {
  const { url } = server;
  const idle = await openConnections(url, IDLE);
  const busy = await openConnections(url, IN_FLIGHT);
  const { token } = population.reviewers[0];
  const saved = await sendPatiently(url, profiles.postProfile, { token, body: PREFERENCES });
  if (saved.status !== 201) throw new Error(`A profile was answered ${saved.status}: ${saved.text}`);
  const asked = model.asked();
  const recommending = ask(new Agent({ keepAlive: true }), url + profiles.recommendSchool.path, 'POST', {}, token);
  await asked;
  const { all, passcodes } = sendMany(busy, url, population);
  await setTimeout(IN_FLIGHT_AFTER_MS);
  const began = performance.now();
  for (const signal of signals) {
    server.process.kill(signal);
    await setTimeout(IN_FLIGHT_AFTER_MS);
  }
  const exit = await server.exit;
  const exitMs = performance.now() - began;
  idle.destroy();
  return {
    outcomes: await Promise.all(all),
    recommendation: await recommending,
    exit,
    exitMs,
    promisedMails: (await Promise.all(passcodes)).filter((status) => status === 200).length,
  } satisfies Stopped;
}

/** Starts a product with all that a stop needs, and starts it again afterwards to see its mails go out. */
async function tryStop(signals: readonly NodeJS.Signals[]): Promise<Stopped & { mails: number }> {
  using place = openSqlitePlace();
  using model = await startHangingModel();
  const population = await populate(place.address, { targets: 1, accounts: IN_FLIGHT });
  const env = { ...place.env, LLM_BASE_URL: model.url, LLM_MODEL: 'hanging' };
  const stopped = await stopInFlight(await startServer({ env }), population, model, signals);
  const again = await startServer({ env });
  const countMails = () => listMails(place.dataDir).length;
  await timeUntil(() => countMails() >= stopped.promisedMails, MAILS_WITHIN_MS, IN_FLIGHT_AFTER_MS);
  await again.kill();
  return { ...stopped, mails: countMails() };
}

const isBroken = (outcome: Outcome) => outcome === 'broken' || ![200, 201, 503].includes(outcome);

function faultsOf({ outcomes, recommendation, exit, exitMs, promisedMails, mails }: Stopped & { mails: number }) {
  const broken = outcomes.filter(isBroken).length;
  return [
    ...(broken > 0 ? [`${broken} of ${outcomes.length} requests broken`] : []),
    ...(recommendation === 200 ? [] : [`a recommendation was ${recommendation}`]),
    ...(exit === 0 && exitMs <= EXIT_WITHIN_MS ? [] : [`exit ${exit} after ${Math.round(exitMs)} ms`]),
    ...(mails >= promisedMails ? [] : [`${promisedMails - mails} mails did not go out`]),
  ];
}

export const gracefulStop: Promised = {
  id: 'R6',
  promise: 'SIGTERM cuts nobody off',
  async attempt({ rounds, say }) {
    const times = rounds(ROUNDS);
    const faults: string[] = [];
    let slowest = 0;
    let answered = 0;
    for (let round = 1; round <= times; round += 1) {
      const result = await tryStop(['SIGTERM']);
      slowest = Math.max(slowest, result.exitMs);
      answered += result.outcomes.filter((outcome) => !isBroken(outcome)).length;
      faults.push(...faultsOf(result));
      say(`stop ${round}: ${Math.round(result.exitMs)} ms; ${faultsOf(result).join(', ') || 'as promised'}`);
    }
    const twice = await tryStop(['SIGTERM', 'SIGTERM']);
    if (twice.exit !== 1) faults.push(`two signals ended with ${twice.exit}`);
    const control = await tryStop(['SIGKILL']);
    return [
      {
        promised: `${ROUNDS} stops under ${IN_FLIGHT} requests, a hanging model and idle connections: all answered, exit 0 within 10 s, mails go out after the next start; a second signal ends at once`,
        measured: `${count(times, 'stops')}, ${answered} of ${times * IN_FLIGHT} answered, exit after at most ${Math.round(slowest)} ms, two signals ${Math.round(twice.exitMs)} ms; ${describeFaults(faults)}`,
        isKept: faults.length === 0,
        control: `SIGKILL: ${faultsOf(control).join(', ')}`,
        isControlSeen: control.outcomes.some(isBroken),
      },
    ];
  },
};
