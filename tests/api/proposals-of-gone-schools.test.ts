import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { merge } from '../support/merging.ts';
import { findFaults, SOME } from '../support/moderation.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { accept, proposeEntry, refuse } from '../support/proposals.ts';
import { createSchool, createUser, readMailsTo, type TestUser } from '../support/rows.ts';

const REVIEW = { rating: 4.5, review: 'They sail at dawn.' };
const IS_DELETED = 'The school of this proposal is deleted. Restore the school first, or refuse the proposal.';

describe.each(ENGINES)('proposals for schools that are gone on %s', (engine) => {
  let product: Product;
  let admin: TestUser;

  beforeAll(async () => {
    product = await startProduct(engine);
    admin = await createUser(product, { isAdmin: true });
  });
  afterAll(async () => {
    expect(await findFaults(product)).toEqual([]);
    await product.stop();
  });

  const itemOf = async (id: number) =>
    (await call(product, 'GET /auth/getProposals?limit=100', { token: admin.token })).body.find(
      (one: { id: number }) => one.id === id,
    );
  const mine = async ({ token }: TestUser) => (await call(product, 'GET /auth/getMyProposals', { token })).body;
  const openCount = async () => (await call(product, 'GET /auth/getOpenCounts', { token: admin.token })).body.proposals;
  const entriesOf = async (schoolId: number) => (await call(product, `GET /auth/${SOME.calls.list}/${schoolId}`)).body;
  const deleteSchool = (id: number) => call(product, `DELETE /auth/deleteSchool/${id}`, { token: admin.token });
  const restore = (id: number) =>
    call(product, 'POST /auth/restoreDeleted', { token: admin.token, body: { kind: 'school', id } });

  async function createProposal() {
    const proposer = await createUser(product);
    const school = await createSchool(product);
    const sent = await proposeEntry(product, proposer, { schoolId: school.id, name: 'Rowing', review: REVIEW });
    return { proposer, school, id: sent.body.id as number };
  }

  test('a deleted one: accepting is a 409 that changes nothing, and the queue shows it', async () => {
    const { proposer, school, id } = await createProposal();
    expect(await itemOf(id)).not.toHaveProperty('isSchoolDeleted');
    await deleteSchool(school.id);
    const before = await openCount();
    const accepted = await accept(product, admin, id, { name: 'Rowing Club' });
    expect([accepted.status, accepted.body]).toEqual([409, { error: IS_DELETED }]);
    const item = { id, state: 'open', name: 'Rowing', schoolName: school.schoolName, isSchoolDeleted: true };
    expect(await itemOf(id)).toMatchObject(item);
    expect(await openCount()).toBe(before);
    expect(await readMailsTo(product, proposer.email)).toEqual([]);
    const acts = await call(product, `GET /auth/getAdminActs?subjectKind=proposal&subjectId=${id}`, {
      token: admin.token,
    });
    expect(acts.body).toEqual([]);

    expect((await restore(school.id)).status).toBe(200);
    expect(await itemOf(id)).not.toHaveProperty('isSchoolDeleted');
    expect(await entriesOf(school.id)).toEqual([]);
    expect((await accept(product, admin, id)).status).toBe(200);
    expect(await entriesOf(school.id)).toMatchObject([{ totalReviews: 1 }]);
  });

  test('a deleted one: the proposal can be refused, and goes when the school is deleted for good', async () => {
    const [refused, kept] = [await createProposal(), await createProposal()];
    for (const { school } of [refused, kept]) await deleteSchool(school.id);
    const answer = await refuse(product, admin, refused.id, 'The school has closed.');
    expect(answer).toMatchObject({ status: 200, body: { state: 'refused', isSchoolDeleted: true } });
    expect(await mine(refused.proposer)).toMatchObject([{ state: 'refused', reason: 'The school has closed.' }]);
    expect(await readMailsTo(product, refused.proposer.email)).toHaveLength(1);

    await product.app.database.write((db) =>
      db.deleteFrom('schools').where('id', 'in', [refused.school.id, kept.school.id]).execute(),
    );
    expect((await accept(product, admin, kept.id)).status).toBe(404);
    expect(await mine(kept.proposer)).toEqual([]);
  });

  test('a merged one: the proposal is accepted at the other school, along a chain', async () => {
    const { proposer, school, id } = await createProposal();
    const [next, last] = [await createSchool(product), await createSchool(product)];
    await merge(product, admin, school.id, next.id);
    await merge(product, admin, next.id, last.id);
    expect(await itemOf(id)).toMatchObject({ schoolId: last.id, schoolName: last.schoolName });
    const { status, body } = await accept(product, admin, id);
    expect([status, body.schoolId]).toEqual([200, last.id]);
    expect(await entriesOf(last.id)).toMatchObject([{ id: body.entryId, totalReviews: 1 }]);
    expect(await mine(proposer)).toMatchObject([{ schoolId: last.id, entryId: body.entryId }]);
  });

  test('merged into one that is deleted: a 409, until that one is restored', async () => {
    const { school, id } = await createProposal();
    const into = await createSchool(product);
    await merge(product, admin, school.id, into.id);
    await deleteSchool(into.id);
    const accepted = await accept(product, admin, id);
    expect([accepted.status, accepted.body.error]).toEqual([409, IS_DELETED]);
    await restore(into.id);
    expect((await accept(product, admin, id)).body).toMatchObject({ state: 'accepted', schoolId: into.id });
  });
});
