import { hash } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { MINUTE } from '../../../contract/durations.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import type { Removal } from '../../../contract/removals.ts';
import { toWholeStars } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { Page, type PageRequest, readPage, selectPage } from '../../database/paging.ts';
import type { Milliseconds, StoredRow, Tables } from '../../database/tables.ts';
import { noteAct } from '../../numbers/queries.ts';
import { hiddenReviews, shownReviews } from '../../visibility/queries.ts';

type RemovalAct = Removal['act'];

type RemovalLine = Omit<StoredRow<'removals'>, 'review_id' | 'hash'>;

/**
 * The hash of a line. It covers the hash of the previous line (empty for the first) and the public data of this one.
 */
export function hashLine(previous: string, { id, happened_at, act, reason, stars, category }: RemovalLine): string {
  const at = new Date(happened_at).toISOString();
  return hash('sha256', `${previous}\n${[id, at, act, reason, stars, category].join('|')}`);
}

/** The last line of the chain, locked until the transaction ends, so that only one line can follow it. */
async function lockHead(db: Connection): Promise<{ last_id: number; last_hash: string }> {
  return db
    .insertInto('removal_heads')
    .values({ id: 1, last_id: 0, last_hash: '' })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({ last_id: row.ref('removal_heads.last_id') })),
    )
    .returning(['last_id', 'last_hash'])
    .executeTakeFirstOrThrow();
}

/**
 * Adds a line to the chain, in the transaction that records the event. Its time is cut to the minute: the lines of one
 * act, such as deleting a person with their reviews, would otherwise stand out by their common millisecond.
 */
export async function appendRemoval(
  db: Connection,
  { id: review_id, half_stars, kind }: { id: number; half_stars: number; kind: string },
  { act, reason }: { act: RemovalAct; reason: ReasonKey },
  now: Milliseconds,
): Promise<void> {
  if (act === 'hidden') await noteAct(db, 'hidden', now);
  const head = await lockHead(db);
  const happened_at = now - (now % MINUTE);
  const line = { id: head.last_id + 1, happened_at, act, reason, stars: toWholeStars(half_stars), category: kind };
  const lineHash = hashLine(head.last_hash, line);
  await db
    .insertInto('removals')
    .values({ ...line, review_id, hash: lineHash })
    .execute();
  await db.updateTable('removal_heads').set({ last_id: line.id, last_hash: lineHash }).execute();
}

const cursorValuesOf = ({ id }: { id: number }) => [id] as const;

/** The public lines, newest first. */
export async function listRemovals(db: Connection, request: PageRequest): Promise<Page<Removal[]>> {
  const listed = db.selectFrom('removals').select(['id', 'happened_at', 'act', 'reason', 'stars', 'category', 'hash']);
  const { rows, next } = await readPage(request, cursorValuesOf, (position) =>
    selectPage(listed, { by: ['id'], direction: 'desc' }, position).execute(),
  );
  const removals = rows.map(({ id, happened_at, act, reason, stars, category, hash: lineHash }) => ({
    id,
    at: new Date(happened_at).toISOString(),
    // Safe: only appendRemoval writes these columns, from the same lists.
    act: act as RemovalAct,
    reason: reason as ReasonKey,
    stars,
    category,
    hash: lineHash,
  }));
  return new Page(removals, next);
}

/** The lines of the chain. */
export const selectChain = (db: Connection) => db.selectFrom('removals').selectAll();

/** The id and hash of the last line of the chain; undefined when there is none. */
export function findHead(db: Connection) {
  return db.selectFrom('removal_heads').select(['last_id', 'last_hash']).executeTakeFirst();
}

/** Reviews that are hidden without a line about it, or visible although their last line says that they are hidden. */
export async function listUnrecordedReviews(
  db: Connection,
  limit: number,
): Promise<{ id: number; isHidden: boolean }[]> {
  const lastAct = (review: ExpressionBuilder<Tables, 'reviews'>) =>
    review
      .selectFrom('removals')
      .select('removals.act')
      .whereRef('removals.review_id', '=', 'reviews.id')
      .orderBy('removals.id', 'desc')
      .limit(1);
  // The line of a held hide is written later.
  const heldHide = (review: ExpressionBuilder<Tables, 'reviews'>) =>
    review
      .selectFrom('held_hides')
      .select('held_hides.review_id')
      .whereRef('held_hides.review_id', '=', 'reviews.id')
      .whereRef('held_hides.school_id', '=', 'reviews.school_id');
  const hidden = await hiddenReviews(db)
    .select('reviews.id')
    .where((review) => review.not(review.exists(heldHide(review))))
    .where((review) => review.or([review(lastAct(review), 'is', null), review(lastAct(review), '!=', 'hidden')]))
    .orderBy('reviews.id')
    .limit(limit)
    .execute();
  const shown = await shownReviews(db)
    .innerJoin('removals as line', 'line.review_id', 'reviews.id')
    .select('reviews.id')
    .distinct()
    .where((review) => review(lastAct(review), '=', 'hidden'))
    .orderBy('reviews.id')
    .limit(limit)
    .execute();
  return [...hidden.map(({ id }) => ({ id, isHidden: true })), ...shown.map(({ id }) => ({ id, isHidden: false }))];
}
