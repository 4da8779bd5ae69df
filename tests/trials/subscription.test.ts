import { describe, expect, onTestFinished, test } from 'vitest';
import { call } from '../support/call.ts';
import { queryEach, startPostgres } from '../support/postgres.ts';
import { eventually, expectUnavailable, PATIENCE_MS, runSql } from '../support/postgres-faults.ts';
import { openProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { startReplica } from '../support/postgres-replica.ts';
import { createPostgresDatabase, type Product } from '../support/product.ts';
import { createSchool } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const readiness = async (product: Product) => (await call(product, 'GET /readyz')).status;
const countSchools = async (product: Product) => (await call(product, 'GET /auth/schools')).body.length;
const eventsOf = ({ logs }: Product) =>
  logs.map(({ event }) => event).filter((event) => event === 'unsubscribed' || event === 'subscribed');

async function metricsOf(product: Product) {
  const { text } = await call(product, 'GET /metrics');
  const read = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { subscribed: read('database_subscribed'), losses: read('database_subscription_losses_total') };
}

async function start(env: Record<string, string>): Promise<Product> {
  const product = await startForTest('postgres', env);
  return product;
}

async function open(database: string): Promise<PostgresProxy> {
  const proxy = await openProxy(database);
  onTestFinished(proxy.close);
  return proxy;
}

/** What a check of the connection alone would see: that LISTEN and a question are answered. */
async function expectAnswers(proxy: PostgresProxy): Promise<void> {
  expect(await queryEach(proxy.url, 'listen school_reviews_changes', 'select 1 as one')).toEqual([{ one: 1 }]);
}

describe('a subscription that delivers nothing although its connection answers', { timeout: PATIENCE_MS }, () => {
  test('makes the process not ready and every read fresh, and the process is itself again once it is well', async () => {
    const database = await createPostgresDatabase();
    const proxy = await open(database);
    const [writer, reader] = [
      await start({ DATABASE_URL: database }),
      await start({ DATABASE_URL: database, DATABASE_LISTEN_URL: proxy.url }),
    ];
    expect([await countSchools(reader), await metricsOf(reader)]).toEqual([0, { subscribed: 1, losses: 0 }]);
    proxy.dropsNotifications = true;
    await eventually(() => readiness(reader)).toBe(503);
    await expectAnswers(proxy);
    expectUnavailable(await call(reader, 'GET /readyz'));
    expect([await readiness(writer), await metricsOf(reader)]).toEqual([200, { subscribed: 0, losses: 1 }]);
    for (const expected of [1, 2, 3]) {
      await createSchool(writer);
      expect([await countSchools(reader), await countSchools(reader)]).toEqual([expected, expected]);
    }
    proxy.dropsNotifications = false;
    await eventually(() => readiness(reader)).toBe(200);
    expect(await metricsOf(reader)).toEqual({ subscribed: 1, losses: 1 });
    expect([eventsOf(reader), eventsOf(writer)]).toEqual([['unsubscribed', 'subscribed'], []]);
    expect(reader.logs.find(({ event }) => event === 'unsubscribed')?.reason).toMatch(/brings no notifications/);
    // The response is cached again: a change that nobody announces is not seen.
    expect(await countSchools(reader)).toBe(3);
    await runSql(database, 'delete from schools');
    expect(await countSchools(reader)).toBe(3);
  });

  test('is noticed when a replica is promoted beside the old primary, and follows the address to the new one', async () => {
    const primary = await startPostgres();
    onTestFinished(primary.stop);
    const replica = await startReplica(primary);
    onTestFinished(replica.stop);
    const database = await createPostgresDatabase(primary.port);
    const [written, listened] = [await open(database), await open(database)];
    const env = { DATABASE_URL: written.url, DATABASE_LISTEN_URL: listened.url };
    const [one, other] = [await start(env), await start(env)];
    await createSchool(one);
    await eventually(() => countSchools(other)).toBe(1);
    const name = new URL(database).pathname.slice(1);
    await eventually(() => runSql(replica.url(name), 'select count(*)::int as count from schools')).toEqual([
      { count: 1 },
    ]);
    await runSql(replica.url('postgres'), 'select pg_promote()');
    written.connectTo(replica.port);
    written.cut();
    // Readiness would not tell it: that is also 503 for a moment because connections were cut.
    for (const product of [one, other]) await eventually(() => metricsOf(product)).toMatchObject({ subscribed: 0 });
    // The old primary is still up, and who listens to it is answered.
    await expectAnswers(listened);
    expect([await readiness(one), await readiness(other)]).toEqual([503, 503]);
    for (const expected of [2, 3, 4]) {
      await createSchool(one);
      expect(await countSchools(other)).toBe(expected);
    }
    listened.connectTo(replica.port);
    for (const product of [one, other]) await eventually(() => readiness(product)).toBe(200);
    await createSchool(one);
    await eventually(() => countSchools(other)).toBe(5);
  });

  test('is well again when it is the connections for writing that have stayed with the old server', async () => {
    const [server, beside] = [await startPostgres(), await startPostgres()];
    for (const one of [server, beside]) onTestFinished(one.stop);
    const database = await createPostgresDatabase(server.port);
    const current = database.replace(String(server.port), String(beside.port));
    await queryEach(beside.url('postgres'), `create database ${new URL(current).pathname.slice(1)}`);
    // This start makes the tables of that database.
    await start({ DATABASE_URL: current });
    const [written, listened] = [await open(database), await open(database)];
    const product = await start({ DATABASE_URL: written.url, DATABASE_LISTEN_URL: listened.url });
    await createSchool(product);
    for (const proxy of [written, listened]) proxy.connectTo(beside.port);
    listened.cut();
    await eventually(async () => eventsOf(product)).toContain('unsubscribed');
    await eventually(() => readiness(product)).toBe(200);
    expect(await countSchools(product)).toBe(0);
  });
});

describe('a subscription whose pool has no free connection', { timeout: PATIENCE_MS }, () => {
  test('does not make cached responses stale', async () => {
    const server = await startPostgres();
    onTestFinished(server.stop);
    const database = await createPostgresDatabase(server.port);
    await runSql(database, `alter database ${new URL(database).pathname.slice(1)} set log_statement = 'all'`);
    const product = await start({ DATABASE_URL: database, DATABASE_POOL: '1' });
    expect(await countSchools(product)).toBe(0);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = product.app.database.write(() => released);
    // Also after a failure, because the product cannot stop before.
    onTestFinished(() => release());
    const countQueries = async () => server.log().match(/statement: SELECT 1$/gm)?.length ?? 0;
    const before = await countQueries();
    // The heartbeat cannot be sent: the connection itself is asked instead.
    await eventually(countQueries).toBeGreaterThan(before);
    expect([await countSchools(product), await metricsOf(product)]).toEqual([0, { subscribed: 1, losses: 0 }]);
    release();
    await holding;
    expect(await readiness(product)).toBe(200);
  });
});
