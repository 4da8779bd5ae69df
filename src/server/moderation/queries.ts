import type { NewestReview } from '../../contract/moderation.ts';
import type { Connection } from '../database/database.ts';
import { hasRow } from '../database/found-rows.ts';
import { Page, type PageRequest, readPage } from '../database/paging.ts';
import { BY_NEW_ACCOUNT } from '../reviews/bursts/queries.ts';
import { cursorValuesOf } from '../reviews/lists/queries.ts';
import { locatedReviewOf, selectNewest } from '../reviews/queries.ts';
import { withSchoolOf } from '../visibility/location-queries.ts';
import { allReviews, withEntries } from '../visibility/queries.ts';

/**
 * Reviews of all entries, newest first, without their authors. Nothing is read from the authors' accounts: a field that
 * changes when an account is deleted would show whose reviews they are.
 */
export async function listNewestReviews(db: Connection, request: PageRequest): Promise<Page<NewestReview[]>> {
  const { rows, next } = await readPage(request, cursorValuesOf, (position) =>
    selectNewest(db, position).select('reviews.by_new_account').execute(),
  );
  const reviews = rows.map(({ by_new_account: byNewAccount, ...row }) => ({
    ...locatedReviewOf({ ...row, username: null }),
    isNewAccount: byNewAccount !== BY_NEW_ACCOUNT.no,
  }));
  return new Page(reviews, next);
}

/** The author of a review, hidden or not; undefined when there is no such review, or its entry or author is deleted. */
export function findAuthor(db: Connection, reviewId: number) {
  return withSchoolOf(db, 'reviews', reviewId, (schoolId) =>
    withEntries(allReviews(db))
      .innerJoin('users', 'users.id', 'reviews.user_id')
      .select(['users.id as userId', 'users.username'])
      .where('entries.deleted_at', 'is', null)
      .where('reviews.id', '=', reviewId)
      .where('reviews.school_id', '=', schoolId)
      .executeTakeFirst(),
  );
}

/** Whether another admin than this one can decide. */
export function hasOtherAdmin(db: Connection, userId: number): Promise<boolean> {
  const admins = db.selectFrom('users').select('id').where('is_admin', '=', 1).where('verified_at', 'is not', null);
  return hasRow(admins.where('id', '!=', userId).limit(1));
}
