import { expect, test } from 'vitest';
import { deleteUser } from '../../src/server/accounts/users/queries.ts';
import { eraseProposalsOf } from '../../src/server/proposals/queries.ts';
import { call } from '../support/call.ts';
import { holdTransaction, waitForLocks } from '../support/held-transactions.ts';
import { merge } from '../support/merging.ts';
import { findFaults } from '../support/moderation.ts';
import {
  accept,
  countOpen,
  createProposal,
  entriesOf,
  myProposals,
  proposeEntry,
  proposeSchool,
  refuse,
} from '../support/proposals.ts';
import { createSchool, createUser, readMailsTo, type TestUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const REVIEW = { rating: 4.5, review: 'They sail at dawn.' };

describeProduct('proposals at once on %s', (product) => {
  const admin = adminOf(product);

  const author = async () => createUser(product);

  test('of the same thing by ten people are one', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, author));
    const { id: schoolId } = await createSchool(product);
    const wanted = { schoolName: unique('Wanted'), location: 'Here' };
    for (const send of [
      (person: TestUser) => proposeSchool(product, person, wanted),
      (person: TestUser) => proposeEntry(product, person, { schoolId, name: 'Curling' }),
    ]) {
      const before = await countOpen(product, admin);
      const answers = await Promise.all(people.map(send));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
      const id = answers.find(({ status }) => status === 201)?.body.id;
      for (const { status, body } of answers) if (status === 409) expect(body.proposalId).toBe(id);
      expect(await countOpen(product, admin)).toBe(before + 1);
      const own = await Promise.all(people.map((person) => myProposals(product, person)));
      expect(own.flat().filter((one) => one.id === id)).toMatchObject([{ state: 'open' }]);
    }
  });

  test('are accepted by one of two admins, and the proposer hears once', async () => {
    const other = await createUser(product, { isAdmin: true });
    const { proposer, schoolId, id } = await createProposal(product, { name: 'Skiing', review: REVIEW });
    const answers = await Promise.all([admin, other, admin, other].map((by) => accept(product, by, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await entriesOf(product, schoolId)).toMatchObject([{ totalReviews: 1, averageRating: 4.5 }]);
    const path = `GET /auth/getAdminActs?subjectKind=proposal&subjectId=${id}`;
    expect((await call(product, path, { token: admin.token })).body).toHaveLength(1);
    expect(await readMailsTo(product, proposer.email)).toHaveLength(1);
  });

  test('are accepted or refused, of both at once: the entry is there or not, and the proposer reads the same', async () => {
    const other = await createUser(product, { isAdmin: true });
    for (let round = 0; round < 4; round += 1) {
      const { proposer, schoolId, id } = await createProposal(product, { name: 'Luge', review: REVIEW });
      const answers = await Promise.all([accept(product, admin, id), refuse(product, other, id, 'There is no ice.')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const isAccepted = answers[0].status === 200;
      expect(await entriesOf(product, schoolId)).toMatchObject(isAccepted ? [{ totalReviews: 1 }] : []);
      const [own] = await myProposals(product, proposer);
      expect(own.state).toBe(isAccepted ? 'accepted' : 'refused');
      expect(await readMailsTo(product, proposer.email)).toHaveLength(1);
    }
  });

  test('that are corrected to the same thing become one', async () => {
    const { id: schoolId } = await createSchool(product);
    const [one, other] = [await author(), await author()];
    const right = { schoolName: unique('The Same'), location: 'Oslo, Norway' };
    const schools = [
      await proposeSchool(product, one, { schoolName: unique('Same'), location: 'Oslo, Norway' }),
      await proposeSchool(product, other, { schoolName: unique('Same'), location: 'Oslo, Norway' }),
    ];
    const made = await Promise.all(schools.map(({ body }) => accept(product, admin, body.id, right)));
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(made.map(({ body }) => body.schoolId)).size).toBe(1);
    const entries = [
      await proposeEntry(product, one, { schoolId, name: 'Ski', review: REVIEW }),
      await proposeEntry(product, other, { schoolId, name: 'Skis', review: { ...REVIEW, rating: 1.5 } }),
    ];
    await Promise.all(entries.map(({ body }) => accept(product, admin, body.id, { name: 'Skiing' })));
    expect(await entriesOf(product, schoolId)).toMatchObject([{ totalReviews: 2, averageRating: 3 }]);
  });

  test('follow a school that is merged into another one, and are accepted beside the merge', async () => {
    for (const isAtOnce of [false, true]) {
      const proposer = await author();
      const [from, into] = [await createSchool(product), await createSchool(product)];
      const { id } = (await proposeEntry(product, proposer, { schoolId: from.id, name: 'Polo', review: REVIEW })).body;
      const merging = merge(product, admin, from.id, into.id);
      if (!isAtOnce) expect((await merging).status).toBe(200);
      const accepted = await accept(product, admin, id);
      expect([accepted.status, (await merging).status]).toEqual([200, 200]);
      expect(await entriesOf(product, into.id)).toMatchObject([{ id: accepted.body.entryId, totalReviews: 1 }]);
      const [own] = await myProposals(product, proposer);
      expect(own).toMatchObject({ schoolId: into.id, schoolName: into.schoolName });
    }
  });

  test('beside a deleted author or school leave no half and counts equal to rows', async () => {
    for (const path of ['deleteUser', 'deleteSchool']) {
      const { proposer, schoolId, id } = await createProposal(product, { name: 'Go', review: REVIEW });
      const subject = path === 'deleteUser' ? proposer.id : schoolId;
      const [accepted, deleted] = await Promise.all([
        accept(product, admin, id),
        call(product, `DELETE /auth/${path}/${subject}`, { token: admin.token }),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 404, 409]).toContain(accepted.status);
      expect(await findFaults(product)).toEqual([]);
    }
  });

  test('that their author withdraws while somebody who joined them leaves go on to the next who joined', async () => {
    const { id: schoolId } = await createSchool(product);
    const [proposer, leaving, staying] = [await author(), await author(), await author()];
    const ids: number[] = [];
    for (const person of [proposer, leaving, staying]) {
      ids.push((await proposeEntry(product, person, { schoolId, name: 'Fencing', review: REVIEW })).body.id);
    }
    const letGo = await holdTransaction(product, async (db) => {
      await eraseProposalsOf(db, leaving.id);
      await deleteUser(db, leaving.id);
    });
    const withdrawal = call(product, `DELETE /auth/withdrawMyProposal/${ids[0]}`, { token: proposer.token });
    await waitForLocks(product, 1);
    await letGo();
    expect((await withdrawal).status).toBe(204);
    expect(await myProposals(product, staying)).toMatchObject([{ id: ids[0], state: 'open', review: REVIEW }]);
    expect((await accept(product, admin, ids[0] ?? 0)).status).toBe(200);
    expect(await entriesOf(product, schoolId)).toMatchObject([{ totalReviews: 1 }]);
  });
});
