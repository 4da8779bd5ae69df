import { type ExpressionBuilder, sql } from 'kysely';
import { type DeletedKind, type DeletedRecord, RESTORE_DAYS } from '../../contract/deletions.ts';
import type { Connection } from '../database/database.ts';
import { idsOf } from '../database/found-rows.ts';
import { locking, lockRow } from '../database/lock-row.ts';
import { Page, type PageRequest, readPage, selectPage } from '../database/paging.ts';
import type { Milliseconds, Tables } from '../database/tables.ts';
import { countVisibleOf, setCountsDeleted } from './count-queries.ts';
import { lockManyReviews, withSchoolOf } from './location-queries.ts';

// Deleting sets a time on the row, on the entries of a school and on their counts, and adds a row to `deletions`. The
// counts themselves are kept: restoring only clears the time and deletes that row.

/** Schools and entries that were deleted at this time or before can no longer be restored. */
const restorableAfter = (now: Milliseconds) => now - RESTORE_DAYS * 24 * 60 * 60_000;

/** The admin who deletes something, and the time. */
export interface Deletion {
  readonly userId: number;
  readonly now: Milliseconds;
}

/** The school or entry that was deleted or restored, and all entries that this affects. */
interface ChangedRows {
  readonly name: string;
  readonly schoolId: number;
  readonly entries: readonly { id: number; kind: string }[];
}

/** Deletes a school with its entries. @returns undefined when there is none */
export async function deleteSchool(
  db: Connection,
  id: number,
  { userId, now }: Deletion,
): Promise<ChangedRows | undefined> {
  // Without the lock, an entry that is added meanwhile would stay, and its responses would stay in the cache.
  await lockRow(db, 'schools', id);
  const school = await db
    .updateTable('schools')
    .set({ deleted_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('school_name as name')
    .executeTakeFirst();
  if (!school) return undefined;
  const entries = await db
    .updateTable('entries')
    .set({ deleted_at: now })
    .where('school_id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(['id', 'kind'])
    .execute();
  await setCountsDeleted(db, id, idsOf(entries), now);
  await db.insertInto('deletions').values({ school_id: id, user_id: userId, deleted_at: now }).execute();
  return { name: school.name, schoolId: id, entries };
}

/** The entries that are deleted and restored with their school: those that were not deleted on their own. */
const entriesDeletedWith = (db: Connection, schoolId: number) =>
  db.selectFrom('entries').select('id').where('school_id', '=', schoolId).where(isNotDeletedAlone);

/** Deletes an entry of a category. @returns undefined when there is none */
export async function deleteEntry(
  db: Connection,
  { kind }: { kind: string },
  id: number,
  { userId, now }: Deletion,
): Promise<ChangedRows | undefined> {
  const entry = await withSchoolOf(db, 'entries', id, (schoolId) =>
    db
      .updateTable('entries')
      .set({ deleted_at: now })
      .where('id', '=', id)
      .where('school_id', '=', schoolId)
      .where('kind', '=', kind)
      .where('merged_into', 'is', null)
      .where('deleted_at', 'is', null)
      .returning(['name', 'school_id as schoolId'])
      .executeTakeFirst(),
  );
  if (!entry) return undefined;
  await setCountsDeleted(db, entry.schoolId, [id], now);
  await db.insertInto('deletions').values({ entry_id: id, user_id: userId, deleted_at: now }).execute();
  return { ...entry, entries: [{ id, kind }] };
}

/** A deletion that can still be undone. It is locked, so that only one of two concurrent calls restores the record. */
function lockDeletion(db: Connection, kind: DeletedKind, id: number, now: Milliseconds) {
  const deletion = db
    .selectFrom('deletions')
    .select('id')
    .where(kind === 'school' ? 'school_id' : 'entry_id', '=', id)
    .where('deleted_at', '>', restorableAfter(now));
  return locking(db, deletion).executeTakeFirst();
}

/** Whether an entry was not deleted on its own. One that was deleted before its school stays deleted. */
const isNotDeletedAlone = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'entries'>) =>
  not(exists(selectFrom('deletions').select('id').whereRef('deletions.entry_id', '=', 'entries.id')));

/** The entries of a locked school that were deleted on their own, before it. */
async function listDeletedAlone(db: Connection, schoolId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('entries')
    .innerJoin('deletions', 'deletions.entry_id', 'entries.id')
    .select('entries.id')
    .where('entries.school_id', '=', schoolId)
    .execute();
  return idsOf(rows);
}

/** @returns undefined when there is no such deleted school, or it was deleted too long ago */
export async function restoreSchool(db: Connection, id: number, now: Milliseconds): Promise<ChangedRows | undefined> {
  await lockRow(db, 'schools', id);
  const deletion = await lockDeletion(db, 'school', id, now);
  if (!deletion) return undefined;
  await db.deleteFrom('deletions').where('id', '=', deletion.id).execute();
  const { name } = await db
    .updateTable('schools')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .returning('school_name as name')
    .executeTakeFirstOrThrow();
  const alone = await listDeletedAlone(db, id);
  const entries = await db
    .updateTable('entries')
    .set({ deleted_at: null })
    .where('school_id', '=', id)
    .$if(alone.length > 0, (query) => query.where('id', 'not in', alone))
    .returning(['id', 'kind'])
    .execute();
  await setCountsDeleted(db, id, idsOf(entries), null);
  return { name, schoolId: id, entries };
}

/**
 * Restores an entry, unless its school is deleted.
 * @returns undefined when there is no such deleted entry, or it was deleted too long ago
 */
export async function restoreEntry(
  db: Connection,
  id: number,
  now: Milliseconds,
): Promise<ChangedRows | 'school is deleted' | undefined> {
  const found = await withSchoolOf(db, 'entries', id, (schoolId) =>
    db
      .selectFrom('entries')
      .select('school_id')
      .where('id', '=', id)
      .where('school_id', '=', schoolId)
      .executeTakeFirst(),
  );
  if (!found) return undefined;
  // Locked before the deletion, in the same order as when a school is deleted or restored, so that nothing deadlocks.
  await lockRow(db, 'schools', found.school_id);
  const deletion = await lockDeletion(db, 'entry', id, now);
  if (!deletion) return undefined;
  const school = await db
    .selectFrom('schools')
    .select('deleted_at')
    .where('id', '=', found.school_id)
    .executeTakeFirst();
  // The school was merged while this transaction waited for its row: the entry is at another school now.
  if (!school) return restoreEntry(db, id, now);
  if (school.deleted_at !== null) return 'school is deleted';
  await db.deleteFrom('deletions').where('id', '=', deletion.id).execute();
  const { name, kind } = await db
    .updateTable('entries')
    .set({ deleted_at: null })
    .where('id', '=', id)
    .where('school_id', '=', found.school_id)
    .returning(['name', 'kind'])
    .executeTakeFirstOrThrow();
  await setCountsDeleted(db, found.school_id, [id], null);
  return { name, schoolId: found.school_id, entries: [{ id, kind }] };
}

const cursorValuesOf = (row: { deleted_at: Milliseconds; deletionId: number }) =>
  [row.deleted_at, row.deletionId] as const;

/** The deleted records that can be restored, the last deleted first. */
export async function listDeleted(
  db: Connection,
  now: Milliseconds,
  request: PageRequest,
): Promise<Page<DeletedRecord[]>> {
  const listed = db
    .selectFrom('deletions')
    .leftJoin('schools', 'schools.id', 'deletions.school_id')
    .leftJoin('entries', 'entries.id', 'deletions.entry_id')
    .leftJoin('users', 'users.id', 'deletions.user_id')
    .select([
      'deletions.id as deletionId',
      'deletions.deleted_at',
      'deletions.school_id as schoolId',
      'deletions.entry_id as entryId',
      'entries.school_id as entrySchoolId',
      'schools.school_name as schoolName',
      'entries.name as entryName',
      'users.username',
    ])
    .where('deletions.deleted_at', '>', restorableAfter(now));
  const order = { by: ['deletions.deleted_at', 'deletions.id'], direction: 'desc' } as const;
  const { rows, next } = await readPage(request, cursorValuesOf, (position) =>
    selectPage(listed, order, position).execute(),
  );
  const deleted: DeletedRecord[] = [];
  for (const { deleted_at, schoolId, entryId, entrySchoolId, schoolName, entryName, username } of rows) {
    deleted.push({
      kind: schoolId === null ? 'entry' : 'school',
      // Exactly one of the two is set, as the table demands.
      id: (schoolId ?? entryId) as number,
      name: (schoolName ?? entryName) as string,
      deletedAt: new Date(deleted_at).toISOString(),
      deletedBy: username ?? '',
      reviews:
        schoolId === null
          ? await countVisibleOf(db, entrySchoolId as number, [entryId as number])
          : await countVisibleOf(db, schoolId, entriesDeletedWith(db, schoolId)),
    });
  }
  return new Page(deleted, next);
}

/** Removes for good one school or entry that was deleted too long ago to be restored. @returns whether there was one */
export async function purgeOne(db: Connection, now: Milliseconds): Promise<boolean> {
  await lockManyReviews(db);
  const oldest = db
    .selectFrom('deletions')
    .select(['school_id', 'entry_id'])
    .where('deleted_at', '<=', restorableAfter(now))
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(1);
  // A row that another process is removing is skipped, not waited for.
  const found = await locking(db, oldest, { skip: true }).executeTakeFirst();
  if (!found) return false;
  if (found.school_id !== null) await removeSchool(db, found.school_id);
  if (found.entry_id !== null) await removeEntry(db, found.entry_id);
  return true;
}

// Rows that refer to a school or entry without a foreign key are deleted explicitly. A distributed database has no
// foreign keys between such tables.

async function removeSchool(db: Connection, id: number): Promise<void> {
  const alone = await listDeletedAlone(db, id);
  if (alone.length > 0) await db.deleteFrom('deletions').where('entry_id', 'in', alone).execute();
  await db.deleteFrom('deletions').where('school_id', '=', id).execute();
  await db.deleteFrom('entry_schools').where('school_id', '=', id).execute();
  await db.deleteFrom('schools').where('id', '=', id).execute();
}

async function removeEntry(db: Connection, id: number): Promise<void> {
  await db.deleteFrom('deletions').where('entry_id', '=', id).execute();
  // Entries that were merged into this one are removed with it.
  const removed = await withSchoolOf(db, 'entries', id, async (schoolId) => {
    const rows = await db
      .deleteFrom('entries')
      .where('school_id', '=', schoolId)
      .where((row) => row.or([row('id', '=', id), row('merged_into', '=', id)]))
      .returning('id')
      .execute();
    return rows.length > 0 ? idsOf(rows) : undefined;
  });
  if (removed) await db.deleteFrom('entry_schools').where('entry_id', 'in', removed).execute();
}

/** Schools and entries whose rows disagree about whether or when they were deleted. */
export async function listHalfDeleted(db: Connection, limit: number): Promise<{ kind: DeletedKind; id: number }[]> {
  const differ = (one: string, ...others: string[]) => {
    const refs = others.map((name) => sql.ref(name));
    return sql`coalesce(${sql.ref(one)}, -1) <> coalesce(${sql.join(refs)}, -1)`;
  };
  const { rows } = await sql<{ kind: DeletedKind; id: number }>`
    select 'school' as kind, schools.id as id from schools
    left join deletions on deletions.school_id = schools.id
    where ${differ('schools.deleted_at', 'deletions.deleted_at')}
    union all
    select 'entry' as kind, entries.id as id from entries
    join schools on schools.id = entries.school_id
    join review_counts on review_counts.entry_id = entries.id and review_counts.school_id = entries.school_id
    left join deletions on deletions.entry_id = entries.id
    where ${differ('entries.deleted_at', 'deletions.deleted_at', 'schools.deleted_at')}
      or ${differ('review_counts.deleted_at', 'entries.deleted_at')}
    order by kind, id limit ${limit}`.execute(db);
  return rows;
}
