import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createReviewOf, hide } from '../support/moderation.ts';
import { category, createEntry, postReview } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

const REASON = 'The police ask who threatened the dean.';

describeProduct('who wrote a review on %s', (product) => {
  const admin = adminOf(product);
  const author = userOf(product);

  const reveal = (reviewId: number, reason = REASON) =>
    call(product, `POST /auth/revealAuthor/${reviewId}`, { token: admin.token, body: { reason } });
  const entriesOf = async (reviewId: number) =>
    (await call(product, `GET /auth/getAdminActs?subjectKind=review&subjectId=${reviewId}`, { token: admin.token }))
      .body;

  test('is revealed to an admin who gives a reason, for anonymous and hidden reviews', async () => {
    const { id } = await createEntry(product, category);
    const { body } = await postReview(product, category, id, author, { username: null });
    const told = { status: 200, body: { userId: author.id, username: author.username } };
    expect(await reveal(body.id)).toMatchObject(told);
    await hide(product, admin, body.id);
    expect(await reveal(body.id)).toMatchObject(told);
  });

  test('leaves a line in the audit trail that names the review and the reason, not the author', async () => {
    const { reviewId } = await createReviewOf(product, author);
    await reveal(reviewId);
    const entries = await entriesOf(reviewId);
    expect(entries).toMatchObject([{ act: 'revealAuthor', userId: admin.id, reason: REASON }]);
    expect(JSON.stringify(entries)).not.toContain(author.username);
  });

  test('is not told of a deleted user’s review, and nothing is noted', async () => {
    const { author: leaving, reviewId } = await createReviewOf(product);
    expect((await call(product, `DELETE /auth/deleteUser/${leaving.id}`, { token: admin.token })).status).toBe(204);
    expect(await reveal(reviewId)).toMatchObject({
      status: 404,
      body: { error: 'There is no such review, or its author is deleted.' },
    });
    expect(await entriesOf(reviewId)).toEqual([]);
  });

  test.each([
    ['too short', ' a reason ', 'The reason must have at least 10 characters.'],
    ['too long', 'x'.repeat(501), 'The reason must have at most 500 characters.'],
  ])('is not told for a reason that is %s', async (_name, reason, error) => {
    const { reviewId } = await createReviewOf(product, author);
    expect(await reveal(reviewId, reason)).toMatchObject({ status: 400, body: { error, field: 'reason' } });
    expect(await entriesOf(reviewId)).toEqual([]);
  });
});
