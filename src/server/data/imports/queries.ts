import type { Category } from '../../../contract/categories.ts';
import { foldAccents, foldCase, foldOptionalMarks, nameKey } from '../../../contract/folding.ts';
import { ALIASES_MAX, updateSchool } from '../../../contract/schools.ts';
import type { Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { locking } from '../../database/lock-row.ts';
import { insertEntries } from '../../entries/queries.ts';
import { aliasKeysOf, storeAliases } from '../../schools/queries.ts';
import { currentSchools } from '../../visibility/queries.ts';
import { type ImportedSchool, storedKeyOf } from './school-queries.ts';

/**
 * Updates the schools that were imported from a list, unless an admin has changed them since: they get new aliases, and a
 * location that is now written differently.
 * @returns the ids of the schools that changed
 */
export async function updateImported(db: Connection, listed: readonly ImportedSchool[]): Promise<number[]> {
  if (listed.length === 0) return [];
  const byKey = new Map(listed.map((school) => [storedKeyOf(school), school]));
  const imported = currentSchools(db)
    .select(['id', 'import_key', 'location', 'aliases'])
    .where('import_key', 'in', [...byKey.keys()])
    .orderBy('id');
  const found = await locking(db, imported).execute();
  const changing = found.flatMap(({ id, import_key, location, aliases }) => {
    const school = byKey.get(import_key ?? '');
    if (!school) return [];
    const own: string[] = JSON.parse(aliases);
    const known = new Set(aliasKeysOf(own));
    const gained = (school.aliases ?? []).filter((alias) => !known.has(nameKey(alias)));
    const all = [...own, ...gained].slice(0, Math.max(ALIASES_MAX, own.length));
    const change = { id, school, all, hasGained: all.length > own.length, isElsewhere: location !== school.location };
    return change.hasGained || change.isElsewhere ? [change] : [];
  });
  const changedByAdmins = await findChangedSchools(db, idsOf(changing));
  const updates = changing.filter(({ id }) => !changedByAdmins.has(id));
  for (const { id, school, all, hasGained, isElsewhere } of updates) {
    if (hasGained) await storeAliases(db, id, all);
    // The description contains the location.
    const { location, description } = school;
    if (isElsewhere) await db.updateTable('schools').set({ location, description }).where('id', '=', id).execute();
  }
  return idsOf(updates);
}

async function findChangedSchools(db: Connection, ids: readonly number[]): Promise<Set<number | null>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('audit_entries')
    .select('subject_id')
    .where('subject_kind', '=', 'school')
    .where('subject_id', 'in', ids)
    .where('act', '=', updateSchool.name)
    .execute();
  return new Set(rows.map(({ subject_id }) => subject_id));
}

export interface ImportedEntry {
  category: Category;
  name: string;
  description: string;
  school: string;
  /** Distinguishes schools with the same name. */
  location?: string;
}

/** The result for an entry of a file. A reason says why no school was found for it. */
type EntryOutcome = 'added' | 'already there' | { reason: string };

interface NamedSchool {
  id: number;
  nameKey: string;
  location: string;
}

interface NamedSchools {
  readonly byName: readonly NamedSchool[];
  /** The aliases of schools, each with the id of its school. */
  readonly byAlias: readonly NamedSchool[];
  /** The names of schools that were merged, each with the id of the school that it was merged into. */
  readonly byMergedName: readonly NamedSchool[];
}

/**
 * The schools with these names or aliases, ignoring case.
 * @param isLocked locks them in the order of their ids, so that nobody else adds entries to them
 */
async function findSchoolsNamed(db: Connection, names: readonly string[], isLocked: boolean): Promise<NamedSchools> {
  const keys = [...new Set(names.map(foldCase))];
  const mergedInto = db
    .selectFrom('merged_schools')
    .select('school_id as id')
    .where('prefix_key', 'in', keys)
    .where('school_id', 'is not', null)
    .$narrowType<{ id: number }>();
  const aliasMatches = db
    .selectFrom('alias_keys')
    .select('school_id as id')
    .where('match_key', 'in', [...new Set(names.map(nameKey))]);
  const ids = currentSchools(db).select('id').where('prefix_key', 'in', keys).union(mergedInto).union(aliasMatches);
  const query = currentSchools(db)
    .select(['id', 'prefix_key as nameKey', 'location'])
    .where('id', 'in', ids)
    .orderBy('id');
  const schools = await (isLocked ? locking(db, query) : query).execute();
  const merged = await mergedInto.select(['prefix_key as nameKey', 'location']).orderBy('merged_schools.id').execute();
  const aliases = await aliasMatches.select('match_key').execute();
  const byId = new Map(schools.map((school) => [school.id, school]));
  return {
    byName: schools.filter((school) => keys.includes(school.nameKey)),
    byAlias: aliases.flatMap(({ id, match_key }) => {
      const school = byId.get(id);
      return school ? [{ ...school, nameKey: match_key }] : [];
    }),
    byMergedName: merged.filter(({ id }) => byId.has(id)),
  };
}

/**
 * The school that an entry names, or the reason why it is not found. If no school has the name, a school with that
 * alias is meant, or else the one into which a school of that name was merged.
 */
function findSchoolOf(
  { school, location }: ImportedEntry,
  { byName, byAlias, byMergedName }: NamedSchools,
): { id: number } | { reason: string } {
  const isMeant = (one: NamedSchool, key: string) =>
    one.nameKey === key && (!location || foldCase(one.location) === foldCase(location));
  const idsIn = (schools: readonly NamedSchool[], key = foldCase(school)) =>
    new Set(schools.filter((one) => isMeant(one, key)).map(({ id }) => id));
  const found = [idsIn(byName), idsIn(byAlias, nameKey(school)), idsIn(byMergedName)].find((ids) => ids.size > 0);
  const [id, ...others] = found ?? [];
  if (id === undefined) return { reason: `There is no school ${school}${location ? ` in ${location}` : ''}.` };
  if (others.length === 0) return { id };
  return { reason: `${others.length + 1} schools are called ${school}: the column location must say which one.` };
}

const keyOf = (schoolId: number, kind: string, name: string) =>
  JSON.stringify([schoolId, kind, foldOptionalMarks(name)]);

/** The names that entries have, including deleted and merged ones: an import does not restore those. */
async function findTakenNames(
  db: Connection,
  schoolIds: readonly number[],
  entries: readonly ImportedEntry[],
): Promise<Set<string>> {
  if (schoolIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('entries')
    .select(['school_id', 'kind', 'name'])
    .where('school_id', 'in', schoolIds)
    .where('name_key', 'in', [...new Set(entries.map(({ name }) => foldAccents(name)))])
    .execute();
  return new Set(rows.map((row) => keyOf(row.school_id, row.kind, row.name)));
}

/**
 * Plans an import of entries: a name occurs once in each category of a school, ignoring case and accents.
 * @param planned the keys of entries that earlier calls have planned; the keys of these entries are added to it
 * @returns the result for each entry, in their order, and the entries to add by school
 */
export async function planEntries(
  db: Connection,
  entries: readonly ImportedEntry[],
  { planned = new Set<string>(), isLocked = false } = {},
): Promise<{ outcomes: EntryOutcome[]; added: ReadonlyMap<number, readonly ImportedEntry[]> }> {
  if (entries.length === 0) return { outcomes: [], added: new Map() };
  const names = entries.map(({ school }) => school);
  const schools = await findSchoolsNamed(db, names, isLocked);
  const schoolIds = [...new Set([...schools.byName, ...schools.byAlias, ...schools.byMergedName].map(({ id }) => id))];
  const taken = await findTakenNames(db, schoolIds, entries);
  const added = new Map<number, ImportedEntry[]>();
  const outcomes = entries.map((entry): EntryOutcome => {
    const school = findSchoolOf(entry, schools);
    if ('reason' in school) return school;
    const key = keyOf(school.id, entry.category.kind, entry.name);
    if (taken.has(key) || planned.has(key)) return 'already there';
    planned.add(key);
    added.set(school.id, [...(added.get(school.id) ?? []), entry]);
    return 'added';
  });
  return { outcomes, added };
}

/**
 * Adds the entries that do not exist yet.
 * @returns the result for each entry, in their order, and the schools that got entries
 */
export async function importEntries(
  db: Connection,
  entries: readonly ImportedEntry[],
): Promise<{ outcomes: EntryOutcome[]; schoolIds: number[] }> {
  const { outcomes, added } = await planEntries(db, entries, { isLocked: true });
  // One statement for all schools: on PostgreSQL each statement is a round trip.
  await insertEntries(
    db,
    [...added].flatMap(([schoolId, ofSchool]) => ofSchool.map((entry) => ({ ...entry, schoolId }))),
  );
  return { outcomes, schoolIds: [...added.keys()] };
}
