import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Call } from '../../src/contract/call.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { getSchool } from '../../src/contract/schools.ts';
import type { Answer } from '../../tests/support/call.ts';
import { findFreePort } from '../../tests/support/free-port.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { runSql } from '../../tests/support/postgres-faults.ts';
import { findDatabaseFaults } from '../database-faults.ts';
import { cannotCheckOut, checkOut, type EarlierVersion } from '../earlier-version.ts';
import { reviewPost, send } from '../http.ts';
import { openPostgresPlace, type Place } from '../places.ts';
import { inTurn, type Population, pairsOf, takeNext } from '../population.ts';
import { count, type Finding, type Promised, type Trial } from '../promise.ts';
import { type Fault, type Server, type Start, startServer, succeed } from '../server.ts';
import { POSTS_PER_SECOND, RATE, READS_PER_SECOND } from '../steady-load.ts';
import { everySecond } from '../waiting.ts';
import { INSTALLED } from '../whole-site.ts';

/** The commit of 0.6.0, the release before this one. */
const BEFORE = '8b53d372';
/** The data of the database in which processes are replaced. */
const DATA = ['--schools', '500', '--entries', '1', '--reviews', '100000'];
/** How long no process is replaced: before, between and after the replacements. */
const LULL_MS = 3_000;
const REFUSING_MAX_MS = 2_000;
/** Refusals that are less apart than this count as one stretch of time. */
const STRETCH_MS = 100;
/** A new process is killed before these statements: while it holds the migration lock, then all others too. */
const KILLED_AT = ['^lock table', '^insert into "migrations"'];

/** An answer. A request without one counts as a 503, which nginx would send. */
type Balanced = Pick<Answer, 'status' | 'text'>;

const codeOf = (error: TypeError) => (error.cause as { code?: string } | undefined)?.code ?? 'broken';

/**
 * Sends requests to several addresses in turn, like the sample of nginx: an address that accepts no connection is
 * skipped, and a read that is answered 503, or not at all, goes to the next. A write that was sent is never sent again.
 */
function createBalancer(urls: readonly string[]) {
  let turn = 0;

  async function ask(url: string, call: Call, parts: Parameters<typeof send>[2]): Promise<Balanced | 'refused'> {
    try {
      return await send(url, call, parts);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return codeOf(error) === 'ECONNREFUSED' ? 'refused' : { status: 503, text: codeOf(error) };
    }
  }

  return async (call: Call, parts: Parameters<typeof send>[2] = {}): Promise<Balanced> => {
    turn += 1;
    const first = turn;
    let last: Balanced = { status: 503, text: 'nobody accepts a connection' };
    for (let index = 0; index < urls.length; index += 1) {
      const answer = await ask(urls[(first + index) % urls.length] ?? '', call, parts);
      if (answer === 'refused') continue;
      last = answer;
      if (answer.status !== 503 || call.method !== 'GET') break;
    }
    return last;
  };
}

interface Load {
  /** Texts of the reviews that were acknowledged. */
  readonly acknowledged: Set<string>;
  /** When a user was refused, and with which sentence. */
  readonly refusals: { at: number; why: string }[];
  /** Answers that no visitor should get. */
  readonly faults: string[];
  reads: number;
  slowestMs: number;
}

/** Posts and reads at a steady rate, however long the answers take, until told to end. */
function startLoad(urls: readonly string[], population: Population) {
  const { targets, reviewers } = population;
  const sendBalanced = createBalancer(urls);
  const load: Load = { acknowledged: new Set(), refusals: [], faults: [], reads: 0, slowestMs: 0 };
  const pairs = pairsOf(population);

  async function record(what: string, asking: ReturnType<typeof sendBalanced>, expected: number): Promise<boolean> {
    const began = performance.now();
    const { status, text } = await asking;
    load.slowestMs = Math.max(load.slowestMs, performance.now() - began);
    if (status === 503) load.refusals.push({ at: performance.now(), why: `${what}: ${text}` });
    else if (status !== expected) load.faults.push(`${what} was answered ${status}`);
    return status === expected;
  }

  async function post(): Promise<void> {
    const pair = takeNext(pairs);
    const review = `Review ${load.acknowledged.size} at ${performance.now()}`;
    const asked = reviewPost(pair, { username: pair.author.username, rating: 4, review });
    if (await record('a post', sendBalanced(...asked), 201)) load.acknowledged.add(review);
  }

  async function read(): Promise<void> {
    load.reads += 1;
    const { category, id } = inTurn(targets, load.reads);
    const { list, averageRating, totalReviews, mine } = reviewCalls(category);
    const { token } = inTurn(reviewers, load.reads);
    const params = { id };
    const asking = [
      () => sendBalanced(list, { params }),
      () => sendBalanced(averageRating, { params }),
      () => sendBalanced(totalReviews, { params }),
      () => sendBalanced(mine, { params, token }),
      () => sendBalanced(getSchool, { params: { id: 1 + (load.reads % 400) } }),
    ][load.reads % 5];
    if (asking) await record('a read', asking(), 200);
  }

  const end = everySecond([POSTS_PER_SECOND, post], [READS_PER_SECOND, read]);
  return async (): Promise<Load> => {
    await end();
    return load;
  };
}

/** For how long anybody was refused, in sum. */
function refusingMs({ refusals }: Load): number {
  const times = refusals.map(({ at }) => at).sort((one, other) => one - other);
  return times.reduce((sum, time, index) => {
    const since = time - (times[index - 1] ?? Number.NEGATIVE_INFINITY);
    return sum + Math.min(since, STRETCH_MS);
  }, 0);
}

interface Upgrade {
  readonly load: Load;
  readonly lost: number;
  readonly faults: string[];
  /** Milliseconds until the first new process was ready. */
  readyMs: number;
  killed: number;
}

/** Starts a product. @returns the server, or why it did not start */
async function tryStart(start: Start): Promise<Server | string> {
  return startServer(start).catch((error: Error) => error.message);
}

/**
 * Replaces two processes of the version before by this one's, one after the other, under load.
 * @param fault breaks the migration
 */
async function upgrade(place: Place, { tree, load }: EarlierVersion, fault?: Fault): Promise<Upgrade> {
  await succeed('generate', DATA, { tree, env: place.env });
  const { populate } = await load<typeof import('../population.ts')>('torture/population.ts');
  const population = await populate(place.address, { targets: 30, accounts: 1 });
  const ports = [await findFreePort(), await findFreePort()].map(String);
  const startOn = (PORT: string): Start => ({ env: { ...place.env, PORT } });
  const old = await Promise.all(ports.map((port) => startServer({ ...startOn(port), tree })));
  const endLoad = startLoad(
    old.map(({ url }) => url),
    population,
  );
  const servers: Server[] = [];
  const faults: string[] = [];
  let readyMs = 0;
  let killed = 0;
  await setTimeout(LULL_MS);
  for (const [index, port] of ports.entries()) {
    old[index]?.process.kill('SIGTERM');
    await old[index]?.exit;
    for (const DIES_COUNTING of index === 0 ? KILLED_AT : []) {
      const env = { ...place.env, PORT: port, DIES_AT: '1', DIES_COUNTING };
      const died = await tryStart({ env, fault: 'dies-at-statement' });
      if (typeof died === 'string' && died.includes('SIGKILL')) killed += 1;
      else faults.push(`a start was not killed at ${DIES_COUNTING}`);
    }
    const began = performance.now();
    const started = await tryStart({ ...startOn(port), fault: index === 0 ? fault : undefined });
    if (typeof started === 'string') faults.push(`a start failed: ${started}`);
    else servers.push(started);
    if (index === 0) readyMs = performance.now() - began;
    await setTimeout(LULL_MS);
  }
  const result = await endLoad();
  const rows = await runSql('postgres' in place.address ? place.address.postgres : '', 'select review from reviews');
  const stored = new Set(rows.map(({ review }) => review));
  const lost = [...result.acknowledged].filter((text) => !stored.has(text)).length;
  for (const server of [...old, ...servers]) await server.kill();
  if (!fault) faults.push(...(await findDatabaseFaults(place.address)));
  return { load: result, lost, faults: [...faults, ...result.faults], readyMs, killed };
}

function describe({ load, lost, faults, readyMs, killed }: Upgrade): string {
  const refusing = Math.round(refusingMs(load));
  const why = load.refusals[0] ? ` (the first: ${load.refusals[0].why})` : '';
  const rest =
    faults.length === 0 ? 'nothing else, counters = rows' : `${count(faults.length, 'others')}, such as: ${faults[0]}`;
  return (
    `${count(load.acknowledged.size, 'reviews')} acknowledged, ${lost} lost; ${count(load.reads, 'reads')}; ` +
    `${count(load.refusals.length, 'answers 503')} in ${refusing} ms${why}; ${rest}; the slowest answer after ` +
    `${Math.round(load.slowestMs)} ms; ${killed} starts killed, the next one ready after ${Math.round(readyMs)} ms`
  );
}

const isKept = ({ load, lost, faults, killed }: Upgrade) =>
  lost === 0 && faults.length === 0 && killed === KILLED_AT.length && refusingMs(load) <= REFUSING_MAX_MS;

async function attemptOn(on: string, installed: string | undefined, say: Trial['say']): Promise<Finding> {
  const server = await startPostgres({ isDurable: true, ...(installed && { installed }) });
  const before = checkOut(BEFORE);
  const places: Place[] = [];
  try {
    const run = async (fault?: Fault) => {
      const place = await openPostgresPlace(server);
      places.push(place);
      const result = await upgrade(place, before, fault);
      say(`${on}${fault ? `, ${fault}` : ''}: ${describe(result)}`);
      return result;
    };
    const result = await run();
    for (const why of new Set(result.load.refusals.map((one) => one.why)))
      say(`${result.load.refusals.filter((one) => one.why === why).length} x ${why}`);
    const control = await run('drops-a-column');
    return {
      on,
      promised:
        `${RATE} through two processes of 0.6.0 ` +
        `(${BEFORE}) while each is replaced, and ${KILLED_AT.length} kills of the one that migrates: 0 acknowledged ` +
        `lost, 503 for at most ${REFUSING_MAX_MS / 1_000} s in sum and no other failure, migrated at the first start`,
      measured: describe(result),
      isKept: isKept(result),
      control: `a migration that drops a column: ${describe(control)}`,
      isControlSeen: !isKept(control),
    };
  } finally {
    for (const place of places) place.remove();
    before.remove();
    await server.stop();
  }
}

export const rollingUpgrades: Promised = {
  id: 'R20',
  promise: 'processes are replaced by those of the next version without anybody noticing',
  needs: () => cannotCheckOut(BEFORE),
  async attempt({ say }) {
    const findings = [await attemptOn('PostgreSQL 18', undefined, say)];
    if (existsSync(INSTALLED)) findings.push(await attemptOn('PostgreSQL 15', INSTALLED, say));
    else say(`PostgreSQL 15 is not installed in ${INSTALLED}: not tried`);
    return findings;
  },
};
