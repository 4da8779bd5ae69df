import { expect, test } from 'vitest';
import { BURST_REVIEWS } from '../../src/contract/bursts.ts';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { createNamedEntry, createTwinSchools, type DatedReview, insertDatedReview, merge } from '../support/merging.ts';
import { hide, moderate, report } from '../support/moderation.ts';
import { createEntry, createSchool, createUser, postReview, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, usersOf } from '../support/site.ts';

const [category, other] = CATEGORIES as readonly Category[] as [Category, Category];
const { calls } = category;

describeProduct('merging schools on %s', (product) => {
  const admin = adminOf(product);
  const people = usersOf(product, 4);

  const get = (path: string, user?: TestUser) => call(product, `GET ${path}`, { token: user?.token });
  const read = async (path: string, user?: TestUser) => (await get(path, user)).body;
  const preview = (from: number, into: number) => read(`/auth/previewMerge?from=${from}&into=${into}`, admin);
  const person = (index: number) => people[index] as TestUser;
  const write = (entry: { id: number; schoolId: number }, user: TestUser, written?: DatedReview) =>
    insertDatedReview(product, category, entry, user, written);
  const listIds = async (entryId: number) =>
    (await read(`/auth/${calls.reviews}/${entryId}`)).map(({ id }: { id: number }) => id);
  const receiptOf = async (user: TestUser, reviewId: number) =>
    (await read('/auth/getMyReviews', user)).find(({ id }: { id: number }) => id === reviewId);
  const createTwins = () => createTwinSchools(product, category);

  test('entries move, and those of one category with the same name but for case and accents become one', async () => {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    const moving = await createEntry(product, category, from.id);
    const [cafe, kept] = [
      await createNamedEntry(product, category, from.id, 'CAFÉ DÉBAT'),
      await createNamedEntry(product, category, into.id, 'Cafe débat'),
    ];
    // The same name in another category is another entry.
    const elsewhere = await createNamedEntry(product, other, from.id, 'Cafe debat');
    const own = await write(moving, person(0), { rating: 2, relation: 'parent' });
    const joined = [
      await write(cafe, person(0), { rating: 5, relation: 'student', daysAgo: 2 }),
      await write(kept, person(1), { rating: 1, relation: 'student', daysAgo: 1 }),
    ];
    expect(await preview(from.id, into.id)).toEqual({ moving: 2, joining: 1, reviews: 2 });

    const merged = await merge(product, admin, from.id, into.id);
    expect(merged.status).toBe(200);
    expect(merged.body).toEqual({ ...into, aliases: [from.schoolName] });
    expect(await read(`/auth/getSchool/${into.id}`)).toEqual(merged.body);
    const entries = await read(`/auth/${calls.list}/${into.id}`);
    expect(entries.map(({ id }: { id: number }) => id).sort()).toEqual([moving.id, kept.id].sort());
    expect((await read(`/auth/${other.calls.list}/${into.id}`))[0]).toMatchObject({ id: elsewhere.id });
    expect(entries).toContainEqual(expect.objectContaining({ id: kept.id, averageRating: 3, totalReviews: 2 }));
    expect(await listIds(kept.id)).toEqual(joined.toReversed());
    expect(await read(`/auth/getEntrySummary/${kept.id}`)).toMatchObject({
      totalReviews: 2,
      relations: { student: 2, undeclared: 0 },
    });
    expect(await read(`/auth/getReview/${own}`)).toMatchObject({ schoolId: into.id, schoolName: into.schoolName });
    expect(await read(`/auth/getReview/${joined[0]}`)).toMatchObject({ entryId: kept.id, schoolId: into.id });
    expect(await read(`/auth/getSchoolSummary/${into.id}`)).toMatchObject({ totalReviews: 3 });
  });

  test('where one person reviewed both, the newer review stays and the other is withdrawn with an event', async () => {
    const { from, into, gone, kept } = await createTwins();
    const [one, two] = [person(0), person(1)];
    const newerThere = [await write(gone, one, { rating: 1, daysAgo: 9 }), await write(kept, one, { daysAgo: 3 })];
    const newerHere = [await write(gone, two, { daysAgo: 2 }), await write(kept, two, { rating: 1, daysAgo: 8 })];
    expect(await preview(from.id, into.id)).toEqual({ moving: 0, joining: 1, reviews: 2 });
    expect((await merge(product, admin, from.id, into.id)).status).toBe(200);
    expect(await listIds(kept.id)).toEqual([newerHere[0], newerThere[1]]);
    expect(await read(`/auth/${calls.averageRating}/${kept.id}`)).toEqual({ averageRating: 4 });
    for (const [user, lost] of [
      [one, newerThere[0]],
      [two, newerHere[1]],
    ] as [TestUser, number][]) {
      expect((await get(`/auth/getReview/${lost}`)).status).toBe(404);
      const receipt = await receiptOf(user, lost);
      expect(receipt).toMatchObject({ isHidden: false, isWithdrawn: true, entryId: kept.id, schoolId: into.id });
      expect(receipt.events.map(({ event }: { event: string }) => event)).toEqual(['posted', 'merged']);
      const change = { id: lost, rating: 5, review: 'Once more.' };
      expect((await call(product, `PUT /auth/${calls.updateReview}`, { token: user.token, body: change })).status).toBe(
        404,
      );
      expect((await call(product, `DELETE /auth/${calls.removeReview}/${lost}`, { token: user.token })).status).toBe(
        404,
      );
    }
    // A superseded review blocks nothing: the newer one can be withdrawn, and another one posted.
    expect((await postReview(product, category, kept.id, one)).status).toBe(409);
    await call(product, `DELETE /auth/${calls.removeReview}/${newerThere[1]}`, { token: one.token });
    expect((await postReview(product, category, kept.id, one)).status).toBe(201);
    expect((await read('/auth/getMyReviews', one)).length).toBeGreaterThan(1);
  });

  test('of two reviews of the same moment the later one stays', async () => {
    const { from, into, gone, kept } = await createTwins();
    const first = await write(kept, person(2));
    const second = await write(gone, person(2));
    await product.app.database.write((db) =>
      db.updateTable('reviews').set({ created_at: 1_000 }).where('id', 'in', [first, second]).execute(),
    );
    await merge(product, admin, from.id, into.id);
    expect(await listIds(kept.id)).toEqual([second]);
  });

  test('helpful marks stay with their reviews', async () => {
    const { from, into, gone, kept } = await createTwins();
    const reviewId = await write(gone, person(0));
    await call(product, `POST /auth/markHelpful/${reviewId}`, { token: person(1).token });
    await merge(product, admin, from.id, into.id);
    expect(await read(`/auth/getReview/${reviewId}`)).toMatchObject({ helpful: 1 });
    expect(await read(`/auth/getMyHelpful/${kept.id}`, person(1))).toEqual([reviewId]);
    expect((await get(`/auth/getMyHelpful/${gone.id}`, person(1))).status).toBe(404);
    expect((await call(product, `DELETE /auth/markHelpful/${reviewId}`, { token: person(1).token })).body).toEqual({
      helpful: 0,
    });
  });

  test('a hidden review stays hidden, its lines stay public, and superseded ones leave the queue', async () => {
    const { from, into, gone, kept } = await createTwins();
    const [hidden, reported] = [await write(gone, person(0)), await write(gone, person(1), { daysAgo: 5 })];
    const newer = await write(kept, person(1));
    await hide(product, admin, hidden);
    await report(product, person(2), reported);
    const { reports: open } = await read('/auth/getOpenCounts', admin);
    const removals = await read('/auth/getRemovals');
    await merge(product, admin, from.id, into.id);
    expect(await listIds(kept.id)).toEqual([newer]);
    expect(await read('/auth/getRemovals')).toEqual(removals);
    expect((await read('/auth/getOpenCounts', admin)).reports).toBe(open - 1);
    expect((await moderate(product, admin, reported, { action: 'hide', reason: 'fake' })).status).toBe(404);
    expect((await postReview(product, category, kept.id, person(0))).body.error).toContain('was hidden');
    const item = (await read('/auth/getReports?state=closed', admin))[0];
    expect(item).toMatchObject({ reviewId: hidden, entryId: kept.id, schoolId: into.id });
    expect((await moderate(product, admin, hidden, { action: 'restore' })).status).toBe(200);
    expect(await listIds(kept.id)).toEqual([newer, hidden]);
  });

  test('a burst that is being checked goes with its entry', async () => {
    const { from, into, gone, kept } = await createTwins();
    for (let posted = 0; posted < BURST_REVIEWS; posted += 1) {
      expect((await postReview(product, category, gone.id, await createUser(product))).status).toBe(201);
    }
    expect((await read(`/auth/getEntrySummary/${kept.id}`)).isBeingChecked).toBe(false);
    await merge(product, admin, from.id, into.id);
    expect((await read(`/auth/getEntrySummary/${kept.id}`)).isBeingChecked).toBe(true);
    const { rows } = await read(`/auth/getRanking?category=${category.kind}`);
    expect(rows).toContainEqual(expect.objectContaining({ schoolId: into.id, leftOut: BURST_REVIEWS }));
  });

  test('a hidden review that was superseded stays withdrawn when it is restored', async () => {
    const { from, into, gone, kept } = await createTwins();
    const [older, newer] = [await write(gone, person(3), { daysAgo: 5 }), await write(kept, person(3))];
    await hide(product, admin, older);
    await merge(product, admin, from.id, into.id);
    expect(await receiptOf(person(3), older)).toMatchObject({ isHidden: true, isWithdrawn: true });
    expect((await moderate(product, admin, older, { action: 'restore' })).status).toBe(200);
    expect(await receiptOf(person(3), older)).toMatchObject({ isHidden: false, isWithdrawn: true });
    expect(await listIds(kept.id)).toEqual([newer]);
  });

  test('three reviews of one person become one through entries of the same name, and through a second merge', async () => {
    const { from, into, gone, kept } = await createTwins();
    const name = (await read(`/auth/${calls.nameLookup}/${gone.id}`))[category.nameField];
    const twin = await createNamedEntry(product, category, from.id, name);
    const third = await createSchool(product);
    const last = await createNamedEntry(product, category, third.id, name);
    const author = await createUser(product);
    const ids = [
      await write(gone, author, { daysAgo: 3 }),
      await write(twin, author, { daysAgo: 1 }),
      await write(kept, author, { daysAgo: 2 }),
      await write(last, author, { daysAgo: 4 }),
    ];
    expect(await preview(from.id, into.id)).toEqual({ moving: 0, joining: 2, reviews: 2 });
    await merge(product, admin, from.id, into.id);
    expect(await listIds(kept.id)).toEqual([ids[1]]);
    await merge(product, admin, into.id, third.id);
    expect(await listIds(last.id)).toEqual([ids[1]]);
    const mine = await read('/auth/getMyReviews', author);
    expect(
      mine.map(({ isWithdrawn, entryId }: { isWithdrawn: boolean; entryId: number }) => [isWithdrawn, entryId]),
    ).toEqual([
      [false, last.id],
      [true, last.id],
      [true, last.id],
      [true, last.id],
    ]);
    await call(product, `DELETE /auth/${calls.remove}/${last.id}`, { token: admin.token });
    const deleted = await read('/auth/getMyReviews', author);
    expect(deleted.map(({ isDeleted }: { isDeleted: boolean }) => isDeleted)).toEqual(mine.map(() => true));
  });
});
