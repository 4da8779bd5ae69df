import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { readMetric } from '../support/metrics.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import {
  awaitNotifications,
  cutConnections,
  cutListening,
  eventually,
  LISTENING,
  PATIENCE_MS,
  runSql,
} from '../support/postgres-faults.ts';
import { startReplica } from '../support/postgres-replica.ts';
import { createPostgresDatabase, type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, postReview } from '../support/rows.ts';

const [category] = CATEGORIES as [Category];
const { calls } = category;

describe('a product with a replica', { timeout: PATIENCE_MS }, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let databaseUrl: string;
  let product: Product;
  let entry: Awaited<ReturnType<typeof createEntry>>;
  const running: Product[] = [];

  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary);
  });
  afterAll(async () => {
    await replica.stop();
    await primary.stop();
  });
  beforeEach(async () => {
    databaseUrl = await createPostgresDatabase(primary.port);
    // Both servers write each statement to their log: a replica takes its settings from the primary's tables.
    await runSql(databaseUrl, `alter database ${databaseName()} set log_statement = 'all'`);
    // Without a cache, so that each read can be counted.
    product = await start({ CACHE_MB: '0' });
    entry = await createEntry(product, category);
  });
  afterEach(async () => {
    await replica.resume();
    await runSql(replica.url('postgres'), 'select pg_wal_replay_resume()');
    for (const one of running.splice(0).reverse()) await one.stop();
  });

  const databaseName = () => new URL(databaseUrl).pathname.slice(1);

  async function start(env: Record<string, string> = {}): Promise<Product> {
    const one = await startProduct('postgres', {
      DATABASE_URL: databaseUrl,
      DATABASE_REPLICA_URLS: replica.url(databaseName()),
      ...(running[0] && { DATA_DIR: running[0].dataDir }),
      ...env,
    });
    running.push(one);
    return one;
  }

  const readsOn = (server: PostgresServer) =>
    server.log().match(/from "reviews" where .*"entry_id" = \$\d+ .*order by "created_at"/g)?.length ?? 0;
  /** Counts the reads when all are in the log of the server, which comes late, but in order. */
  async function settledReadsOn(server: PostgresServer): Promise<number> {
    const mark = `counted at ${process.hrtime.bigint()}`;
    await runSql(server.url(databaseName()), `select '${mark}'`);
    await eventually(async () => server.log().includes(mark)).toBe(true);
    return readsOn(server);
  }
  async function readReviews(from: Product = product): Promise<string[]> {
    const { status, body } = await call(from, `GET /auth/${calls.reviews}/${entry.id}`);
    expect(status).toBe(200);
    return body.map(({ review }: { review: string }) => review);
  }
  /** Reads until a read is done by a server, and expects each to see the same. */
  async function readUntilDoneBy(server: PostgresServer, seen: string[], from = product): Promise<void> {
    const before = readsOn(server);
    const answers: string[][] = [];
    await eventually(async () => {
      answers.push(await readReviews(from));
      return readsOn(server) > before;
    }).toBe(true);
    for (const answer of answers) expect(answer).toEqual(seen);
  }
  async function post(review: string): Promise<void> {
    const { status } = await postReview(product, category, entry.id, await createUser(product), { review });
    expect(status).toBe(201);
  }
  async function pauseReplay(): Promise<void> {
    await runSql(replica.url('postgres'), 'select pg_wal_replay_pause()');
    const state = () => runSql(replica.url('postgres'), 'select pg_get_wal_replay_pause_state() as state');
    await eventually(state).toEqual([{ state: 'paused' }]);
  }

  test('reads there what is public, and on the primary what the replica does not have yet', async () => {
    const caching = await start();
    const marked = await createEntry(product, category);
    await readUntilDoneBy(replica, []);
    await pauseReplay();
    await readReviews(caching);
    const [onPrimary, onReplica] = [await settledReadsOn(primary), await settledReadsOn(replica)];
    const written: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      await post(`while it lags ${round}`);
      written.unshift(`while it lags ${round}`);
      expect(await readReviews()).toEqual(written);
      await awaitNotifications(caching, marked.id);
      expect([await readReviews(caching), await readReviews(caching)]).toEqual([written, written]);
    }
    expect(await settledReadsOn(primary)).toBeGreaterThan(onPrimary);
    expect(await settledReadsOn(replica)).toBe(onReplica);
    await runSql(replica.url('postgres'), 'select pg_wal_replay_resume()');
    await readUntilDoneBy(replica, written);
  });

  test('reads nothing there that it may have missed a notification about', async () => {
    const other = await start({ CACHE_MB: '0' });
    const [user, marked] = [await createUser(product), await createEntry(product, category)];
    await awaitNotifications(other, marked.id);
    await readUntilDoneBy(replica, [], other);
    await pauseReplay();
    await readUntilDoneBy(replica, [], other);
    await cutConnections(databaseUrl, LISTENING);
    expect((await postReview(product, category, entry.id, user, { review: 'unannounced' })).status).toBe(201);
    expect(await readReviews(other)).toEqual(['unannounced']);
    await cutListening(databaseUrl, 2);
    await awaitNotifications(other, marked.id);
    expect(await readReviews(other)).toEqual(['unannounced']);
  });

  test('reads what it has just written there too, however late the primary writes its log', async () => {
    await runSql(databaseUrl, `alter database ${databaseName()} set synchronous_commit = off`);
    await cutConnections(databaseUrl);
    await eventually(async () => (await call(product, 'GET /readyz')).status).toBe(200);
    const written: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      await post(`round ${round}`);
      written.unshift(`round ${round}`);
      await readUntilDoneBy(replica, written);
    }
  });

  test('reads nothing there once it was promoted, whatever others write to it', async () => {
    const promoted = await startReplica(primary);
    onTestFinished(promoted.stop);
    const other = await start({ CACHE_MB: '0', DATABASE_REPLICA_URLS: promoted.url(databaseName()) });
    await post('kept');
    // As long as the other process does not know of the review, a replica without it counts as current there.
    await other.app.database.follow();
    await readUntilDoneBy(promoted, ['kept'], other);
    await runSql(promoted.url('postgres'), 'select pg_promote()');
    await runSql(
      promoted.url(databaseName()),
      `update reviews set review = 'of another primary'`,
      'update replica_beats set beat = beat + 1000',
    );
    await eventually(() => readMetric(other, 'replicas{state="used"}')).toBe(0);
    // So many reads take as long as several checks of the replica.
    for (let read = 0; read < 300; read += 1) expect(await readReviews(other)).toEqual(['kept']);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'answers as if nothing were when the replica ends by %s, and reads there again later',
    async (signal) => {
      const { host } = new URL(replica.url('any'));
      const replicaEvents = () => product.logs.flatMap(({ event = '' }) => (/^replica-/.test(event) ? [event] : []));
      await post('before');
      await readUntilDoneBy(replica, ['before']);
      let isUnderLoad = true;
      let reads = 0;
      const read = async () => {
        for (; isUnderLoad; reads += 1) expect(await readReviews()).toEqual(['before']);
      };
      const load = Promise.all(Array.from({ length: 4 }, read));
      await eventually(async () => reads).toBeGreaterThan(100);
      await cutConnections(replica.url(databaseName()));
      await eventually(async () => reads).toBeGreaterThan(200);
      // A busy machine may have lost it for a moment before.
      await eventually(async () => replicaEvents().at(-1)).not.toBe('replica-lost');
      const told = replicaEvents().length;
      await replica.halt(signal);
      const onPrimary = readsOn(primary);
      await eventually(async () => readsOn(primary) - onPrimary).toBeGreaterThan(50);
      await eventually(async () => replicaEvents().slice(told)).toEqual(['replica-lost']);
      expect(await readMetric(product, `replica_lag_seconds{replica="${host}"}`)).toBeGreaterThan(3);
      isUnderLoad = false;
      await load;
      await post('after');
      expect(await readReviews()).toEqual(['after', 'before']);
      await replica.resume();
      await readUntilDoneBy(replica, ['after', 'before']);
      await eventually(async () => replicaEvents().slice(told)).toEqual(['replica-lost', 'replica-found']);
      expect(await readMetric(product, `replica_lag_seconds{replica="${host}"}`)).toBeLessThan(3);
    },
  );
});
