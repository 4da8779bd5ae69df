import { beforeAll, beforeEach, expect, test } from 'vitest';
import { BURST_MINUTES, BURST_REVIEWS, NEW_ACCOUNT_DAYS } from '../../src/contract/bursts.ts';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import type { Ranking } from '../../src/contract/leaderboard.ts';
import { createBurstSteps } from '../support/bursts.ts';
import { call } from '../support/call.ts';
import { findFaults, hide, moderate, report } from '../support/moderation.ts';
import { createRatedEntry, times } from '../support/ratings.ts';
import { category, createSchool, createUser, postReview, signIn, type TestUser } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { calls } = category;

describeProduct('reviews that arrive at once on %s', (product) => {
  let admin: TestUser;
  /** An entry of another school, so that there is a ranking that could move. */
  let rated: { entryId: number; schoolId: number };

  const { createTarget, post, postMany, isBeingChecked, ranking, openBursts } = createBurstSteps(() => ({
    product,
    admin,
  }));

  beforeAll(async () => {
    admin = await createUser(product, { isAdmin: true });
    const { id: schoolId } = await createSchool(product);
    const entry = await createRatedEntry(product, category, schoolId, times(20, 4));
    rated = { entryId: entry.id, schoolId };
  });
  beforeEach(async () => {
    product.clock.ahead = 0;
    // Signed in again, because a session that was used at a later time has ended.
    admin = { ...admin, token: await signIn(product, admin.id) };
  });

  const figures = async (entryId: number) => ({
    ...(await call(product, `GET /auth/${calls.averageRating}/${entryId}`)).body,
    ...(await call(product, `GET /auth/${calls.totalReviews}/${entryId}`)).body,
  });
  const weights = ({ priorMean, rows }: Ranking) => [
    priorMean,
    ...rows.map(({ schoolId, weightedRating }) => [schoolId, weightedRating]),
  ];
  test('ten by new accounts are shown and counted, wait for an admin and leave the weighted ranking as it was', async () => {
    const { entryId, schoolId } = await createTarget();
    const before = await ranking();
    const ids = await postMany(entryId, BURST_REVIEWS);
    expect(await isBeingChecked(entryId)).toBe(true);
    expect(await openBursts(entryId)).toEqual(ids);
    expect(await figures(entryId)).toEqual({ averageRating: 56 / 12, totalReviews: 12 });
    const { body: listed } = await call(product, `GET /auth/${calls.reviews}/${entryId}`);
    expect(listed).toHaveLength(12);
    const during = await ranking();
    expect(weights(during)).toEqual(weights(before));
    const row = during.rows.find((one) => one.schoolId === schoolId);
    expect(row).toMatchObject({ averageRating: 56 / 12, totalReviews: 12, leftOut: BURST_REVIEWS });
    expect(during.rows.filter(({ leftOut }) => leftOut > 0)).toHaveLength(1);
    const { body: page } = await call(product, `GET /auth/getReview/${ids[0]}`);
    expect(page).toMatchObject({ id: ids[0], entryId });
    expect((await call(product, 'GET /auth/getOpenCounts', { token: admin.token })).body.reports).toBe(BURST_REVIEWS);
  });

  test('nine by new accounts are no burst, nor ten of which the first came more than ten minutes before the last', async () => {
    const { entryId } = await createTarget();
    await postMany(entryId, BURST_REVIEWS - 1);
    expect(await isBeingChecked(entryId)).toBe(false);
    product.clock.ahead = BURST_MINUTES * MINUTE + 5_000;
    await post(entryId);
    expect(await isBeingChecked(entryId)).toBe(false);
    expect(await openBursts(entryId)).toEqual([]);
  });

  test('ten by accounts of seven days are no burst, and do not make one of nine by younger ones', async () => {
    const { entryId } = await createTarget();
    await postMany(entryId, BURST_REVIEWS, { age: NEW_ACCOUNT_DAYS * DAY });
    await postMany(entryId, BURST_REVIEWS - 1, { age: NEW_ACCOUNT_DAYS * DAY - MINUTE });
    expect(await isBeingChecked(entryId)).toBe(false);
    const { reviewId } = await post(entryId, { age: NEW_ACCOUNT_DAYS * DAY - MINUTE });
    expect(await isBeingChecked(entryId)).toBe(true);
    expect(await openBursts(entryId)).toHaveLength(BURST_REVIEWS);
    expect(await openBursts(entryId)).toContain(reviewId);
  });

  test('ten posted at the same moment are found', async () => {
    const { entryId } = await createTarget();
    const authors = await Promise.all(Array.from({ length: BURST_REVIEWS }, () => createUser(product)));
    const answers = await Promise.all(authors.map((author) => postReview(product, category, entryId, author)));
    expect(answers.map(({ status }) => status)).toEqual(Array(BURST_REVIEWS).fill(201));
    expect(await openBursts(entryId)).toHaveLength(BURST_REVIEWS);
  });

  test('further ones by new accounts belong to a burst within ten minutes of its last one, whatever was decided', async () => {
    const { entryId } = await createTarget();
    const ids = await postMany(entryId, BURST_REVIEWS);
    for (const id of ids) await hide(product, admin, id);
    expect(await isBeingChecked(entryId)).toBe(false);
    product.clock.ahead = 9 * MINUTE;
    await post(entryId, { age: NEW_ACCOUNT_DAYS * DAY });
    const { reviewId: eleventh } = await post(entryId);
    expect(await openBursts(entryId)).toEqual([eleventh]);
    product.clock.ahead = 18 * MINUTE;
    const { reviewId: twelfth } = await post(entryId);
    expect(await openBursts(entryId)).toEqual([eleventh, twelfth]);
    product.clock.ahead = 29 * MINUTE;
    await post(entryId);
    expect(await openBursts(entryId)).toEqual([eleventh, twelfth]);
  });

  test('are checked until the last is kept, hidden or withdrawn, and those that are kept then weigh', async () => {
    const { entryId, schoolId } = await createTarget();
    const posted = [];
    while (posted.length < BURST_REVIEWS) posted.push(await post(entryId));
    const [withdrawn, hidden, ...kept] = posted as [(typeof posted)[0], (typeof posted)[0], ...typeof posted];
    const { author, reviewId } = withdrawn;
    await call(product, `DELETE /auth/${calls.removeReview}/${reviewId}`, { token: author.token });
    await hide(product, admin, hidden.reviewId);
    for (const { reviewId: id } of kept) {
      expect(await isBeingChecked(entryId)).toBe(true);
      const { status, body } = await moderate(product, admin, id, { action: 'keep' });
      expect([status, body.isBurst, body.isHidden]).toEqual([200, true, false]);
    }
    expect(await isBeingChecked(entryId)).toBe(false);
    const { priorMean, rows } = await ranking();
    const row = rows.find((one) => one.schoolId === schoolId);
    // Two reviews of 3 stars and eight of 5 stars.
    const weightedRating = expect.closeTo((10 * (priorMean ?? 0) + 46) / 20, 9);
    expect(row).toMatchObject({ totalReviews: 10, leftOut: 0, weightedRating });
    // A review that is reported after it was kept is an item like any other.
    const again = kept[0]?.reviewId ?? 0;
    await report(product, await createUser(product), again);
    expect(await openBursts(entryId)).toEqual([]);
    expect(await isBeingChecked(entryId)).toBe(false);
  });

  test('those that were reported or decided before stay or come back in the queue', async () => {
    const { entryId } = await createTarget();
    const [reported, kept, ...others] = await postMany(entryId, BURST_REVIEWS - 1);
    const reader = await createUser(product);
    for (const id of [reported, kept] as [number, number]) await report(product, reader, id);
    await moderate(product, admin, kept as number, { action: 'keep' });
    const { reviewId: last } = await post(entryId);
    expect((await openBursts(entryId)).toSorted((one, other) => one - other)).toEqual([
      reported,
      kept,
      ...others,
      last,
    ]);
  });

  test('a hidden one counts for nothing', async () => {
    const { entryId } = await createTarget();
    const [first] = await postMany(entryId, BURST_REVIEWS - 1);
    await hide(product, admin, first as number);
    await post(entryId);
    expect(await isBeingChecked(entryId)).toBe(false);
    await post(entryId);
    expect(await isBeingChecked(entryId)).toBe(true);
    expect(await openBursts(entryId)).not.toContain(first);
  });

  test('imported and corrected ones never count', async () => {
    const { entryId } = await createTarget();
    const old = await createUser(product, { age: NEW_ACCOUNT_DAYS * DAY });
    const { body } = await postReview(product, category, entryId, old);
    const { id: schoolId } = await createSchool(product);
    const { id: importedTo } = await createRatedEntry(product, category, schoolId, times(BURST_REVIEWS, 5));
    await post(importedTo);
    expect(await isBeingChecked(importedTo)).toBe(false);
    await postMany(entryId, BURST_REVIEWS - 1);
    const correction = { id: body.id, rating: 1, review: 'Worse.' };
    await call(product, `PUT /auth/${calls.updateReview}`, { token: old.token, body: correction });
    expect(await isBeingChecked(entryId)).toBe(false);
  });

  test('a correction of one that is being checked moves the mean and not the weighted ranking', async () => {
    const { entryId, schoolId } = await createTarget();
    const before = await ranking();
    const { author, reviewId } = await post(entryId);
    await postMany(entryId, BURST_REVIEWS - 1);
    const correction = { id: reviewId, rating: 1, review: 'Worse.' };
    await call(product, `PUT /auth/${calls.updateReview}`, { token: author.token, body: correction });
    expect(await figures(entryId)).toEqual({ averageRating: 52 / 12, totalReviews: 12 });
    const after = await ranking();
    expect(weights(after)).toEqual(weights(before));
    expect(after.rows.find((one) => one.schoolId === schoolId)?.leftOut).toBe(BURST_REVIEWS);
  });

  test('the tenth, concurrent with decisions and withdrawals of the others, leaves consistent data', async () => {
    const { entryId } = await createTarget();
    const posted = [];
    while (posted.length < BURST_REVIEWS - 1) posted.push(await post(entryId));
    const last = await createUser(product);
    const [withdrawing, hiding, correcting, reporting] = posted as [
      (typeof posted)[0],
      (typeof posted)[0],
      (typeof posted)[0],
      (typeof posted)[0],
    ];
    const correction = { id: correcting.reviewId, rating: 0.5, review: 'At once.' };
    const answers = await Promise.all([
      postReview(product, category, entryId, last),
      call(product, `DELETE /auth/${calls.removeReview}/${withdrawing.reviewId}`, { token: withdrawing.author.token }),
      hide(product, admin, hiding.reviewId),
      call(product, `PUT /auth/${calls.updateReview}`, { token: correcting.author.token, body: correction }),
      report(product, last, reporting.reviewId),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 204, 200, 200, 201]);
    expect(await findFaults(product)).toEqual([]);
    const open = await openBursts(entryId);
    expect(open.includes(hiding.reviewId) || open.includes(withdrawing.reviewId)).toBe(false);
  });

  test('check-data finds one that belongs to no burst of its entry, or is hidden', async () => {
    const { entryId } = await createTarget();
    const [reviewId = 0] = await postMany(entryId, BURST_REVIEWS);
    const fault = `review ${reviewId} is being checked with a burst that it is no part of`;
    const { write } = product.app.database;
    const ofEntry = (id: number) =>
      write((db) =>
        db.updateTable('moderation_items').set({ burst_entry_id: id }).where('review_id', '=', reviewId).execute(),
      );
    await ofEntry(rated.entryId);
    expect(await findFaults(product)).toEqual([fault]);
    await ofEntry(entryId);
    const hideRow = (at: number | null) =>
      write((db) => db.updateTable('reviews').set({ hidden_at: at }).where('id', '=', reviewId).execute());
    await hideRow(1);
    expect(await findFaults(product)).toContain(fault);
    await hideRow(null);
    expect(await findFaults(product)).toEqual([]);
  });

  test('of an entry that is merged into another are being checked there', async () => {
    const { entryId: remaining, schoolId: into } = await createTarget();
    const { entryId, schoolId: from } = await createTarget();
    await product.app.database.write(async (db) => {
      const name = { name: 'The same', name_key: 'the same' };
      await db.updateTable('entries').set(name).where('id', 'in', [entryId, remaining]).execute();
    });
    const ids = await postMany(entryId, BURST_REVIEWS);
    const merged = await call(product, 'POST /auth/mergeSchools', { token: admin.token, body: { from, into } });
    expect(merged.status).toBe(200);
    expect(await isBeingChecked(remaining)).toBe(true);
    expect(await openBursts(remaining)).toEqual(ids);
    expect((await ranking()).rows.find((row) => row.schoolId === into)?.leftOut).toBe(BURST_REVIEWS);
    expect(await findFaults(product)).toEqual([]);
  });

  test('a category without other reviews has no ranking', async () => {
    const [, other] = CATEGORIES as readonly Category[] as [Category, Category];
    const { id: schoolId } = await createSchool(product);
    const { id: entryId } = await createRatedEntry(product, other, schoolId, []);
    for (const _ of times(BURST_REVIEWS, 5)) await postReview(product, other, entryId, await createUser(product));
    const { body } = await call(product, `GET /auth/getRanking?category=${other.kind}`);
    expect(body).toEqual({ category: other.kind, priorMean: null, priorWeight: 10, rows: [] });
  });

  test('other entries of the same school are not being checked', async () => {
    expect(await isBeingChecked(rated.entryId)).toBe(false);
  });
});
