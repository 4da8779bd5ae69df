import { type ChangeListener, type Database, NOBODY_LISTENS } from './database.ts';
import { migrate } from './migrate.ts';
import { openForMigration, openPostgres, type PostgresAddress } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** A PostgreSQL address, or the path of the embedded database. */
export type DatabaseAddress = PostgresAddress | { readonly sqlite: string };

/** Opens the database and applies the migrations. Only here an engine is chosen. */
export async function openDatabase(
  address: DatabaseAddress,
  listener: ChangeListener = NOBODY_LISTENS,
): Promise<Database> {
  if ('postgres' in address) {
    const migrating = openForMigration(address);
    await migrate(migrating).finally(migrating.close);
    return openPostgres(address, listener);
  }
  const database = openSqlite(address.sqlite, listener);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
