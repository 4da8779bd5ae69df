import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/server/database/database.ts';
import { MIGRATIONS, migrate } from '../../src/server/database/migrate.ts';
import { connectDatabase } from '../../src/server/database/open.ts';
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
export async function openOld(env: Record<string, string>, migrations: number): Promise<Database> {
  const database = await connectDatabase(readSettings(env).database);
  await migrate(database, MIGRATIONS.slice(0, migrations));
  return database;
}
