import type { EventName } from '../../contract/events.ts';
import type { MyReview } from '../../contract/receipts.ts';
import type { Connection } from '../database/database.ts';
import { allReviews } from '../review-counts/queries.ts';
import { newestFirst } from '../review-lists/queries.ts';
import { listEvents } from '../review-states/queries.ts';
import { REVIEW_COLUMNS, reviewOf } from '../reviews/queries.ts';
import { type Page, type PageRequest, readPage } from '../serve/paging.ts';

const POSTED: EventName = 'posted';

/** What a mail to the author of a review says; undefined when the review or its author is gone. */
export function findToldReview(db: Connection, reviewId: number, userId: number) {
  return allReviews(db)
    .innerJoin('users', 'users.id', 'reviews.user_id')
    .innerJoin('entries', 'entries.id', 'reviews.entry_id')
    .select([
      'reviews.review',
      'reviews.hidden_at as hiddenAt',
      'reviews.withdrawn_at as withdrawnAt',
      'entries.name as entryName',
      'users.email',
      'users.username',
    ])
    .where('reviews.id', '=', reviewId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
}

/** A user's own reviews, whatever their state, newest first, each with what happened to it. */
export async function listMyReviews(db: Connection, userId: number, request: PageRequest): Promise<Page<MyReview>> {
  const { rows, next } = await readPage(request, newestFirst, (amount, after) =>
    allReviews(db)
      .innerJoin('entries', 'entries.id', 'reviews.entry_id')
      .innerJoin('schools', 'schools.id', 'entries.school_id')
      .select(REVIEW_COLUMNS.map((column) => `reviews.${column}` as const))
      .select([
        'reviews.hidden_at',
        'reviews.withdrawn_at',
        'entries.kind',
        'entries.id as entryId',
        'entries.name as entryName',
        'schools.id as schoolId',
        'schools.school_name as schoolName',
      ])
      .where('reviews.user_id', '=', userId)
      .$if(after !== undefined, (query) =>
        query.where((row) =>
          row(
            row.refTuple('reviews.created_at', 'reviews.id'),
            '<',
            row.tuple(after?.[0] as number, after?.[1] as number),
          ),
        ),
      )
      .orderBy('reviews.created_at', 'desc')
      .orderBy('reviews.id', 'desc')
      .limit(amount)
      .execute(),
  );
  const ids = rows.map(({ id }) => id);
  const events = await listEvents(db, ids);
  const reviews = rows.map(({ kind, entryId, entryName, schoolId, schoolName, ...row }) => {
    const review = reviewOf(row);
    return {
      ...review,
      category: kind,
      entryId,
      entryName,
      schoolId,
      schoolName,
      isHidden: row.hidden_at !== null,
      isWithdrawn: row.withdrawn_at !== null,
      events: [{ at: review.createdAt, event: POSTED }, ...(events.get(row.id) ?? [])],
    };
  });
  return { rows: reviews, next };
}
