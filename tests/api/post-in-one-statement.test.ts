import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { BURST_REVIEWS } from '../../src/contract/bursts.ts';
import { deleteUser } from '../../src/server/accounts/users/queries.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { locking, lockRow } from '../../src/server/database/lock-row.ts';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { BY_NEW_ACCOUNT } from '../../src/server/reviews/bursts/queries.ts';
import { insertReview } from '../../src/server/reviews/queries.ts';
import { lockStoredReview, withdrawReview } from '../../src/server/reviews/states/queries.ts';
import { holdTransaction, waitForLocks } from '../support/held-transactions.ts';
import { checkAndStop, findFaults } from '../support/moderation.ts';
import { captureQueries } from '../support/plans.ts';
import { isPostStatement, OLD_ACCOUNT, postEveryCase } from '../support/post-cases.ts';
import { type Product, startProduct } from '../support/product.ts';
import { category, createEntry, createUser, postReview, type TestUser } from '../support/rows.ts';
import { productOf } from '../support/site.ts';

const ENV = { RATE_LIMIT: 'on' };

/** Numbers the names and ids that differ from run to run, in the order in which they first appear. */
function numbering() {
  const numbers = new Map<string, number>();
  return (found: string) => {
    const number = numbers.get(found) ?? numbers.size;
    numbers.set(found, number);
    return `#${number}`;
  };
}

const OF_RUN = /(user|Entry|School)[- ]\d+[- ]\d+/gi;

/** Columns with random values, or values of a sequence that a refused post may advance. */
const OF_CHANCE = new Set(['password_hash', 'username_skeleton', 'hash', 'previous_hash', 'salt']);
const WITHOUT_IDS = new Set(['site_acts', 'review_events', 'audit_entries', 'removals', 'outbox', 'helpful_marks']);

/** Posts every case. @returns what was answered and stored, without what differs from run to run */
async function runCases(isOneStatement: boolean, started: number) {
  const product = await startProduct('postgres', ENV);
  const { database } = product.app;
  if (!isOneStatement) delete (database as { writeInOneStatement?: unknown }).writeInOneStatement;
  product.clock.still = started;
  let posted: Awaited<ReturnType<typeof postEveryCase>> = [];
  const queries = await captureQueries(async () => {
    posted = await postEveryCase(product);
  });
  const reviews = await database.read.selectFrom('reviews').select('id').orderBy('id').execute();
  const rankOf = new Map(reviews.map(({ id }, rank) => [id, `review ${rank}`]));
  const number = numbering();
  for (const table of ['users', 'schools', 'entries'] as const) {
    const made = await database.read.selectFrom(table).selectAll().orderBy('id').execute();
    for (const row of made) JSON.stringify(row).replaceAll(OF_RUN, number);
  }
  const clean = (key: string, value: unknown, table: string) => {
    if (OF_CHANCE.has(key) || (key === 'id' && WITHOUT_IDS.has(table))) return '…';
    const isReview = key === 'review_id' || key === 'superseded_by' || (key === 'id' && table === 'reviews');
    if (typeof value === 'number' && isReview) return rankOf.get(value);
    if (table === 'throttles' && key === 'key') return String(value).split(':')[0];
    // The clock stands still, but not for the users that tests make.
    if (typeof value === 'number' && value > 1e12) return table === 'users' ? '…' : value - started;
    return typeof value === 'string' ? value.replaceAll(OF_RUN, number) : value;
  };
  const rows: Record<string, string[]> = {};
  for (const table of [...DATA_TABLES, 'change_log'] as const) {
    if (table === 'sessions') continue;
    const stored: object[] = await database.read.selectFrom(table).selectAll().execute();
    rows[table] = stored
      .map((row) => JSON.stringify(row, (key, value) => (key === 'xid' ? undefined : clean(key, value, table))))
      .sort();
  }
  const answers = posted.map(({ name, answer: { status, body, headers } }) => ({
    name,
    status,
    body: JSON.parse(JSON.stringify(body, (key, value) => clean(key, value, 'reviews'))),
    rate: [headers.get('ratelimit'), headers.get('ratelimit-policy'), headers.get('retry-after')],
    hasPosition: headers.has('x-change-position'),
  }));
  await checkAndStop(product);
  return { answers, rows, queries };
}

test('a post by one statement answers and stores what a transaction does', async () => {
  const now = Date.now();
  const [one, other] = [await runCases(true, now), await runCases(false, now)];
  expect(one.answers).toEqual(other.answers);
  expect(one.rows).toEqual(other.rows);
  expect(new Set(one.answers.map(({ status }) => status))).toEqual(new Set([201, 400, 403, 404, 409, 429]));
  // Both have happened: posts by the statement alone, and posts that it left to a transaction.
  const statements = one.queries.filter(isPostStatement).length;
  const added = (queries: typeof one.queries) => queries.filter(({ text }) => text.startsWith('insert into "reviews"'));
  expect(added(one.queries).length).toBeLessThan(added(other.queries).length);
  expect(added(one.queries).length).toBeGreaterThan(0);
  expect(statements).toBeGreaterThan(one.answers.filter(({ status }) => status === 201).length);
  expect(other.queries.filter(isPostStatement)).toEqual([]);
});

describe('a post by one statement, beside another transaction', () => {
  const product: Product = productOf('postgres', ENV);
  const write = (body: (db: Connection) => Promise<unknown>) => product.app.database.write(body);

  async function reviewed() {
    const entry = await createEntry(product, category);
    const first = await createUser(product, OLD_ACCOUNT);
    const { body } = await postReview(product, category, entry.id, first);
    return { entry, first, firstId: body.id as number };
  }
  const countOf = (user: TestUser) =>
    product.app.database.read
      .selectFrom('reviews')
      .select(({ fn }) => fn.countAll<number>().as('amount'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
  const values = (user: TestUser) => ({ rating: 3, review: 'Held.', username: user.username });
  const now = () => Date.now();

  /** Posts while a transaction holds what it has done, and lets it commit once the post waits for it. */
  async function postBeside(act: (db: Connection) => Promise<unknown>, entryId: number, user: TestUser) {
    const release = await holdTransaction(product, act);
    const answer = postReview(product, category, entryId, user);
    await waitForLocks(product, 1);
    await release();
    return answer;
  }

  test('that posts the same is refused, and not counted', async () => {
    const { entry } = await reviewed();
    const user = await createUser(product, OLD_ACCOUNT);
    const other = await reviewed();
    const before = await postReview(product, category, other.entry.id, user);
    const answer = await postBeside((db) => insertReview(db, entry, user.id, values(user), now()), entry.id, user);
    expect(answer.status).toBe(409);
    const after = await postReview(product, category, (await reviewed()).entry.id, user);
    const left = ({ headers }: typeof answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect([after.status, left(before) - left(after)]).toEqual([201, 1]);
    expect(await countOf(user)).toEqual({ amount: 3 });
  });

  test('that posts the tenth of a burst finds it', async () => {
    const { entry } = await reviewed();
    for (let count = 2; count < BURST_REVIEWS; count += 1)
      await postReview(product, category, entry.id, await createUser(product));
    const other = await createUser(product);
    const act = (db: Connection) => insertReview(db, entry, other.id, values(other), now(), BY_NEW_ACCOUNT.counted);
    const answer = await postBeside(act, entry.id, await createUser(product));
    expect(answer.status).toBe(201);
    const { rows } = await sql`select from moderation_items where burst_entry_id = ${entry.id}`.execute(
      product.app.database.read,
    );
    expect(rows).toHaveLength(BURST_REVIEWS);
  });

  test('that withdraws the only other one makes it the first', async () => {
    const { entry, firstId } = await reviewed();
    const act = async (db: Connection) => {
      const stored = await lockStoredReview(db, firstId);
      if (stored) await withdrawReview(db, stored, now());
    };
    const { status, body } = await postBeside(act, entry.id, await createUser(product, OLD_ACCOUNT));
    expect([status, body.isFirst]).toEqual([201, true]);
  });

  test('that renames the author is signed with the new name', async () => {
    const { entry } = await reviewed();
    const user = await createUser(product, OLD_ACCOUNT);
    const username = `${user.username}-x`;
    const act = async (db: Connection) => {
      await lockRow(db, 'users', user.id);
      await db.updateTable('users').set({ username }).where('id', '=', user.id).execute();
    };
    const { status, body } = await postBeside(act, entry.id, user);
    expect([status, body.username]).toEqual([201, username]);
  });

  test('that deletes the author is refused', async () => {
    const { entry } = await reviewed();
    const user = await createUser(product, OLD_ACCOUNT);
    const act = async (db: Connection) => {
      await lockRow(db, 'users', user.id);
      await deleteUser(db, user.id);
    };
    expect((await postBeside(act, entry.id, user)).status).toBe(401);
  });

  test('that merges the entry is refused', async () => {
    const [{ entry }, { entry: other }] = [await reviewed(), await reviewed()];
    const mergeInto = (into: number | null) => async (db: Connection) => {
      await locking(db, db.selectFrom('entries').select('id').where('id', '=', entry.id)).execute();
      await db.updateTable('entries').set({ merged_into: into }).where('id', '=', entry.id).execute();
    };
    const answer = await postBeside(mergeInto(other.id), entry.id, await createUser(product, OLD_ACCOUNT));
    await write(mergeInto(null));
    expect(answer.status).toBe(404);
  });

  test('that has locked the entry can change its counts', async () => {
    const { entry } = await reviewed();
    const release = await holdTransaction(product, (db) =>
      locking(db, db.selectFrom('entries').select('id').where('id', '=', entry.id)).execute(),
    );
    const answer = postReview(product, category, entry.id, await createUser(product));
    await waitForLocks(product, 1);
    const counts = await product.app.database.write((db) =>
      locking(db, db.selectFrom('review_counts').select('entry_id').where('entry_id', '=', entry.id), {
        skip: true,
      }).execute(),
    );
    await release();
    expect([counts.length, (await answer).status]).toEqual([1, 201]);
  });

  test('that counts the last post that the limit allows is refused', async () => {
    const user = await createUser(product, OLD_ACCOUNT);
    for (let count = 1; count < LIMITS.reviews.max; count += 1)
      expect((await postReview(product, category, (await reviewed()).entry.id, user)).status).toBe(201);
    const { entry } = await reviewed();
    const act = (db: Connection) =>
      db
        .updateTable('throttles')
        .set((row) => ({ count: row('count', '+', 1) }))
        .where('count', '=', LIMITS.reviews.max - 1)
        .execute();
    expect((await postBeside(act, entry.id, user)).status).toBe(429);
  });

  test('twice at once is stored once', async () => {
    const { entry } = await reviewed();
    const user = await createUser(product, OLD_ACCOUNT);
    const answers = await Promise.all([1, 2, 3].map(() => postReview(product, category, entry.id, user)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await findFaults(product)).toEqual([]);
  });
});
