import { DELETED_USER_REASON } from '../../../contract/users.ts';
import type { Commit, Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { listEntryNames } from '../../entries/queries.ts';
import { changes } from '../../http/cache/tags.ts';
import { refuseProposalsOf } from '../../proposals/queries.ts';
import { findReviewedByOthers } from '../../reviews/queries.ts';
import { entryKeyOf, hideReview, lockReviewsOf } from '../../reviews/states/queries.ts';
import { type Deletion, deleteEntry, deleteSchool } from '../../visibility/deletion-queries.ts';
import { isVisible } from '../../visibility/queries.ts';
import { lockAddedBy } from './queries.ts';

/** Shown with each refused proposal of a user who was deleted with their reviews. */
const PROPOSER_DELETED = 'Its proposer was deleted, with all reviews hidden as spam.';

/**
 * Undoes the contributions of a user, so that nobody has to decide about each: hides their reviews, deletes what they
 * added with PROPOSALS=open and nobody else has reviewed, and refuses their open proposals.
 * @returns the reason for the audit trail
 */
export async function removeContributions(db: Connection, commit: Commit, userId: number, by: Deletion) {
  // The user's schools and entries are locked before the reviews, as a post locks its entry first.
  const added = await lockAddedBy(db, userId);
  for (const review of (await lockReviewsOf(db, userId)).filter(isVisible)) {
    await hideReview(db, review, DELETED_USER_REASON, by.now);
    commit.invalidate(...changes.reviewHidden(entryKeyOf(review), review.kind));
  }
  const deleted = await deleteAdded(db, commit, userId, added, by);
  const counts = {
    ...deleted,
    'open proposals refused': await refuseProposalsOf(db, userId, PROPOSER_DELETED, by.now),
  };
  const words = Object.entries(counts).filter(([, count]) => count > 0);
  return [`reviews hidden: ${DELETED_USER_REASON}`, ...words.map(([what, count]) => `${what}: ${count}`)].join('; ');
}

/** Deletes and counts the schools and entries that nobody but their proposer has used. Admins can restore them. */
async function deleteAdded(
  db: Connection,
  commit: Commit,
  userId: number,
  { schools, entries }: Awaited<ReturnType<typeof lockAddedBy>>,
  by: Deletion,
) {
  const reviewedIds = await findReviewedByOthers(db, entries, userId);
  const ownEntries = entries.filter(({ id }) => !reviewedIds.has(id));
  const ownIds = new Set(idsOf(ownEntries));
  const allEntries = schools.length > 0 ? await listEntryNames(db, idsOf(schools)) : [];
  const usedSchools = new Set(allEntries.filter(({ id }) => !ownIds.has(id)).map(({ schoolId }) => schoolId));
  const unusedSchools = new Set(idsOf(schools).filter((id) => !usedSchools.has(id)));
  for (const id of unusedSchools) {
    const deleted = await deleteSchool(db, id, by);
    if (deleted) commit.invalidate(...changes.schoolDeleted(id, idsOf(deleted.entries)));
  }
  const otherEntries = ownEntries.filter(({ schoolId }) => !unusedSchools.has(schoolId));
  for (const { id, kind, schoolId } of otherEntries) {
    await deleteEntry(db, { kind }, id, by);
    commit.invalidate(...changes.entryDeleted(id, schoolId, kind));
  }
  return { 'schools deleted': unusedSchools.size, 'entries deleted': otherEntries.length };
}
