import { sql } from 'kysely';
import type { Connection } from './database.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { connectSqliteCopy } from './sqlite-connection.ts';

/** A table, index, trigger or view. An index that SQLite creates automatically has no statement. */
interface SchemaObject {
  readonly name: string;
  readonly statement: string | null;
}

/**
 * The tables that ANALYZE adds to a database; they only guide the choice of an index
 * (https://www.sqlite.org/fileformat.html#the_sqlite_stat1_table).
 */
const STATISTICS_TABLES: readonly SchemaObject[] = [
  { name: 'table sqlite_stat1', statement: 'CREATE TABLE sqlite_stat1(tbl,idx,stat)' },
  { name: 'table sqlite_stat4', statement: 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' },
];

/**
 * Reads the whole schema. Names that begin with `sqlite_` are included: SQLite reserves them, but it runs a trigger
 * with such a name in a manipulated file.
 */
async function readSchema(db: Connection): Promise<SchemaObject[]> {
  const { rows } = await sql<SchemaObject>`
    select type || ' ' || name as name, sql as statement from sqlite_schema order by name
  `.execute(db);
  return rows;
}

/** The schema that the first migrations create. */
async function readExpectedSchema(migrationCount: number): Promise<SchemaObject[]> {
  using created = connectSqliteCopy(':memory:');
  await migrate(created.kysely, MIGRATIONS.slice(0, migrationCount));
  return await readSchema(created.kysely);
}

/**
 * Compares the schema of an SQLite file with what the migrations create. An added trigger would run in the product;
 * without the product's own triggers the audit trail could be changed; a table may have lost its checks.
 * @param migrationCount how many were applied to the file
 * @returns the first difference, as a clause for an error message; undefined when there is none
 */
export async function findSchemaDifference(db: Connection, migrationCount: number): Promise<string | undefined> {
  const [schema, expected] = [await readSchema(db), await readExpectedSchema(migrationCount)];
  const missing = expected.find((one) => !schema.some((other) => isSame(one, other)));
  if (missing) return `its ${missing.name} is missing or another`;
  const allowed = [...expected, ...STATISTICS_TABLES];
  const foreign = schema.find((one) => !allowed.some((other) => isSame(one, other)));
  return foreign && `its ${foreign.name} is none of this product`;
}

const isSame = (one: SchemaObject, other: SchemaObject) => one.name === other.name && one.statement === other.statement;
