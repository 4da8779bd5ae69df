import type { Obstacle, ProposedReview } from '../../contract/proposals.ts';
import { BACKGROUND_FIELDS } from '../../contract/reviews.ts';
import { toHalfStars, toStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import { hasRow, idsOf } from '../database/found-rows.ts';
import { locking } from '../database/lock-row.ts';
import type { Milliseconds, StoredRow } from '../database/tables.ts';
import { backgroundOf, toBackgroundRow } from '../reviews/review-rows.ts';
import type { StoredProposal } from './queries.ts';

// The reviews of a proposal: the first is in its row, those of people who proposed the same later are rows of
// `proposal_reviews`.

/** The row of a later review. */
type LaterReview = StoredRow<'proposal_reviews'>;

const REVIEW_COLUMNS = [
  ...(['user_id', 'created_at', 'half_stars', 'review', 'is_anonymous'] as const),
  ...BACKGROUND_FIELDS,
];

/** A review, its author and its time: both the rows of proposals and those of later reviews have these columns. */
export type PendingReview = Pick<StoredProposal, (typeof REVIEW_COLUMNS)[number]>;

export const reviewColumns = (review: ProposedReview) => ({
  half_stars: toHalfStars(review.rating),
  review: review.review,
  is_anonymous: review.isAnonymous ? 1 : 0,
  ...toBackgroundRow(review),
});

/** The review of a row, if it has one. */
export function proposedReviewOf(row: PendingReview): ProposedReview | undefined {
  if (row.half_stars === null || row.review === null) return undefined;
  const { half_stars: halfStars, review, is_anonymous: isAnonymous } = row;
  return { rating: toStars(halfStars), review, ...backgroundOf(row), isAnonymous: isAnonymous === 1 };
}

/** Adds a review to the open proposal of somebody else. @returns false when this person has one there already */
export function joinProposal(
  db: Connection,
  { id, school_id }: StoredProposal,
  userId: number,
  review: ProposedReview,
  now: Milliseconds,
): Promise<boolean> {
  const joining = db
    .insertInto('proposal_reviews')
    .values({
      ...{ proposal_id: id, school_id: school_id as number, user_id: userId, created_at: now },
      ...reviewColumns(review),
    })
    .onConflict((conflict) => conflict.columns(['proposal_id', 'user_id']).doNothing())
    .returning('id');
  return hasRow(joining);
}

/** The later reviews of proposals, oldest first. */
export async function listLaterReviews(db: Connection, proposals: readonly StoredProposal[]): Promise<LaterReview[]> {
  const [ids, schoolIds] = [idsOf(proposals), proposals.flatMap(({ school_id }) => school_id ?? [])];
  if (schoolIds.length === 0) return [];
  return db
    .selectFrom('proposal_reviews')
    .selectAll()
    .where('proposal_id', 'in', ids)
    .where('school_id', 'in', [...new Set(schoolIds)])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Records why a later review was not posted. */
export async function setObstacle(db: Connection, { id, school_id }: LaterReview, obstacle: Obstacle): Promise<void> {
  await db
    .updateTable('proposal_reviews')
    .set({ obstacle })
    .where('id', '=', id)
    .where('school_id', '=', school_id)
    .execute();
}

/** Replaces the review that a person has with a proposal. */
export async function replaceReview(
  db: Connection,
  { id, school_id, user_id }: StoredProposal,
  userId: number,
  review: ProposedReview,
): Promise<void> {
  if (user_id === userId) await db.updateTable('proposals').set(reviewColumns(review)).where('id', '=', id).execute();
  else
    await db
      .updateTable('proposal_reviews')
      .set(reviewColumns(review))
      .where('proposal_id', '=', id)
      .where('school_id', '=', school_id)
      .where('user_id', '=', userId)
      .execute();
}

/**
 * Removes a person's texts from a locked proposal that is not accepted. If it is the person's own, it becomes that of
 * the first who joined it, or is deleted when nobody has.
 */
export async function leaveProposal(db: Connection, proposal: StoredProposal, userId: number): Promise<void> {
  const { id, school_id, user_id } = proposal;
  const deletion = db.deleteFrom('proposal_reviews').where('proposal_id', '=', id).where('school_id', '=', school_id);
  if (user_id !== userId) {
    await deletion.where('user_id', '=', userId).execute();
    return;
  }
  const joined = db
    .selectFrom('proposal_reviews')
    .select(['id', ...REVIEW_COLUMNS])
    .where('proposal_id', '=', id)
    .where('school_id', '=', school_id)
    .where('user_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('id');
  // All are locked: a concurrent transaction may be removing the first, which is then no longer found.
  const [next] = await locking(db, joined).execute();
  if (!next) {
    await db.deleteFrom('proposals').where('id', '=', id).execute();
    return;
  }
  const { id: nextId, ...theirs } = next;
  await deletion.where('id', '=', nextId).execute();
  await db
    .updateTable('proposals')
    .set({ description: '', ...theirs })
    .where('id', '=', id)
    .execute();
}
