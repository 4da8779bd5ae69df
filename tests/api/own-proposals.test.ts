import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import {
  accept,
  type EntryProposal,
  findProposal,
  myProposals,
  proposeEntry,
  proposeSchool,
  refuse,
} from '../support/proposals.ts';
import {
  category,
  createSchool,
  createUser,
  postReview,
  readMailsTo,
  signIn,
  type TestUser,
  unique,
} from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const HOUR = 60 * 60_000;
const FIRST = { rating: 4.5, review: 'They sail at dawn.', relation: 'alumnus', since: 2001, until: 2004 };
const SECOND = { rating: 2, review: 'Wet all the time.', isAnonymous: true };

describeProduct('one’s own proposal on %s', (product) => {
  const admin = adminOf(product);
  const people = async (): Promise<[TestUser, TestUser, TestUser]> => [
    await createUser(product),
    await createUser(product),
    await createUser(product),
  ];
  const update = (id: number, { token }: TestUser, body: object) =>
    call(product, `PUT /auth/updateMyProposal/${id}`, { token, body });
  const withdraw = (id: number, { token }: { token: string }) =>
    call(product, `DELETE /auth/withdrawMyProposal/${id}`, { token });
  const mine = (person: TestUser) => myProposals(product, person);
  const itemOf = (id: number, state?: string) => findProposal(product, admin, id, state);
  const reviewsOf = async (entryId: number) =>
    (await call(product, `GET /auth/${category.calls.reviews}/${entryId}`)).body;

  async function propose(person: TestUser, proposed: Partial<EntryProposal> = {}) {
    const schoolId = proposed.schoolId ?? (await createSchool(product)).id;
    const { status, body } = await proposeEntry(product, person, {
      name: 'Rowing',
      review: FIRST,
      ...proposed,
      schoolId,
    });
    expect([status, body]).toEqual([201, { id: expect.any(Number), state: 'open' }]);
    return { id: body.id as number, schoolId };
  }
  /** A proposal that a second person has joined with a review. */
  async function share(first: TestUser, second: TestUser) {
    const shared = await propose(first);
    expect((await propose(second, { schoolId: shared.schoolId, name: 'ROWING', review: SECOND })).id).toBe(shared.id);
    return shared;
  }

  test('can be corrected while it is open; what is left out stays', async () => {
    const [proposer] = await people();
    const { id } = await propose(proposer, { description: 'Boats.' });
    const shown = { name: 'Rowing', description: 'Boats.', review: { ...FIRST, isAnonymous: false } };
    expect((await update(id, proposer, { name: 'Sculling' })).body).toMatchObject({ ...shown, id, name: 'Sculling' });
    const answer = await update(id, proposer, { description: '', review: SECOND });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Sculling', description: '', review: SECOND } });
    expect(answer.body.review).toEqual(SECOND);
    expect(await mine(proposer)).toEqual([answer.body]);
    expect((await itemOf(id)).review).toEqual(SECOND);
    const school = await proposeSchool(product, proposer, { schoolName: unique('Scool'), location: 'Rome' });
    const right = { schoolName: unique('School'), location: 'Rome, Italy' };
    expect((await update(school.body.id, proposer, right)).body).toMatchObject({ ...right, description: '' });
    const { body } = await accept(product, admin, id);
    expect(await reviewsOf(body.entryId)).toMatchObject([{ rating: 2, review: 'Wet all the time.' }]);
  });

  test('cannot become what is there or proposed, or have impossible years', async () => {
    const [proposer, other] = await people();
    const { id, schoolId } = await propose(proposer);
    const equal = await propose(other, { schoolId, name: 'Fencing' });
    const refused = await update(id, proposer, { name: 'fencing!' });
    expect([refused.status, refused.body.proposalId]).toEqual([409, equal.id]);
    const { entryId } = (await accept(product, admin, equal.id)).body;
    const there = await update(id, proposer, { name: 'Fencing' });
    expect([there.status, there.body.id]).toEqual([409, entryId]);
    const years = await update(id, proposer, { review: { ...FIRST, until: 1999 } });
    expect([years.status, years.body.field]).toEqual([400, 'review.until']);
    expect(await mine(proposer)).toMatchObject([{ name: 'Rowing', review: FIRST }]);
  });

  test('cannot be changed by anybody else, or after the decision', async () => {
    const [proposer, other] = await people();
    const { id } = await propose(proposer);
    for (const answer of [
      await update(id, other, { name: 'Mine' }),
      await withdraw(id, other),
      await withdraw(999_999, other),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([404, 'There is no such proposal.']);
    }
    await refuse(product, admin, id, 'No water.');
    for (const answer of [await update(id, proposer, { name: 'Mine' }), await withdraw(id, proposer)]) {
      expect([answer.status, answer.body.error]).toEqual([
        409,
        'This proposal is decided already. Load the page again.',
      ]);
    }
    expect(await mine(proposer)).toMatchObject([{ name: 'Rowing', state: 'refused' }]);
  });

  test('can be withdrawn with all its words, and proposed again', async () => {
    const [proposer] = await people();
    const { id, schoolId } = await propose(proposer);
    expect((await withdraw(id, proposer)).status).toBe(204);
    expect(await mine(proposer)).toEqual([]);
    expect(await itemOf(id)).toBeUndefined();
    expect((await withdraw(id, proposer)).status).toBe(404);
    await propose(proposer, { schoolId });
  });

  test('takes along the review of another person, who sees it as theirs and hears of the decision', async () => {
    const [first, second, third] = await people();
    const { id, schoolId } = await share(first, second);
    const item = await itemOf(id);
    expect(item.review).toEqual({ ...FIRST, isAnonymous: false });
    expect(item.reviews).toEqual([{ ...FIRST, isAnonymous: false }, SECOND]);
    expect(JSON.stringify(item)).not.toMatch(new RegExp(`${first.username}|${second.username}`));
    const [own] = await mine(second);
    expect(own).toMatchObject({ id, state: 'open', name: 'Rowing', review: SECOND, isJoined: true });
    expect((await mine(first))[0]).not.toHaveProperty('isJoined');
    expect(own).not.toHaveProperty('reviews');
    expect((await mine(first))[0].review).toEqual({ ...FIRST, isAnonymous: false });
    for (const person of [first, second]) {
      const again = await proposeEntry(product, person, { schoolId, name: 'Rowing', review: SECOND });
      expect([again.status, again.body.proposalId]).toEqual([409, id]);
    }
    const wordless = await proposeEntry(product, third, { schoolId, name: 'Rowing' });
    expect([wordless.status, wordless.body.proposalId]).toEqual([409, id]);

    const { body } = await accept(product, admin, id);
    expect(body).toMatchObject({ state: 'accepted', reviews: [FIRST, SECOND] });
    const posted = await reviewsOf(body.entryId);
    expect(posted).toHaveLength(2);
    expect(posted).toContainEqual(expect.objectContaining({ ...FIRST, username: first.username }));
    const anonymous = posted.find(({ rating }: { rating: number }) => rating === 2);
    expect(anonymous).not.toHaveProperty('username');
    expect(anonymous.createdAt).toBe(own.createdAt);
    expect(await mine(second)).toMatchObject([{ id, state: 'accepted', entryId: body.entryId, review: SECOND }]);
    for (const { email } of [first, second]) {
      const [mail = '', ...others] = await readMailsTo(product, email);
      expect(others).toEqual([]);
      expect(mail).toContain('Your review is posted there, dated when you proposed it.');
    }
  });

  test('that is refused is mailed to each with their own words', async () => {
    const [first, second] = await people();
    const { id } = await share(first, second);
    await refuse(product, admin, id, 'No water.');
    expect(await mine(second)).toMatchObject([{ id, state: 'refused', reason: 'No water.' }]);
    const [[one = ''], [other = '']] = [
      await readMailsTo(product, first.email),
      await readMailsTo(product, second.email),
    ];
    expect(one).toContain(FIRST.review);
    expect(one).not.toContain(SECOND.review);
    expect(other).toContain(SECOND.review);
    expect(other).not.toContain(FIRST.review);
  });

  test('keeps the words of others, whoever corrects or withdraws theirs', async () => {
    const [first, second, third] = await people();
    const { id, schoolId } = await share(first, second);
    await propose(third, { schoolId, review: { rating: 3, review: 'Dry.' } });
    const own = { rating: 1, review: 'Very wet.', isAnonymous: true };
    expect((await update(id, second, { name: 'Swimming', review: own })).body).toMatchObject({
      name: 'Rowing',
      review: own,
    });
    expect((await itemOf(id)).reviews).toMatchObject([FIRST, own, { review: 'Dry.' }]);
    const renamed = await update(id, first, { name: 'Swimming' });
    expect([renamed.status, renamed.body.field]).toEqual([409, 'name']);
    expect((await update(id, first, { name: 'ROWING', description: 'Boats.' })).status).toBe(200);

    expect((await withdraw(id, second)).status).toBe(204);
    expect(await mine(second)).toEqual([]);
    expect((await withdraw(id, first)).status).toBe(204);
    expect(await mine(first)).toEqual([]);
    const left = await itemOf(id);
    expect(left).toMatchObject({ name: 'ROWING', description: '', review: { review: 'Dry.' } });
    expect(left).not.toHaveProperty('reviews');
    const { body } = await accept(product, admin, id);
    expect(await reviewsOf(body.entryId)).toMatchObject([{ review: 'Dry.', username: third.username }]);
  });

  test('does not post a review that its author may not post, and tells only that author', async () => {
    const [first, second, third] = await people();
    const { id, schoolId } = await share(first, second);
    await propose(third, { schoolId, review: { rating: 3, review: 'Dry.' } });
    const { calls, nameField } = category;
    const body = { [nameField]: 'Rowing', description: 'Boats.', schoolId };
    const made = await call(product, `POST /auth/${calls.create}`, { token: admin.token, body });
    await postReview(product, category, made.body.id, second, { review: 'I was quicker.' });
    await call(product, `DELETE /auth/deleteUser/${third.id}`, { token: admin.token });
    expect((await accept(product, admin, id)).body).toMatchObject({ entryId: made.body.id, reviewNotPosted: true });
    const texts = (await reviewsOf(made.body.id)).map(({ review }: { review: string }) => review);
    expect(texts.sort()).toEqual(['I was quicker.', FIRST.review]);
    expect(await mine(second)).toMatchObject([{ reviewNotPosted: 'alreadyReviewed' }]);
    expect((await mine(first))[0]).not.toHaveProperty('reviewNotPosted');
  });

  test('loses the texts of somebody who is deleted with their reviews, and nobody else’s', async () => {
    const [first, second, third] = await people();
    const [led, joined] = [await share(first, second), await share(third, first)];
    const alone = await propose(first);
    const { token } = admin;
    expect((await call(product, `DELETE /auth/deleteUser/${first.id}?reviews=hide`, { token })).status).toBe(204);
    expect(await itemOf(led.id)).toMatchObject({ state: 'open', review: SECOND });
    expect(await itemOf(joined.id)).toMatchObject({ state: 'open', review: FIRST });
    expect(await itemOf(joined.id)).not.toHaveProperty('reviews');
    expect(await itemOf(alone.id, 'refused')).toMatchObject({ id: alone.id });
  });

  test('follows its school into another one', async () => {
    const [first, second] = await people();
    const { id, schoolId: from } = await share(first, second);
    const { id: into } = await createSchool(product);
    await call(product, 'POST /auth/mergeSchools', { token: admin.token, body: { from, into } });
    expect((await itemOf(id)).reviews).toHaveLength(2);
    expect(await mine(second)).toMatchObject([{ id, schoolId: into, review: SECOND }]);
    const { body } = await accept(product, admin, id);
    expect(await reviewsOf(body.entryId)).toHaveLength(2);
  });

  test('can be withdrawn nine times a day, which counts against the ten proposals', async () => {
    const [proposer] = await people();
    const { id: schoolId } = await createSchool(product);
    for (let index = 0; index < 9; index += 1) {
      expect((await withdraw((await propose(proposer, { schoolId, name: unique('Sport') })).id, proposer)).status).toBe(
        204,
      );
    }
    const tenth = await propose(proposer, { schoolId });
    const refused = await withdraw(tenth.id, proposer);
    const sentence = 'You have withdrawn 9 proposals within a day. Please withdraw further ones tomorrow.';
    expect([refused.status, refused.body.error]).toEqual([429, sentence]);
    expect((await proposeEntry(product, proposer, { schoolId, name: 'Eleventh' })).status).toBe(429);
    try {
      product.clock.ahead = 25 * HOUR;
      const later = { token: await signIn(product, proposer.id) };
      expect((await withdraw(tenth.id, later)).status).toBe(204);
    } finally {
      product.clock.ahead = 0;
    }
  });

  test('counts a review that joins another one among the ten of a day', async () => {
    const [first, second] = await people();
    await share(first, second);
    const { id: schoolId } = await createSchool(product);
    for (let index = 0; index < 9; index += 1) await propose(second, { schoolId, name: unique('Sport') });
    expect((await proposeEntry(product, second, { schoolId, name: 'Eleventh' })).status).toBe(429);
  });
});
