import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { type ChildProduct, startChildProduct } from '../support/child-product.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import {
  awaitNotifications,
  eventually,
  expectUnavailable,
  freeze,
  PATIENCE_MS,
  runSql,
  startLossyProxy,
} from '../support/postgres-faults.ts';
import { createPostgresDatabase, startProduct } from '../support/product.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const { calls } = category;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterEach(() => server.resume());
afterAll(() => server.stop());

describe('PostgreSQL gone', { timeout: PATIENCE_MS }, () => {
  let product: ChildProduct;
  afterEach(async () => {
    expect(await product.stop()).toBe(0);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'by %s under load: what is cached is answered, the rest is 503, and all is well when it is back',
    async (signal) => {
      const databaseUrl = await createPostgresDatabase(server.port);
      product = await startChildProduct(databaseUrl);
      const [user, entry, other, quiet] = await Promise.all([
        createUser(product),
        createEntry(product, category),
        createSchool(product),
        createSchool(product),
      ]);
      const school = `GET /auth/getSchool/${entry.schoolId}`;
      const { body: review } = await postReview(product, category, entry.id, user, { review: '0' });
      const update = (text: string) =>
        call(product, `PUT /auth/${calls.updateReview}`, {
          token: user.token,
          body: { id: review.id, rating: 3, review: text },
        });
      // Else the product could still hear of these rows, and drop what it answers next.
      await awaitNotifications(product, entry.id);
      const cached = await call(product, school);
      // The page of a quiet school: that of the school reviewed under load shows a rating, which changes.
      const page = `GET /school/${quiet.id}`;
      const keptPage = await call(product, page);

      let isUnderLoad = true;
      let acknowledged = 0;
      const statuses = new Set<number>();
      const write = async () => {
        for (let next = 1; isUnderLoad; next += 1) {
          const { status } = await update(String(next));
          statuses.add(status);
          if (status === 200) acknowledged = next;
        }
      };
      const read = async () => {
        while (isUnderLoad) statuses.add((await call(product, `GET /auth/${calls.reviews}/${entry.id}`)).status);
      };
      const load = [write(), ...Array.from({ length: 4 }, read)];
      await eventually(async () => acknowledged).toBeGreaterThan(20);
      await server.halt(signal);
      await eventually(async () => statuses.has(503)).toBe(true);
      isUnderLoad = false;
      await Promise.all(load);
      expect([...statuses].sort()).toEqual([200, 503]);

      const stale = await call(product, school);
      expect([stale.status, stale.text]).toEqual([200, cached.text]);
      expect(stale.headers.get('age')).toMatch(/^\d+$/);
      expect(stale.headers.get('warning')).toMatch(/^110 /);
      const stalePage = await call(product, page);
      expect([stalePage.status, stalePage.text]).toEqual([200, keptPage.text]);
      expect(stalePage.headers.get('warning')).toMatch(/^110 /);
      const noPage = await call(product, `GET /school/${other.id}`);
      expect([noPage.status, noPage.headers.get('retry-after')]).toEqual([503, '2']);
      expect(noPage.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(noPage.headers.get('cache-control')).toBe('no-store');
      expectUnavailable(await call(product, `GET /auth/getSchool/${other.id}`));
      expectUnavailable(await update('while it is gone'));
      expectUnavailable(await call(product, 'POST /auth/login', { body: { email: user.email, password: 'x' } }));
      expectUnavailable(await call(product, 'GET /readyz'));
      expect((await call(product, 'GET /healthz')).status).toBe(200);

      // The product is held still, so that somebody else makes the change before it can listen again.
      product.child.process.kill('SIGSTOP');
      await server.resume();
      await runSql(databaseUrl, `update schools set school_name = 'Renamed meanwhile' where id = ${entry.schoolId}`);
      product.child.process.kill('SIGCONT');
      await eventually(async () => (await call(product, 'GET /readyz')).status).toBe(200);
      const fresh = await call(product, school);
      expect([fresh.body.schoolName, fresh.headers.get('age')]).toEqual(['Renamed meanwhile', null]);
      const [stored] = (await call(product, `GET /auth/${calls.reviews}/${entry.id}`)).body;
      expect(Number(stored.review)).toBeGreaterThanOrEqual(acknowledged);
      expect((await update('afterwards')).status).toBe(200);
      expect((await call(product, `GET /auth/${calls.reviews}/${entry.id}`)).body[0].review).toBe('afterwards');
      expect(product.errors()).toEqual([]);
    },
  );
});

describe('PostgreSQL that says nothing any more', { timeout: PATIENCE_MS }, () => {
  test('does not delay cached responses, and is used again once it continues', async () => {
    const databaseUrl = await createPostgresDatabase(server.port);
    const product = await startForTest('postgres', { DATABASE_URL: databaseUrl });
    const [first, second] = [await createSchool(product), await createSchool(product)];
    const [school, page] = [`GET /auth/getSchool/${first.id}`, `GET /school/${first.id}`];
    const cached = [await call(product, school), await call(product, page)];
    const thaw = await freeze(server);
    try {
      // The process finds this out by itself, without a request.
      await eventually(async () => product.logs.some(({ event }) => event === 'unsubscribed')).toBe(true);
      // A read that is not cached waits for the database until it is given up. Cached ones are answered meanwhile.
      let isRefused = false;
      const refused = call(product, `GET /auth/getSchool/${second.id}`).finally(() => {
        isRefused = true;
      });
      for (const [index, request] of [school, page, school, page].entries()) {
        const { status, text, headers } = await call(product, request);
        expect([status, text]).toEqual([200, cached[index % 2]?.text]);
        expect(headers.get('age')).toMatch(/^\d+$/);
        expect(headers.get('warning')).toBe('110 - "Response is Stale"');
        // Whoever watches the process is told at once, every time.
        expectUnavailable(await call(product, 'GET /readyz'));
      }
      expect(isRefused).toBe(false);
      expectUnavailable(await refused);
    } finally {
      thaw();
    }
    await eventually(async () => (await call(product, 'GET /readyz')).status).toBe(200);
    const fresh = await call(product, school);
    expect([fresh.status, fresh.headers.get('warning')]).toEqual([200, null]);
    // That a database does not answer is foreseen: the log lines about it have no stack.
    const lines = product.logs.filter(({ event }) => event === 'unavailable' || event === 'not-ready');
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(line).not.toHaveProperty('err');
    expect(lines.find(({ event }) => event === 'unavailable')?.reason).toMatch(/timeout|silent/);
  });
});

describe('a connection lost', { timeout: PATIENCE_MS }, () => {
  test('between a commit and its answer leaves no stale response', async () => {
    const databaseUrl = await createPostgresDatabase(server.port);
    const line = await startLossyProxy(server.port);
    const product = await startProduct('postgres', {
      DATABASE_URL: databaseUrl.replace(`:${server.port}/`, `:${line.port}/`),
    });
    const [user, entry, marked] = [
      await createUser(product),
      await createEntry(product, category),
      await createEntry(product, category),
    ];
    const read = () => call(product, `GET /auth/${calls.reviews}/${entry.id}`);
    expect((await read()).body).toEqual([]);
    line.loseCommitAfter('insert into "reviews"');
    expectUnavailable(await postReview(product, category, entry.id, user, { review: 'Committed.' }));
    await awaitNotifications(product, marked.id);
    expect((await read()).body).toMatchObject([{ review: 'Committed.' }]);
    // This post is one statement, which commits by itself.
    line.loseAnswerTo('Committed at once.');
    const other = await createUser(product);
    expectUnavailable(await postReview(product, category, entry.id, other, { review: 'Committed at once.' }));
    await awaitNotifications(product, marked.id);
    expect((await read()).body).toMatchObject([{ review: 'Committed at once.' }, { review: 'Committed.' }]);
    await product.stop();
    line.close();
  });
});
