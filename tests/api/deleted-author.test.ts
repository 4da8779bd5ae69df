import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { callAddress } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { call } from '../support/call.ts';
import { createTarget, createWorkplace, inDatabase } from '../support/command.ts';
import { createTwinSchools } from '../support/merging.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { createReviewOf, hide, moderate, report } from '../support/moderation.ts';
import { ENGINES, type Product } from '../support/product.ts';
import { accept, proposeEntry, refuse } from '../support/proposals.ts';
import { category, createEntry, createSchool, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;
const REVIEW = { rating: 5, review: 'They row at dawn.', isAnonymous: true };

/** Only the list of accounts, the account and the audit trail say by name that an account was deleted. */
const OF_PEOPLE = ['getUsers', 'getAdminActs', 'getAdminActTotal', 'getUserState'];
const ADMIN_READS = CALLS.filter(
  ({ access, method, name }) => access === 'admin' && method === 'GET' && !OF_PEOPLE.includes(name),
);
/** The queries of calls that need one, or that have several lists. */
const QUERIES: Readonly<Record<string, readonly Record<string, string | number>[]>> = {
  getReports: [{ state: 'open' }, { state: 'closed' }],
  getProposals: [{ state: 'open' }, { state: 'accepted' }, { state: 'refused' }],
  // The schools of `createTwinSchools`.
  previewMerge: [{ from: 1, into: 2 }],
};

const { newDataDir } = createWorkplace();

describe.each(ENGINES)('an account that is deleted on %s', (engine) => {
  async function start() {
    const product = await startForTest(engine);
    return { product, admin: await createUser(product, { isAdmin: true }) };
  }

  async function readAll(product: Product, { token }: TestUser): Promise<Record<string, string>> {
    const answers: Record<string, string> = {};
    for (const read of ADMIN_READS) {
      for (const query of QUERIES[read.name] ?? [{}]) {
        const address = callAddress(read, { query });
        const { status, text } = await call(product, `GET ${address}`, { token });
        expect(status, address).toBe(200);
        answers[address] = text;
      }
    }
    return answers;
  }

  /** One review or proposal in each state that there is. */
  async function write(product: Product, admin: TestUser, author: TestUser) {
    const anonymous = { username: null };
    const { id: schoolId } = await createSchool(product);
    const entry = await createEntry(product, category, schoolId);
    await postReview(product, category, entry.id, author, anonymous);
    await createReviewOf(product, author);
    const [reported, kept, hidden, appealed] = [
      await createReviewOf(product, author),
      await createReviewOf(product, author),
      await createReviewOf(product, author),
      await createReviewOf(product, author),
    ];
    const reader = await createUser(product);
    for (const { reviewId } of [reported, kept]) await report(product, reader, reviewId);
    await moderate(product, admin, kept.reviewId, { action: 'keep' });
    for (const { reviewId } of [hidden, appealed]) await hide(product, admin, reviewId);
    const text = { text: 'It is true.' };
    const appeal = `POST /auth/appealReview/${appealed.reviewId}`;
    expect((await call(product, appeal, { token: author.token, body: text })).status).toBe(201);
    const propose = async () =>
      (await proposeEntry(product, author, { schoolId, name: unique('Proposed'), review: REVIEW })).body.id as number;
    await accept(product, admin, await propose());
    await refuse(product, admin, await propose(), 'Not there.');
    await propose();
    const deleted = await createReviewOf(product, author);
    const path = `DELETE /auth/${category.calls.remove}/${deleted.entry.id}`;
    expect((await call(product, path, { token: admin.token })).status).toBe(204);
  }

  test('leaves every answer for admins as it was, to the byte, so that none tells what it wrote anonymously', async () => {
    const { product, admin } = await start();
    const [author, newcomer, old] = [
      await createUser(product),
      await createUser(product),
      await createUser(product, { age: 8 * DAY }),
    ];
    const twins = await createTwinSchools(product, category);
    expect([twins.from.id, twins.into.id]).toEqual([1, 2]);
    for (const { id } of [twins.gone, twins.kept]) await postReview(product, category, id, author, { username: null });
    for (const writer of [author, newcomer, old]) await write(product, admin, writer);
    const before = await readAll(product, admin);
    expect(before['/auth/getNewestReviews']).toContain('"isNewAccount":true');
    expect(before['/auth/getNewestReviews']).toContain('"isNewAccount":false');
    for (const { id } of [author, old]) {
      expect((await call(product, `DELETE /auth/deleteUser/${id}`, { token: admin.token })).status).toBe(204);
    }
    expect(await readAll(product, admin)).toEqual(before);
  });

  test('or blocked has its proposals accepted without their reviews, and only the proposer is told why', async () => {
    const { product, admin } = await start();
    const { id: schoolId } = await createSchool(product);
    const answers: unknown[] = [];
    for (const takeAway of ['block', 'delete', 'post'] as const) {
      const author = await createUser(product);
      const name = unique('Proposed');
      const { id } = (await proposeEntry(product, author, { schoolId, name, review: REVIEW })).body;
      if (takeAway === 'block') {
        const body = { isBlocked: true, reason: 'Many adverts.' };
        await call(product, `PUT /auth/blockUser/${author.id}`, { token: admin.token, body });
      } else if (takeAway === 'delete') {
        await call(product, `DELETE /auth/deleteUser/${author.id}`, { token: admin.token });
      } else {
        const body = { [category.nameField]: name, description: 'There already.', schoolId };
        const made = await call(product, `POST /auth/${category.calls.create}`, { token: admin.token, body });
        await postReview(product, category, made.body.id, author);
      }
      const { body } = await accept(product, admin, id);
      answers.push({ ...body, id: 0, name: '', entryId: 0, createdAt: '' });
      const { body: listed } = await call(product, 'GET /auth/getProposals?state=accepted', { token: admin.token });
      expect(listed[0]).toEqual({ ...body, similar: [] });
    }
    const [blocked, deleted, reviewed] = answers;
    expect(blocked).toMatchObject({ state: 'accepted', reviewNotPosted: true });
    expect([deleted, reviewed]).toEqual([blocked, blocked]);
  });
});

describe.each(ENGINES)('reviews that the version before accepted on %s', (engine) => {
  test('keep whether their authors’ accounts were new', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('accepted-by-new-accounts'), async (db) => {
      await sql`insert into schools (school_name, name_key, prefix_key, description, location)
        values ('One', 'one', 'one', 'x', 'Lyon, France')`.execute(db);
      await sql`insert into entries (kind, school_id, name, name_key, description)
        values ('clubs', 1, 'Rowing', 'rowing', 'x')`.execute(db);
      const postedAt = 30 * DAY;
      for (const [index, joinedAt] of [postedAt - 7 * DAY + 1, postedAt - 7 * DAY].entries()) {
        const user = `user-${index}`;
        await sql`insert into users (username, username_key, email, email_key, password_hash, created_at)
          values (${user}, ${user}, ${user}, ${user}, 'none', ${joinedAt})`.execute(db);
        await sql`insert into reviews (entry_id, school_id, user_id, half_stars, review, created_at)
          values (1, 1, ${index + 1}, 5, 'Good.', ${postedAt})`.execute(db);
        await sql`insert into proposals (kind, state, user_id, created_at, decided_at, equal_key, name, description, review)
          values ('entry', 'accepted', ${index + 1}, ${postedAt}, ${postedAt}, ${user}, 'Rowing', 'x', 'Good.')`.execute(
          db,
        );
      }
    });
    await inDatabase(env, async ({ read }) => {
      const reviews = await read.selectFrom('reviews').select('by_new_account').orderBy('user_id').execute();
      expect(reviews.map((row) => row.by_new_account)).toEqual([2, 0]);
    });
  });
});
