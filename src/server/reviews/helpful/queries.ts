import type { ExpressionBuilder } from 'kysely';
import { toHalfStars, toStars, toWholeStars } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { hasRow, idsOf } from '../../database/found-rows.ts';
import { locking } from '../../database/lock-row.ts';
import { type EntryKey, ofReview, onSameSchool, type ReviewKey } from '../../database/review-tables.ts';
import type { StoredRow, Tables } from '../../database/tables.ts';
import { findEntryKey } from '../../visibility/entry-queries.ts';
import { lockBySchool, withSchoolOf } from '../../visibility/location-queries.ts';
import { allReviews, visibleReviews, visibleReviewsOf } from '../../visibility/queries.ts';
import { updateStored } from '../states/queries.ts';

const selectMarkable = (db: Connection, reviewId: number, schoolId: number) =>
  visibleReviews(db)
    .select(['id', 'school_id', 'user_id as userId', 'entry_id as entryId'])
    .where('id', '=', reviewId)
    .where('school_id', '=', schoolId);

/** A visible review with its author and entry, to be marked as helpful; undefined when there is none. */
export const findMarkable = (db: Connection, reviewId: number) =>
  withSchoolOf(db, 'reviews', reviewId, (schoolId) => selectMarkable(db, reviewId, schoolId).executeTakeFirst());

/**
 * The same review, which is then locked until the transaction ends. An edit also locks the review before it deletes its
 * marks: in different orders the two could deadlock.
 */
export const lockMarkable = (db: Connection, reviewId: number) =>
  withSchoolOf(db, 'reviews', reviewId, (schoolId) =>
    locking(db, selectMarkable(db, reviewId, schoolId), { strength: 'noKeyUpdate' }).executeTakeFirst(),
  );

/** @returns whether the mark is new @throws a foreign key violation when the review or the user is gone */
export function insertMark(db: Connection, { id, school_id }: ReviewKey, userId: number): Promise<boolean> {
  const mark = db.insertInto('helpful_marks').values({ review_id: id, school_id, user_id: userId });
  return hasRow(mark.onConflict((conflict) => conflict.doNothing()).returning('review_id'));
}

/** @returns whether there was a mark */
export function deleteMark(db: Connection, review: ReviewKey, userId: number): Promise<boolean> {
  const marks = ofReview(db.deleteFrom('helpful_marks'), review);
  return hasRow(marks.where('user_id', '=', userId).returning('review_id'));
}

/** Adds to the number of a review's marks. @returns the new number and the entry; undefined when the review is gone */
export function addToHelpful(db: Connection, review: ReviewKey, by: -1 | 0 | 1) {
  if (by === 0) {
    return allReviews(db)
      .select(HELPFUL_COLUMNS)
      .where('id', '=', review.id)
      .where('school_id', '=', review.school_id)
      .executeTakeFirst();
  }
  return updateStored(db, review)
    .set((row) => ({
      helpful: row('helpful', '+', by),
      // The first mark is about the review as it is now: what earlier marks were about is forgotten.
      ...(by === 1 && {
        marked_text: ifMarked(row, 'marked_text'),
        marked_half_stars: ifMarked(row, 'marked_half_stars'),
      }),
    }))
    .returning(HELPFUL_COLUMNS)
    .executeTakeFirst();
}

/** The column of a review, or null if nobody has marked the review as helpful. */
const ifMarked = <Column extends 'marked_text' | 'marked_half_stars'>(
  review: ExpressionBuilder<Tables, 'reviews'>,
  column: Column,
) => review.case().when('helpful', '=', 0).then(null).else(review.ref(column)).end();

const segments = new Intl.Segmenter('en', { granularity: 'word' });

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { segment, isWordLike } of segments.segment(text.toLowerCase())) {
    if (isWordLike) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  }
  return counts;
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

/** The parts of a review that helpful marks are about. The rating is in stars. */
interface MarkedContent {
  readonly rating: number;
  readonly review: string;
}

/**
 * Whether a review has changed so much that its marks say nothing any more: its rating in whole stars is another one,
 * or the words that were replaced, added or removed are more than a fifth of those in the marked text.
 */
function outdatesMarks(marked: MarkedContent, edited: MarkedContent): boolean {
  const starsOf = ({ rating }: MarkedContent) => toWholeStars(toHalfStars(rating));
  if (starsOf(marked) !== starsOf(edited)) return true;
  const [before, after] = [countWords(marked.review), countWords(edited.review)];
  const kept = sum([...before].map(([word, count]) => Math.min(count, after.get(word) ?? 0)));
  const length = sum(before.values());
  return 5 * (Math.max(length, sum(after.values())) - kept) > length;
}

/** A locked review before an edit, with the text and rating that its oldest mark is about. */
type BeforeEdit = ReviewKey &
  Pick<StoredRow<'reviews'>, 'review' | 'half_stars' | 'helpful' | 'marked_text' | 'marked_half_stars'>;

/**
 * Deletes the marks of a review if an edit makes it too different from what its oldest mark is about.
 * @param after the edited review
 * @returns the columns of the review that change with its marks
 */
export async function deleteOutdatedMarks(
  db: Connection,
  before: BeforeEdit,
  after: MarkedContent,
): Promise<{ helpful?: number; marked_text: string | null; marked_half_stars: number | null }> {
  const none = { marked_text: null, marked_half_stars: null };
  if (before.helpful === 0) return none;
  const marked = {
    marked_text: before.marked_text ?? before.review,
    marked_half_stars: before.marked_half_stars ?? before.half_stars,
  };
  const rating = toStars(marked.marked_half_stars);
  if (!outdatesMarks({ rating, review: marked.marked_text }, after)) return marked;
  await ofReview(db.deleteFrom('helpful_marks'), before).execute();
  return { helpful: 0, ...none };
}

const HELPFUL_COLUMNS = ['helpful', 'entry_id as entryId'] as const;

/** Removes every mark of a user who is being deleted. @returns the entries of the marked reviews, each once */
export async function deleteMarksOf(db: Connection, userId: number): Promise<EntryKey[]> {
  const marked = db.selectFrom('helpful_marks').select(['review_id', 'school_id']).where('user_id', '=', userId);
  const isMarked = (row: ExpressionBuilder<Tables, 'reviews'>) =>
    row(row.refTuple('id', 'school_id'), 'in', marked.$asTuple('review_id', 'school_id'));
  const reviews = await lockBySchool(allReviews(db).where(isMarked), (ofSchool) =>
    locking(db, ofSchool.select(['entry_id as entryId', 'school_id as schoolId'])).execute(),
  );
  await db
    .updateTable('reviews')
    .set((review) => ({ helpful: review('helpful', '-', 1) }))
    .where(isMarked)
    .execute();
  await db.deleteFrom('helpful_marks').where('user_id', '=', userId).execute();
  return [...new Map(reviews.map(({ entryId: id, schoolId }) => [id, { id, schoolId }])).values()];
}

/** The ids of an entry's reviews that a user has marked; undefined when the entry does not exist. */
export async function listMarkedIds(db: Connection, entryId: number, userId: number): Promise<number[] | undefined> {
  const entry = await findEntryKey(db, entryId);
  if (!entry) return undefined;
  const rows = await visibleReviewsOf(db, entry)
    .innerJoin('helpful_marks', onSameSchool('helpful_marks.review_id', 'reviews.id'))
    .select('helpful_marks.review_id as id')
    .where('helpful_marks.user_id', '=', userId)
    .orderBy('helpful_marks.review_id')
    .execute();
  return idsOf(rows);
}
