import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { locking } from '../../src/server/database/lock-row.ts';
import { findEntryKey } from '../../src/server/visibility/entry-queries.ts';
import { holdTransaction, waitForLocks } from '../support/held-transactions.ts';
import { findFaults } from '../support/moderation.ts';
import { captureQueries } from '../support/plans.ts';
import { isPostStatement, OLD_ACCOUNT } from '../support/post-cases.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';
import { productOf } from '../support/site.ts';

// Posts that arrive at the same time, which PostgreSQL gets in one statement.

const product = productOf('postgres', { RATE_LIMIT: 'on' });
const createAuthor = () => createUser(product, OLD_ACCOUNT);
const createAuthors = (count: number) => Promise.all(Array.from({ length: count }, createAuthor));

/** An entry with a review, so that the next one is not its first. */
async function createReviewedEntry(): Promise<number> {
  const { id } = await createEntry(product, category);
  await postReview(product, category, id, await createAuthor());
  return id;
}

test('posts by many authors of one entry are sent together', async () => {
  const entryId = await createReviewedEntry();
  const authors = await createAuthors(20);
  let answers: Awaited<ReturnType<typeof postReview>>[] = [];
  const queries = await captureQueries(async () => {
    answers = await Promise.all(authors.map((author) => postReview(product, category, entryId, author)));
  });
  expect(answers.map(({ status, body }) => [status, body.userId])).toEqual(authors.map(({ id }) => [201, id]));
  expect(queries.filter(isPostStatement).length).toBeLessThan(authors.length);
  expect(await findFaults(product)).toEqual([]);
});

test('a post does not make others wait for what it waits for', async () => {
  const [locked, free] = [await createReviewedEntry(), await createReviewedEntry()];
  const [waiting, passing] = [await createAuthor(), await createAuthor()];
  const release = await holdTransaction(product, (db) =>
    locking(db, db.selectFrom('entries').select('id').where('id', '=', locked)).execute(),
  );
  const waits = postReview(product, category, locked, waiting);
  const passes = await postReview(product, category, free, passing);
  await waitForLocks(product, 1);
  await release();
  expect([passes.status, (await waits).status]).toEqual([201, 201]);
});

test('posts that wait for another transaction do not stop those that come later', async () => {
  const [entryId, author, later] = [await createReviewedEntry(), await createAuthor(), await createAuthor()];
  const entry = await findEntryKey(product.app.database.read, entryId);
  if (!entry) throw new Error('There is no entry.');
  const row = { entry_id: entry.id, school_id: entry.schoolId, user_id: author.id, half_stars: 6, review: 'Held.' };
  // This row has the key of the review that is posted, so that the statement waits. The row is not counted: nothing
  // else is held.
  const release = await holdTransaction(product, (db) =>
    db
      .insertInto('reviews')
      .values({ ...row, created_at: Date.now() })
      .execute(),
  );
  const waits = postReview(product, category, entryId, author);
  await waitForLocks(product, 1);
  // This post waits for the one before, and no other post waits for this one.
  const again = postReview(product, category, await createReviewedEntry(), author);
  const passes = await postReview(product, category, await createReviewedEntry(), later);
  await release();
  expect([passes.status, (await waits).status, (await again).status]).toEqual([201, 409, 201]);
  await product.app.database.write((db) => db.deleteFrom('reviews').where('review', '=', row.review).execute());
});

/** Makes the server refuse reviews that fulfil a condition, while something is done. */
async function refusing(condition: string, errcode: string, act: () => Promise<unknown>): Promise<void> {
  await product.app.database.write(async (db) => {
    await sql
      .raw(
        `create function refuse() returns trigger language plpgsql as $$ begin
          if ${condition} then raise exception 'refused' using errcode = '${errcode}'; end if;
          return new;
        end $$`,
      )
      .execute(db);
    await sql`create trigger refuse before insert on reviews for each row execute function refuse()`.execute(db);
  });
  await act();
  await product.app.database.write(async (db) => {
    await sql`drop trigger refuse on reviews`.execute(db);
    await sql`drop function refuse`.execute(db);
  });
}

test('a post that the server refuses fails alone', async () => {
  const entryId = await createReviewedEntry();
  const authors = await createAuthors(5);
  await refusing(`new.review = 'Refused.'`, 'check_violation', async () => {
    const answers = await Promise.all(
      authors.map((author, index) =>
        postReview(product, category, entryId, author, { review: index === 2 ? 'Refused.' : 'Taken.' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 500, 201, 201]);
  });
  // The expected error is taken out of the log: stopping the product fails on any that is there.
  const errors = product.logs.splice(0).filter(({ level }) => level >= 50);
  expect(errors).toEqual([expect.objectContaining({ err: expect.objectContaining({ code: '23514' }) })]);
  expect(await findFaults(product)).toEqual([]);
});

test('where the server refuses the statement, a transaction posts', async () => {
  const entryId = await createReviewedEntry();
  await refusing(`current_query() like '%is_sound%'`, 'feature_not_supported', async () => {
    const { status, body } = await postReview(product, category, entryId, await createAuthor());
    expect([status, body.isFirst]).toEqual([201, false]);
  });
});
