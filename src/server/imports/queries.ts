import type { Category } from '../../contract/categories.ts';
import { foldAccents, foldCase } from '../../contract/folding.ts';
import type { Connection } from '../database/database.ts';
import { locking } from '../database/lock-row.ts';
import { insertEntries } from '../entries/queries.ts';
import { currentSchools } from '../review-counts/queries.ts';

export interface ImportedEntry {
  category: Category;
  name: string;
  description: string;
  /** The name of the entry's school. */
  school: string;
  /** Distinguishes schools with the same name. */
  location?: string;
}

/** The result for an entry of a file. A reason says why no school was found for it. */
type ImportedAs = 'added' | 'already there' | { reason: string };

interface NamedSchool {
  id: number;
  nameKey: string;
  location: string;
}

/**
 * The schools with these names, ignoring case. They are locked in the order of their ids, so that nobody else adds
 * entries to them.
 */
function lockSchoolsNamed(db: Connection, names: readonly string[]): Promise<NamedSchool[]> {
  const query = currentSchools(db)
    .select(['id', 'prefix_key as nameKey', 'location'])
    .where('prefix_key', 'in', [...new Set(names.map(foldCase))])
    .orderBy('id');
  return locking(db, query).execute();
}

/** The school that an entry names, or the reason why it is not found. */
function findSchoolOf(
  { school, location }: ImportedEntry,
  schools: readonly NamedSchool[],
): NamedSchool | { reason: string } {
  const named = schools.filter(({ nameKey }) => nameKey === foldCase(school));
  const [found, ...others] = named.filter((one) => !location || foldCase(one.location) === foldCase(location));
  if (found && others.length === 0) return found;
  if (named.length < 2) return { reason: `There is no school ${school}${location ? ` in ${location}` : ''}.` };
  return { reason: `${named.length} schools are called ${school}: the column location must say which one.` };
}

const keyOf = (schoolId: number, kind: string, nameKey: string) => JSON.stringify([schoolId, kind, nameKey]);

/** Also of entries that are deleted or were merged: an import does not bring them back. */
async function findTakenNames(
  db: Connection,
  schools: readonly NamedSchool[],
  entries: readonly ImportedEntry[],
): Promise<Set<string>> {
  if (schools.length === 0) return new Set();
  const rows = await db
    .selectFrom('entries')
    .select(['school_id', 'kind', 'name_key'])
    .where(
      'school_id',
      'in',
      schools.map(({ id }) => id),
    )
    .where('name_key', 'in', [...new Set(entries.map(({ name }) => foldAccents(name)))])
    .execute();
  return new Set(rows.map((row) => keyOf(row.school_id, row.kind, row.name_key)));
}

/**
 * Adds the entries that do not exist yet: a name occurs once in each category of a school, ignoring case and accents.
 * @returns the result for each entry, in their order, and the schools that got entries
 */
export async function importEntries(
  db: Connection,
  entries: readonly ImportedEntry[],
): Promise<{ outcomes: ImportedAs[]; schoolIds: number[] }> {
  if (entries.length === 0) return { outcomes: [], schoolIds: [] };
  const schools = await lockSchoolsNamed(
    db,
    entries.map(({ school }) => school),
  );
  const taken = await findTakenNames(db, schools, entries);
  const added = new Map<number, ImportedEntry[]>();
  const outcomes = entries.map((entry): ImportedAs => {
    const school = findSchoolOf(entry, schools);
    if ('reason' in school) return school;
    const key = keyOf(school.id, entry.category.kind, foldAccents(entry.name));
    if (taken.has(key)) return 'already there';
    taken.add(key);
    added.set(school.id, [...(added.get(school.id) ?? []), entry]);
    return 'added';
  });
  for (const [schoolId, ofSchool] of added) await insertEntries(db, schoolId, ofSchool);
  return { outcomes, schoolIds: [...added.keys()] };
}
