import type { Category } from '../../contract/categories.ts';
import type { Connection } from '../database/database.ts';
import { lockingShared } from '../database/lock-row.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import { currentEntries } from './queries.ts';

export interface EntryRow {
  id: number;
  name: string;
  description: string;
  schoolId: number;
}

export const ENTRY_COLUMNS = ['id', 'name', 'description', 'school_id as schoolId'] as const;

const composeEntry = (db: Connection, given: Given<{ id: number; kind: string }>) =>
  currentEntries(db).select(ENTRY_COLUMNS).where('id', '=', given('id')).where('kind', '=', given('kind'));

const queryEntry = prepareQuery(composeEntry);
const querySharedEntry = prepareQuery<{ id: number; kind: string }, EntryRow>((db, given) =>
  lockingShared(db, composeEntry(db, given)),
);

/** An entry of this category; one of another category with the same id is not found. */
export async function findEntry(db: Connection, { kind }: Category, id: number) {
  const [row] = await queryEntry(db, { id, kind });
  return row;
}

/** The same entry, locked until the transaction ends: it must not move, because rows about it contain its school. */
export async function lockEntryShared(db: Connection, { kind }: Category, id: number) {
  const [row] = await querySharedEntry(db, { id, kind });
  return row;
}
