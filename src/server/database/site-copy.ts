import { sql } from 'kysely';
import { EVERYTHING } from './change-tags.ts';
import { type Connection, type Database, isPostgres } from './database.ts';
import { isDamaged, isLockTimeout, isSqliteError, isUnexpectedTable, UnusableDatabase } from './failures.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { liftTimeLimits } from './postgres-migration.ts';
import type { SiteLine } from './site-file.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import {
  createTableDigest,
  DATA_TABLES,
  type DataTable,
  type Digest,
  digestTables,
  findDifference,
  isEmpty,
  type Row,
  readRows,
  WRITTEN_WHEN_EMPTY,
  writtenColumns,
} from './table-rows.ts';

/** How long locks are waited for: longer than a server takes to start or to write. */
const LOCK_TIMEOUT_MS = 3_000;

/** The name of the last migration of this version. */
export const CURRENT_SCHEMA = MIGRATIONS.at(-1)?.name ?? '';

/** Called after each batch with the number of the table's rows so far. */
type OnCopied = (table: DataTable, amount: number) => void;

/** Runs `use` on a snapshot, which later writes do not change. */
export function inSnapshot<T>({ read }: Database, use: (db: Connection) => Promise<T>): Promise<T> {
  if (!isPostgres(read)) return read.transaction().execute(use);
  return read
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      // The timeouts are for requests. Reading a whole table takes longer.
      await liftTimeLimits(db, 'local');
      return use(db);
    });
}

/** Every row of a site, and the highest ids that were ever assigned. */
export async function* readSiteLines(db: Connection, onCopied: OnCopied): AsyncGenerator<SiteLine> {
  for (const table of DATA_TABLES) {
    let amount = 0;
    for await (const rows of readRows(db, table)) {
      yield { table, rows };
      amount += rows.length;
      onCopied(table, amount);
    }
  }
  yield { sequences: await readSequences(db) };
}

async function readSequences(db: Connection): Promise<Record<string, number>> {
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string; last: number | null }>`
        select table_name as name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), 'id')::regclass) as last
        from information_schema.columns
        where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`
    : sql<{ name: string; last: number | null }>`select name, seq as last from sqlite_sequence`
  ).execute(db);
  // SQLite has a 0 for a table that was copied while it was empty.
  return Object.fromEntries(rows.flatMap(({ name, last }) => (Number(last) > 0 ? [[name, Number(last)]] : [])));
}

interface FillOptions {
  /** Checks the filled tables before the commit. @throws when something is wrong */
  prove(db: Connection): Promise<void>;
  onCopied: OnCopied;
}

/** The writes that differ between the engines. */
interface SiteWriter {
  insert(table: DataTable, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  raiseSequence(name: string, last: number): Promise<void>;
}

/** Writes all lines into empty tables, reads every row back and compares it. @returns the digest of the rows */
async function fill(
  db: Connection,
  lines: AsyncIterable<SiteLine>,
  { insert, raiseSequence }: SiteWriter,
  onCopied: OnCopied,
): Promise<Digest> {
  const digests = new Map(DATA_TABLES.map((table) => [table, { digest: createTableDigest(), amount: 0 }]));
  for await (const line of lines) {
    if ('sequences' in line) {
      for (const [name, last] of Object.entries(line.sequences)) await raiseSequence(name, last);
      continue;
    }
    const { table, rows } = line;
    const written = digests.get(table);
    if (!written) throw new UnusableDatabase(`The file holds a table "${String(table)}" that is none of this product.`);
    await insert(table, writtenColumns(table, rows[0] ?? {}), rows);
    written.digest.add(rows);
    written.amount += rows.length;
    onCopied(table, written.amount);
  }
  const read = [...digests].map(([table, { digest }]) => [table, digest.finish()] as const);
  const expected = Object.fromEntries(read) as Digest;
  const difference = findDifference(expected, await digestTables(db));
  if (difference) {
    throw new UnusableDatabase(`The rows of ${difference} did not arrive as they were. Nothing was changed.`);
  }
  return expected;
}

/** The error for a database that has rows already. */
export const notEmptyError = () => new UnusableDatabase('The database holds data already. Import into an empty one.');

const allTables = () => sql.join(DATA_TABLES.map((table) => sql.table(table)));

/** Creates or migrates the tables, and locks them against other writers until the transaction ends. */
async function claimTables(db: Connection): Promise<void> {
  await liftTimeLimits(db, 'local');
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
  try {
    await migrate(db);
    await sql`lock table ${allTables()} in exclusive mode`.execute(db);
  } catch (error) {
    if (isLockTimeout(error)) {
      throw new UnusableDatabase('The database is in use. Stop what works on it first. Nothing was changed.');
    }
    if (isUnexpectedTable(error)) throw notEmptyError();
    throw error;
  }
}

/**
 * Fills an empty PostgreSQL database in one transaction: if it fails, nothing is there.
 * @throws {UnusableDatabase} when it is not empty, or the rows do not arrive as they were
 */
export function fillPostgres(
  target: Database,
  lines: AsyncIterable<SiteLine>,
  { prove, onCopied }: FillOptions,
): Promise<Digest> {
  return target.write(async (db, commit) => {
    await claimTables(db);
    if (!isEmpty(await digestTables(db))) throw notEmptyError();
    await db.deleteFrom(WRITTEN_WHEN_EMPTY).execute();
    const writer: SiteWriter = {
      async insert(table, names, rows) {
        const columns = sql.join(names.map((column) => sql.ref(column)));
        // One parameter for the whole batch: the property names in its JSON are the columns.
        await sql`
          insert into ${sql.table(table)} (${columns})
          select ${columns}
          from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(db);
      },
      // Sequences are not rolled back, so they are only raised.
      async raiseSequence(name, last) {
        await sql`
          select setval(sequence, greatest(cast(${last} as bigint), coalesce(pg_sequence_last_value(sequence), 0)))
          from (select pg_get_serial_sequence(${name}, 'id')::regclass as sequence) as sequences
          where sequence is not null`.execute(db);
      },
    };
    const digest = await fill(db, lines, writer, onCopied);
    // Before ANALYZE, PostgreSQL plans queries as if the tables were empty.
    await sql`analyze ${allTables()}`.execute(db);
    await prove(db);
    commit.invalidate(EVERYTHING);
    return digest;
  });
}

/**
 * Whether an SQLite file has no table yet, or no rows of a site (`isEmpty`).
 * @throws {UnusableDatabase} when its tables are not those of this version
 */
export async function isEmptySite({ raw, kysely }: SqliteConnection): Promise<boolean> {
  if (raw.prepare('select 1 from sqlite_schema').get() === undefined) return true;
  try {
    return isEmpty(await digestTables(kysely));
  } catch (error) {
    if (!isSqliteError(error) || isDamaged(error)) throw error;
    throw new UnusableDatabase('The database is of another version or another product. Import into an empty one.');
  }
}

/** Fills a new SQLite file, which the caller puts in place. */
export async function fillSqlite(
  { raw, kysely }: SqliteConnection,
  lines: AsyncIterable<SiteLine>,
  { prove, onCopied }: FillOptions,
): Promise<Digest> {
  // SQLite need not sync anything: the whole file is synced before it gets its name.
  raw.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN');
  await migrate(kysely);
  const writer: SiteWriter = {
    async insert(table, names, rows) {
      const quoted = names.map((column) => `"${column.replaceAll('"', '""')}"`);
      const statement = raw.prepare(
        `insert into ${table} (${quoted.join(', ')}) values (${quoted.map(() => '?').join(', ')})`,
      );
      for (const row of rows) statement.run(...names.map((column) => row[column] ?? null));
    },
    async raiseSequence(name, last) {
      const { changes } = raw.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?').run(last, name);
      if (changes === 0) raw.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last);
    },
  };
  const digest = await fill(kysely, lines, writer, onCopied);
  await prove(kysely);
  raw.exec('COMMIT; PRAGMA journal_mode = DELETE; ANALYZE');
  return digest;
}
