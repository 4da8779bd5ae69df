import { expect, test } from 'vitest';
import { deleteEntry } from '../../src/server/visibility/deletion-queries.ts';
import { call } from '../support/call.ts';
import { type DeletedKind, removeAs, restoreAs } from '../support/deletions.ts';
import { holdTransaction, waitForLocks } from '../support/held-transactions.ts';
import { createReviewOf, findFaults, hide, moderate, report } from '../support/moderation.ts';
import { category, createEntry, createSchool, createUser, postReview, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const { calls } = category;

describeProduct('reviews of what admins delete on %s', (product) => {
  const admin = adminOf(product);

  const get = (path: string, { token }: TestUser = admin) => call(product, `GET ${path}`, { token });
  const remove = (kind: DeletedKind, id: number) => removeAs(product, admin, kind, id);
  const restore = (kind: string, id: number) => restoreAs(product, admin, kind, id);
  const withdraw = async ({ token }: TestUser, reviewId: number) =>
    (await call(product, `DELETE /auth/${calls.removeReview}/${reviewId}`, { token })).status;
  const myReview = async (user: TestUser) => (await get('/auth/getMyReviews', user)).body[0];

  test('stay visible to their authors, who can withdraw them meanwhile', async () => {
    const [author, reader] = [await createUser(product), await createUser(product)];
    const { entry, reviewId } = await createReviewOf(product, author);
    await postReview(product, category, entry.id, reader, { rating: 2 });
    expect(await myReview(author)).toMatchObject({ id: reviewId, isDeleted: false });
    await remove('entry', entry.id);
    expect(await myReview(author)).toMatchObject({ id: reviewId, isDeleted: true, isHidden: false });
    expect(await withdraw(reader, reviewId)).toBe(404);
    expect(await withdraw(author, reviewId)).toBe(204);
    expect(await myReview(author)).toBeUndefined();
    await restore('entry', entry.id);
    expect((await get(`/auth/${calls.totalReviews}/${entry.id}`)).body).toEqual({ totalReviews: 1 });
    expect((await get(`/auth/${calls.averageRating}/${entry.id}`)).body).toEqual({ averageRating: 2 });
    expect(await findFaults(product)).toEqual([]);
  });

  test('are reached when their author is deleted, with the reviews or without', async () => {
    const [one, other] = [await createUser(product), await createUser(product)];
    const { entry, reviewId } = await createReviewOf(product, one);
    await postReview(product, category, entry.id, other);
    await remove('entry', entry.id);
    await call(product, `DELETE /auth/deleteUser/${one.id}?reviews=hide`, { token: admin.token });
    await call(product, `DELETE /auth/deleteUser/${other.id}`, { token: admin.token });
    await restore('entry', entry.id);
    const { body } = await get(`/auth/${calls.reviews}/${entry.id}`);
    expect(body).toHaveLength(1);
    expect(body[0]).not.toHaveProperty('username');
    expect((await moderate(product, admin, reviewId, { action: 'restore' })).status).toBe(200);
    expect(await findFaults(product)).toEqual([]);
  });

  test('leave the moderation queue and the totals, and return to both', async () => {
    const [author, reader] = [await createUser(product), await createUser(product)];
    const { entry, reviewId } = await createReviewOf(product, author, 3);
    const hidden = await createUser(product);
    const { body } = await postReview(product, category, entry.id, hidden, { rating: 3 });
    await hide(product, admin, body.id);
    await report(product, reader, reviewId);
    const read = async () => ({
      open: (await get('/auth/getReports')).body.map((item: { reviewId: number }) => item.reviewId).includes(reviewId),
      closed: (await get('/auth/getReports?state=closed')).body.some(
        (item: { reviewId: number }) => item.reviewId === body.id,
      ),
      count: (await get('/auth/getOpenCounts')).body.reports,
      three: (await get('/auth/getRemovalTotals')).body.stars[2],
    });
    const before = await read();
    expect(before).toMatchObject({ open: true, closed: true });
    await remove('entry', entry.id);
    expect(await read()).toEqual({
      open: false,
      closed: false,
      count: before.count - 1,
      three: { stars: 3, posted: before.three.posted - 2, hidden: before.three.hidden - 1 },
    });
    await restore('entry', entry.id);
    expect(await read()).toEqual(before);
  });

  test('are not decided about when their entry is deleted at the same moment', async () => {
    const { entry, reviewId } = await createReviewOf(product);
    const by = { userId: admin.id, now: Date.now() };
    const release = await holdTransaction(product, (db) => deleteEntry(db, category, entry.id, by));
    const hiding = hide(product, admin, reviewId);
    await waitForLocks(product, 1);
    await release();
    expect((await hiding).status).toBe(404);
    await restore('entry', entry.id);
    expect((await get(`/auth/getReview/${reviewId}`)).status).toBe(200);
    expect(await findFaults(product)).toEqual([]);
  });

  test('at once with posts, withdrawals, decisions and other admins leave every count as its rows', async () => {
    const school = await createSchool(product);
    const entry = await createEntry(product, category, school.id);
    const authors = await Promise.all(Array.from({ length: 6 }, () => createUser(product)));
    const posted = await Promise.all(
      authors.slice(0, 3).map((author) => postReview(product, category, entry.id, author)),
    );
    const [first, second, third] = posted.map(({ body }) => body.id as number);
    const once = (statuses: number[], wanted: number) =>
      expect(statuses.filter((one) => one === wanted)).toHaveLength(1);

    const [one, two] = await Promise.all([
      remove('school', school.id),
      remove('school', school.id),
      remove('entry', entry.id),
      ...authors.slice(3).map((author) => postReview(product, category, entry.id, author)),
      hide(product, admin, first as number),
      withdraw(authors[1] as TestUser, second as number),
    ]);
    once([one, two], 204);
    const [back, again] = await Promise.all([
      restore('school', school.id),
      restore('school', school.id),
      withdraw(authors[2] as TestUser, third as number),
    ]);
    once([back.status, again.status], 200);
    await restore('entry', entry.id);
    expect((await get(`/auth/${calls.reviews}/${entry.id}`)).status).toBe(200);
    await Promise.all([
      restore('entry', entry.id),
      remove('entry', entry.id),
      remove('school', school.id),
      ...authors.map((author) => postReview(product, category, entry.id, author)),
    ]);
    expect(await findFaults(product)).toEqual([]);
  });
});
