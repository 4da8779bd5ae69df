import { isNewAccount } from '../../contract/bursts.ts';
import type { BodyOf } from '../../contract/call.ts';
import { categoryOf } from '../../contract/categories.ts';
import { inOneLine } from '../../contract/fields.ts';
import type { decideProposal, Obstacle } from '../../contract/proposals.ts';
import type { Commit, Connection } from '../database/database.ts';
import { lockName, lockRow } from '../database/lock-row.ts';
import type { Milliseconds } from '../database/tables.ts';
import { findSameEntry, insertEntry } from '../entries/queries.ts';
import { changes } from '../http/cache/tags.ts';
import { refusals } from '../http/refusals/refusals.ts';
import { noteAct } from '../numbers/queries.ts';
import { BY_NEW_ACCOUNT } from '../reviews/bursts/queries.ts';
import { insertReview } from '../reviews/queries.ts';
import { countryOf, findSameSchool, findSchool, insertSchool } from '../schools/queries.ts';
import { type Accepted, findProposer, type StoredProposal } from './queries.ts';
import { listLaterReviews, type PendingReview, proposedReviewOf, setObstacle } from './review-queries.ts';

type Corrections = Omit<BodyOf<typeof decideProposal>, 'action' | 'reason'>;

/**
 * Locks the school of a proposed entry, or one name for all proposed schools, until the transaction ends: of two
 * concurrent acceptances, the second sees what the first added.
 */
export async function lockSubject(db: Connection, { kind, school_id }: Pick<StoredProposal, 'kind' | 'school_id'>) {
  if (kind === 'entry' && school_id !== null) await lockRow(db, 'schools', school_id);
  else await lockName(db, 'proposed schools');
}

/**
 * Creates the proposed school or entry, or finds it, and posts the review in the name of its author.
 * @param corrections by the admin who accepts the proposal; undefined when no admin has seen it
 * @throws a 409 when the school of a proposed entry is deleted
 */
export function accept(
  db: Connection,
  commit: Commit,
  proposal: StoredProposal,
  now: Milliseconds,
  corrections?: Corrections,
): Promise<Accepted> {
  return proposal.kind === 'school'
    ? acceptSchool(db, commit, proposal, corrections)
    : acceptEntry(db, commit, proposal, now, corrections);
}

async function acceptSchool(
  db: Connection,
  commit: Commit,
  proposal: StoredProposal,
  corrections?: Corrections,
): Promise<Accepted> {
  const {
    schoolName = inOneLine(proposal.name),
    location = proposal.location ?? '',
    description = proposal.description,
  } = corrections ?? {};
  let madeId = await findSameSchool(db, schoolName, countryOf(location));
  if (madeId === undefined) {
    madeId = (await insertSchool(db, { schoolName, location, description }, corrections === undefined)).id;
    commit.invalidate(...changes.schoolsAdded);
  }
  return { madeId, category: null, obstacle: undefined };
}

async function acceptEntry(
  db: Connection,
  commit: Commit,
  proposal: StoredProposal,
  now: Milliseconds,
  corrections?: Corrections,
): Promise<Accepted> {
  const {
    category: kind = proposal.category ?? '',
    name = inOneLine(proposal.name),
    description = proposal.description,
  } = corrections ?? {};
  const category = categoryOf(kind);
  const school = proposal.school_id === null ? undefined : await findSchool(db, proposal.school_id);
  if (!school) {
    throw refusals.conflict(
      'The school of this proposal is deleted. Restore the school first, or refuse the proposal.',
    );
  }
  let entryId = await findSameEntry(db, category, school.id, name);
  if (entryId === undefined) {
    entryId = (await insertEntry(db, category, school.id, { name, description }, corrections === undefined)).id;
    commit.invalidate(...changes.entriesAdded(school.id));
  }
  const entry = { id: entryId, schoolId: school.id };
  const obstacle = await postReview(db, proposal, entry, now);
  let isPosted = proposal.review !== null && obstacle === undefined;
  for (const joined of await listLaterReviews(db, [proposal])) {
    const obstacleOfJoined = await postReview(db, joined, entry, now);
    if (obstacleOfJoined) await setObstacle(db, joined, obstacleOfJoined);
    else isPosted = true;
  }
  if (isPosted) commit.invalidate(...changes.reviewsChanged(entry, category.kind));
  return { madeId: entryId, category: category.kind, obstacle };
}

/** Posts a review, if there is one, dated when it was proposed. @returns the reason if it could not be posted */
async function postReview(
  db: Connection,
  pending: PendingReview,
  entry: { id: number; schoolId: number },
  now: Milliseconds,
): Promise<Obstacle | undefined> {
  const proposed = proposedReviewOf(pending);
  if (!proposed) return undefined;
  const author = pending.user_id === null ? undefined : await findProposer(db, pending.user_id);
  if (!author) return 'authorGone';
  if (author.blocked_reason !== null) return 'authorBlocked';
  const { isAnonymous, ...written } = proposed;
  const values = { ...written, username: isAnonymous ? null : author.username };
  const postedAt = pending.created_at;
  const isNew = isNewAccount({ joinedAt: author.joinedAt, postedAt });
  const byNewAccount = isNew ? BY_NEW_ACCOUNT.uncounted : BY_NEW_ACCOUNT.no;
  const posted = await insertReview(db, entry, author.id, values, postedAt, byNewAccount);
  if (!posted) return 'alreadyReviewed';
  await noteAct(db, 'reviews', now);
  return undefined;
}
