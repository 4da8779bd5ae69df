import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, NOBODY_LISTENS } from '../../src/server/database/database.ts';
import { migrate } from '../../src/server/database/migrate.ts';
import { openForMigration } from '../../src/server/database/postgres.ts';
import { openSqlite } from '../../src/server/database/sqlite.ts';
import { readSettings } from '../../src/server/settings/settings.ts';

const FOLDER = 'src/server/database/migrations';
const FILES = readdirSync(FOLDER).sort();

/** How many migrations there are before the one of a name. @param name without its number */
export function migrationsBefore(name: string): number {
  const index = FILES.findIndex((file) => file.endsWith(`-${name}.ts`));
  if (index < 0) throw new Error(`There is no migration ${name}.`);
  return index;
}

/** The path of a migration. @param name without its number */
export const migrationFile = (name: string) => join(FOLDER, FILES[migrationsBefore(name)] ?? '');

/** Makes the database of a version with so many migrations. @param env the settings that name the database */
export async function openOld(
  env: Record<string, string>,
  migrations: number,
): Promise<Pick<Database, 'engine' | 'write' | 'close'>> {
  const address = readSettings(env).database;
  const database = 'postgres' in address ? openForMigration(address) : openSqlite(address.sqlite, NOBODY_LISTENS);
  await migrate(database, migrations);
  return database;
}
