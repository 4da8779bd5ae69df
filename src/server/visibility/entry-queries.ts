import type { Category } from '../../contract/categories.ts';
import type { Connection } from '../database/database.ts';
import { locking } from '../database/lock-row.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { EntryKey } from '../database/review-tables.ts';
import { withSchoolOf } from './location-queries.ts';
import { currentEntries } from './queries.ts';

export interface EntryRow {
  id: number;
  name: string;
  description: string;
  schoolId: number;
}

export const ENTRY_COLUMNS = ['id', 'name', 'description', 'school_id as schoolId'] as const;

type EntryOfKind = EntryKey & { kind: string };

/** The query of `findEntry`. */
export const composeEntry = (db: Connection, param: Param<EntryOfKind>) =>
  currentEntries(db)
    .select(ENTRY_COLUMNS)
    .where('id', '=', param('id'))
    .where('school_id', '=', param('schoolId'))
    .where('kind', '=', param('kind'));

const queryEntry = prepareQuery(composeEntry);
const querySharedEntry = prepareQuery<EntryOfKind, EntryRow>((db, param) =>
  locking(db, composeEntry(db, param), { strength: 'keyShare' }),
);

/** An entry of this category; one of another category with the same id is not found. */
export function findEntry(db: Connection, { kind }: Category, id: number): Promise<EntryRow | undefined> {
  return withSchoolOf(db, 'entries', id, async (schoolId) => (await queryEntry(db, { id, schoolId, kind }))[0]);
}

/**
 * The same entry as `findEntry` finds, locked until the transaction ends: it must not move, because rows about it
 * contain its school.
 */
export function lockEntryShared(db: Connection, { kind }: Category, id: number): Promise<EntryRow | undefined> {
  return withSchoolOf(db, 'entries', id, async (schoolId) => (await querySharedEntry(db, { id, schoolId, kind }))[0]);
}

/** The key of an entry of whatever category; undefined when there is none. */
export function findEntryKey(db: Connection, id: number): Promise<EntryKey | undefined> {
  return withSchoolOf(db, 'entries', id, (schoolId) =>
    currentEntries(db)
      .select(['id', 'school_id as schoolId'])
      .where('id', '=', id)
      .where('school_id', '=', schoolId)
      .executeTakeFirst(),
  );
}
