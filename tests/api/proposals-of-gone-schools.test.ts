import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { removeAs, restoreAs } from '../support/deletions.ts';
import { createNamedEntry, merge } from '../support/merging.ts';
import {
  accept,
  countOpen,
  entriesOf,
  findProposal,
  myProposals,
  proposeEntry,
  proposeSchool,
  refuse,
} from '../support/proposals.ts';
import { category, createSchool, createUser, readMailsTo, type TestUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const REVIEW = { rating: 4.5, review: 'They sail at dawn.' };
const IS_DELETED = 'The school of this proposal is deleted. Restore the school first, or refuse the proposal.';

describeProduct('proposals for schools that are gone on %s', (product) => {
  const admin = adminOf(product);

  const itemOf = (id: number) => findProposal(product, admin, id);
  const deleteSchool = (id: number) => removeAs(product, admin, 'school', id);
  const restore = (id: number) => restoreAs(product, admin, 'school', id);

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
    const before = await countOpen(product, admin);
    const accepted = await accept(product, admin, id, { name: 'Rowing Club' });
    expect([accepted.status, accepted.body]).toEqual([409, { error: IS_DELETED }]);
    const item = { id, state: 'open', name: 'Rowing', schoolName: school.schoolName, isSchoolDeleted: true };
    expect(await itemOf(id)).toMatchObject(item);
    expect(await countOpen(product, admin)).toBe(before);
    expect(await readMailsTo(product, proposer.email)).toEqual([]);
    const acts = await call(product, `GET /auth/getAdminActs?subjectKind=proposal&subjectId=${id}`, {
      token: admin.token,
    });
    expect(acts.body).toEqual([]);

    expect((await restore(school.id)).status).toBe(200);
    expect(await itemOf(id)).not.toHaveProperty('isSchoolDeleted');
    expect(await entriesOf(product, school.id)).toEqual([]);
    expect((await accept(product, admin, id)).status).toBe(200);
    expect(await entriesOf(product, school.id)).toMatchObject([{ totalReviews: 1 }]);
  });

  test('a deleted one: the proposal can be refused, and goes when the school is deleted for good', async () => {
    const [refused, kept] = [await createProposal(), await createProposal()];
    for (const { school } of [refused, kept]) await deleteSchool(school.id);
    const answer = await refuse(product, admin, refused.id, 'The school has closed.');
    expect(answer).toMatchObject({ status: 200, body: { state: 'refused', isSchoolDeleted: true } });
    expect(await myProposals(product, refused.proposer)).toMatchObject([
      { state: 'refused', reason: 'The school has closed.' },
    ]);
    expect(await readMailsTo(product, refused.proposer.email)).toHaveLength(1);

    await product.app.database.write((db) =>
      db.deleteFrom('schools').where('id', 'in', [refused.school.id, kept.school.id]).execute(),
    );
    expect((await accept(product, admin, kept.id)).status).toBe(404);
    expect(await myProposals(product, kept.proposer)).toEqual([]);
  });

  test('a merged one: the proposal is accepted at the other school, along a chain', async () => {
    const { proposer, school, id } = await createProposal();
    const [next, last] = [await createSchool(product), await createSchool(product)];
    await merge(product, admin, school.id, next.id);
    await merge(product, admin, next.id, last.id);
    expect(await itemOf(id)).toMatchObject({ schoolId: last.id, schoolName: last.schoolName });
    const { status, body } = await accept(product, admin, id);
    expect([status, body.schoolId]).toEqual([200, last.id]);
    expect(await entriesOf(product, last.id)).toMatchObject([{ id: body.entryId, totalReviews: 1 }]);
    expect(await myProposals(product, proposer)).toMatchObject([{ schoolId: last.id, entryId: body.entryId }]);
  });

  test('a merged one: its proposals follow to the other school, also two that become equal, and are decided there', async () => {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    const [one, two] = [await createUser(product), await createUser(product)];
    const propose = async (user: TestUser, schoolId: number, name: string) =>
      (await proposeEntry(product, user, { schoolId, name })).body;
    const { id: moved } = await propose(one, from.id, 'Sailing Club');
    const { id: equal } = await propose(one, from.id, 'Chess Club');
    const { id: there } = await propose(two, into.id, 'Chess Club');
    await merge(product, admin, from.id, into.id);
    for (const id of [moved, equal, there]) {
      expect(await findProposal(product, admin, id)).toMatchObject({ schoolId: into.id });
    }
    expect(await propose(two, into.id, 'SAILING club')).toMatchObject({ proposalId: moved });
    const { entryId } = (await accept(product, admin, there)).body;
    expect((await accept(product, admin, equal)).body).toMatchObject({ schoolId: into.id, entryId });
    expect((await accept(product, admin, moved)).body).toMatchObject({ schoolId: into.id });
    expect(await entriesOf(product, into.id)).toHaveLength(2);
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

  describe('the school or entry of an accepted proposal', () => {
    const ownOf = async (proposer: TestUser) => (await myProposals(product, proposer))[0];
    const deleteEntry = (id: number) =>
      call(product, `DELETE /auth/${category.calls.remove}/${id}`, { token: admin.token });

    async function createAcceptedSchool() {
      const proposer = await createUser(product);
      const { body } = await proposeSchool(product, proposer, { schoolName: unique('Proposed'), location: 'Bergen' });
      const { body: accepted } = await accept(product, admin, body.id);
      return { proposer, id: accepted.schoolId as number };
    }

    async function createAcceptedEntry() {
      const { proposer, school, id } = await createProposal();
      return { proposer, school, id: (await accept(product, admin, id)).body.entryId as number };
    }

    test('a school that was deleted is gone, until it is restored, and for good', async () => {
      const { proposer, id } = await createAcceptedSchool();
      expect(await ownOf(proposer)).toMatchObject({ state: 'accepted', schoolId: id });
      expect(await ownOf(proposer)).not.toHaveProperty('isGone');
      await deleteSchool(id);
      expect(await ownOf(proposer)).toMatchObject({ state: 'accepted', schoolId: id, isGone: true });
      await restore(id);
      expect(await ownOf(proposer)).not.toHaveProperty('isGone');
      await product.app.database.write((db) => db.deleteFrom('schools').where('id', '=', id).execute());
      expect(await ownOf(proposer)).toMatchObject({ state: 'accepted', schoolId: id, isGone: true });
    });

    test('an entry that was deleted is gone, and one whose school was deleted', async () => {
      const [entry, below] = [await createAcceptedEntry(), await createAcceptedEntry()];
      await deleteEntry(entry.id);
      await deleteSchool(below.school.id);
      expect(await ownOf(entry.proposer)).toMatchObject({ entryId: entry.id, isGone: true });
      expect(await ownOf(below.proposer)).toMatchObject({ entryId: below.id, isGone: true, isSchoolDeleted: true });
      await restore(below.school.id);
      expect(await ownOf(below.proposer)).not.toHaveProperty('isGone');
      await product.app.database.write((db) => db.deleteFrom('entries').where('id', '=', entry.id).execute());
      expect(await ownOf(entry.proposer)).toMatchObject({ entryId: entry.id, isGone: true });
    });

    test('a merged school or entry is the one that it was merged into, along a chain, and gone with that one', async () => {
      const accepted = await createAcceptedSchool();
      const entry = await createAcceptedEntry();
      const [next, last] = [await createSchool(product), await createSchool(product)];
      const kept = await createNamedEntry(product, category, last.id, 'Rowing');
      await merge(product, admin, accepted.id, next.id);
      await merge(product, admin, entry.school.id, next.id);
      await merge(product, admin, next.id, last.id);
      for (const [proposer, made] of [
        [accepted.proposer, { schoolId: last.id }],
        [entry.proposer, { schoolId: last.id, entryId: kept.id }],
      ] as const) {
        expect(await ownOf(proposer)).toMatchObject(made);
        expect(await ownOf(proposer)).not.toHaveProperty('isGone');
      }
      await deleteSchool(last.id);
      expect(await ownOf(accepted.proposer)).toMatchObject({ schoolId: last.id, isGone: true });
      expect(await ownOf(entry.proposer)).toMatchObject({ entryId: kept.id, isGone: true });
    });

    test('the mail about one that is gone by then has no address of it', async () => {
      const proposer = await createUser(product);
      const school = await createSchool(product);
      const { body } = await proposeEntry(product, proposer, { schoolId: school.id, name: 'Rowing', review: REVIEW });
      const { body: accepted } = await accept(product, admin, body.id);
      expect((await readMailsTo(product, proposer.email))[0]).toContain(`/${accepted.entryId}`);
      await deleteEntry(accepted.entryId);
      // A second mail, as if the first one had waited for the mail server.
      const { database, outbox } = product.app;
      await database.write((db, commit) =>
        outbox.queue(db, commit, { purpose: 'proposal-accepted', userId: proposer.id, subjectId: body.id }),
      );
      const mail = (await readMailsTo(product, proposer.email))[1];
      expect(mail).toContain('accepted. It has since been deleted.');
      expect(mail).not.toContain(`/${accepted.entryId}`);
    });
  });
});
