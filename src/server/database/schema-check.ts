import { sql } from 'kysely';
import { type Connection, PendingCommit } from './database.ts';
import { migrate } from './migrate.ts';
import { connectSqliteCopy } from './sqlite-connection.ts';

/** What a database is made of, by kind and name; what SQLite makes by itself follows from the tables. */
async function readParts(db: Connection): Promise<Map<string, string>> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by name
  `.execute(db);
  return new Map(rows.map(({ type, name, sql: statement }) => [`${type} ${name}`, statement]));
}

/** The parts of a database that only the first so many migrations have made. */
async function readOwnParts(migrations: number): Promise<Map<string, string>> {
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
  for (const [name, statement] of own) if (parts.get(name) !== statement) return `its ${name} is missing or another`;
  const foreign = [...parts.keys()].find((name) => !own.has(name));
  return foreign && `its ${foreign} is none of this product`;
}
