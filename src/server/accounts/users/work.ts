import { DELETED_WITH_REVIEWS } from '../../../contract/users.ts';
import type { Commit, Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { listEntryNames } from '../../entries/queries.ts';
import { changes } from '../../http/cache/tags.ts';
import { refuseProposalsOf } from '../../proposals/queries.ts';
import { findReviewedByOthers } from '../../reviews/queries.ts';
import { hideReview, lockReviewsOf } from '../../reviews/states/queries.ts';
import { type By, deleteEntry, deleteSchool } from '../../visibility/deletion-queries.ts';
import { isVisible } from '../../visibility/queries.ts';
import { lockAddedBy } from './queries.ts';

/** Shown with each refused proposal of a user who was deleted with their reviews. */
const PROPOSER_DELETED = 'Its proposer was deleted, with all reviews hidden as spam.';

/**
 * Undoes the contributions of a user, so that nobody has to decide about each: hides their reviews, deletes what they
 * added with PROPOSALS=open and nobody else has reviewed, and refuses their open proposals.
 * @returns the reason for the audit trail
 */
export async function removeWorkOf(db: Connection, commit: Commit, userId: number, by: By): Promise<string> {
  // What the user has added is locked before the reviews, as a post locks its entry first.
  const added = await lockAddedBy(db, userId);
  for (const review of (await lockReviewsOf(db, userId)).filter(isVisible)) {
    await hideReview(db, review, DELETED_WITH_REVIEWS, by.now);
    commit.invalidate(...changes.reviewHidden({ entryId: review.entry_id, schoolId: review.school_id }, review.kind));
  }
  const deleted = await deleteAdded(db, commit, userId, added, by);
  const counts = {
    ...deleted,
    'open proposals refused': await refuseProposalsOf(db, userId, PROPOSER_DELETED, by.now),
  };
  const words = Object.entries(counts).filter(([, count]) => count > 0);
  return [`reviews hidden: ${DELETED_WITH_REVIEWS}`, ...words.map(([what, count]) => `${what}: ${count}`)].join('; ');
}

/** Deletes what only its proposer has used. Like everything that admins delete, it can be restored. */
async function deleteAdded(
  db: Connection,
  commit: Commit,
  userId: number,
  { schools, entries }: Awaited<ReturnType<typeof lockAddedBy>>,
  by: By,
) {
  const reviewed = await findReviewedByOthers(db, entries, userId);
  const own = entries.filter(({ id }) => !reviewed.has(id));
  const ownIds = new Set(idsOf(own));
  const named = schools.length > 0 ? await listEntryNames(db, idsOf(schools)) : [];
  const used = new Set(named.filter(({ id }) => !ownIds.has(id)).map(({ schoolId }) => schoolId));
  const goneSchools = new Set(idsOf(schools).filter((id) => !used.has(id)));
  for (const id of goneSchools) {
    const gone = await deleteSchool(db, id, by);
    if (gone) commit.invalidate(...changes.schoolDeleted(id, idsOf(gone.entries)));
  }
  const alone = own.filter(({ schoolId }) => !goneSchools.has(schoolId));
  for (const { id, kind, schoolId } of alone) {
    await deleteEntry(db, { kind }, id, by);
    commit.invalidate(...changes.entryDeleted(id, schoolId, kind));
  }
  return { 'schools deleted': goneSchools.size, 'entries deleted': alone.length };
}
