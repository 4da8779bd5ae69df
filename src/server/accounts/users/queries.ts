import type { User } from '../../../contract/users.ts';
import type { Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { locking } from '../../database/lock-row.ts';
import type { UserRow } from '../../database/tables.ts';
import { currentEntries, currentSchools } from '../../visibility/queries.ts';

const COLUMNS = ['id', 'username', 'is_admin', 'blocked_reason'] as const;

const userOf = (row: Pick<UserRow, (typeof COLUMNS)[number]>): User => ({
  id: row.id,
  username: row.username,
  isAdmin: row.is_admin === 1,
  isBlocked: row.blocked_reason !== null,
});

export async function listUsers(db: Connection): Promise<User[]> {
  const rows = await db.selectFrom('users').select(COLUMNS).orderBy('username_key').execute();
  return rows.map(userOf);
}

/**
 * Whether the user is the only admin. Locks all admins until the transaction ends: two admins who demote each other at
 * once would otherwise each see the other as an admin.
 */
export async function isLastAdmin(db: Connection, userId: number): Promise<boolean> {
  const admins = await locking(
    db,
    db.selectFrom('users').select('id').where('is_admin', '=', 1).where('verified_at', 'is not', null),
  ).execute();
  return admins.length === 1 && admins[0]?.id === userId;
}

/**
 * The columns that decide whether a user can become an admin or be blocked, locked until the transaction ends:
 * otherwise one admin could promote a user while another blocks them.
 */
export function lockUser(db: Connection, userId: number) {
  const user = db.selectFrom('users').select(['is_admin', 'verified_at', 'blocked_reason']).where('id', '=', userId);
  return locking(db, user).executeTakeFirst();
}

/** @param change a reason of null unblocks @returns the changed user; undefined when there is none with this id */
export async function changeUser(
  db: Connection,
  userId: number,
  change: { is_admin: 0 | 1 } | { blocked_reason: string | null },
): Promise<User | undefined> {
  const changed = db.updateTable('users').set(change).where('id', '=', userId).returning(COLUMNS);
  const row = await changed.executeTakeFirst();
  return row && userOf(row);
}

/**
 * The schools and entries that a user has added with PROPOSALS=open and no admin has changed since, locked until the
 * transaction ends. Rows that another transaction has locked are left out instead of waited for.
 */
export async function lockAddedBy(db: Connection, userId: number) {
  const added = await db
    .selectFrom('proposals')
    .select((row) => ['kind', 'school_id as schoolId', row.ref('made_id').$notNull().as('id')])
    .where('user_id', '=', userId)
    .where('state', '=', 'accepted')
    .execute();
  const madeSchools = idsOf(added.filter(({ kind }) => kind === 'school'));
  const schools = currentSchools(db).select('id').where('is_unchecked', '=', 1).where('id', 'in', madeSchools);
  const entries = [];
  // One school after the other: a distributed database locks rows of one school at a time.
  for (const [schoolId, made] of Map.groupBy(
    added.filter(({ kind }) => kind === 'entry'),
    (one) => one.schoolId as number,
  )) {
    const ofSchool = currentEntries(db)
      .select(['id', 'kind', 'school_id as schoolId'])
      .where('is_unchecked', '=', 1)
      .where('school_id', '=', schoolId)
      .where('id', 'in', idsOf(made));
    entries.push(...(await locking(db, ofSchool, { skip: true }).execute()));
  }
  return {
    schools: madeSchools.length > 0 ? await locking(db, schools, { skip: true }).execute() : [],
    entries,
  };
}

/** Deletes a user with their sessions, codes and profile. @returns whether there was one */
export async function deleteUser(db: Connection, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('users').where('id', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}
