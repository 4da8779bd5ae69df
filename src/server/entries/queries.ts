import type { Category } from '../../contract/categories.ts';
import type { Entry } from '../../contract/entries.ts';
import { exactNameKey, foldAccents } from '../../contract/folding.ts';
import type { Connection } from '../database/database.ts';
import { idsOf, oldestOf } from '../database/found-rows.ts';
import { isBeingChecked } from '../visibility/checked-queries.ts';
import { countedEntries, findEntryTally, insertCounts, meanOf, type Tally } from '../visibility/count-queries.ts';
import { ENTRY_COLUMNS, type EntryRow } from '../visibility/entry-queries.ts';
import { addToDirectory, withSchoolOf } from '../visibility/location-queries.ts';
import { currentEntries, entryColumns } from '../visibility/queries.ts';

/** The fields of an entry as they are sent: its name is in the field of its category, such as `clubName`. */
function fieldsOf({ nameField }: Category, { id, name, description, schoolId }: EntryRow) {
  return { id, [nameField]: name, description, schoolId };
}

function entryOf(category: Category, row: EntryRow, tally: Tally = NO_REVIEWS): Entry {
  const totalReviews = tally.reviewCount;
  return { ...fieldsOf(category, row), averageRating: totalReviews === 0 ? null : meanOf(tally), totalReviews };
}

const NO_REVIEWS: Tally = { reviewCount: 0, halfStarSum: 0 };

export async function listEntries(db: Connection, category: Category, schoolId: number): Promise<Entry[]> {
  const { kind } = category;
  const counted = countedEntries(db)
    .select(['entry_id', 'review_count as reviewCount', 'half_star_sum as halfStarSum'])
    .where('kind', '=', kind)
    .where('school_id', '=', schoolId)
    .as('counted');
  const rows = await currentEntries(db)
    .leftJoin(counted, 'counted.entry_id', 'entries.id')
    .select([...ENTRY_COLUMNS, 'counted.reviewCount', 'counted.halfStarSum'])
    .select(isBeingChecked(db, entryColumns('entries.id', 'entries.school_id')).as('isBeingChecked'))
    .where('school_id', '=', schoolId)
    .where('kind', '=', kind)
    .orderBy('name_key')
    .orderBy('id')
    .execute();
  // The left join finds no counts for an entry without counted reviews.
  return rows.map((row) => ({
    ...entryOf(category, row, { reviewCount: row.reviewCount ?? 0, halfStarSum: row.halfStarSum ?? 0 }),
    isBeingChecked: row.isBeingChecked === 1,
  }));
}

/** An entry with the name of its school. */
export async function findEntryDetails(db: Connection, category: Category, id: number) {
  const row = await withSchoolOf(db, 'entries', id, (schoolId) =>
    currentEntries(db)
      .innerJoin('schools', 'schools.id', 'entries.school_id')
      .select([
        'entries.id',
        'entries.name',
        'entries.description',
        'entries.school_id as schoolId',
        'schools.school_name as schoolName',
      ])
      .where('entries.id', '=', id)
      .where('entries.school_id', '=', schoolId)
      .where('entries.kind', '=', category.kind)
      .executeTakeFirst(),
  );
  return row && { ...fieldsOf(category, row), schoolName: row.schoolName };
}

/** The id of the oldest entry with this name in a school and category, ignoring case, accents and punctuation. */
export async function findSameEntry(db: Connection, { kind }: Category, schoolId: number, name: string) {
  const rows = await currentEntries(db)
    .select(['id', 'name'])
    .where('school_id', '=', schoolId)
    .where('kind', '=', kind)
    .execute();
  const key = exactNameKey(name);
  return oldestOf(rows.filter((row) => exactNameKey(row.name) === key));
}

/** The names of all entries of some schools, to find similar ones. */
export function listEntryNames(db: Connection, schoolIds: readonly number[]) {
  return currentEntries(db)
    .select(['id', 'name', 'kind', 'school_id as schoolId'])
    .where('school_id', 'in', schoolIds)
    .execute();
}

interface EntryValues {
  name: string;
  description: string;
}

/** Adds an entry to a school, which must exist. @param isUnchecked whether no admin has seen it */
export async function insertEntry(
  db: Connection,
  category: Category,
  schoolId: number,
  { name, description }: EntryValues,
  isUnchecked = false,
): Promise<Entry> {
  const [id] = (await insertEntries(db, [{ category, schoolId, name, description, isUnchecked }])) as [number];
  return entryOf(category, { id, name, description, schoolId });
}

/** Adds entries to schools. @returns their ids in the order of the entries */
export async function insertEntries(
  db: Connection,
  entries: readonly (EntryValues & { category: Category; schoolId: number; isUnchecked?: boolean })[],
): Promise<number[]> {
  if (entries.length === 0) return [];
  const rows = entries.map(({ category, schoolId, name, description, isUnchecked }) => ({
    kind: category.kind,
    school_id: schoolId,
    name,
    name_key: foldAccents(name),
    description,
    is_unchecked: isUnchecked ? 1 : 0,
  }));
  const inserted = await db.insertInto('entries').values(rows).returning('id').execute();
  // Ids are assigned in the order of the rows, but no engine promises to return them in this order.
  const ids = idsOf(inserted).sort((one, other) => one - other);
  const added = rows.map(({ school_id: schoolId, kind }, index) => ({ id: ids[index] as number, schoolId, kind }));
  await addToDirectory(db, added);
  await insertCounts(db, added);
  return ids;
}

/** Changes an entry for an admin. @returns the changed entry; undefined when the category has no entry with this id */
export async function updateEntry(
  db: Connection,
  category: Category,
  id: number,
  { name, description }: EntryValues,
): Promise<Entry | undefined> {
  const row = await withSchoolOf(db, 'entries', id, (schoolId) =>
    db
      .updateTable('entries')
      .set({ name, name_key: foldAccents(name), description, is_unchecked: 0 })
      .where('id', '=', id)
      .where('school_id', '=', schoolId)
      .where('kind', '=', category.kind)
      .where('merged_into', 'is', null)
      .where('deleted_at', 'is', null)
      .returning(ENTRY_COLUMNS)
      .executeTakeFirst(),
  );
  return row && entryOf(category, row, await findEntryTally(db, category.kind, id));
}
