import type { Database, TagListener } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** A PostgreSQL address, or the path of the embedded database. */
export type DatabaseAddress = { postgres: string } | { sqlite: string };

/** Opens the database and brings its tables up to date. The one place where an engine is chosen. */
export async function openDatabase(address: DatabaseAddress, onTags: TagListener = () => {}): Promise<Database> {
  const database = 'postgres' in address ? openPostgres(address.postgres, onTags) : openSqlite(address.sqlite, onTags);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
