import type { Database } from '../../src/server/database/database.ts';
import { MIGRATIONS, migrate } from '../../src/server/database/migrate.ts';
import { connectDatabase } from '../../src/server/database/open.ts';
import { readSettings } from '../../src/server/settings/settings.ts';

/** How many migrations there are before the one of a name. @param name without its number */
export function migrationsBefore(name: string): number {
  const index = MIGRATIONS.findIndex((one) => one.name.slice('000-'.length) === name);
  if (index < 0) throw new Error(`There is no migration ${name}.`);
  return index;
}

/** Makes the database of a version with so many migrations. @param env the settings that name the database */
export async function openOld(env: Record<string, string>, migrations: number): Promise<Database> {
  const database = await connectDatabase(readSettings(env).database);
  await migrate(database, MIGRATIONS.slice(0, migrations));
  return database;
}
