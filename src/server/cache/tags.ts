import { makeTag, type Tag } from '../database/change-tags.ts';

/**
 * What invalidates which cached responses, on one page. A response carries the tags of the data it was made from
 * (`tags`); a transaction names what it changed (`changes`), and after its commit every response with one of those tags
 * is dropped.
 */

/** What responses are made from. */
export const tags = {
  /** Which schools there are, and their names. */
  schools: makeTag('schools'),
  /** One school, and which entries it has with what names. */
  school: (id: number) => makeTag('school', id),
  /** An entry's name and description. */
  entry: (id: number) => makeTag('entry', id),
  /** The reviews of an entry, their mean and number. */
  reviewsOf: (entryId: number) => makeTag('reviews', entryId),
  /** The reviews of all entries of a school, their means and numbers. */
  reviewsAt: (schoolId: number) => makeTag('ratings', schoolId),
  /** The schools' means in one category. */
  leaderboard: (kind: string) => makeTag('leaderboard', kind),
  leaderboards: makeTag('leaderboards'),
  /** The day it is in UTC, which periods such as "the last 24 months" begin with: its end invalidates this one. */
  today: makeTag('today'),
  /** The public lines about hidden and restored reviews. */
  removals: makeTag('removals'),
  /** Which schools and entries have a page. */
  addresses: makeTag('addresses'),
} as const;

interface ReviewedEntry {
  readonly entryId: number;
  readonly schoolId: number;
}

/** What a transaction did, as the tags it invalidates. */
export const changes = {
  schoolsAdded: [tags.schools, tags.addresses],
  schoolChanged: (id: number) => [tags.schools, tags.school(id), tags.leaderboards],
  schoolDeleted: (id: number, entryIds: readonly number[]) => [
    ...changes.schoolChanged(id),
    ...entryIds.flatMap((entryId) => [tags.entry(entryId), tags.reviewsOf(entryId)]),
    tags.addresses,
  ],
  /** @param entryIds those of both */
  schoolsMerged: ({ from, into }: { from: number; into: number }, entryIds: readonly number[]) => [
    ...changes.schoolDeleted(from, entryIds),
    ...changes.schoolChanged(into),
    tags.reviewsAt(from),
    tags.reviewsAt(into),
  ],
  entriesAdded: (schoolId: number) => [tags.school(schoolId), tags.addresses],
  entryChanged: (id: number, schoolId: number) => [tags.entry(id), tags.school(schoolId)],
  entryDeleted: (id: number, schoolId: number, kind: string) => [
    ...changes.entryChanged(id, schoolId),
    ...changes.reviewsChanged({ entryId: id, schoolId }, kind),
    tags.addresses,
  ],
  reviewsChanged: ({ entryId, schoolId }: ReviewedEntry, kind: string) => [
    ...changes.manyReviewsAdded({ entryId, schoolId }),
    tags.leaderboard(kind),
  ],
  /** Also when its author withdraws it: what is hidden is counted publicly. */
  reviewHidden: (entry: ReviewedEntry, kind: string) => [...changes.reviewsChanged(entry, kind), tags.removals],
  /** No mean and no number changes, but every list that shows the marks. */
  marksChanged: (entryIds: readonly number[]) => entryIds.map((entryId) => tags.reviewsOf(entryId)),
  /** For whoever adds reviews in bulk, beside `tags.leaderboards` once. */
  manyReviewsAdded: ({ entryId, schoolId }: ReviewedEntry) => [tags.reviewsOf(entryId), tags.reviewsAt(schoolId)],
} as const;

/** The school that a tag is about: it changed itself, or its entries or reviews did. */
export function schoolOf(tag: Tag): number | undefined {
  const [name, id] = tag.split(':');
  return name === 'school' || name === 'ratings' ? Number(id) : undefined;
}
