import { type Selectable, sql } from 'kysely';
import { nameKey } from '../../contract/folding.ts';
import type { MyProposal, Obstacle, ProposalState, ProposedReview } from '../../contract/proposals.ts';
import { toHalfStars, toStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import { locking } from '../database/lock-row.ts';
import { Page, type PageRequest, readPage, selectPage } from '../database/paging.ts';
import type { Milliseconds, Tables } from '../database/tables.ts';
import { backgroundOf, toBackgroundRow } from '../reviews/queries.ts';
import { countryOf } from '../schools/queries.ts';

/** A proposed school or entry. */
export type Proposed =
  | { readonly kind: 'school'; readonly name: string; readonly location: string; readonly description: string }
  | {
      readonly kind: 'entry';
      readonly schoolId: number;
      readonly category: string;
      readonly name: string;
      readonly description: string;
      readonly review?: ProposedReview | undefined;
    };

/** The same text for proposals of the same thing. */
function equalKey(proposed: Proposed): string {
  const key = nameKey(proposed.name);
  return JSON.stringify(
    proposed.kind === 'school'
      ? [proposed.kind, key, nameKey(countryOf(proposed.location))]
      : [proposed.kind, proposed.schoolId, proposed.category, key],
  );
}

/** The beginning of the keys of entries proposed for a school. */
const equalKeyStart = (schoolId: number) => JSON.stringify(['entry', schoolId]).slice(0, -1);

/**
 * Moves the proposals for a school to the one that it was merged into. Of two open proposals that become equal, the one
 * that moves keeps its key, which no new proposal can have: both stay open, and an admin decides about both.
 */
export async function moveProposals(db: Connection, from: number, into: number): Promise<void> {
  const [start, newStart] = [equalKeyStart(from), equalKeyStart(into)];
  const newKey = sql<string>`cast(${newStart} as text) || substr(proposals.equal_key, ${start.length + 1})`;
  await db
    .updateTable('proposals')
    .set({ equal_key: newKey })
    .where('school_id', '=', from)
    .where('decided_at', 'is', null)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('proposals as equal')
            .select('equal.id')
            .where('equal.equal_key', '=', newKey)
            .where('equal.decided_at', 'is', null),
        ),
      ),
    )
    .execute();
  await db.updateTable('proposals').set({ school_id: into }).where('school_id', '=', from).execute();
}

function reviewColumns(review: ProposedReview | undefined) {
  if (!review) return {};
  return {
    half_stars: toHalfStars(review.rating),
    review: review.review,
    is_anonymous: review.isAnonymous ? 1 : 0,
    ...toBackgroundRow(review),
  };
}

/**
 * Adds an open proposal. Of equal proposals sent at once, the second waits until the first is committed.
 * @returns its id, or that of an equal open one
 */
export async function insertProposal(
  db: Connection,
  userId: number,
  proposed: Proposed,
  now: Milliseconds,
): Promise<{ id: number } | { equalId: number }> {
  const equal_key = equalKey(proposed);
  const row = await db
    .insertInto('proposals')
    .values({
      kind: proposed.kind,
      state: 'open',
      user_id: userId,
      created_at: now,
      equal_key,
      name: proposed.name,
      description: proposed.description,
      ...(proposed.kind === 'school'
        ? { location: proposed.location }
        : { school_id: proposed.schoolId, category: proposed.category, ...reviewColumns(proposed.review) }),
    })
    .onConflict((conflict) => conflict.column('equal_key').where('decided_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) return row;
  const { id } = await db
    .selectFrom('proposals')
    .select('id')
    .where('equal_key', '=', equal_key)
    .where('decided_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { equalId: id };
}

/** The row of a proposal. */
export type StoredProposal = Selectable<Tables['proposals']>;

export function findProposal(db: Connection, id: number): Promise<StoredProposal | undefined> {
  return db.selectFrom('proposals').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The proposal, locked until the transaction ends: of two concurrent decisions, the second sees the first. */
export function lockProposal(db: Connection, id: number): Promise<StoredProposal | undefined> {
  return locking(db, db.selectFrom('proposals').selectAll().where('id', '=', id)).executeTakeFirst();
}

/** The author of a proposed review; undefined when the account is gone. */
export async function findProposer(db: Connection, userId: number) {
  const row = await db
    .selectFrom('users')
    .select(['id', 'username', 'blocked_reason', 'created_at as joinedAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { blocked_reason: blockedReason, ...author } = row;
  return { ...author, isBlocked: blockedReason !== null };
}

/** The decision about a proposal. */
export type Decision =
  | {
      readonly state: 'accepted';
      readonly madeId: number;
      readonly category: string | null;
      readonly obstacle: Obstacle | undefined;
    }
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

/** Refuses all open proposals of a user. @returns how many */
export async function refuseProposalsOf(
  db: Connection,
  userId: number,
  reason: string,
  now: Milliseconds,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('proposals')
    .set({ state: 'refused', reason, decided_at: now })
    .where('user_id', '=', userId)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function countOpenProposals(db: Connection): Promise<number> {
  const { open } = await db
    .selectFrom('proposals')
    .select((select) => select.fn.countAll<number>().as('open'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return open;
}

/**
 * Proposals with the schools of proposed entries, and what accepted ones became, or what that was merged into. Deleted
 * ones are included, which an admin may bring back.
 */
function proposals(db: Connection) {
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
      join.onRef('made.id', '=', 'proposals.made_id').on('proposals.kind', '=', 'entry'),
    )
    .leftJoin('entries as entry', (join) =>
      join.on(({ eb, fn }) => eb('entry.id', '=', fn.coalesce('made.merged_into', 'made.id'))),
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

type ProposalRow = Awaited<ReturnType<ReturnType<typeof proposals>['execute']>>[number];

/** The first review of a proposed entry, if there is one. */
export function proposedReviewOf(row: StoredProposal): ProposedReview | undefined {
  if (row.half_stars === null || row.review === null) return undefined;
  const { half_stars: halfStars, review, is_anonymous: isAnonymous } = row;
  return { rating: toStars(halfStars), review, ...backgroundOf(row), isAnonymous: isAnonymous === 1 };
}

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

/** A page of proposals in the order of a time, and then of their ids. */
async function listBy(
  column: 'created_at' | 'decided_at',
  direction: 'asc' | 'desc',
  request: PageRequest,
  listed: ReturnType<typeof proposals>,
): Promise<Page<MyProposal[]>> {
  const valuesOf = (row: ProposalRow) => [row[column] ?? row.created_at, row.id] as const;
  const order = { by: [`proposals.${column}`, 'proposals.id'], direction } as const;
  const { rows, next } = await readPage(request, valuesOf, (position) => selectPage(listed, order, position).execute());
  return new Page(rows.map(proposalOf), next);
}

/** Open proposals, oldest first; decided ones, latest decision first. */
export function listProposals(db: Connection, state: ProposalState, request: PageRequest): Promise<Page<MyProposal[]>> {
  const listed = proposals(db).where('proposals.state', '=', state);
  return state === 'open'
    ? listBy('created_at', 'asc', request, listed)
    : listBy('decided_at', 'desc', request, listed);
}

/** A user's own proposals, newest first. */
export function listMyProposals(db: Connection, userId: number, request: PageRequest): Promise<Page<MyProposal[]>> {
  return listBy('created_at', 'desc', request, proposals(db).where('proposals.user_id', '=', userId));
}

/** One proposal in the form of the lists. */
export async function readProposal(db: Connection, id: number): Promise<MyProposal> {
  return proposalOf(await proposals(db).where('proposals.id', '=', id).executeTakeFirstOrThrow());
}

/** The data of a mail to a proposer; undefined when the proposal or its proposer is gone. */
export async function findProposalForMail(db: Connection, id: number, userId: number) {
  const row = await proposals(db)
    .where('proposals.id', '=', id)
    .where('proposals.user_id', '=', userId)
    .executeTakeFirst();
  const user =
    row && (await db.selectFrom('users').select(['email', 'username']).where('id', '=', userId).executeTakeFirst());
  return user && { ...user, ...proposalOf(row) };
}
