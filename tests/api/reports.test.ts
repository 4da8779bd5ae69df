import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createReviewOf, findFaults, hide, moderate, report } from '../support/moderation.ts';
import { category, createUser, postReview, readMailsTo, signIn, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

const HOUR = 60 * 60_000;

describeProduct('reports on %s', (product) => {
  const admin = adminOf(product);
  const author = userOf(product);

  const queue = async (state: 'open' | 'closed' = 'open') =>
    (await call(product, `GET /auth/getReports?state=${state}`, { token: admin.token })).body;
  const itemOf = async (reviewId: number, state?: 'open' | 'closed') =>
    (await queue(state)).find((item: { reviewId: number }) => item.reviewId === reviewId);

  test('open one item a review, with what was said and neither who said it nor who wrote it', async () => {
    const reader = await createUser(product);
    const { entry, reviewId } = await createReviewOf(product, author);
    const sent = await report(product, reader, reviewId, { reason: 'other', note: ' It is a poem. ' });
    expect(sent).toMatchObject({ status: 201, body: { reviewId, reason: 'other', note: 'It is a poem.' } });
    await report(product, admin, reviewId, { reason: 'offtopic' });
    const item = await itemOf(reviewId);
    expect(item).toMatchObject({
      review: 'Good.',
      rating: 4,
      category: category.kind,
      entryId: entry.id,
      entryName: entry.name,
      schoolId: entry.schoolId,
      isHidden: false,
      isBurst: false,
      reports: [{ reason: 'other', note: 'It is a poem.' }, { reason: 'offtopic' }],
    });
    const text = JSON.stringify(await queue());
    for (const { username } of [reader, author]) expect(text).not.toContain(username);
    expect(text).not.toMatch(/user_?(id|name)/i);
    const counts = await call(product, 'GET /auth/getOpenCounts', { token: admin.token });
    expect(counts.body).toEqual({ reports: (await queue()).length, proposals: 0 });
  });

  test('are not got rid of by withdrawing the review and posting again: the next one waits for a decision too', async () => {
    const reader = await createUser(product);
    const { entry, reviewId } = await createReviewOf(product, author);
    const other = await postReview(product, category, entry.id, reader);
    const withdraw = (id: number) =>
      call(product, `DELETE /auth/${category.calls.removeReview}/${id}`, { token: author.token });
    const post = async (): Promise<number> => (await postReview(product, category, entry.id, author)).body.id;
    await withdraw(reviewId);
    const unreported = await post();
    expect(await itemOf(unreported)).toBeUndefined();
    await report(product, reader, unreported);
    await withdraw(unreported);
    const replacement = await post();
    expect(await itemOf(replacement)).toMatchObject({ reports: [], isEdited: false, isBurst: false });
    expect(await itemOf(other.body.id)).toBeUndefined();
    await moderate(product, admin, replacement, { action: 'keep' });

    const inDays = async (days: number) => {
      product.clock.ahead = days * 24 * HOUR;
      for (const user of [reader, author, admin]) user.token = await signIn(product, user.id);
    };
    try {
      await inDays(29);
      await report(product, reader, replacement);
      await withdraw(replacement);
      await inDays(31);
      const last = await post();
      expect(await itemOf(last), 'the 30 days begin anew').toBeDefined();
      await withdraw(last);
    } finally {
      await inDays(0);
    }
  });

  test('are refused for one’s own review, a second time, for what is not shown and without what they need', async () => {
    const reader = await createUser(product);
    const { reviewId } = await createReviewOf(product, author);
    const refused = async (user: TestUser, body?: { reason: string; note?: string }, id = reviewId) => {
      const answer = await report(product, user, id, body);
      return [answer.status, answer.body.error];
    };
    expect(await refused(author)).toEqual([403, 'This is your own review. You can edit or delete it instead.']);
    expect(await refused(reader, { reason: 'other', note: '  ' })).toEqual([400, 'Say in the note what is wrong.']);
    expect((await report(product, reader, reviewId)).status).toBe(201);
    const again = [409, 'You have reported this review already. One report of each person is enough.'];
    expect(await refused(reader)).toEqual(again);
    await moderate(product, admin, reviewId, { action: 'keep' });
    expect(await refused(reader)).toEqual(again);
    await hide(product, admin, reviewId);
    expect(await refused(admin)).toEqual([404, 'There is no such review.']);
    expect(await refused(reader, undefined, 999_999)).toEqual([404, 'There is no such review.']);
  });

  test('after a decision open the item again, with the new ones alone; closed ones have the latest decision first', async () => {
    const [first, second] = [await createUser(product), await createUser(product)];
    const { reviewId } = await createReviewOf(product, author);
    const { reviewId: otherId } = await createReviewOf(product, author);
    await report(product, first, reviewId, { reason: 'spam' });
    await report(product, first, otherId, { reason: 'spam' });
    const kept = await moderate(product, admin, reviewId, { action: 'keep' });
    expect(kept).toMatchObject({ status: 200, body: { reports: [{ reason: 'spam' }] } });
    expect(await itemOf(reviewId)).toBeUndefined();
    await moderate(product, admin, otherId, { action: 'keep' });
    const closed = await queue('closed');
    expect(closed.slice(0, 2).map((item: { reviewId: number }) => item.reviewId)).toEqual([otherId, reviewId]);
    await report(product, second, reviewId, { reason: 'fake' });
    expect((await itemOf(reviewId)).reports).toMatchObject([{ reason: 'fake' }]);
    expect((await queue()).at(-1).reviewId).toBe(reviewId);
    await hide(product, admin, reviewId);
    expect((await itemOf(reviewId, 'closed')).reports).toHaveLength(2);
  });

  test('of twenty people at once are twenty, on one item', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => createUser(product)));
    const { reviewId } = await createReviewOf(product, author);
    const answers = await Promise.all(people.map((person) => report(product, person, reviewId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect((await itemOf(reviewId)).reports).toHaveLength(20);
    expect((await queue()).filter((item: { reviewId: number }) => item.reviewId === reviewId)).toHaveLength(1);
  });

  test('are decided by one of two admins at once, and the author is notified once', async () => {
    const other = await createUser(product, { isAdmin: true });
    const { reviewId } = await createReviewOf(product, author);
    await report(product, other, reviewId);
    const before = (await readMailsTo(product, author.email)).length;
    const answers = await Promise.all([hide(product, admin, reviewId), hide(product, other, reviewId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await readMailsTo(product, author.email)).length - before).toBe(1);
  });

  test('a decision beside an edit, a withdrawal or a deleted account leaves counts equal to rows', async () => {
    const { updateReview, removeReview } = category.calls;
    for (const round of [1, 2, 3]) {
      const { reviewId } = await createReviewOf(product, author, round);
      const body = { id: reviewId, rating: 5, review: 'At once.' };
      await Promise.all([
        hide(product, admin, reviewId),
        call(product, `PUT /auth/${updateReview}`, { token: author.token, body }),
      ]);
      await Promise.all([
        moderate(product, admin, reviewId, { action: 'restore' }),
        call(product, `DELETE /auth/${removeReview}/${reviewId}`, { token: author.token }),
      ]);
      const { reviewId: other } = await createReviewOf(product, author, round);
      const [hidden, withdrawn] = await Promise.all([
        hide(product, admin, other),
        call(product, `DELETE /auth/${removeReview}/${other}`, { token: author.token }),
      ]);
      // If the review is withdrawn first, nothing is left to hide. If it is hidden first, its row is still withdrawn.
      expect([
        [200, 204],
        [404, 204],
      ]).toContainEqual([hidden.status, withdrawn.status]);
      const leaving = await createUser(product);
      const { reviewId: theirs } = await createReviewOf(product, leaving, round);
      await hide(product, admin, theirs);
      await Promise.all([
        moderate(product, admin, theirs, { action: 'restore' }),
        call(product, `DELETE /auth/deleteUser/${leaving.id}`, { token: admin.token }),
      ]);
      expect(await findFaults(product)).toEqual([]);
    }
  });

  test('a person sends twenty reports in any 24 hours, however RATE_LIMIT stands', async () => {
    const reader = await createUser(product);
    const reviewIds: number[] = [];
    for (const _ of Array(23)) reviewIds.push((await createReviewOf(product, author)).reviewId);
    const send = async (hours: number) => {
      product.clock.ahead = hours * HOUR;
      // The reader signs in again, because no session lasts that long.
      return report(product, { ...reader, token: await signIn(product, reader.id) }, reviewIds.shift() ?? 0);
    };
    try {
      for (const _ of Array(10)) expect((await send(0)).status).toBe(201);
      for (const _ of Array(10)) expect((await send(23)).status).toBe(201);
      const refused = await send(23);
      const sentence = 'You have sent 20 reports within a day. Please send further ones tomorrow.';
      expect([refused.status, refused.body.error]).toEqual([429, sentence]);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
      expect((await send(24.1)).status).toBe(201);
    } finally {
      product.clock.ahead = 0;
    }
  });
});
