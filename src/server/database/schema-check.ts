import { sql } from 'kysely';
import { type Connection, PendingCommit } from './database.ts';
import { migrate } from './migrate.ts';
import { connectSqliteCopy } from './sqlite-connection.ts';

/** One table, index, trigger or view; an index that SQLite makes by itself has no statement. */
interface Part {
  readonly name: string;
  readonly statement: string | null;
}

/**
 * What SQLite adds to any database that somebody has run ANALYZE on: it only guides the choice of an index
 * (https://www.sqlite.org/fileformat.html#the_sqlite_stat1_table).
 */
const STATISTICS: readonly Part[] = [
  { name: 'table sqlite_stat1', statement: 'CREATE TABLE sqlite_stat1(tbl,idx,stat)' },
  { name: 'table sqlite_stat4', statement: 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' },
];

/**
 * All that a database is made of. Nothing is left out by its name: SQLite keeps names that begin with `sqlite_` to
 * itself, but takes a file that somebody else has written such a name into, and runs a trigger so called.
 */
async function readParts(db: Connection): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select type || ' ' || name as name, sql as statement from sqlite_schema order by name
  `.execute(db);
  return rows;
}

/** The parts of a database that only the first so many migrations have made. */
async function readOwnParts(migrations: number): Promise<Part[]> {
  const { kysely, raw } = connectSqliteCopy(':memory:');
  try {
    await migrate({ engine: 'sqlite', write: (unit) => unit(kysely, new PendingCommit()) }, migrations);
    return await readParts(kysely);
  } finally {
    raw.close();
  }
}

/**
 * The first part of an SQLite file that is not as the migrations make it. A trigger that somebody has added would go on
 * working in the product; without its own the audit trail could be changed; a table may have lost its checks.
 * @param migrations how many of them made the file
 * @returns what is wrong with it; undefined when all is as it should be
 */
export async function findForeignPart(db: Connection, migrations: number): Promise<string | undefined> {
  const [parts, own] = [await readParts(db), await readOwnParts(migrations)];
  const missing = own.find((part) => !parts.some((there) => isSame(there, part)));
  if (missing) return `its ${missing.name} is missing or another`;
  const allowed = [...own, ...STATISTICS];
  const foreign = parts.find((part) => !allowed.some((one) => isSame(one, part)));
  return foreign && `its ${foreign.name} is none of this product`;
}

const isSame = (one: Part, other: Part) => one.name === other.name && one.statement === other.statement;
