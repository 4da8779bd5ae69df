import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createTarget, createWorkplace, inDatabase } from '../support/command.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { findFaults } from '../support/moderation.ts';
import { dataOf, ENGINES, type Product } from '../support/product.ts';
import { accept, proposeEntry, proposeSchool } from '../support/proposals.ts';
import { category, createSchool, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const REVIEW = { rating: 5, review: 'Buy here.' };
const description = 'See https://evil.example/ for more.';

const { newDataDir } = createWorkplace();

describe.each(ENGINES)('what people add with PROPOSALS=open on %s', (engine) => {
  async function start() {
    const product = await startForTest(engine, { PROPOSALS: 'open' });
    return { product, admin: await createUser(product, { isAdmin: true }), spammer: await createUser(product) };
  }

  const addSchool = async (product: Product, by: TestUser): Promise<number> => {
    const { status, body } = await proposeSchool(product, by, {
      schoolName: unique('School'),
      location: 'Here',
      description,
    });
    expect(status).toBe(201);
    return body.schoolId;
  };
  const addEntry = async (
    product: Product,
    by: TestUser,
    schoolId: number,
    review?: typeof REVIEW,
  ): Promise<number> => {
    const { status, body } = await proposeEntry(product, by, {
      schoolId,
      name: unique('Entry'),
      description,
      ...(review && { review }),
    });
    expect(status).toBe(201);
    return body.entryId;
  };
  const statusOf = async (product: Product, path: string) => (await call(product, `GET /auth/${path}`)).status;
  const schoolStatus = (product: Product, id: number) => statusOf(product, `getSchool/${id}`);
  const entryStatus = (product: Product, id: number) => statusOf(product, `${category.calls.nameLookup}/${id}`);
  const remove = (product: Product, admin: TestUser, { id }: TestUser) =>
    call(product, `DELETE /auth/deleteUser/${id}?reviews=hide`, { token: admin.token });

  test('tells whether the review with it is the first of its category at the school', async () => {
    const { product, spammer } = await start();
    const schoolId = await addSchool(product, spammer);
    const add = (review?: typeof REVIEW) =>
      proposeEntry(product, spammer, { schoolId, name: unique('Entry'), ...(review && { review }) });
    expect((await add()).body).not.toHaveProperty('isFirst');
    expect((await add(REVIEW)).body.isFirst).toBe(true);
    expect((await add(REVIEW)).body.isFirst).toBe(false);
  });

  test('is marked as unchecked until an admin changes it', async () => {
    const { product, admin, spammer } = await start();
    const id = await addSchool(product, spammer);
    const read = async () => (await call(product, `GET /auth/getSchool/${id}`)).body;
    const added = await read();
    expect(added).toMatchObject({ description, isUnchecked: true });
    const { isUnchecked: _, ...body } = added;
    const updated = await call(product, 'PUT /auth/updateSchool', { token: admin.token, body });
    expect([updated.status, updated.body]).toEqual([200, body]);
    expect(await read()).toEqual(body);
    expect((await call(product, `GET /auth/getSchool/${(await createSchool(product)).id}`)).body).not.toHaveProperty(
      'isUnchecked',
    );
    const reviewed = await startForTest(engine, { ...dataOf(product), PROPOSALS: 'review' });
    const open = await proposeSchool(reviewed, spammer, {
      schoolName: unique('School'),
      location: 'Here',
      description,
    });
    const { schoolId } = (await accept(reviewed, admin, open.body.id)).body;
    expect((await call(reviewed, `GET /auth/getSchool/${schoolId}`)).body).not.toHaveProperty('isUnchecked');
  });

  test('goes with a user who is deleted with their reviews, unless others have used it', async () => {
    const { product, admin, spammer } = await start();
    const other = await createUser(product);
    const { id: honest } = await createSchool(product);
    const spamSchools = [await addSchool(product, spammer), await addSchool(product, spammer)];
    const [first = 0] = spamSchools;
    const spamEntries = [
      await addEntry(product, spammer, first, REVIEW),
      await addEntry(product, spammer, honest, REVIEW),
      await addEntry(product, spammer, honest),
    ];
    const [kept, changed] = [await addSchool(product, spammer), await addSchool(product, spammer)];
    const reviewedEntry = await addEntry(product, spammer, kept, REVIEW);
    await postReview(product, category, reviewedEntry, other);
    const joined = await addSchool(product, spammer);
    const otherEntry = await addEntry(product, other, joined);
    const body = { id: changed, schoolName: unique('School'), location: 'Here', description: 'A school.' };
    await call(product, 'PUT /auth/updateSchool', { token: admin.token, body });

    expect((await remove(product, admin, spammer)).status).toBe(204);
    for (const id of spamSchools) expect(await schoolStatus(product, id)).toBe(404);
    for (const id of spamEntries) expect(await entryStatus(product, id)).toBe(404);
    for (const id of [kept, changed, joined]) expect(await schoolStatus(product, id)).toBe(200);
    for (const id of [reviewedEntry, otherEntry]) expect(await entryStatus(product, id)).toBe(200);
    const list = (await call(product, `GET /auth/${category.calls.reviews}/${reviewedEntry}`)).body;
    expect(list, 'the review of the user is hidden there too').toHaveLength(1);
    const acts = (await call(product, 'GET /auth/getAdminActs?act=deleteUser', { token: admin.token })).body;
    expect(acts).toMatchObject([{ reason: 'reviews hidden: spam; schools deleted: 2; entries deleted: 2' }]);
    const deleted = (await call(product, 'GET /auth/getDeleted', { token: admin.token })).body;
    expect(deleted.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['entry', 'entry', 'school', 'school']);

    const restored = await call(product, 'POST /auth/restoreDeleted', {
      token: admin.token,
      body: { kind: 'school', id: first },
    });
    expect(restored.status).toBe(200);
    expect(await entryStatus(product, spamEntries[0] as number), 'its entry comes back with it').toBe(200);
    expect(await findFaults(product)).toEqual([]);
  });

  test('stays when its user is deleted without their reviews, or somebody posts there at the same moment', async () => {
    const { product, admin, spammer } = await start();
    const [other, gone] = [await createUser(product), await createUser(product)];
    const left = await addSchool(product, gone);
    const { status } = await call(product, `DELETE /auth/deleteUser/${gone.id}`, { token: admin.token });
    expect([status, await schoolStatus(product, left)]).toEqual([204, 200]);

    const schoolId = await addSchool(product, spammer);
    const entryIds: number[] = [];
    for (let count = 0; count < 4; count += 1) entryIds.push(await addEntry(product, spammer, schoolId, REVIEW));
    const [removed, ...posted] = await Promise.all([
      remove(product, admin, spammer),
      ...entryIds.map((id) => postReview(product, category, id, other)),
    ]);
    expect(removed?.status).toBe(204);
    for (const [index, answer] of posted.entries()) {
      // If the review is posted first, its entry stays. If the entry is deleted first, there is nothing to review.
      expect([201, 404]).toContain(answer.status);
      const isThere = (await entryStatus(product, entryIds[index] as number)) === 200;
      if (answer.status === 201) expect(isThere).toBe(true);
    }
    expect(await findFaults(product)).toEqual([]);
  });
});

describe.each(ENGINES)('what people added with the version before on %s', (engine) => {
  test('is unchecked if nobody but its proposer has touched it', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('unchecked-additions'), async (db) => {
      // Four schools: added at once, added at once and changed since, accepted by an admin, made by an admin.
      for (const [id, name] of ['added', 'changed', 'accepted', 'made'].entries()) {
        await sql`insert into schools (school_name, name_key, prefix_key, description, location)
          values (${name}, ${name}, ${name}, 'x', 'Lyon, France')`.execute(db);
        await sql`insert into entries (kind, school_id, name, name_key, description)
          values ('clubs', ${id + 1}, ${name}, ${name}, 'x')`.execute(db);
        if (name === 'made') continue;
        for (const kind of ['school', 'entry']) {
          const decidedAt = name === 'accepted' ? 2 : 1;
          await sql`insert into proposals (kind, state, created_at, decided_at, equal_key, name, description, made_id)
            values (${kind}, 'accepted', 1, ${decidedAt}, ${`${kind} ${name}`}, ${name}, 'x', ${id + 1})`.execute(db);
        }
      }
      for (const [kind, act] of [
        ['school', 'updateSchool'],
        ['entry', 'updateClubs'],
      ]) {
        await sql`insert into audit_entries (happened_at, act, subject_kind, subject_id)
          values (2, ${act}, ${kind}, 2)`.execute(db);
      }
    });
    await inDatabase(env, async ({ read }) => {
      for (const table of ['schools', 'entries'] as const) {
        const rows = await read.selectFrom(table).select(['id', 'is_unchecked']).orderBy('id').execute();
        expect(rows.map((row) => row.is_unchecked)).toEqual([1, 0, 0, 0]);
      }
    });
  });
});
