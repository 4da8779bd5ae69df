import { once } from 'node:events';
import { cpSync, statSync } from 'node:fs';
import path from 'node:path';
import { queryEach, startPostgres } from '../../tests/support/postgres.ts';
import { openPostgresPlace, openSqlitePlace } from '../places.ts';
import { count, type Finding, type Promised, percentile } from '../promise.ts';
import { type Fault, ROOT, spawnProduct, startServer, succeed } from '../server.ts';

const RUNS = 20;
const CONTROL_RUNS = 3;
const READY_MS = { sqlite: 3_000, postgres: 10_000 };
const REVIEWS = 400_000;
const LOG_MB = 64;
const MB = 1024 * 1024;

const DATA = ['--schools', '2000', '--entries', '3', '--reviews', `${REVIEWS}`];

type SqlitePlace = ReturnType<typeof openSqlitePlace>;

/** A data folder as a kill leaves it: the log holds what no checkpoint has brought into the database. */
async function makeKilled({ env, address: { sqlite: file } }: SqlitePlace): Promise<void> {
  await succeed('generate', DATA, { env });
  const child = spawnProduct(path.join(ROOT, 'torture/grow-log.ts'), [file, String(LOG_MB)], {});
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  if (statSync(`${file}-wal`).size < LOG_MB * MB) throw new Error('The log is gone.');
}

/** Milliseconds to the first 200 of /readyz, each time on a fresh copy. */
async function startKilled({ dataDir }: SqlitePlace, times: number, fault?: Fault): Promise<number[]> {
  const ready: number[] = [];
  for (let run = 0; run < times; run += 1) {
    using copy = openSqlitePlace();
    cpSync(dataDir, copy.dataDir, { recursive: true });
    const server = await startServer({ env: copy.env, fault });
    await server.kill();
    ready.push(server.readyIn);
  }
  return ready;
}

const describe = (ready: readonly number[]) =>
  `${count(ready.length, 'starts')}, p95 ${Math.round(percentile(ready, 0.95))} ms, at most ${Math.round(Math.max(...ready))} ms`;

async function onSqlite(times: number): Promise<Finding> {
  using killed = openSqlitePlace();
  await makeKilled(killed);
  const ready = await startKilled(killed, times);
  const control = await startKilled(killed, Math.min(times, CONTROL_RUNS), 'checks-before-serving');
  return {
    on: 'SQLite',
    promised: `${REVIEWS.toLocaleString('en')} reviews and a log of ${LOG_MB} MB: ready within ${READY_MS.sqlite / 1000} s, p95 of ${RUNS}`,
    measured: describe(ready),
    isKept: percentile(ready, 0.95) <= READY_MS.sqlite,
    control: `the whole database checked first: ${describe(control)}`,
    isControlSeen: percentile(control, 0.95) > READY_MS.sqlite,
  };
}

/** Writes a lot after a checkpoint: PostgreSQL has to go through its log of all that after a crash. */
const writeALot = (url: string) =>
  queryEach(url, 'checkpoint', 'update reviews set edited_at = created_at where id <= 100000');

async function onPostgres(times: number): Promise<Finding> {
  await using database = await startPostgres({ isDurable: true });
  using place = await openPostgresPlace(database);
  const { env } = place;
  await succeed('generate', DATA, { env });
  const ready: number[] = [];
  let isRefused = true;
  for (let run = 0; run < times; run += 1) {
    await writeALot(place.address.postgres);
    await database.halt('SIGKILL');
    if (run === 0)
      isRefused = await startServer({ env }).then(
        () => false,
        () => true,
      );
    const began = performance.now();
    await database.resume();
    const server = await startServer({ env });
    ready.push(performance.now() - began);
    await server.kill();
  }
  return {
    on: 'PostgreSQL',
    promised: `the same, PostgreSQL killed with 100,000 rows changed since its checkpoint: both ready within ${READY_MS.postgres / 1000} s`,
    measured: describe(ready),
    isKept: percentile(ready, 0.95) <= READY_MS.postgres,
    control: `PostgreSQL not started: the product ${isRefused ? 'does not become ready' : 'becomes ready'}`,
    isControlSeen: isRefused,
  };
}

export const recovery: Promised = {
  id: 'R4',
  promise: 'it is back quickly after a kill',
  async attempt({ rounds }) {
    return [await onSqlite(rounds(RUNS)), await onPostgres(rounds(RUNS))];
  },
};
