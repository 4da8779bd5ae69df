import { sql } from 'kysely';
import { beginsWith, exactNameKey, foldAccents, foldCase, foldName, nameKey } from '../../contract/folding.ts';
import type { School, SchoolFields, SchoolName } from '../../contract/schools.ts';
import type { Connection } from '../database/database.ts';
import { oldestOf } from '../database/found-rows.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import { currentSchools } from '../visibility/queries.ts';

/** The first text, in the order of code points, after all those with this prefix. */
function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}

/** The columns of the fields of a school. */
export function columnsOf({ schoolName, description, location, aliases = [] }: SchoolFields) {
  return {
    school_name: schoolName,
    name_key: foldAccents(schoolName),
    prefix_key: foldCase(schoolName),
    match_key: nameKey(schoolName),
    description,
    location,
    aliases: JSON.stringify(aliases),
  };
}

const SCHOOL_COLUMNS = [
  'id',
  'school_name as schoolName',
  'description',
  'location',
  'aliases',
  'is_unchecked as isUnchecked',
] as const;

/** A row with `SCHOOL_COLUMNS`. */
type SchoolRow = Omit<School, 'aliases' | 'isUnchecked'> & { aliases: string; isUnchecked: number };

export type StoredSchool = School & { aliases: string[] };

function schoolOf({ isUnchecked, ...row }: SchoolRow): StoredSchool {
  return { ...row, aliases: JSON.parse(row.aliases), ...(isUnchecked === 1 && { isUnchecked: true }) };
}

const NAME_COLUMNS = ['id', 'school_name as schoolName', 'location'] as const;

/** The part of a location after the last comma, or all of it if there is no comma. */
export function countryOf(location: string): string {
  return location.slice(location.lastIndexOf(',') + 1).trim();
}

function nameOf({ id, schoolName, location }: { id: number; schoolName: string; location: string }): SchoolName {
  return { id, schoolName, country: countryOf(location) };
}

export async function listSchools(db: Connection, limit: number | undefined): Promise<SchoolName[]> {
  const rows = await currentSchools(db)
    .select(NAME_COLUMNS)
    .orderBy('name_key')
    .orderBy('id')
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .execute();
  return rows.map(nameOf);
}

const queryByPrefix = prepareQuery((db, param: Param<{ from: string; to: string; prefix: string; limit: number }>) =>
  currentSchools(db)
    .select(NAME_COLUMNS)
    // A name that begins with the prefix also does so without accents: the index by name finds it, in the list's order.
    .where('name_key', '>=', param('from'))
    .where('name_key', '<', param('to'))
    .where(sql`substr(prefix_key, 1, length(${param('prefix')}))`, '=', param('prefix'))
    .orderBy('name_key')
    .orderBy('id')
    .limit(param('limit')),
);

/** Candidates for names that begin with the prefix only if accents are ignored. */
const queryAccentless = prepareQuery(
  (db, param: Param<{ from: string; to: string; exactFrom: string; exactTo: string; limit: number }>) =>
    currentSchools(db)
      .select(NAME_COLUMNS)
      .where('match_key', '>=', param('from'))
      .where('match_key', '<', param('to'))
      .where((where) =>
        where.or([where('prefix_key', '<', param('exactFrom')), where('prefix_key', '>=', param('exactTo'))]),
      )
      .orderBy('match_key')
      .orderBy('id')
      .limit(param('limit')),
);

/**
 * How many more candidates are read than wanted, because some differ from the prefix in punctuation. To read all would
 * be slow: for "ü" there are thousands.
 */
const EXTRA_CANDIDATES = 50;

/**
 * The schools whose name begins with the prefix, ignoring case, in the order of all schools; then those whose name does
 * so only if accents are ignored.
 */
export async function listSchoolsByPrefix(
  db: Connection,
  prefix: string,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<SchoolName[]> {
  const typed = foldName(prefix);
  const plain = foldAccents(prefix);
  const rows = await queryByPrefix(db, { from: plain, to: endOfPrefix(plain), prefix: typed.exact, limit });
  if (rows.length >= limit) return rows.map(nameOf);
  const [exactFrom, exactTo] = [typed.exact, endOfPrefix(typed.exact)];
  const from = nameKey(prefix);
  const wanted = limit - rows.length;
  const most = Math.min(wanted + EXTRA_CANDIDATES, Number.MAX_SAFE_INTEGER);
  const candidates = await queryAccentless(db, { from, to: endOfPrefix(from), exactFrom, exactTo, limit: most });
  // The key lacks punctuation too, so that a candidate may differ from the prefix in it: the limit applies to those
  // that are left.
  const alike = candidates.filter(({ schoolName }) => beginsWith(foldName(schoolName), typed) === 'alike');
  return [...rows, ...alike.slice(0, wanted)].map(nameOf);
}

export async function findSchool(db: Connection, id: number): Promise<StoredSchool | undefined> {
  const row = await currentSchools(db).select(SCHOOL_COLUMNS).where('id', '=', id).executeTakeFirst();
  return row && schoolOf(row);
}

/** The id of the school that another one was merged into; undefined if it was not merged, or that school is gone. */
export async function findSuccessor(db: Connection, id: number): Promise<number | undefined> {
  const row = await currentSchools(db)
    .innerJoin('merged_schools', 'merged_schools.school_id', 'schools.id')
    .select('schools.id')
    .where('merged_schools.id', '=', id)
    .executeTakeFirst();
  return row?.id;
}

/**
 * The id of the oldest school with this name in the country, or else of the oldest with this alias. Case, accents and
 * punctuation are ignored.
 */
export async function findSameSchool(db: Connection, schoolName: string, country: string): Promise<number | undefined> {
  const [key, exactKey] = [nameKey(schoolName), exactNameKey(schoolName)];
  const isCalledSo = (names: readonly string[]) => names.some((name) => exactNameKey(name) === exactKey);
  const isInCountry = ({ location }: { location: string }) => nameKey(countryOf(location)) === nameKey(country);
  const named = currentSchools(db).select(['id', 'location', 'school_name']).where('match_key', '=', key);
  const alsoKnown = currentSchools(db)
    .innerJoin('alias_keys', 'alias_keys.school_id', 'schools.id')
    .select(['schools.id', 'schools.location', 'aliases'])
    .where('alias_keys.match_key', '=', key);
  const isNamedSo = ({ school_name }: { school_name: string }) => isCalledSo([school_name]);
  const isKnownSo = ({ aliases }: { aliases: string }) => isCalledSo(JSON.parse(aliases));
  return (
    oldestOf((await named.execute()).filter(isInCountry).filter(isNamedSo)) ??
    oldestOf((await alsoKnown.execute()).filter(isInCountry).filter(isKnownSo))
  );
}

/** The keys of aliases, each once: several aliases can have the same. */
export const aliasKeysOf = (aliases: readonly string[]) => [...new Set(aliases.map(nameKey))];

/** Stores the keys of all aliases of some schools that have none stored. */
export async function insertAliasKeys(db: Connection, schools: readonly { id: number; aliases: readonly string[] }[]) {
  const rows = schools.flatMap(({ id, aliases }) =>
    aliasKeysOf(aliases).map((key) => ({ school_id: id, match_key: key })),
  );
  if (rows.length > 0) await db.insertInto('alias_keys').values(rows).execute();
}

/** Replaces the aliases of a school. */
export async function storeAliases(db: Connection, id: number, aliases: readonly string[]): Promise<void> {
  await db
    .updateTable('schools')
    .set({ aliases: JSON.stringify(aliases) })
    .where('id', '=', id)
    .execute();
  await db.deleteFrom('alias_keys').where('school_id', '=', id).execute();
  await insertAliasKeys(db, [{ id, aliases }]);
}

/** Adds a school. @param isUnchecked whether no admin has seen it */
export async function insertSchool(db: Connection, fields: SchoolFields, isUnchecked = false): Promise<StoredSchool> {
  const { id } = await db
    .insertInto('schools')
    .values({ ...columnsOf(fields), is_unchecked: isUnchecked ? 1 : 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const school = { id, aliases: [], ...fields };
  await insertAliasKeys(db, [school]);
  return school;
}

/** Changes a school for an admin. Absent aliases stay unchanged. @returns undefined when the school does not exist */
export async function updateSchool(db: Connection, id: number, fields: SchoolFields): Promise<School | undefined> {
  const { aliases: _, ...columns } = columnsOf(fields);
  const row = await db
    .updateTable('schools')
    .set({ ...columns, is_unchecked: 0 })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(SCHOOL_COLUMNS)
    .executeTakeFirst();
  if (!row) return undefined;
  const school = schoolOf(row);
  if (!fields.aliases) return school;
  await storeAliases(db, id, fields.aliases);
  return { ...school, aliases: fields.aliases };
}
