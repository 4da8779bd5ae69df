import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Connection } from './database.ts';
import type { Tables } from './tables.ts';

/** How many rows one statement reads. */
const BATCH_SIZE = 500;

/** The tables with a site's data: all but those about the schema, and those by which processes coordinate. */
export type DataTable = Exclude<keyof Tables, 'migrations' | 'served_versions' | 'change_log' | 'replica_beats'>;

/** The primary keys. Each table comes after the tables that it refers to. */
const PRIMARY_KEYS = {
  schools: ['id'],
  alias_keys: ['school_id', 'match_key'],
  merged_schools: ['id'],
  users: ['id'],
  // Before the entries: PostgreSQL's trigger for new entries adds the rows that are missing here.
  entry_schools: ['entry_id'],
  entries: ['id'],
  deletions: ['id'],
  review_counts: ['entry_id'],
  relation_counts: ['entry_id', 'relation'],
  reviews: ['id'],
  helpful_marks: ['review_id', 'user_id'],
  former_names: ['name_hash'],
  email_changes: ['id'],
  refused_logins: ['id'],
  account_mails: ['id'],
  sessions: ['id'],
  passcodes: ['user_id', 'purpose'],
  throttles: ['key'],
  outbox: ['id'],
  profiles: ['user_id'],
  saved_schools: ['user_id', 'school_id'],
  audit_entries: ['id'],
  review_events: ['id'],
  removals: ['id'],
  removal_heads: ['id'],
  moderation_items: ['review_id'],
  held_hides: ['review_id'],
  reports: ['id'],
  appeals: ['id'],
  proposals: ['id'],
  proposal_reviews: ['id'],
  site_acts: ['id'],
  site_days: ['day', 'act'],
  waiting_mails: ['id'],
} as const satisfies { [Table in DataTable]: readonly (keyof Tables[Table])[] };

/** Generated columns, which cannot be written. */
const GENERATED_COLUMNS: { [Table in DataTable]?: readonly (keyof Tables[Table])[] } = {
  review_counts: ['review_count', 'half_star_sum'],
};

/** The columns of a row that can be written. */
export function writtenColumns(table: DataTable, row: Row): string[] {
  const generated: readonly string[] = GENERATED_COLUMNS[table] ?? [];
  return Object.keys(row).filter((column) => !generated.includes(column));
}

/** All tables of a site. Each comes after the tables that it refers to. */
export const DATA_TABLES = Object.keys(PRIMARY_KEYS) as DataTable[];

export type Row = Readonly<Record<string, string | number | null>>;

/** Reads a table in batches, ordered by its key: memory stays constant, and both engines give the same rows. */
export async function* readRows(db: Connection, table: DataTable): AsyncGenerator<Row[]> {
  const columns = PRIMARY_KEYS[table];
  const key = sql.join(columns.map((column) => sql.ref(column)));
  let afterCursor = sql``;
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} ${afterCursor} order by ${key} limit ${BATCH_SIZE}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    afterCursor = sql`where (${key}) > (${sql.join(columns.map((column) => last[column]))})`;
  }
}

interface TableDigest {
  readonly rows: number;
  readonly hash: string;
}

export type Digest = Readonly<Record<DataTable, TableDigest>>;

/** Computes the digest of one table from its rows, which must come in the order of its key. */
export function createTableDigest() {
  const hash = createHash('sha256');
  let amount = 0;
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        // Sorted by name, because the engines have different column orders.
        const names = Object.keys(row).sort();
        hash.update(JSON.stringify(names.map((name) => [name, row[name]])));
      }
      amount += rows.length;
    },
    finish: (): TableDigest => ({ rows: amount, hash: hash.digest('hex') }),
  };
}

/** Computes the digests of all tables. */
export async function digestTables(db: Connection): Promise<Digest> {
  const digests: [DataTable, TableDigest][] = [];
  for (const table of DATA_TABLES) {
    const digest = createTableDigest();
    for await (const rows of readRows(db, table)) digest.add(rows);
    digests.push([table, digest.finish()]);
  }
  return Object.fromEntries(digests) as Record<DataTable, TableDigest>;
}

/** The first table that differs; undefined when all have the same rows. */
export function findDifference(one: Digest, other: Digest): DataTable | undefined {
  return DATA_TABLES.find((table) => one[table].hash !== other[table].hash);
}

/** A server adds each day's numbers to this table even while all others are empty. */
export const WRITTEN_WHEN_EMPTY: DataTable = 'site_days';

/** Whether all tables are empty, except `WRITTEN_WHEN_EMPTY`. */
export function isEmpty(digest: Digest): boolean {
  return DATA_TABLES.every((table) => table === WRITTEN_WHEN_EMPTY || digest[table].rows === 0);
}
