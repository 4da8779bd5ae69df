import { makeTag, type Tag } from '../../database/change-tags.ts';
import type { EntryKey } from '../../database/review-tables.ts';

/**
 * Which changes invalidate which cached responses. A response has the tags of the data it was made from (`tags`). A
 * transaction names what it changed (`changes`), and after its commit every response with one of those tags is
 * invalidated.
 */

/** The data that responses are made from. */
export const tags = {
  /** The list of schools with their names. */
  schools: makeTag('schools'),
  /** One school, and the list of its entries with their names. */
  school: (id: number) => makeTag('school', id),
  /** The name and description of an entry. */
  entry: (id: number) => makeTag('entry', id),
  /** The reviews of an entry with their mean and number. */
  reviewsOf: (entryId: number) => makeTag('reviews', entryId),
  /** The reviews of all entries of a school with their means and numbers. */
  reviewsAt: (schoolId: number) => makeTag('ratings', schoolId),
  /**
   * The means of the schools in one category. A commit that changes them also invalidates a tag of each of these
   * schools (`schoolOf`), so that their tallies in memory are read again.
   */
  leaderboard: (kind: string) => makeTag('leaderboard', kind),
  leaderboards: makeTag('leaderboards'),
  /** Readers' opinions about the reviews at a school: helpful marks and reports, by which quotes are chosen. */
  opinionsAt: (schoolId: number) => makeTag('opinions', schoolId),
  /**
   * The current day in UTC, on which periods such as "the last 24 months" depend. It is invalidated when the day ends.
   */
  today: makeTag('today'),
  /** The current minute, for answers that need not follow every change. It is invalidated when the minute ends. */
  thisMinute: makeTag('this-minute'),
  /** The public list of hidden and restored reviews. */
  removals: makeTag('removals'),
  /** The list of schools and entries that have a page. */
  addresses: makeTag('addresses'),
} as const;

/** The tags of responses made from the means of the schools in some categories. */
export const leaderboardTags = (...kinds: readonly string[]): readonly Tag[] => [
  tags.leaderboards,
  ...kinds.map(tags.leaderboard),
];

/** The changes that a transaction can name, as the tags that they invalidate. */
export const changes = {
  schoolsAdded: [tags.schools, tags.addresses],
  schoolChanged: (id: number) => [tags.schools, tags.school(id), tags.leaderboards],
  /** Also when the school is restored. */
  schoolDeleted: (id: number, entryIds: readonly number[]) => [
    ...changes.schoolChanged(id),
    ...entryIds.flatMap((entryId) => [tags.entry(entryId), tags.reviewsOf(entryId)]),
    tags.addresses,
  ],
  /** @param entryIds the entries of both schools */
  schoolsMerged: ({ from, into }: { from: number; into: number }, entryIds: readonly number[]) => [
    ...changes.schoolDeleted(from, entryIds),
    ...changes.schoolChanged(into),
    tags.reviewsAt(from),
    tags.reviewsAt(into),
  ],
  entriesAdded: (schoolId: number) => [tags.school(schoolId), tags.addresses],
  entryChanged: (id: number, schoolId: number) => [tags.entry(id), tags.school(schoolId)],
  /** Also when the entry is restored. */
  entryDeleted: (id: number, schoolId: number, kind: string) => [
    ...changes.entryChanged(id, schoolId),
    ...changes.reviewsChanged({ id, schoolId }, kind),
    tags.addresses,
  ],
  reviewsChanged: (entry: EntryKey, kind: string) => [...changes.manyReviewsAdded(entry), tags.leaderboard(kind)],
  /** Also when the author withdraws a hidden review, because the number of hidden reviews is public. */
  reviewHidden: (entry: EntryKey, kind: string) => [...changes.reviewsChanged(entry, kind), tags.removals],
  /** Means and numbers do not change, but every list that shows the number of marks does. */
  marksChanged: (entries: readonly EntryKey[]) =>
    entries.flatMap(({ id, schoolId }) => [tags.reviewsOf(id), tags.opinionsAt(schoolId)]),
  /** The names under reviews, which only lists show. */
  authorsChanged: (entries: readonly EntryKey[]) => entries.flatMap(changes.manyReviewsAdded),
  /** For adding reviews in bulk. The caller invalidates `tags.leaderboards` once. */
  manyReviewsAdded: ({ id, schoolId }: EntryKey) => [tags.reviewsOf(id), tags.reviewsAt(schoolId)],
} as const;

/** The school that a tag is about, if it is the tag of a school or of the ratings there. */
export function schoolOf(tag: Tag): number | undefined {
  const [name, id] = tag.split(':');
  return name === 'school' || name === 'ratings' ? Number(id) : undefined;
}
