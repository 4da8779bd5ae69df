import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createReviewOf, findFaults, hide, moderate } from '../support/moderation.ts';
import {
  accept,
  countOpen,
  createProposal,
  entriesOf,
  listProposals,
  proposeEntry,
  refuse,
} from '../support/proposals.ts';
import { category, createSchool, createUser, postReview, readMailsTo, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const REVIEW = { rating: 5, review: 'Buy here.' };

describeProduct('a user deleted with their reviews on %s', (product) => {
  const admin = adminOf(product);

  const get = (path: string) => call(product, `GET ${path}`, { token: admin.token });
  const remove = (userId: number, query = '?reviews=hide') =>
    call(product, `DELETE /auth/deleteUser/${userId}${query}`, { token: admin.token });
  const listed = async (entryId: number) => (await get(`/auth/${category.calls.reviews}/${entryId}`)).body;
  const removals = async () => (await get('/auth/getRemovals')).body;

  test('is gone, and every review of theirs is hidden as spam, with a line of its own', async () => {
    const user = await createUser(product);
    const [one, other] = [await createReviewOf(product, user, 5), await createReviewOf(product, user, 1)];
    await postReview(product, category, one.entry.id, await createUser(product), { rating: 2 });
    const before = (await removals()).length;
    expect((await remove(user.id)).status).toBe(204);

    expect(await listed(one.entry.id)).toMatchObject([{ rating: 2 }]);
    expect((await get(`/auth/${category.calls.averageRating}/${one.entry.id}`)).body).toEqual({ averageRating: 2 });
    expect(await listed(other.entry.id)).toEqual([]);
    const lines = await removals();
    expect(lines).toHaveLength(before + 2);
    for (const { at } of lines.slice(0, 2)) expect(at, 'no line tells the moment they share').toMatch(/:00\.000Z$/);
    expect(lines.slice(0, 2)).toMatchObject([
      { act: 'hidden', reason: 'spam', stars: 1 },
      { act: 'hidden', reason: 'spam', stars: 5 },
    ]);
    const entries = await get(`/auth/getAdminActs?subjectKind=user&subjectId=${user.id}`);
    expect(entries.body).toMatchObject([{ act: 'deleteUser', reason: 'reviews hidden: spam' }]);
    expect(await readMailsTo(product, user.email)).toEqual([]);
    expect(await findFaults(product)).toEqual([]);
  });

  test('leaves each review to be restored, without a name', async () => {
    const { author: user, entry, reviewId } = await createReviewOf(product);
    await remove(user.id);
    const [item] = (await get('/auth/getReports?state=closed')).body;
    expect(item).toMatchObject({ reviewId, isHidden: true });
    expect((await moderate(product, admin, reviewId, { action: 'restore' })).status).toBe(200);
    const [review] = await listed(entry.id);
    expect(review).toMatchObject({ id: reviewId });
    expect(review).not.toHaveProperty('username');
    expect(await findFaults(product)).toEqual([]);
  });

  test('leaves what was hidden before as it was', async () => {
    const { author: user, reviewId } = await createReviewOf(product);
    await hide(product, admin, reviewId, 'fake');
    const before = await removals();
    expect((await remove(user.id)).status).toBe(204);
    expect(await removals()).toEqual(before);
  });

  test('leaves no open proposal behind: they are refused, and can be proposed again by others', async () => {
    const [user, other] = [await createUser(product), await createUser(product)];
    const { id: schoolId } = await createSchool(product);
    const propose = (by: TestUser, name: string) => proposeEntry(product, by, { schoolId, name });
    const spam = [];
    for (const name of ['Cheap pills', 'Cheaper pills', 'Free pills']) spam.push((await propose(user, name)).body.id);
    const decided = spam.pop();
    await refuse(product, admin, decided, 'This is spam.');
    const { id: kept } = (await propose(other, 'Rowing')).body;
    expect((await remove(user.id)).status).toBe(204);

    expect(await listProposals(product, admin)).toMatchObject([{ id: kept }]);
    expect(await countOpen(product, admin)).toBe(1);
    const reason = 'Its proposer was deleted, with all reviews hidden as spam.';
    expect(await listProposals(product, admin, 'refused')).toMatchObject([
      ...spam.toReversed().map((id) => ({ id, reason })),
      { id: decided, reason: 'This is spam.' },
    ]);
    const entries = await get(`/auth/getAdminActs?subjectKind=user&subjectId=${user.id}`);
    expect(entries.body).toMatchObject([{ reason: 'reviews hidden: spam; open proposals refused: 2' }]);
    expect((await accept(product, admin, spam[0])).status).toBe(409);
    expect((await propose(other, 'Cheap pills')).status).toBe(201);
  });

  test('without the parameter leaves the open proposals, whose reviews are not posted', async () => {
    const { proposer: user, schoolId, id } = await createProposal(product, { name: 'Polo', review: REVIEW });
    expect((await remove(user.id, '')).status).toBe(204);
    const body = { state: 'accepted', reviewNotPosted: true };
    expect(await accept(product, admin, id)).toMatchObject({ status: 200, body });
    expect(await entriesOf(product, schoolId)).toMatchObject([{ totalReviews: 0 }]);
  });

  test('concurrent with a decision about one of their proposals: it is decided once', async () => {
    const { proposer: user, schoolId, id } = await createProposal(product, { name: 'Golf', review: REVIEW });
    const [removed, accepted] = await Promise.all([remove(user.id), accept(product, admin, id)]);
    expect(removed.status).toBe(204);
    expect([200, 409]).toContain(accepted.status);
    const shown = await entriesOf(product, schoolId);
    expect(shown).toHaveLength(accepted.status === 200 ? 1 : 0);
    expect(shown.reduce((sum: number, one: { totalReviews: number }) => sum + one.totalReviews, 0)).toBe(0);
    expect(await findFaults(product)).toEqual([]);
  });

  test('changes nothing when the user is not there, the last admin or the parameter another', async () => {
    const { author: user, entry } = await createReviewOf(product);
    const wrong = await remove(user.id, '?reviews=delete');
    expect([wrong.status, wrong.body.error]).toEqual([400, 'The reviews parameter must be hide, or left out.']);
    const before = await removals();
    expect((await remove(999_999)).status).toBe(404);
    const own = await createReviewOf(product, admin);
    expect((await remove(admin.id)).status).toBe(409);
    expect(await removals()).toEqual(before);
    expect([await listed(entry.id), await listed(own.entry.id)]).toMatchObject([[{}], [{}]]);
  });

  test('concurrent with a hide by somebody else: one line for each review', async () => {
    const user = await createUser(product);
    const reviews = [];
    for (let count = 0; count < 4; count += 1) reviews.push(await createReviewOf(product, user));
    const before = (await removals()).length;
    const answers = await Promise.all([
      remove(user.id),
      ...reviews.toReversed().map(({ reviewId }) => hide(product, admin, reviewId)),
    ]);
    expect(answers[0].status).toBe(204);
    for (const { status } of answers.slice(1)) expect([200, 409]).toContain(status);
    expect(await removals()).toHaveLength(before + reviews.length);
    expect(await findFaults(product)).toEqual([]);
  });
});
