import { sql } from 'kysely';
import { type Connection, type Database, PendingCommit } from './database.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { connectSqliteCopy } from './sqlite-connection.ts';

/** A table, index, trigger or view. An index that SQLite creates automatically has no statement. */
interface Part {
  readonly name: string;
  readonly statement: string | null;
}

/**
 * The tables that ANALYZE adds to a database; they only guide the choice of an index
 * (https://www.sqlite.org/fileformat.html#the_sqlite_stat1_table).
 */
const STATISTICS: readonly Part[] = [
  { name: 'table sqlite_stat1', statement: 'CREATE TABLE sqlite_stat1(tbl,idx,stat)' },
  { name: 'table sqlite_stat4', statement: 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' },
];

/**
 * Reads the whole schema. Names that begin with `sqlite_` are not skipped: SQLite reserves them, but it opens a file
 * into which somebody has written such a name, and runs a trigger with it.
 */
async function readParts(db: Connection): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select type || ' ' || name as name, sql as statement from sqlite_schema order by name
  `.execute(db);
  return rows;
}

/** The schema that the first migrations create. */
async function readOwnParts(migrationCount: number): Promise<Part[]> {
  using own = connectSqliteCopy(':memory:');
  const write: Database['write'] = (body) => body(own.kysely, new PendingCommit());
  await migrate({ engine: 'sqlite', write }, MIGRATIONS.slice(0, migrationCount));
  return await readParts(own.kysely);
}

/**
 * Compares the schema of an SQLite file with what the migrations create. An added trigger would run in the product;
 * without the product's own triggers the audit trail could be changed; a table may have lost its checks.
 * @param migrationCount how many were applied to the file
 * @returns the first difference, as a clause for an error message; undefined when there is none
 */
export async function findForeignPart(db: Connection, migrationCount: number): Promise<string | undefined> {
  const [parts, own] = [await readParts(db), await readOwnParts(migrationCount)];
  const missing = own.find((part) => !parts.some((there) => isSame(there, part)));
  if (missing) return `its ${missing.name} is missing or another`;
  const allowed = [...own, ...STATISTICS];
  const foreign = parts.find((part) => !allowed.some((one) => isSame(one, part)));
  return foreign && `its ${foreign.name} is none of this product`;
}

const isSame = (one: Part, other: Part) => one.name === other.name && one.statement === other.statement;
