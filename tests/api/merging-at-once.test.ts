import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { locking } from '../../src/server/database/lock-row.ts';
import { addAliases, lockSchools, mergeSchools, retireSchool } from '../../src/server/moderation/merging/queries.ts';
import { insertReview } from '../../src/server/reviews/queries.ts';
import { lockEntryShared } from '../../src/server/visibility/entry-queries.ts';
import { rememberSchool } from '../../src/server/visibility/location-queries.ts';
import { call } from '../support/call.ts';
import { removeAs, restoreAs } from '../support/deletions.ts';
import { holdTransaction, waitForLocks } from '../support/held-transactions.ts';
import { createNamedEntry, createTwinSchools, insertDatedReview, merge } from '../support/merging.ts';
import { accept, proposeEntry } from '../support/proposals.ts';
import { createSchool, createUser, PASSWORD, postReview, type TestUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct, usersOf } from '../support/site.ts';

const [category] = CATEGORIES as [Category];
const { calls } = category;

describeProduct('a merge and concurrent requests on %s', (product) => {
  const admin = adminOf(product);
  const people = usersOf(product, 8);

  const person = (index: number) => people[index] as TestUser;
  const read = async (path: string) => (await call(product, `GET ${path}`)).body;
  const listIds = async (entryId: number) =>
    (await read(`/auth/${calls.reviews}/${entryId}`)).map(({ id }: { id: number }) => id);

  /** Two schools with two entries that become one, and one entry that moves. */
  async function createTwins() {
    const twins = await createTwinSchools(product, category);
    return { ...twins, moving: await createNamedEntry(product, category, twins.from.id, 'Chess Club') };
  }

  test('a review that is posted first is moved or superseded', async () => {
    const { from, into, gone, kept, moving } = await createTwins();
    const older = await insertDatedReview(product, category, kept, person(0), { daysAgo: 3 });
    const values = { rating: 5, review: 'Just in time.', username: null };
    const posted: number[] = [];
    const release = await holdTransaction(product, async (db) => {
      for (const { id } of [gone, moving]) {
        const entry = await lockEntryShared(db, category, id);
        if (!entry) throw new Error('the entry is gone');
        posted.push((await insertReview(db, entry, person(0).id, values, Date.now()))?.id as number);
      }
    });
    const merging = merge(product, admin, from.id, into.id);
    await waitForLocks(product, 1);
    await release();
    expect((await merging).status).toBe(200);
    expect(await listIds(kept.id)).toEqual([posted[0]]);
    expect(await listIds(moving.id)).toEqual([posted[1]]);
    expect((await call(product, `GET /auth/getReview/${older}`)).status).toBe(404);
  });

  test('later requests find entries and reviews at their new school', async () => {
    const { from, into, gone, kept, moving } = await createTwins();
    const [edited, withdrawn] = [
      await insertDatedReview(product, category, gone, person(0)),
      await insertDatedReview(product, category, gone, person(1)),
    ];
    await call(product, `PUT /auth/saveSchool/${from.id}`, { token: person(2).token });
    const release = await holdTransaction(product, async (db) => {
      await lockSchools(db, { from: from.id, into: into.id });
      await mergeSchools(db, { from: from.id, into: into.id }, Date.now());
      await addAliases(db, { ...into, aliases: [] }, { ...from, aliases: [] });
      await retireSchool(db, { from: from.id, into: into.id });
    });
    const as = (index: number, request: string, body?: unknown) =>
      call(product, request, { token: person(index).token, body });
    const entry = { schoolId: from.id, [category.nameField]: 'Late', description: 'x' };
    const later = [
      as(0, `PUT /auth/${calls.updateReview}`, { id: edited, rating: 1, review: 'On reflection.' }),
      as(1, `DELETE /auth/${calls.removeReview}/${withdrawn}`),
      as(2, `PUT /auth/saveSchool/${into.id}`),
      as(3, `PUT /auth/saveSchool/${from.id}`),
      postReview(product, category, gone.id, person(4)),
      postReview(product, category, moving.id, person(5)),
      call(product, `POST /auth/${calls.create}`, { token: admin.token, body: entry }),
    ];
    await waitForLocks(product, later.length);
    await release();
    expect((await Promise.all(later)).map(({ status }) => status)).toEqual([200, 204, 204, 404, 404, 201, 404]);
    // Rows are read, not responses: this merge was not the product's own, and has invalidated nothing that was cached.
    const rows = await product.app.database.read
      .selectFrom('reviews')
      .select(['id', 'entry_id', 'school_id', 'half_stars'])
      .where('school_id', 'in', [from.id, into.id])
      .orderBy('id')
      .execute();
    expect(rows).toMatchObject([
      { id: edited, entry_id: kept.id, school_id: into.id, half_stars: 2 },
      { entry_id: moving.id, school_id: into.id },
    ]);
  });

  /** A review of an entry that moves to another school, in a transaction that is still open. */
  async function holdMove(author: TestUser, beforeMove = async (_entryId: number): Promise<unknown> => undefined) {
    const { from, into, moving } = await createTwins();
    const reviewId = await insertDatedReview(product, category, moving, author);
    await beforeMove(moving.id);
    const pair = { from: from.id, into: into.id };
    const release = await holdTransaction(product, async (db) => {
      await lockSchools(db, pair);
      await mergeSchools(db, pair, Date.now());
      await retireSchool(db, pair);
    });
    return { into, moving, reviewId, release };
  }

  test('later requests to a process with an outdated school find them too', async () => {
    const { into, moving, reviewId, release } = await holdMove(person(0));
    // The new school is remembered before the commit: a request finds nothing there yet, and looks the school up.
    rememberSchool('entries', moving.id, into.id);
    rememberSchool('reviews', reviewId, into.id);
    const as = (index: number, request: string, body?: unknown) =>
      call(product, request, { token: person(index).token, body });
    const later = [
      as(0, `PUT /auth/${calls.updateReview}`, { id: reviewId, rating: 1, review: 'On reflection.' }),
      as(1, `POST /auth/markHelpful/${reviewId}`),
      call(product, `PUT /auth/${calls.update}`, {
        token: admin.token,
        body: { id: moving.id, [category.nameField]: 'Chess', description: 'x' },
      }),
    ];
    await waitForLocks(product, later.length);
    await release();
    expect((await Promise.all(later)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('a user who is deleted meanwhile is removed from the reviews that move', async () => {
    const leaving = await createUser(product);
    const { moving, reviewId, release } = await holdMove(leaving);
    const deleting = call(product, `DELETE /auth/deleteUser/${leaving.id}?reviews=hide`, { token: admin.token });
    await waitForLocks(product, 1);
    await release();
    expect((await deleting).status).toBe(204);
    expect((await call(product, `GET /auth/getReview/${reviewId}`)).status).toBe(404);
    expect(await read(`/auth/${calls.totalReviews}/${moving.id}`)).toEqual({ totalReviews: 0 });
  });

  test('users who are deleted or renamed meanwhile wait for the merge before they lock anything', async () => {
    const { from, into, gone, kept } = await createTwins();
    const [deleted, leaving, renamed] = [
      await createUser(product),
      await createUser(product),
      await createUser(product),
    ];
    for (const user of [deleted, leaving, renamed])
      for (const entry of [gone, kept]) await insertDatedReview(product, category, entry, user);
    // The merge has moved the reviews, and waits for those that stay: in the transactions of the others it is half done.
    const release = await holdTransaction(product, (db) =>
      locking(db, db.selectFrom('reviews').select('id').where('entry_id', '=', kept.id)).execute(),
    );
    const merging = merge(product, admin, from.id, into.id);
    await waitForLocks(product, 1);
    const password = PASSWORD;
    const others = [
      call(product, `DELETE /auth/deleteUser/${deleted.id}?reviews=hide`, { token: admin.token }),
      call(product, 'POST /auth/deleteMyAccount', { token: leaving.token, body: { password, reviews: 'delete' } }),
      call(product, 'PUT /auth/updateMyAccount', { token: renamed.token, body: { password, username: unique('new') } }),
    ];
    await waitForLocks(product, 1 + others.length);
    if (product.engine === 'postgres') {
      const { rows } = await sql`
        select wait_event from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query not like '%from "reviews"%'`.execute(product.app.database.read);
      expect(rows).toEqual(others.map(() => ({ wait_event: 'advisory' })));
    }
    await release();
    expect((await merging).status).toBe(200);
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([204, 204, 200]);
  });

  test('authors whose other requests wait for the merge leave it the way', async () => {
    const { from, into, gone, kept } = await createTwins();
    const authors: TestUser[] = [];
    for (let index = 0; index < 4; index += 1) authors.push(await createUser(product));
    const [saving, reporting, proposing, proposer] = authors as [TestUser, TestUser, TestUser, TestUser];
    for (const user of authors) await insertDatedReview(product, category, gone, user);
    const reported = await insertDatedReview(product, category, kept, person(0));
    const { body: proposal } = await proposeEntry(product, proposer, { schoolId: into.id, name: 'Judo' });
    const release = await holdTransaction(product, async (db) => {
      await lockSchools(db, { from: from.id, into: into.id });
      await locking(db, db.selectFrom('reviews').select('id').where('id', '=', reported)).execute();
    });
    const requests = [
      call(product, `PUT /auth/saveSchool/${into.id}`, { token: saving.token }),
      call(product, `POST /auth/reportReview/${reported}`, { token: reporting.token, body: { reason: 'spam' } }),
      proposeEntry(product, proposing, { schoolId: into.id, name: 'Rowing' }),
      accept(product, admin, proposal.id),
    ];
    await waitForLocks(product, requests.length);
    const { read } = product.app.database;
    const ids = authors.map(({ id }) => id);
    const found = read.selectFrom('users').select('id').where('id', 'in', ids);
    expect(await locking(read, found, { strength: 'keyShare', skip: true }).execute()).toHaveLength(authors.length);
    await release();
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([204, 201, 201, 200]);
  });

  test('a deleted entry that moves is restored where it is then', async () => {
    const { into, moving, release } = await holdMove(person(0), (id) => removeAs(product, admin, 'entry', id));
    const restoring = restoreAs(product, admin, 'entry', moving.id);
    await waitForLocks(product, 1);
    await release();
    expect((await restoring).status).toBe(200);
    const { rows } = await sql`select school_id, deleted_at from entries where id = ${moving.id}`.execute(
      product.app.database.read,
    );
    expect(rows).toEqual([{ school_id: into.id, deleted_at: null }]);
  });

  test('of the same merge twice, and of a merge and its reverse, one happens', async () => {
    const [one, two] = [await createTwins(), await createTwins()];
    const same = [merge(product, admin, one.from.id, one.into.id), merge(product, admin, one.from.id, one.into.id)];
    const reverse = [merge(product, admin, two.from.id, two.into.id), merge(product, admin, two.into.id, two.from.id)];
    const statuses = async (answers: typeof same) => (await Promise.all(answers)).map(({ status }) => status).sort();
    expect(await statuses(same)).toEqual([200, 404]);
    expect(await statuses(reverse)).toEqual([200, 404]);
  });

  test('of three schools with a reviewed entry in common, merged at once, the reviews are counted once each', async () => {
    const [a, b, c] = [await createSchool(product), await createSchool(product), await createSchool(product)];
    for (const [index, { id }] of [a, b, c].entries()) {
      const entry = await createNamedEntry(product, category, id, 'Rowing Club');
      // One person reviewed all three, the others one each.
      await insertDatedReview(product, category, entry, person(0), { rating: 1 + index, daysAgo: 3 - index });
      await insertDatedReview(product, category, entry, person(1 + index), { rating: 5 });
    }
    const answers = await Promise.all([
      merge(product, admin, a.id, b.id),
      merge(product, admin, b.id, c.id),
      merge(product, admin, a.id, c.id),
      merge(product, admin, b.id, a.id),
    ]);
    // Whichever merge comes first, two of the three succeed, and the others name a school that no longer exists.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 404, 404]);
    const found = await Promise.all([a, b, c].map(({ id }) => call(product, `GET /auth/getSchool/${id}`)));
    expect(found.map(({ status }) => status).sort()).toEqual([200, 301, 301]);
    const remaining = found.find(({ status }) => status === 200)?.body.id;
    const [entry, ...others] = await read(`/auth/${calls.list}/${remaining}`);
    expect([entry, others]).toMatchObject([{ totalReviews: 4, averageRating: 4.5 }, []]);
    expect(await listIds(entry.id)).toHaveLength(4);
    const mine = (await call(product, 'GET /auth/getMyReviews', { token: person(0).token })).body;
    const ofThese = mine.filter((one: { entryId: number }) => one.entryId === entry.id);
    expect(ofThese.map(({ isWithdrawn }: { isWithdrawn: boolean }) => isWithdrawn)).toEqual([false, true, true]);
  });

  test('a chain that is merged at once leads to its end, and a deletion beside it breaks nothing', async () => {
    const [one, two] = [await createTwins(), await createTwins()];
    const answers = await Promise.all([
      merge(product, admin, one.from.id, one.into.id),
      merge(product, admin, one.into.id, two.into.id),
      merge(product, admin, two.from.id, two.into.id),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([expect.toBeOneOf([200, 404]), 200, 200]);
    for (const { id } of [one.into, two.from]) {
      const { headers } = await call(product, `GET /auth/getSchool/${id}`);
      expect(headers.get('location')).toBe(`/auth/getSchool/${two.into.id}`);
    }
    const [merged, deleted] = await Promise.all([
      merge(product, admin, (await createTwins()).from.id, two.into.id),
      call(product, `DELETE /auth/deleteSchool/${two.into.id}`, { token: admin.token }),
    ]);
    expect([200, 404]).toContain(merged.status);
    expect(deleted.status).toBe(204);
    expect((await call(product, `GET /auth/getSchool/${two.from.id}`)).status).toBe(404);
  });

  test('posts, edits, marks and withdrawals beside a merge are counted once each', async () => {
    const { from, into, gone, kept, moving } = await createTwins();
    const there = await Promise.all(
      people.map((user) => insertDatedReview(product, category, gone, user, { daysAgo: 1 })),
    );
    const as = (index: number, request: string, body?: unknown) =>
      call(product, request, { token: person(index).token, body });
    const [merged, ...others] = await Promise.all([
      merge(product, admin, from.id, into.id),
      ...people.map((user) => postReview(product, category, moving.id, user, { rating: 3 })),
      ...people.map((user) => postReview(product, category, kept.id, user, { rating: 2 })),
      ...[0, 1, 2].map((index) =>
        as(index, `PUT /auth/${calls.updateReview}`, { id: there[index], rating: 5, review: 'Better.' }),
      ),
      ...[3, 4, 5].map((index) => as(index, `DELETE /auth/${calls.removeReview}/${there[index]}`)),
      ...[6, 7].map((index) => as(index, `POST /auth/markHelpful/${there[0]}`)),
    ]);
    expect(merged.status).toBe(200);
    for (const { status } of others) expect([200, 201, 204, 404, 409]).toContain(status);
    const shown = await read(`/auth/${calls.list}/${into.id}`);
    for (const { id, totalReviews } of shown) {
      expect(await listIds(id)).toHaveLength(totalReviews);
      expect(await read(`/auth/${calls.totalReviews}/${id}`)).toEqual({ totalReviews });
    }
    expect(shown.map(({ id }: { id: number }) => id).sort()).toEqual([kept.id, moving.id].sort());
    expect((await listIds(moving.id)).length).toBe(people.length);
  });
});
