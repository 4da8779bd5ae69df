import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { findFaults } from '../support/moderation.ts';
import { dataOf, ENGINES } from '../support/product.ts';
import { accept, entriesOf, listProposals, myProposals, proposeEntry, proposeSchool } from '../support/proposals.ts';
import { category, createSchool, createUser, type TestUser } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const REVIEW = { rating: 4.5, review: 'They sail at dawn.', relation: 'alumnus', since: 2001, until: 2004 };

describe.each(ENGINES)('PROPOSALS on %s', (engine) => {
  test('=open makes what is proposed at once, posts its review, and of ten at once one', async () => {
    const product = await startForTest(engine, { PROPOSALS: 'open' });
    const people = await Promise.all(Array.from({ length: 10 }, () => createUser(product)));
    const [user] = people as [TestUser];
    const school = await proposeSchool(product, user, { schoolName: 'Open School', location: 'Here' });
    const schoolId = school.body.schoolId;
    expect(school.body).toEqual({ id: expect.any(Number), state: 'accepted', schoolId: expect.any(Number) });
    expect((await call(product, `GET /auth/getSchool/${schoolId}`)).body.schoolName).toBe('Open School');
    const answers = await Promise.all(
      people.map((person) => proposeEntry(product, person, { schoolId, name: 'Rowing', review: REVIEW })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const { entryId } = answers.find(({ status }) => status === 201)?.body ?? {};
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.id)).toEqual(Array(9).fill(entryId));
    const [review, ...others] = (await call(product, `GET /auth/${category.calls.reviews}/${entryId}`)).body;
    expect([review.rating, others]).toEqual([4.5, []]);
    const { token } = await createUser(product, { isAdmin: true });
    expect(await listProposals(product, { token })).toEqual([]);
    expect((await call(product, 'GET /auth/getAdminActs', { token })).body).toEqual([]);
    expect(await findFaults(product)).toEqual([]);
  });

  test('=off refuses to take any, and lets open ones be decided', async () => {
    const before = await startForTest(engine);
    const [user, admin] = [await createUser(before), await createUser(before, { isAdmin: true })];
    const { id: schoolId } = await createSchool(before);
    const open = (await proposeEntry(before, user, { schoolId, name: 'Early' })).body;
    const product = await startForTest(engine, { ...dataOf(before), PROPOSALS: 'off' });
    for (const { status, body } of [
      await proposeSchool(product, user, { schoolName: 'Late', location: 'Here' }),
      await proposeEntry(product, user, { schoolId, name: 'Late' }),
    ]) {
      const error = 'Nothing can be proposed here. If something is missing, write to support@example.com.';
      expect([status, body]).toEqual([403, { error }]);
    }
    expect(await listProposals(product, admin)).toMatchObject([open]);
    expect(await myProposals(product, user)).toMatchObject([open]);
    const accepted = await accept(product, admin, open.id);
    expect(accepted).toMatchObject({ status: 200, body: { id: open.id, state: 'accepted', schoolId } });
    expect(await entriesOf(product, schoolId)).toMatchObject([{ id: accepted.body.entryId }]);
  });
});
