import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { merge } from '../support/merging.ts';
import { accept, entriesOf, findProposal, myProposals, proposeEntry, refuse } from '../support/proposals.ts';
import { createSchool, createUser, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const NAME = 'Chess Club';
const REVIEW = { rating: 4, review: 'They think before they move.' };
const OTHER_REVIEW = { rating: 2, review: 'They think for too long.' };

describeProduct('open proposals that become equal on %s', (product) => {
  const admin = adminOf(product);

  const mergeInto = async (from: { id: number }, into: { id: number }) => {
    const { status, text } = await merge(product, admin, from.id, into.id);
    expect(status, text).toBe(200);
  };

  /** Two people who have proposed the same for two schools, of which the first is merged into the second. */
  async function createEqual() {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    const [one, two] = [await createUser(product), await createUser(product)];
    const propose = async (user: TestUser, schoolId: number, review: typeof REVIEW) =>
      (await proposeEntry(product, user, { schoolId, name: NAME, review })).body.id as number;
    const moved = { author: one, id: await propose(one, from.id, REVIEW) };
    const kept = { author: two, id: await propose(two, into.id, OTHER_REVIEW) };
    await mergeInto(from, into);
    return { school: into, moved, kept };
  }

  test('both move with further merges, and accepting both makes one entry with the reviews of both', async () => {
    const { school, moved, kept } = await createEqual();
    const [next, last] = [await createSchool(product), await createSchool(product)];
    await mergeInto(school, next);
    await mergeInto(next, last);
    for (const { id } of [moved, kept]) {
      expect(await findProposal(product, admin, id)).toMatchObject({ schoolId: last.id, name: NAME });
    }
    const { entryId } = (await accept(product, admin, kept.id)).body;
    expect((await accept(product, admin, moved.id)).body).toMatchObject({ schoolId: last.id, entryId });
    expect(await entriesOf(product, last.id)).toMatchObject([{ id: entryId, totalReviews: 2, averageRating: 3 }]);
    const entries = await Promise.all([moved, kept].map(({ author }) => myProposals(product, author)));
    expect(entries.flat()).toMatchObject([{ entryId }, { entryId }]);
  });

  test('both move to a school where a third is proposed, and to one where nothing is', async () => {
    const { school, moved, kept } = await createEqual();
    const [next, last] = [await createSchool(product), await createSchool(product)];
    const third = await createUser(product);
    const { id } = (await proposeEntry(product, third, { schoolId: next.id, name: NAME })).body;
    await mergeInto(school, next);
    await mergeInto(next, last);
    const { entryId } = (await accept(product, admin, id)).body;
    for (const one of [moved, kept]) {
      expect((await accept(product, admin, one.id)).body).toMatchObject({ schoolId: last.id, entryId });
    }
  });

  test('whoever proposes the same then joins one of them, until it is decided', async () => {
    const { school, kept, moved } = await createEqual();
    const [reader, later] = [await createUser(product), await createUser(product)];
    const proposed = { schoolId: school.id, name: NAME, review: REVIEW };
    expect(await proposeEntry(product, reader, proposed)).toMatchObject({ status: 201, body: { id: kept.id } });
    await refuse(product, admin, kept.id, 'There is no such club.');
    const { status, body } = await proposeEntry(product, later, proposed);
    expect(status).toBe(201);
    const { entryId } = (await accept(product, admin, body.id)).body;
    expect((await accept(product, admin, moved.id)).body).toMatchObject({ entryId });
    expect(await entriesOf(product, school.id)).toMatchObject([{ id: entryId, totalReviews: 2 }]);
  });

  test('each can be corrected by its author', async () => {
    const { moved, kept } = await createEqual();
    for (const { author, id } of [moved, kept]) {
      const correct = (body: object) =>
        call(product, `PUT /auth/updateMyProposal/${id}`, { token: author.token, body });
      const corrected = { description: 'On Mondays.', review: { ...REVIEW, rating: 1 } };
      expect(await correct(corrected)).toMatchObject({ status: 200, body: corrected });
    }
    const renamed = await call(product, `PUT /auth/updateMyProposal/${moved.id}`, {
      token: moved.author.token,
      body: { name: 'Go Club' },
    });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Go Club' } });
  });

  test('one with the key of another school, left by an earlier version, is not found there', async () => {
    const { school, moved } = await createEqual();
    const person = await createUser(product);
    const { id: schoolId } = await createSchool(product);
    const first = (await proposeEntry(product, person, { schoolId, name: NAME })).body.id as number;
    const { equal_key } = await product.app.database.write((db) =>
      db.selectFrom('proposals').select('equal_key').where('id', '=', first).executeTakeFirstOrThrow(),
    );
    await refuse(product, admin, first, 'Not now.');
    await product.app.database.write((db) =>
      db.updateTable('proposals').set({ equal_key }).where('id', '=', moved.id).execute(),
    );
    const sent = await proposeEntry(product, person, { schoolId, name: NAME, review: OTHER_REVIEW });
    expect(sent.status).toBe(201);
    expect(sent.body.id).not.toBe(moved.id);
    await accept(product, admin, moved.id);
    expect(await entriesOf(product, school.id)).toMatchObject([{ totalReviews: 1 }]);
    expect(await entriesOf(product, schoolId)).toEqual([]);
  });
});

describeProduct('schools whose ids have one and two digits on %s', (product) => {
  const admin = adminOf(product);

  test('a proposal at a third school stays there when two equal ones were merged twice', async () => {
    const schools = [];
    for (let id = 1; id <= 58; id += 1) schools.push(await createSchool(product));
    expect(schools.map(({ id }) => id)).toEqual(schools.map((_, index) => index + 1));
    const [one, two, three] = [await createUser(product), await createUser(product), await createUser(product)];
    const propose = async (user: TestUser, schoolId: number) =>
      (await proposeEntry(product, user, { schoolId, name: NAME, review: REVIEW })).body.id as number;
    const equal = [await propose(one, 58), await propose(two, 8)];
    // Of the key of 58 the digits after those of 8, behind 2, are another school.
    expect((await merge(product, admin, 58, 8)).status).toBe(200);
    expect((await merge(product, admin, 8, 2)).status).toBe(200);
    const third = await propose(three, 28);
    expect(equal).not.toContain(third);
    for (const id of [...equal, third]) expect((await accept(product, admin, id)).status).toBe(200);
    expect(await entriesOf(product, 2)).toMatchObject([{ totalReviews: 2 }]);
    expect(await entriesOf(product, 28)).toMatchObject([{ totalReviews: 1 }]);
  });
});
