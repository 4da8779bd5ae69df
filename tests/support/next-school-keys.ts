import { sql } from 'kysely';
import { type Connection, isPostgres } from '../../src/server/database/database.ts';
import type { ColumnTypes, Migration } from '../../src/server/database/migrate.ts';
import { serveFrom } from '../../src/server/database/served-versions.ts';

// Not among the migrations of this version. 1.0.0 is the first version that works on these keys, and versions before it
// still use the old ones in a rolling upgrade: the next release puts SCHOOL_KEYS at the end of MIGRATIONS. Its tests
// run today: tests/api/school-keys.test.ts, and every API test with SCHOOL_KEYS=1. See
// docs/decisions/060-school-keys.md.
//
// For PostgreSQL alone. A file of SQLite stays on one machine, and each of these keys would be one more index there.

interface Keys {
  readonly primary: readonly string[];
  readonly unique?: readonly string[];
  /** The table that its rows belong to: they refer to it by this column and the school. */
  readonly parent?: readonly [column: string, table: 'entries' | 'reviews'];
  /** Constraints that name no school, beside the primary key. */
  readonly dropped?: readonly string[];
  /** Migration 061 has built the unique index of this primary key. */
  readonly isBuilt?: true;
}

/** Each key begins as the one that it replaces, so that statements about all schools are served by it too. */
const KEYS: Readonly<Record<string, Keys>> = {
  entries: { primary: ['id'], dropped: ['entries_merged_into_fkey'] },
  reviews: {
    primary: ['id'],
    unique: ['user_id', 'entry_id'],
    parent: ['entry_id', 'entries'],
    dropped: ['reviews_user_id_entry_id_key', 'reviews_entry_id_fkey'],
  },
  review_counts: {
    primary: ['entry_id'],
    parent: ['entry_id', 'entries'],
    dropped: ['review_counts_entry_id_key', 'review_counts_entry_id_fkey'],
  },
  relation_counts: {
    primary: ['entry_id', 'relation'],
    parent: ['entry_id', 'entries'],
    dropped: ['relation_counts_entry_id_fkey'],
    isBuilt: true,
  },
  helpful_marks: {
    primary: ['review_id', 'user_id'],
    parent: ['review_id', 'reviews'],
    dropped: ['helpful_marks_review_id_fkey'],
  },
  moderation_items: {
    primary: ['review_id'],
    parent: ['review_id', 'reviews'],
    dropped: ['moderation_items_review_id_fkey'],
    isBuilt: true,
  },
  held_hides: { primary: ['review_id'], parent: ['review_id', 'reviews'], dropped: ['held_hides_review_id_fkey'] },
  reports: {
    primary: ['id'],
    unique: ['review_id', 'user_id'],
    parent: ['review_id', 'reviews'],
    dropped: ['reports_review_id_user_id_key', 'reports_review_id_fkey'],
  },
  appeals: { primary: ['id'], parent: ['review_id', 'reviews'], dropped: ['appeals_review_id_fkey'] },
};

/** The tables that can be distributed by `school_id` once they have these keys. */
export const TABLES_OF_SCHOOLS = Object.keys(KEYS);

/** `review_counts` has its primary key already: it begins with the category. */
const KEEPS_PRIMARY_KEY = 'review_counts';

const primaryIndex = (table: string) => `${table}_of_school`;
const uniqueIndex = (table: string) => `${table}_once_a_school`;
const parentKey = (table: string) => `${table}_of_school_fkey`;
const presence = (table: string) => `${table}_has_school`;

const each = <Row>(toRow: (table: string, keys: Keys) => Row[]): Row[] =>
  Object.entries(KEYS).flatMap(([table, keys]) => toRow(table, keys));

/** `statements` on PostgreSQL, and nothing on SQLite. */
const onPostgres =
  (statements: readonly string[]) =>
  ({ engine }: ColumnTypes): readonly string[] =>
    engine === 'postgres' ? statements : [];

/** Validates one constraint, which locks out nobody. @returns 0 when none is left */
async function validateNext(db: Connection): Promise<number> {
  if (!isPostgres(db)) return 0;
  const { rows } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where not convalidated and connamespace = current_schema()::regnamespace limit 1`.execute(db);
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} validate constraint ${sql.ref(name)}`.execute(db);
  }
  return rows.length;
}

/** Functions that serve versions before 1.0.0: they fill columns that 1.0.0 fills itself. */
const OLD_FUNCTIONS = [
  ...['fill_school_of_review', 'fill_school_of_entry', 'move_rows_of_review', 'move_counts_of_entry'],
  'note_school_of_entry',
];

export const SCHOOL_KEYS: readonly Migration[] = [
  {
    name: 'school-keys-begun',
    statements: onPostgres([
      serveFrom('1.0.0'),
      ...OLD_FUNCTIONS.map((name) => `drop function ${name}() cascade`),
      ...each((table) => [
        `alter table ${table} add constraint ${presence(table)} check (school_id is not null) not valid`,
      ]),
    ]),
  },
  {
    name: 'school-keys-built',
    indexes: onPostgres(
      each((table, { primary, unique, isBuilt }) => [
        ...(isBuilt
          ? []
          : [`create unique index ${primaryIndex(table)} on ${table} (${[...primary, 'school_id'].join(', ')})`]),
        ...(unique ? [`create unique index ${uniqueIndex(table)} on ${table} (${unique.join(', ')}, school_id)`] : []),
      ]),
    ),
    backfill: validateNext,
  },
  {
    name: 'school-keys-changed',
    statements: onPostgres([
      'alter table deletions drop constraint deletions_entry_id_fkey',
      // The constraints are validated by now, so that no row is read.
      ...each((table) => [
        `alter table ${table} alter column school_id set not null`,
        `alter table ${table} drop constraint ${presence(table)}`,
      ]),
      ...each((table, { dropped = [] }) => dropped.map((name) => `alter table ${table} drop constraint ${name}`)),
      ...each((table, { unique }) => [
        ...(table === KEEPS_PRIMARY_KEY
          ? [`alter table ${table} add constraint ${primaryIndex(table)} unique using index ${primaryIndex(table)}`]
          : [
              `alter table ${table} drop constraint ${table}_pkey`,
              `alter table ${table} add constraint ${table}_pkey primary key using index ${primaryIndex(table)}`,
            ]),
        ...(unique
          ? [`alter table ${table} add constraint ${uniqueIndex(table)} unique using index ${uniqueIndex(table)}`]
          : []),
      ]),
      ...each((table, { parent }) => {
        if (!parent) return [];
        const [column, to] = parent;
        return [
          `alter table ${table} add constraint ${parentKey(table)} foreign key (${column}, school_id)
            references ${to} (id, school_id) on delete cascade not valid`,
        ];
      }),
    ]),
  },
  { name: 'school-keys-validated', backfill: validateNext },
];
