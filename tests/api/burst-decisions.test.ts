import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createReviewOf, findFaults, putIntoBurst, report } from '../support/moderation.ts';
import { category, createEntry, createUser, postReview, readMailsTo, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

describeProduct('decisions about a burst on %s', (product) => {
  const admin = adminOf(product);
  const reader = userOf(product);

  const decide = (entryId: number, body: object, { token } = admin) =>
    call(product, `PUT /auth/moderateBurst/${entryId}`, { token, body });
  const openOf = async (entryId: number): Promise<{ reviewId: number; changedAt: string; burstEntryId?: number }[]> => {
    const { body } = await call(product, 'GET /auth/getReports', { token: admin.token });
    return body.filter((item: { entryId: number }) => item.entryId === entryId);
  };
  const totalOf = async (entryId: number) =>
    (await call(product, `GET /auth/${category.calls.totalReviews}/${entryId}`)).body.totalReviews;

  async function createBurst(authors: readonly TestUser[]) {
    const entry = await createEntry(product, category);
    const ids: number[] = [];
    for (const author of authors) ids.push((await postReview(product, category, entry.id, author)).body.id);
    await putIntoBurst(product, entry.id, ids);
    return { entryId: entry.id, ids, last: ids.at(-1) ?? 0 };
  }
  const people = (length: number) => Promise.all(Array.from({ length }, () => createUser(product)));

  test('keep all its reviews, reported ones too, but not those that the admin has not seen', async () => {
    const { entryId, ids, last } = await createBurst(await people(4));
    const [first = 0, , third = 0] = ids;
    expect((await openOf(entryId)).map(({ burstEntryId }) => burstEntryId)).toEqual(Array(4).fill(entryId));
    await report(product, reader, first);
    expect(await decide(entryId, { action: 'keep', upTo: third })).toMatchObject({ status: 200, body: { decided: 3 } });
    expect((await openOf(entryId)).map(({ reviewId }) => reviewId)).toEqual([last]);
    expect((await report(product, reader, first)).status).toBe(409);
    expect(await decide(entryId, { action: 'keep', upTo: last })).toMatchObject({ status: 200, body: { decided: 1 } });
    expect(await totalOf(entryId)).toBe(4);
    expect((await decide(entryId, { action: 'keep', upTo: last })).status).toBe(409);
  });

  test('keep none that its author has edited since the admin read it, and hide it', async () => {
    const [author, ...others] = await people(3);
    const { entryId, ids, last } = await createBurst([author as TestUser, ...others]);
    const unchangedSince = (await openOf(entryId))
      .map((item) => item.changedAt)
      .sort()
      .at(-1);
    const body = { id: ids[0], rating: 1, review: 'Bad.' };
    await call(product, `PUT /auth/${category.calls.updateReview}`, { token: author?.token, body });
    const keep = { action: 'keep', upTo: last, unchangedSince };
    expect((await decide(entryId, keep)).body).toEqual({ decided: 2 });
    expect((await openOf(entryId)).map(({ reviewId }) => reviewId)).toEqual([ids[0]]);
    expect((await decide(entryId, keep)).status).toBe(409);
    expect((await decide(entryId, { ...keep, action: 'hide', reason: 'fake' })).body).toEqual({ decided: 1 });
  });

  test('hide all its reviews with one reason, notify each author, and have an audit entry each', async () => {
    const authors = await people(3);
    const { entryId, ids, last } = await createBurst(authors);
    const { body: before } = await call(product, 'GET /auth/getRemovals');
    const hidden = await decide(entryId, { action: 'hide', reason: 'fake', upTo: last });
    expect(hidden).toMatchObject({ status: 200, body: { decided: 3 } });
    expect(await totalOf(entryId)).toBe(0);
    for (const { email } of authors) {
      expect((await readMailsTo(product, email)).at(-1)).toContain('Reason: It is fake.');
    }
    const { body: lines } = await call(product, 'GET /auth/getRemovals');
    expect(lines.length - before.length).toBe(3);
    for (const id of ids) {
      const path = `GET /auth/getAdminActs?subjectKind=review&subjectId=${id}`;
      const { body } = await call(product, path, { token: admin.token });
      expect(body).toMatchObject([{ act: 'moderateBurst', details: { action: 'hide', reason: 'fake' } }]);
    }
    expect(await findFaults(product)).toEqual([]);
  });

  test('are refused without a reason, for an unknown entry and where nothing is open', async () => {
    const { entryId, last } = await createBurst(await people(1));
    expect((await decide(entryId, { action: 'hide', upTo: last })).body.field).toBe('reason');
    expect((await decide(entryId, { action: 'restore', upTo: last })).status).toBe(400);
    expect((await decide(999_999, { action: 'keep', upTo: last })).status).toBe(404);
    expect((await decide(entryId, { action: 'keep', upTo: last - 1 })).status).toBe(409);
  });

  test('leave out one’s own review, which another admin decides about', async () => {
    const other = await createUser(product, { isAdmin: true });
    const { entryId, ids, last } = await createBurst([other, ...(await people(1))]);
    expect((await decide(entryId, { action: 'keep', upTo: ids[0] }, other)).status).toBe(403);
    expect(await decide(entryId, { action: 'keep', upTo: last }, other)).toMatchObject({ body: { decided: 1 } });
    expect((await openOf(entryId)).map(({ reviewId }) => reviewId)).toEqual([ids[0]]);
    expect((await decide(entryId, { action: 'keep', upTo: last })).body).toEqual({ decided: 1 });
  });

  test('concurrent with those about single reviews decide each once', async () => {
    const { entryId, ids, last } = await createBurst(await people(4));
    const other = await createUser(product, { isAdmin: true });
    const single = (id: number) =>
      call(product, `PUT /auth/moderateReview/${id}`, { token: other.token, body: { action: 'keep' } });
    const [all, ...each] = await Promise.all([decide(entryId, { action: 'keep', upTo: last }), ...ids.map(single)]);
    const kept = each.filter(({ status }) => status === 200).length;
    expect((all?.body.decided ?? 0) + kept).toBe(4);
    expect(await openOf(entryId)).toEqual([]);
  });
});

describeProduct('the only admin on %s', (product) => {
  const admin = adminOf(product);

  test('decides about their own review, which nobody else could, until there is another one', async () => {
    const { reviewId } = await createReviewOf(product, admin);
    await report(product, await createUser(product), reviewId);
    const keep = () =>
      call(product, `PUT /auth/moderateReview/${reviewId}`, { token: admin.token, body: { action: 'keep' } });
    expect((await keep()).status).toBe(200);
    await report(product, await createUser(product), reviewId);
    await createUser(product, { isAdmin: true });
    expect(await keep()).toMatchObject({
      status: 403,
      body: { error: 'This is your own review. Another admin decides about it.' },
    });
  });
});
