import { foldCase } from '../../../contract/folding.ts';
import type { SchoolFields } from '../../../contract/schools.ts';
import type { Connection } from '../../database/database.ts';
import { columnsOf, insertAliasKeys } from '../../schools/queries.ts';

export interface ImportedSchool extends SchoolFields {
  /** Of several rows with the same key, one is added. */
  importKey: string;
  /** Whether the key contains a web page, which distinguishes institutions with the same name and location. */
  hasSite: boolean;
}

const SITE_KEY = 'site:';
const PLAIN_KEY = 'plain:';

/** The import key of a school as it is stored. */
export const storedKeyOf = ({ hasSite, importKey }: ImportedSchool) => `${hasSite ? SITE_KEY : PLAIN_KEY}${importKey}`;

/** Name and location, ignoring case. */
const placeKey = (foldedName: string, location: string) => `${foldedName}\n${foldCase(location)}`;

/**
 * Which name-and-location pairs of the imported schools are in use, also by schools that were merged or deleted.
 * `hasSite` is false if one of these has no known web page: it was created by hand, or imported from a list without web
 * pages.
 */
async function findTakenPlaces(
  db: Connection,
  schools: readonly ImportedSchool[],
): Promise<Map<string, { hasSite: boolean }>> {
  const prefixKeys = [...new Set(schools.map((school) => foldCase(school.schoolName)))];
  const select = (table: 'schools' | 'merged_schools') =>
    db.selectFrom(table).select(['prefix_key', 'location', 'import_key']).where('prefix_key', 'in', prefixKeys);
  const rows = await select('schools').unionAll(select('merged_schools')).execute();
  const taken = new Map<string, { hasSite: boolean }>();
  for (const row of rows) {
    const place = placeKey(row.prefix_key, row.location);
    const hasSite = row.import_key?.startsWith(SITE_KEY) ?? false;
    taken.set(place, { hasSite: hasSite && (taken.get(place)?.hasSite ?? true) });
  }
  return taken;
}

/** Which of these import keys belong to schools, whatever their names are now, merged and deleted ones included. */
async function findTakenKeys(db: Connection, keys: readonly string[]): Promise<Set<string | null>> {
  const select = (table: 'schools' | 'merged_schools') =>
    db.selectFrom(table).select('import_key').where('import_key', 'in', keys);
  const rows = await select('schools').unionAll(select('merged_schools')).execute();
  return new Set(rows.map((row) => row.import_key));
}

/** Remembers the schools that an import has planned. */
export const createSchoolPlan = () => ({ keys: new Set<string>(), places: new Map<string, { hasSite: boolean }>() });

/**
 * Which of some schools do not exist yet. Of several with the same key, only the first is new. One with the name and
 * location of a stored or planned school is the same school, unless both have web pages.
 * @param planned the schools planned before; those planned now are added
 */
export async function planSchools(
  db: Connection,
  schools: readonly ImportedSchool[],
  planned = createSchoolPlan(),
): Promise<boolean[]> {
  if (schools.length === 0) return [];
  const takenPlaces = await findTakenPlaces(db, schools);
  // Looked up, because each conflict at the insert would use up an id.
  const takenKeys = await findTakenKeys(db, schools.map(storedKeyOf));
  return schools.map((school) => {
    const key = storedKeyOf(school);
    const place = placeKey(foldCase(school.schoolName), school.location);
    const existing = [takenPlaces.get(place), planned.places.get(place)].filter((one) => one !== undefined);
    if (existing.some(({ hasSite }) => !(hasSite && school.hasSite)) || takenKeys.has(key) || planned.keys.has(key)) {
      return false;
    }
    planned.keys.add(key);
    planned.places.set(place, { hasSite: school.hasSite });
    return true;
  });
}

/** Adds the schools that do not exist yet. @returns which were added: another import may add some at the same time */
export async function importSchools(db: Connection, schools: readonly ImportedSchool[]): Promise<boolean[]> {
  const isNew = await planSchools(db, schools);
  const rows = schools
    .filter((_, index) => isNew[index])
    .map((school) => ({ ...columnsOf(school), import_key: storedKeyOf(school) }));
  if (rows.length === 0) return isNew;
  const inserted = await db
    .insertInto('schools')
    .values(rows)
    .onConflict((conflict) => conflict.column('import_key').doNothing())
    .returning(['id', 'aliases', 'import_key'])
    .execute();
  await insertAliasKeys(
    db,
    inserted.map(({ id, aliases }) => ({ id, aliases: JSON.parse(aliases) })),
  );
  const addedKeys = new Set(inserted.map((row) => row.import_key));
  return schools.map((school, index) => isNew[index] === true && addedKeys.has(storedKeyOf(school)));
}
