import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { openPool } from '../../src/server/database/postgres-pool.ts';
import { call } from '../support/call.ts';
import { eventually, expectUnavailable, PATIENCE_MS, runSql } from '../support/postgres-faults.ts';
import { createPostgresDatabase, type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, PASSWORD, postReview } from '../support/rows.ts';

const [category] = CATEGORIES as [Category];
const { calls } = category;

describe('on a PostgreSQL server with few connections', { timeout: PATIENCE_MS }, () => {
  let databaseUrl: string;
  let product: Product;
  afterEach(() => product.stop());

  async function start(env: Record<string, string> = {}, parameters = ''): Promise<void> {
    databaseUrl = await createPostgresDatabase();
    product = await startProduct('postgres', { DATABASE_URL: databaseUrl + parameters, ...env });
  }

  test('one connection serves requests of every kind at once', async () => {
    await start({ DATABASE_POOL: '1', CACHE_MB: '0' });
    const [admin, entry] = [await createUser(product, { isAdmin: true }), await createEntry(product, category)];
    const users = await Promise.all(Array.from({ length: 8 }, () => createUser(product)));
    const school = { schoolName: 'One more', description: 'd', location: 'l' };
    const answers = await Promise.all(
      users.flatMap((user) => [
        postReview(product, category, entry.id, user),
        call(product, `GET /auth/${calls.reviews}/${entry.id}`),
        call(product, `GET /auth/${calls.leaderboard}`),
        call(product, `GET /auth/${calls.myReview}/${entry.id}`, { token: user.token }),
        call(product, 'POST /auth/postSchool', { token: admin.token, body: school }),
      ]),
    );
    answers.push(await call(product, 'POST /auth/login', { body: { email: admin.email, password: PASSWORD } }));
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const inUse = `select count(*)::int as amount from pg_stat_activity
      where datname = current_database() and application_name = 'school-reviews'`;
    expect(await runSql(databaseUrl, inUse)).toEqual([{ amount: 1 }]);
  });

  test('two connections are there from the start and serve all while the server gives no more', async () => {
    const owner = `owner_${randomBytes(4).toString('hex')}`;
    databaseUrl = await createPostgresDatabase();
    const url = new URL(databaseUrl);
    // The owner is no superuser: those are exempt from the limit below. The limit stands for other clients that have
    // taken the rest.
    await runSql(
      databaseUrl,
      `create role ${owner} login`,
      `alter database ${url.pathname.slice(1)} owner to ${owner}`,
    );
    url.username = owner;
    product = await startProduct('postgres', { DATABASE_URL: url.href, CACHE_MB: '0' });
    const inUse = `select count(*)::int as amount from pg_stat_activity
      where datname = current_database() and application_name = 'school-reviews'`;
    // A start uses more connections for a moment.
    await eventually(() => runSql(databaseUrl, inUse)).toEqual([{ amount: 2 }]);
    // The heartbeat uses one connection: the other stays although nobody asks it anything.
    const idle = `${inUse} and state_change < now() - interval '12 s'`;
    await eventually(() => runSql(databaseUrl, idle)).toEqual([{ amount: 1 }]);
    expect(await runSql(databaseUrl, inUse)).toEqual([{ amount: 2 }]);
    await runSql(databaseUrl, `alter role ${owner} connection limit 3`);
    const asked = Array.from({ length: 320 }, (_, index) => (index % 2 === 0 ? 'GET /auth/schools' : 'GET /readyz'));
    for (let first = 0; first < asked.length; first += 16) {
      const answers = await Promise.all(asked.slice(first, first + 16).map((address) => call(product, address)));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
    expect(await runSql(databaseUrl, inUse)).toEqual([{ amount: 2 }]);
  });

  test('a pool without work lets all connections go but two', async () => {
    await start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pool = openPool(databaseUrl);
    const clients = await Promise.all(Array.from({ length: 5 }, () => pool.connect()));
    for (const client of clients) client.release();
    vi.advanceTimersByTime(60_000);
    expect(pool.totalCount).toBe(2);
    await pool.end();
  });

  test('a statement that takes too long is cut and refused with 503, and the next one is served', async () => {
    await start({}, '?statement_timeout=300');
    const [entry, user] = [await createEntry(product, category), await createUser(product)];
    const holder = new pg.Client(databaseUrl);
    await holder.connect();
    await holder.query(`begin; select from review_counts where entry_id = ${entry.id} for update`);
    expectUnavailable(await postReview(product, category, entry.id, user));
    await holder.end();
    expect((await postReview(product, category, entry.id, user)).status).toBe(201);
    const { body } = await call(product, `GET /auth/${calls.totalReviews}/${entry.id}`);
    expect(body.totalReviews).toBe(1);
  });

  test('two transactions that wait for each other both succeed, one of them at a later try', async () => {
    await start();
    const [one, two] = [await createEntry(product, category), await createEntry(product, category)];
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let tries = 0;
    const add = (db: Connection, id: number) =>
      db
        .updateTable('review_counts')
        .set((row) => ({ half_stars_1: row('half_stars_1', '+', 1) }))
        .where('entry_id', '=', id)
        .execute();
    const cross = (first: number, second: number, turn: 0 | 1) =>
      product.app.database.write(async (db) => {
        tries += 1;
        await add(db, first);
        both[turn].resolve();
        await Promise.all(both.map(({ promise }) => promise));
        await add(db, second);
      });
    await Promise.all([cross(one.id, two.id, 0), cross(two.id, one.id, 1)]);
    // The transaction that is tried again can run into the other a second time.
    expect(tries).toBeGreaterThanOrEqual(3);
    expect(await runSql(databaseUrl, 'select review_count::int as amount from review_counts')).toEqual([
      { amount: 2 },
      { amount: 2 },
    ]);
  });

  test('a transaction that conflicts is retried, and refused with 503 when every retry conflicts', async () => {
    await start();
    const [entry, user] = [await createEntry(product, category), await createUser(product)];
    // A sequence counts on when the rest is rolled back.
    await runSql(
      databaseUrl,
      'create sequence tries',
      `create function lose() returns trigger language plpgsql as $$
       begin
         if nextval('tries') <= 3 then raise sqlstate '40001'; end if;
         return new;
       end $$`,
      'create trigger lose before insert on reviews for each row execute function lose()',
    );
    expect((await postReview(product, category, entry.id, user)).status).toBe(201);
    expect(await runSql(databaseUrl, 'select last_value::int as tries from tries')).toEqual([{ tries: 4 }]);
    await runSql(databaseUrl, 'alter sequence tries minvalue -100 restart with -100');
    expectUnavailable(await postReview(product, category, entry.id, await createUser(product)));
    const { body } = await call(product, `GET /auth/${calls.totalReviews}/${entry.id}`);
    expect(body.totalReviews).toBe(1);
  });
});
