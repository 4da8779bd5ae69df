import type { EventName } from '../../../contract/events.ts';
import type { MyReview } from '../../../contract/my-reviews.ts';
import type { Connection } from '../../database/database.ts';
import { Page, type PagePosition, type PageRequest, readPage, selectPage } from '../../database/paging.ts';
import { onSameSchool } from '../../database/review-tables.ts';
import { withSchoolOf } from '../../visibility/location-queries.ts';
import { allReviews, withEntries } from '../../visibility/queries.ts';
import { cursorValuesOf } from '../lists/queries.ts';
import { locatedReviewOf, locatedReviews } from '../queries.ts';
import { listEvents } from '../states/queries.ts';

const POSTED: EventName = 'posted';

/** The data of a mail to the author of a review; undefined when the review or its author is gone. */
export function findReviewForMail(db: Connection, reviewId: number, userId: number) {
  return withSchoolOf(db, 'reviews', reviewId, (schoolId) =>
    withEntries(allReviews(db))
      .innerJoin('users', 'users.id', 'reviews.user_id')
      .select([
        'reviews.id',
        'reviews.school_id',
        'reviews.review',
        'reviews.hidden_at as hiddenAt',
        'reviews.withdrawn_at as withdrawnAt',
        'entries.name as entryName',
        'users.email',
        'users.username',
      ])
      .where('reviews.id', '=', reviewId)
      .where('reviews.school_id', '=', schoolId)
      .where('users.id', '=', userId)
      .executeTakeFirst(),
  );
}

/** A user's own reviews in any state, newest first, each with its events. */
export async function listMyReviews(db: Connection, userId: number, request: PageRequest): Promise<Page<MyReview[]>> {
  const { rows, next } = await readPage(request, cursorValuesOf, (position) => queryMine(db, userId, position));
  const events = await listEvents(db, rows);
  const reviews = rows.map((row) => {
    const review = locatedReviewOf(row);
    return {
      ...review,
      // A review that was replaced in a merge shows the entry that remains.
      entryId: row.merged_into ?? row.entryId,
      isHidden: row.hidden_at !== null,
      isWithdrawn: row.withdrawn_at !== null,
      isDeleted: (row.remainingDeletedAt ?? row.entryDeletedAt) !== null,
      events: [{ at: review.createdAt, event: POSTED }, ...(events.get(row.id) ?? [])],
    };
  });
  return new Page(reviews, next);
}

function queryMine(db: Connection, userId: number, position: PagePosition) {
  // Materialized: otherwise PostgreSQL reads the reviews of all users, newest first, to find these ones. For the last
  // page it would read all reviews.
  const mine = db
    .with(
      (cte) => cte('mine').materialized(),
      () => allReviews(db).select(['id', 'school_id', 'created_at']).where('user_id', '=', userId),
    )
    .selectFrom('mine')
    .selectAll();
  const page = selectPage(mine, { by: ['created_at', 'id'], direction: 'desc' }, position);
  return locatedReviews(allReviews(db))
    .innerJoin(page.as('page'), onSameSchool('page.id', 'reviews.id'))
    .leftJoin('entries as remaining', onSameSchool('remaining.id', 'entries.merged_into'))
    .select(['reviews.school_id', 'reviews.hidden_at', 'reviews.withdrawn_at', 'entries.merged_into'])
    .select(['entries.deleted_at as entryDeletedAt', 'remaining.deleted_at as remainingDeletedAt'])
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc')
    .execute();
}
