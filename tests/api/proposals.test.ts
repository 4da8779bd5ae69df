import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import {
  accept,
  countOpen,
  createProposal,
  decide,
  entriesOf,
  findProposal,
  listProposals,
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
import { adminOf, describeProduct, userOf } from '../support/site.ts';

const CLUBS = CATEGORIES[1] as Category;
const HOUR = 60 * 60_000;
const REVIEW = { rating: 4.5, review: 'They sail at dawn.', relation: 'alumnus', since: 2001, until: 2004 };

describeProduct('proposals on %s', (product) => {
  const admin = adminOf(product);
  const user = userOf(product);

  const itemOf = (id: number, state?: string) => findProposal(product, admin, id, state);
  const mine = (proposer: TestUser) => myProposals(product, proposer);
  const reviewsOf = async (entryId: number) =>
    (await call(product, `GET /auth/${category.calls.reviews}/${entryId}`)).body;
  const mailsTo = ({ email }: TestUser) => readMailsTo(product, email);
  const author = async () => createUser(product);

  test('of a school is made on acceptance, is found by the search, and its proposer is told by mail', async () => {
    const proposer = await author();
    const schoolName = unique('Sailing School');
    const sent = await proposeSchool(product, proposer, { schoolName, location: 'Kiel, Germany' });
    expect([sent.status, sent.body]).toEqual([201, { id: expect.any(Number), state: 'open' }]);
    const { id } = sent.body;
    const proposed = { id, kind: 'school', schoolName, location: 'Kiel, Germany', description: '' };
    expect(await mine(proposer)).toEqual([{ ...proposed, state: 'open', createdAt: expect.any(String) }]);
    expect(await itemOf(id)).toMatchObject({ ...proposed, state: 'open', similar: expect.any(Array) });
    expect((await call(product, `GET /auth/searchSchools?q=${schoolName}`)).body.total).toBe(0);

    const accepted = await accept(product, admin, id);
    expect(accepted).toMatchObject({
      status: 200,
      body: { ...proposed, state: 'accepted', schoolId: expect.any(Number), similar: [] },
    });
    const { schoolId } = accepted.body;
    expect((await call(product, `GET /auth/getSchool/${schoolId}`)).body).toEqual({
      id: schoolId,
      ...{ schoolName, location: 'Kiel, Germany', description: '', aliases: [] },
    });
    const found = (await call(product, `GET /auth/searchSchools?q=${schoolName}`)).body.schools;
    expect(found).toMatchObject([{ id: schoolId }]);
    expect(await mine(proposer)).toMatchObject([{ id, state: 'accepted', schoolId }]);
    expect(await itemOf(id)).toBeUndefined();
    expect(await itemOf(id, 'accepted')).toMatchObject({ id, schoolId });
    const [mail = '', ...others] = await mailsTo(proposer);
    expect(others).toEqual([]);
    expect(mail).toMatch(/Subject: School Reviews: your proposal was accepted/);
    expect(mail).toContain(`Your proposal of ${schoolName} was accepted.`);
    expect(mail).toContain(`${product.url}/school/${schoolId}`);
    expect(mail).toContain(`${product.url}/myreviews`);
  });

  test('of an entry posts its review as its author’s, dated when it was proposed', async () => {
    const [proposer, hidden] = [await author(), await author()];
    const { id: schoolId, schoolName } = await createSchool(product);
    const before = Date.now();
    const signed = await proposeEntry(product, proposer, {
      schoolId,
      name: 'Rowing',
      description: 'Boats.',
      review: REVIEW,
    });
    const review = { ...REVIEW, isAnonymous: true };
    const anonymous = await proposeEntry(product, hidden, { schoolId, name: 'Fencing', review });
    expect([signed.status, anonymous.status]).toEqual([201, 201]);
    const after = Date.now();
    expect(await itemOf(signed.body.id)).toEqual({
      id: signed.body.id,
      ...{ kind: 'entry', state: 'open', createdAt: expect.any(String), schoolId, schoolName },
      ...{ category: category.kind, name: 'Rowing', description: 'Boats.' },
      review: { ...REVIEW, isAnonymous: false },
      similar: [],
    });
    expect(JSON.stringify(await listProposals(product, admin))).not.toMatch(
      new RegExp(`${proposer.username}|${hidden.username}|user`, 'i'),
    );
    product.clock.ahead = HOUR;
    try {
      const later = { token: await signIn(product, admin.id) };
      const { body } = await accept(product, later, signed.body.id);
      expect(body).toMatchObject({ state: 'accepted', schoolId, entryId: expect.any(Number) });
      expect(body).not.toHaveProperty('reviewNotPosted');
      const [posted] = await reviewsOf(body.entryId);
      expect(posted).toMatchObject({ ...REVIEW, username: proposer.username, createdAt: body.createdAt });
      expect(Date.parse(posted.createdAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(posted.createdAt)).toBeLessThanOrEqual(after);
      const token = await signIn(product, proposer.id);
      const own = (await call(product, 'GET /auth/getMyReviews', { token })).body;
      expect(own).toMatchObject([{ id: posted.id, events: [{ event: 'posted', at: posted.createdAt }] }]);
      expect(await entriesOf(product, schoolId)).toMatchObject([
        { id: body.entryId, averageRating: 4.5, totalReviews: 1 },
      ]);

      const second = await accept(product, later, anonymous.body.id);
      const [unsigned] = await reviewsOf(second.body.entryId);
      expect(unsigned).toMatchObject(REVIEW);
      expect(unsigned).not.toHaveProperty('username');
    } finally {
      product.clock.ahead = 0;
    }
    const [mail = ''] = await mailsTo(proposer);
    expect(mail).toContain(`Your proposal of Rowing at ${schoolName} was accepted.`);
    expect(mail).toContain('Your review is posted there, dated when you proposed it.');
  });

  test('is corrected on acceptance; neither its review nor its school can be', async () => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    const { body } = await proposeEntry(product, user, { schoolId: one.id, name: 'chess clubb', review: REVIEW });
    const corrected = { name: 'Chess', description: 'Boards.', category: CLUBS.kind, schoolId: other.id };
    const accepted = await accept(product, admin, body.id, { ...corrected, review: { rating: 1, review: 'Forged.' } });
    expect(accepted.body).toMatchObject({ schoolId: one.id, category: CLUBS.kind, name: 'chess clubb' });
    const entries = (await call(product, `GET /auth/${CLUBS.calls.list}/${one.id}`)).body;
    expect(entries).toMatchObject([{ id: accepted.body.entryId, clubName: 'Chess', description: 'Boards.' }]);
    expect((await call(product, `GET /auth/${CLUBS.calls.reviews}/${accepted.body.entryId}`)).body).toMatchObject([
      REVIEW,
    ]);
    const school = await proposeSchool(product, user, { schoolName: unique('Scool'), location: 'Rome' });
    const right = { schoolName: unique('School'), location: 'Rome, Italy', description: 'Old.' };
    const { schoolId } = (await accept(product, admin, school.body.id, right)).body;
    expect((await call(product, `GET /auth/getSchool/${schoolId}`)).body).toMatchObject(right);
  });

  test('that was made meanwhile finds what is there, and a review of one’s own there stays the only one', async () => {
    const { proposer, schoolId, id } = await createProposal(product, { name: 'Judo', review: REVIEW });
    const { calls, nameField } = category;
    const made = await call(product, `POST /auth/${calls.create}`, {
      token: admin.token,
      body: { [nameField]: 'JUDO', description: 'Mats.', schoolId },
    });
    await postReview(product, category, made.body.id, proposer, { rating: 2, review: 'I was quicker.' });
    const { body } = await accept(product, admin, id);
    expect(body).toMatchObject({ entryId: made.body.id, reviewNotPosted: true });
    expect(await reviewsOf(made.body.id)).toMatchObject([{ review: 'I was quicker.' }]);
    expect(await entriesOf(product, schoolId)).toMatchObject([{ description: 'Mats.', totalReviews: 1 }]);
    expect(await mine(proposer)).toMatchObject([{ reviewNotPosted: 'alreadyReviewed' }]);
    const [mail = ''] = await mailsTo(proposer);
    expect(mail).toContain('Your review was not posted, because you have one there already.');
    expect(mail).toContain(REVIEW.review);
  });

  test('of a deleted user stays without a person: what it proposes is made, its review is not posted', async () => {
    const { proposer, id } = await createProposal(product, { name: 'Polo', review: REVIEW });
    await call(product, `DELETE /auth/deleteUser/${proposer.id}`, { token: admin.token });
    const { body } = await accept(product, admin, id);
    expect(body).toMatchObject({ state: 'accepted', reviewNotPosted: true });
    expect(await reviewsOf(body.entryId)).toEqual([]);
    expect(await mailsTo(proposer)).toEqual([]);
  });

  test('of a blocked user is made without its review, and the mail says so', async () => {
    const { proposer, id } = await createProposal(product, { name: 'Boules', review: REVIEW });
    const blocked = await call(product, `PUT /auth/blockUser/${proposer.id}`, {
      token: admin.token,
      body: { isBlocked: true, reason: 'Many adverts.' },
    });
    expect(blocked.status).toBe(200);
    const { body } = await accept(product, admin, id);
    expect(body).toMatchObject({ state: 'accepted', reviewNotPosted: true });
    expect(await reviewsOf(body.entryId)).toEqual([]);
    const mail = (await mailsTo(proposer)).at(-1);
    expect(mail).toContain('Your review was not posted, because your account is blocked.');
  });

  test('is refused with a reason that its proposer is told, and is decided once', async () => {
    const { proposer, schoolId, id } = await createProposal(product, { name: 'Luge', review: REVIEW });
    const missing = await decide(product, admin, id, { action: 'refuse' });
    const sentence = 'The reason for refusing the proposal is missing.';
    expect([missing.status, missing.body]).toEqual([400, { error: sentence, field: 'reason' }]);
    expect((await refuse(product, admin, id, 'No')).status).toBe(400);
    const refused = await refuse(product, admin, id, 'There is no ice.');
    expect(refused).toMatchObject({ status: 200, body: { state: 'refused', reason: 'There is no ice.', similar: [] } });
    expect(await entriesOf(product, schoolId)).toEqual([]);
    expect(await mine(proposer)).toMatchObject([{ id, state: 'refused', reason: 'There is no ice.' }]);
    for (const again of [await accept(product, admin, id), await refuse(product, admin, id, 'Still none.')]) {
      const words = 'This proposal is decided already. Load the page again.';
      expect([again.status, again.body.error]).toEqual([409, words]);
    }
    const unknown = await accept(product, admin, 999_999);
    expect([unknown.status, unknown.body.error]).toEqual([404, 'There is no such proposal.']);
    const [mail = '', ...others] = await mailsTo(proposer);
    expect(others).toEqual([]);
    expect(mail).toMatch(/Subject: School Reviews: your proposal was refused/);
    expect(mail).toContain('Reason: There is no ice.');
    expect(mail).toContain(REVIEW.review);
  });

  test('are ordered, paged and counted', async () => {
    const proposer = await author();
    const { id: schoolId } = await createSchool(product);
    const ids: number[] = [];
    for (const name of ['A', 'B', 'C']) ids.push((await proposeEntry(product, proposer, { schoolId, name })).body.id);
    const page = async (path: string, token = admin.token) => {
      const seen: number[] = [];
      for (let next: string | undefined = path; next; ) {
        const { body, headers } = await call(product, `GET ${next}`, { token });
        seen.push(...body.map((one: { id: number }) => one.id));
        next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
      }
      return seen.filter((id) => ids.includes(id));
    };
    expect(await page('/auth/getProposals?limit=1')).toEqual(ids);
    expect(await page('/auth/getMyProposals?limit=2', proposer.token)).toEqual(ids.toReversed());
    expect(await countOpen(product, admin)).toBe((await listProposals(product, admin)).length);
    await refuse(product, admin, ids[2] as number, 'No such thing.');
    await refuse(product, admin, ids[0] as number, 'No such thing.');
    expect(await page('/auth/getProposals?state=refused&limit=1')).toEqual([ids[0], ids[2]]);
    const wrong = await call(product, 'GET /auth/getProposals?state=closed', { token: admin.token });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'The state must be open, accepted, or refused.']);
  });

  test('a person makes ten proposals in any 24 hours, of whatever sort, however RATE_LIMIT stands', async () => {
    const proposer = await author();
    const { id: schoolId } = await createSchool(product);
    let count = 0;
    const send = async (hours: number) => {
      product.clock.ahead = hours * HOUR;
      count += 1;
      const by = { token: await signIn(product, proposer.id) };
      return count % 2 === 0
        ? proposeEntry(product, by, { schoolId, name: unique('Sport') })
        : proposeSchool(product, by, { schoolName: unique('School'), location: 'Here' });
    };
    try {
      for (const _ of Array(5)) expect((await send(0)).status).toBe(201);
      for (const _ of Array(5)) expect((await send(23)).status).toBe(201);
      for (const _ of Array(2)) {
        const refused = await send(23);
        const sentence = 'You have made 10 proposals within a day. Please make further ones tomorrow.';
        expect([refused.status, refused.body.error]).toEqual([429, sentence]);
        expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
      }
      expect((await send(24.1)).status).toBe(201);
    } finally {
      product.clock.ahead = 0;
    }
  });
});
