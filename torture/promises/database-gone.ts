import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { reviewCalls } from '../../src/contract/reviews.ts';
import type { Answer } from '../../tests/support/call.ts';
import { type PostgresServer, startPostgres } from '../../tests/support/postgres.ts';
import { runSql } from '../../tests/support/postgres-faults.ts';
import { openProxy } from '../../tests/support/postgres-proxy.ts';
import { findDatabaseFaults } from '../database-faults.ts';
import { ask, reviewPost, send } from '../http.ts';
import { openPostgresPlace } from '../places.ts';
import { type Population, pairsOf, populate, takeNext } from '../population.ts';
import { count, describeFaults, type Finding, type Promised } from '../promise.ts';
import { type Fault, type Server, startServer } from '../server.ts';
import {
  changeUnannounced,
  dropNotifications,
  missesChanges,
  SILENT_MAX_MS,
  UNANNOUNCED_CHANGES,
} from '../subscription.ts';
import { timeUntil } from '../waiting.ts';

const ROUNDS = 10;
/** Rounds with a pool of one connection, for which no request may wait for ever. */
const POOL_OF_ONE = 2;
const WARM_MS = 300;
const GONE_MS = 2_500;
const AT_ONCE = 4;
const REFUSED_WITHIN_MS = 2_000;
const BACK_WITHIN_MS = 5_000;
const STATEMENT_MAX_MS = 10_000;
/** The longest time until the client learns that a statement was cancelled. */
const CUT_WITHIN_MS = STATEMENT_MAX_MS + 2_000;
const ASK_AGAIN_AFTER_MS = 10;

const CUT_ALL = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'school-reviews%'
`;

interface Outage {
  readonly server: Server;
  readonly database: PostgresServer;
  readonly population: Population;
}

/** Everything that was posted, and the time of the slowest refusal. */
interface PostRecord {
  /** Ids of the reviews that were acknowledged. */
  readonly acknowledged: number[];
  refused: number;
  slowestMs: number;
  readonly faults: string[];
}

const createRecord = (): PostRecord => ({ acknowledged: [], refused: 0, slowestMs: 0, faults: [] });

async function timed(asking: Promise<Answer>): Promise<Answer & { ms: number }> {
  const began = performance.now();
  const answer = await asking;
  return { ...answer, ms: performance.now() - began };
}

type Pairs = ReturnType<typeof pairsOf>;

const postNext = ({ server: { url } }: Outage, pairs: Pairs) =>
  send(url, ...reviewPost(takeNext(pairs), { rating: 3, review: 'While it is there.' }));

/** Posts, and reads uncached responses, four of each at once, until the signal. */
async function load(outage: Outage, pairs: Pairs, record: PostRecord, stop: AbortSignal) {
  let reads = 0;
  const { id, category } = outage.population.targets[0];
  const { url } = outage.server;
  const readOne = () =>
    send(url, reviewCalls(category).list, { params: { id }, query: { limit: 1 + (reads++ % 100) } });
  const postOne = () => postNext(outage, pairs);
  const repeat = async (act: () => Promise<Answer>, expected: number) => {
    while (!stop.aborted) {
      const { status, body, headers, ms } = await timed(act());
      if (status === 503) {
        record.refused += 1;
        record.slowestMs = Math.max(record.slowestMs, ms);
        if (!headers.has('retry-after')) record.faults.push('a 503 without Retry-After');
        await setTimeout(ASK_AGAIN_AFTER_MS);
      } else if (status !== expected) record.faults.push(`answered ${status} in place of ${expected}`);
      else if (status === 201) record.acknowledged.push(body.id);
    }
  };
  const loops = Array.from({ length: AT_ONCE }, () => [repeat(readOne, 200), repeat(postOne, 201)]);
  await Promise.all(loops.flat());
}

/** @returns the milliseconds until a post is accepted again */
async function comeBack(outage: Outage, pairs: Pairs, record: PostRecord): Promise<number> {
  const isBack = async () => {
    const { status, body } = await postNext(outage, pairs);
    if (status !== 201) return false;
    record.acknowledged.push(body.id);
    return (await ask(outage.server.url, 'GET', '/readyz')).status === 200;
  };
  return timeUntil(isBack, Number.POSITIVE_INFINITY, ASK_AGAIN_AFTER_MS);
}

/** Stops PostgreSQL under load and starts it again. @returns the milliseconds until requests succeed again */
async function stopUnderLoad(
  outage: Outage,
  pairs: Pairs,
  signal: 'SIGINT' | 'SIGKILL',
  record: PostRecord,
): Promise<number> {
  const { server, database } = outage;
  const stop = new AbortController();
  const loading = load(outage, pairs, record, stop.signal);
  // Its errors are reported when it is awaited.
  loading.catch(() => {});
  await setTimeout(WARM_MS);
  await database.halt(signal);
  const readiness = await timed(ask(server.url, 'GET', '/readyz'));
  if (readiness.status !== 503) record.faults.push(`/readyz ${readiness.status}`);
  record.slowestMs = Math.max(record.slowestMs, readiness.ms);
  await setTimeout(GONE_MS);
  const { status } = await ask(server.url, 'GET', '/healthz');
  if (status !== 200) record.faults.push(`/healthz ${status}`);
  stop.abort();
  await loading;
  await database.resume();
  return comeBack(outage, pairs, record);
}

/** Cuts all connections of the product under load. @returns how many there were */
async function cutUnderLoad(outage: Outage, pairs: Pairs, record: PostRecord, databaseUrl: string): Promise<number> {
  const stop = new AbortController();
  const loading = load(outage, pairs, record, stop.signal);
  loading.catch(() => {});
  await setTimeout(WARM_MS);
  const cut = await runSql(databaseUrl, CUT_ALL);
  await setTimeout(WARM_MS);
  stop.abort();
  await loading;
  return cut.length;
}

/** Locks the reviews for longer than the statement timeout. @returns the milliseconds until a post was refused */
async function lockAway(outage: Outage, pairs: Pairs, record: PostRecord, databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('begin; lock table reviews in access exclusive mode');
  const { status, ms } = await timed(postNext(outage, pairs));
  if (status !== 503) record.faults.push(`a statement that waits was answered ${status}`);
  await client.end();
  await comeBack(outage, pairs, record);
  return ms;
}

async function onPostgres(rounds: number, say: (proxy: string) => void): Promise<Pick<Finding, 'measured' | 'isKept'>> {
  await using database = await startPostgres();
  using place = await openPostgresPlace(database);
  const databaseUrl = place.address.postgres;
  using proxy = await openProxy(databaseUrl);
  const env = { ...place.env, LOG_LEVEL: 'error', DATABASE_LISTEN_URL: proxy.url };
  const record = createRecord();
  const population = await populate(place.address, { targets: 100 * (rounds + 1), accounts: 1 });
  const pairs = pairsOf(population);
  const outage = { server: await startServer({ env }), database, population };
  const cut = await cutUnderLoad(outage, pairs, record, databaseUrl);
  const back = [await comeBack(outage, pairs, record)];
  for (let round = 0; round < rounds; round += 1) {
    if (round === rounds - POOL_OF_ONE) {
      await outage.server.kill();
      outage.server = await startServer({ env: { ...env, DATABASE_POOL: '1' } });
    }
    const signal = round % 2 === 0 ? 'SIGINT' : 'SIGKILL';
    back.push(await stopUnderLoad(outage, pairs, signal, record));
    say(`${signal}: back after ${back.at(-1)?.toFixed(0)} ms, ${count(record.refused, 'refused so far')}`);
  }
  const lockedMs = await lockAway(outage, pairs, record, databaseUrl);
  const stored = await runSql(databaseUrl, 'select id from reviews');
  const there = new Set(stored.map(({ id }) => Number(id)));
  const lost = record.acknowledged.filter((id) => !there.has(id)).length;
  const { errors } = outage.server;
  record.faults.push(
    ...(await findDatabaseFaults(place.address)),
    ...errors.map((logged) => `logged at error: ${JSON.stringify(logged)}`),
  );
  const silent = await dropNotifications(outage, proxy, databaseUrl);
  proxy.close();
  const stale = await changeUnannounced(outage, databaseUrl);
  if (outage.server.process.exitCode !== null) record.faults.push('the product ended');
  await outage.server.kill();
  return {
    measured: [
      `${count(rounds, 'times')} gone, ${count(cut, 'connections')} cut: ${count(record.refused, 'refused')}, the slowest after ${record.slowestMs.toFixed(0)} ms, back after at most ${Math.max(...back).toFixed(0)} ms`,
      `${count(record.acknowledged.length, 'posts')} acknowledged, ${lost} lost`,
      `a statement cut after ${(lockedMs / 1000).toFixed(1)} s`,
      `${count(UNANNOUNCED_CHANGES, 'changes')} without a notification, ${stale} of the next reads stale`,
      `silence noticed after ${(silent.noticedMs / 1000).toFixed(1)} s, ${silent.stale} of ${count(UNANNOUNCED_CHANGES, 'reads')} stale then, back after ${(silent.backMs / 1000).toFixed(1)} s`,
      describeFaults(record.faults),
    ].join('; '),
    isKept:
      record.slowestMs <= REFUSED_WITHIN_MS &&
      Math.max(...back) <= BACK_WITHIN_MS &&
      lockedMs <= CUT_WITHIN_MS &&
      Math.max(silent.noticedMs, silent.backMs) <= SILENT_MAX_MS &&
      lost + stale + silent.stale + record.faults.length === 0,
  };
}

/** @returns the exit code of a product whose PostgreSQL is gone, or undefined when it continues to run */
async function exitCodeWithout(fault: Fault): Promise<number | string | undefined> {
  await using database = await startPostgres();
  using place = await openPostgresPlace(database);
  const server = await startServer({ env: place.env, fault });
  await database.halt('SIGINT');
  const exit = await Promise.race([server.exit, setTimeout(GONE_MS, undefined)]);
  await server.kill();
  return exit;
}

export const databaseGone: Promised = {
  id: 'R12',
  promise: 'a PostgreSQL that is gone is waited for',
  async attempt({ rounds, say }) {
    const result = await onPostgres(rounds(ROUNDS), say);
    const exit = await exitCodeWithout('dies-with-database');
    const missed = await missesChanges('asks-connection');
    return [
      {
        promised: `stopped or killed ${ROUNDS} times under load, ${POOL_OF_ONE} of them with a pool of 1, and all connections cut: 503 within ${REFUSED_WITHIN_MS / 1000} s, /healthz 200, /readyz 503, back within ${BACK_WITHIN_MS / 1000} s, nothing lost; a statement cut after ${STATEMENT_MAX_MS / 1000} s; nothing stale while it is not subscribed, nor ${SILENT_MAX_MS / 1000} s after its subscription has gone silent`,
        ...result,
        control: `a lost connection is not handled: the product ${exit === undefined ? 'lives on' : `ended with ${exit}`}; the connection is only queried: ${missed} of ${count(UNANNOUNCED_CHANGES, 'reads')} stale while it is silent`,
        isControlSeen: exit !== undefined && missed > 0,
      },
    ];
  },
};
