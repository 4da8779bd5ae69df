import type { MyProposal, Obstacle, Proposal, ProposalState } from '../../contract/proposals.ts';
import type { Connection } from '../database/database.ts';
import { countFound } from '../database/found-rows.ts';
import { locking } from '../database/lock-row.ts';
import { Page, type PageRequest, readPage, selectPage } from '../database/paging.ts';
import type { Milliseconds, StoredRow } from '../database/tables.ts';
import { toBackgroundRow } from '../reviews/review-rows.ts';
import { leaveProposal, listLaterReviews, proposedReviewOf } from './review-queries.ts';

/** The row of a proposal. */
export type StoredProposal = StoredRow<'proposals'>;

export function findProposal(db: Connection, id: number): Promise<StoredProposal | undefined> {
  return db.selectFrom('proposals').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The proposal, locked until the transaction ends: of two concurrent decisions, the second sees the first. */
export function lockProposal(db: Connection, id: number): Promise<StoredProposal | undefined> {
  return locking(db, db.selectFrom('proposals').selectAll().where('id', '=', id)).executeTakeFirst();
}

/** The author of a proposed review; undefined when the account is gone. */
export function findProposer(db: Connection, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'blocked_reason', 'created_at as joinedAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** The result of accepting a proposal. */
export interface Accepted {
  readonly madeId: number;
  /** Only for an entry, whose category an admin may have corrected. */
  readonly category: string | null;
  /** Why the review was not posted. */
  readonly obstacle: Obstacle | undefined;
}

/** The decision about a proposal. */
export type Decision =
  | ({ readonly state: 'accepted' } & Accepted)
  | { readonly state: 'refused'; readonly reason: string };

export async function closeProposal(db: Connection, id: number, decision: Decision, now: Milliseconds): Promise<void> {
  await db
    .updateTable('proposals')
    .set({
      state: decision.state,
      decided_at: now,
      ...(decision.state === 'refused'
        ? { reason: decision.reason }
        : { made_id: decision.madeId, category: decision.category, obstacle: decision.obstacle ?? null }),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Refuses the open proposals of a user that nobody has joined. From other open ones it only removes the user's words.
 * @returns how many were refused
 */
export async function refuseProposalsOf(db: Connection, userId: number, reason: string, now: Milliseconds) {
  const stored = db.selectFrom('proposals').selectAll();
  const own = await stored.where('user_id', '=', userId).where('decided_at', 'is', null).execute();
  const sharedIds = new Set((await listLaterReviews(db, own)).map((review) => review.proposal_id));
  const joinedIds = db.selectFrom('proposal_reviews').select('proposal_id').where('user_id', '=', userId);
  const joined = await stored.where('id', 'in', joinedIds).execute();
  const toLeave = [...own.filter(({ id }) => sharedIds.has(id)), ...joined.filter((row) => row.decided_at === null)];
  for (const proposal of toLeave) await leaveProposal(db, proposal, userId);
  const { numUpdatedRows } = await db
    .updateTable('proposals')
    .set({ state: 'refused', reason, decided_at: now })
    .where('user_id', '=', userId)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Removes the texts of a user, whose row is locked, from all proposals. Those that are not accepted are deleted, or
 * become those of the first who joined them; accepted ones stay, as does what they have added.
 */
export async function eraseProposalsOf(db: Connection, userId: number): Promise<void> {
  await db.deleteFrom('proposal_reviews').where('user_id', '=', userId).execute();
  const own = db.selectFrom('proposals').select('id').where('user_id', '=', userId).where('state', '!=', 'accepted');
  for (const { id } of await own.orderBy('id').execute()) {
    // The proposal is locked first: otherwise somebody who joins it now would be overlooked.
    const proposal = await lockProposal(db, id);
    if (proposal) await leaveProposal(db, proposal, userId);
  }
  await db
    .updateTable('proposals')
    .set({ review: null, half_stars: null, is_anonymous: null, ...toBackgroundRow({}) })
    .where('user_id', '=', userId)
    .execute();
}

export const countOpenProposals = (db: Connection) =>
  countFound(db.selectFrom('proposals').where('state', '=', 'open'));

/**
 * Proposals, those of entries with their schools, and accepted ones with the school or entry that they became or, if
 * that was merged, with its successor. Deleted schools and entries are included, because an admin may restore them.
 */
function selectProposals(db: Connection) {
  return db
    .selectFrom('proposals')
    .leftJoin('merged_schools as merged', (join) =>
      join.onRef('merged.id', '=', 'proposals.made_id').on('proposals.kind', '=', 'school'),
    )
    .leftJoin('schools', (join) =>
      join.on(({ eb, fn }) =>
        eb('schools.id', '=', fn.coalesce('proposals.school_id', 'merged.school_id', 'proposals.made_id')),
      ),
    )
    .leftJoin('entries as made', (join) =>
      join
        .onRef('made.id', '=', 'proposals.made_id')
        .onRef('made.school_id', '=', 'proposals.school_id')
        .on('proposals.kind', '=', 'entry'),
    )
    .leftJoin('entries as entry', (join) =>
      join
        .on(({ eb, fn }) => eb('entry.id', '=', fn.coalesce('made.merged_into', 'made.id')))
        .onRef('entry.school_id', '=', 'made.school_id'),
    )
    .selectAll('proposals')
    .select([
      'schools.id as found_school_id',
      'schools.school_name',
      'schools.deleted_at as school_deleted_at',
      'entry.id as found_entry_id',
      'entry.deleted_at as entry_deleted_at',
    ]);
}

type ProposalRow = Awaited<ReturnType<ReturnType<typeof selectProposals>['execute']>>[number];

/**
 * The fields that both proposer and admins see. They are listed one by one, so that no other column can become visible.
 */
function proposalOf(row: ProposalRow): MyProposal {
  const review = proposedReviewOf(row);
  const isEntry = row.kind === 'entry';
  const [foundId, deletedAt] = isEntry
    ? [row.found_entry_id, row.entry_deleted_at]
    : [row.found_school_id, row.school_deleted_at];
  const madeId = row.made_id === null ? undefined : (foundId ?? row.made_id);
  const schoolId = isEntry ? (row.school_id ?? undefined) : madeId;
  return {
    id: row.id,
    kind: isEntry ? 'entry' : 'school',
    // Safe: only insertProposal and closeProposal write this column.
    state: row.state as ProposalState,
    createdAt: new Date(row.created_at).toISOString(),
    schoolName: isEntry ? (row.school_name ?? '') : row.name,
    ...(isEntry
      ? { category: row.category ?? '', name: row.name, ...(madeId !== undefined && { entryId: madeId }) }
      : { location: row.location ?? '' }),
    ...(schoolId !== undefined && { schoolId }),
    ...(isEntry && row.school_deleted_at !== null && { isSchoolDeleted: true }),
    ...(madeId !== undefined && (foundId === null || deletedAt !== null) && { isGone: true }),
    description: row.description,
    ...(review && { review }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.obstacle !== null && { reviewNotPosted: row.obstacle as Obstacle }),
  };
}

/** A proposal with the reviews of all who proposed it, if they are several people. */
export type SharedProposal = MyProposal & Pick<Proposal, 'reviews'>;

/** The rows in the form that admins see. */
async function withAllReviews(db: Connection, rows: readonly ProposalRow[]): Promise<SharedProposal[]> {
  const joined = Map.groupBy(await listLaterReviews(db, rows), ({ proposal_id }) => proposal_id);
  return rows.map((row) => {
    const proposal = proposalOf(row);
    const later = joined.get(row.id);
    if (!later) return proposal;
    const reviews = [row, ...later].flatMap((one) => proposedReviewOf(one) ?? []);
    const obstacle = [row, ...later].find((one) => one.obstacle !== null)?.obstacle as Obstacle | undefined;
    return { ...proposal, review: reviews[0], reviews, ...(obstacle && { reviewNotPosted: obstacle }) };
  });
}

/** Open proposals, oldest first; decided ones, latest decision first. */
export async function listProposals(
  db: Connection,
  state: ProposalState,
  request: PageRequest,
): Promise<Page<SharedProposal[]>> {
  const [column, direction] = state === 'open' ? (['created_at', 'asc'] as const) : (['decided_at', 'desc'] as const);
  const cursorValuesOf = (row: ProposalRow) => [row[column] ?? row.created_at, row.id] as const;
  const order = { by: [`proposals.${column}`, 'proposals.id'], direction } as const;
  const listed = selectProposals(db).where('proposals.state', '=', state);
  const { rows, next } = await readPage(request, cursorValuesOf, (position) =>
    selectPage(listed, order, position).execute(),
  );
  return new Page(await withAllReviews(db, rows), next);
}

/**
 * Proposals as a user sees them. People who proposed the same as somebody else see their own review and when they sent
 * it, but not the other person's description.
 */
async function withOwnReviews(db: Connection, rows: readonly ProposalRow[], userId: number): Promise<MyProposal[]> {
  const joined = await listLaterReviews(db, rows);
  return rows.flatMap((row) => {
    if (row.user_id === userId) return proposalOf(row);
    const own = joined.find((review) => review.proposal_id === row.id && review.user_id === userId);
    return own ? { ...proposalOf({ ...row, ...own, id: row.id, description: '' }), isJoined: true } : [];
  });
}

/** A user's own proposals, newest first, and those of others with a review of the user. */
export async function listMyProposals(
  db: Connection,
  userId: number,
  request: PageRequest,
): Promise<Page<MyProposal[]>> {
  const mine = db
    .selectFrom('proposals')
    .select(['id as proposalId', 'created_at as since'])
    .where('user_id', '=', userId)
    .unionAll(
      db
        .selectFrom('proposal_reviews')
        .select(['proposal_id as proposalId', 'created_at as since'])
        .where('user_id', '=', userId),
    );
  const listed = selectProposals(db)
    .innerJoin(mine.as('mine'), 'mine.proposalId', 'proposals.id')
    .select('mine.since as at');
  const order = { by: ['mine.since', 'proposals.id'], direction: 'desc' } as const;
  const { rows, next } = await readPage(
    request,
    (row: { at: Milliseconds; id: number }) => [row.at, row.id],
    (position) => selectPage(listed, order, position).execute(),
  );
  return new Page(await withOwnReviews(db, rows, userId), next);
}

/** A user's own proposal, or one of somebody else with a review of the user; undefined when it is neither. */
export async function findMyProposal(db: Connection, id: number, userId: number): Promise<MyProposal | undefined> {
  const [own] = await withOwnReviews(db, await selectProposals(db).where('proposals.id', '=', id).execute(), userId);
  return own;
}

/** One proposal, which must exist, in the form that admins see. */
export async function readProposal(db: Connection, id: number): Promise<SharedProposal> {
  const rows = await selectProposals(db).where('proposals.id', '=', id).execute();
  const [proposal] = await withAllReviews(db, rows);
  if (!proposal) throw new Error(`The proposal ${id} is not there.`);
  return proposal;
}

/** The data of a mail to a proposer; undefined when the proposal or its proposer is gone. */
export async function findProposalForMail(db: Connection, id: number, userId: number) {
  const proposal = await findMyProposal(db, id, userId);
  const user =
    proposal &&
    (await db.selectFrom('users').select(['email', 'username']).where('id', '=', userId).executeTakeFirst());
  return user && { ...user, ...proposal };
}
