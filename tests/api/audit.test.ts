import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getAdminActs } from '../../src/contract/audit.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { createAdmin, grantAdmin, revokeAdmin } from '../../src/server/accounts/admins.ts';
import { call } from '../support/call.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createEntry, createSchool, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { createWorld, type Prepare, VALID_REQUESTS, type World } from '../support/valid-requests.ts';

/** What an admin may do and others may not, and changes something. */
const ADMIN_ACTS = CALLS.filter(({ access, method }) => access === 'admin' && method !== 'GET');
const [category] = CATEGORIES as [(typeof CATEGORIES)[number]];

describe.each(ENGINES)('the trail of what admins do on %s', (engine) => {
  let product: Product;
  let admin: TestUser;
  let world: World;

  beforeAll(async () => {
    product = await startProduct(engine);
    world = await createWorld(product);
    admin = world.admin;
  });
  afterAll(() => product.stop());

  const read = async (query = '') =>
    (await call(product, `GET /auth/getAdminActs${query}`, { token: admin.token })).body;

  test.each(ADMIN_ACTS.map(({ name, method, path }) => [name, `${method} ${path}`]))(
    'notes %s once, with who, what and when',
    async (name, title) => {
      const { path, body } = await (VALID_REQUESTS[title] as Prepare)(world);
      const [before] = await read('?limit=1');
      product.clock.ahead += 1000;
      const began = Date.now() + product.clock.ahead;
      const answer = await call(product, `${title.split(' ')[0]} ${path}`, {
        token: admin.token,
        ...(body && { body }),
      });
      expect(answer.status).toBeLessThan(300);
      const [act, next] = await read('?limit=2');
      expect(act).toEqual({
        id: expect.any(Number),
        at: expect.any(String),
        userId: admin.id,
        username: admin.username,
        act: name,
        target: expect.stringMatching(/^\w+ .*\d+, ./),
      });
      expect(Date.parse(act.at)).toBeGreaterThanOrEqual(began);
      expect(next?.id).toBe(before?.id);
    },
  );

  test('notes the review of somebody else that an admin deletes, and not one’s own', async () => {
    const entry = await createEntry(product, category);
    const own = await postReview(product, category, entry.id, admin);
    const other = await postReview(product, category, entry.id, world.user);
    const [before] = await read('?limit=1');
    const remove = (id: number) =>
      call(product, `DELETE /auth/${category.calls.removeReview}/${id}`, { token: admin.token });
    expect((await remove(own.body.id)).status).toBe(204);
    expect(await read('?limit=1')).toEqual([before]);
    expect((await remove(other.body.id)).status).toBe(204);
    expect((await read('?limit=1'))[0]).toMatchObject({
      act: category.calls.removeReview,
      target: expect.stringContaining(`review ${other.body.id} of`),
    });
  });

  test('notes nothing that was refused', async () => {
    const [before] = await read('?limit=1');
    const { token } = admin;
    expect((await call(product, 'DELETE /auth/deleteSchool/999999999', { token })).status).toBe(404);
    expect((await call(product, 'POST /auth/postSchool', { token, body: { schoolName: '' } })).status).toBe(400);
    const school = await createSchool(product);
    expect((await call(product, `DELETE /auth/deleteSchool/${school.id}`, { token: world.user.token })).status).toBe(
      403,
    );
    expect(await read('?limit=1')).toEqual([before]);
  });

  test('notes what is done at the command line', async () => {
    const { database } = product.app;
    const username = unique('cli');
    const email = `${username}@example.org`;
    await createAdmin(
      database,
      { email, username, password: 'correct horse battery staple' },
      { siteName: 'x', now: 0 },
    );
    await revokeAdmin(database, email, 0);
    await grantAdmin(database, email, 0);
    const acts = await read('?limit=3');
    expect(acts.map(({ act }: { act: string }) => act)).toEqual(['admin grant', 'admin revoke', 'admin create']);
    expect(acts[0]).toMatchObject({
      userId: null,
      username: 'command line',
      target: expect.stringContaining(username),
    });
  });

  test('is read page by page, newest first', async () => {
    const all = await read();
    const seen: unknown[] = [];
    let path: string | undefined = `${getAdminActs.path}?limit=3`;
    while (path) {
      const { body, headers } = await call(product, `GET ${path}`, { token: admin.token });
      seen.push(...body);
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen.slice(0, all.length)).toEqual(all);
    const ids = all.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
  });

  test('outlives whoever stands in it', async () => {
    const leaving = await createUser(product, { isAdmin: true });
    await createSchool(product);
    const body = { schoolName: unique('Left'), description: 'By somebody who left.', location: 'Here' };
    await call(product, 'POST /auth/postSchool', { token: leaving.token, body });
    expect((await call(product, `DELETE /auth/deleteUser/${leaving.id}`, { token: admin.token })).status).toBe(204);
    expect((await read('?limit=2'))[1]).toMatchObject({
      userId: leaving.id,
      username: leaving.username,
      act: 'postSchool',
    });
  });

  const truncates = ['truncate admin_acts', 'truncate users, admin_acts cascade'];
  const changes = ['update admin_acts set username = ’x’', 'delete from admin_acts'];
  test.each(engine === 'postgres' ? [...changes, ...truncates] : changes)(
    'the database refuses: %s',
    async (statement) => {
      const before = await read();
      const changing = product.app.database.write((db) => sql.raw(statement.replaceAll('’', "'")).execute(db));
      await expect(changing).rejects.toThrow('admin_acts is append-only');
      expect(await read()).toEqual(before);
    },
  );
});
