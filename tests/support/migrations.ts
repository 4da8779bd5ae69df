import { sql } from 'kysely';
import type { Connection, Database } from '../../src/server/database/database.ts';
import { MIGRATIONS, migrate } from '../../src/server/database/migrate.ts';
import { connectDatabase } from '../../src/server/database/open.ts';
import { readSettings } from '../../src/server/settings/settings.ts';

/** How many migrations there are before the one of a name. @param name without its number */
export function migrationsBefore(name: string): number {
  const index = MIGRATIONS.findIndex((one) => one.name.slice('000-'.length) === name);
  if (index < 0) throw new Error(`There is no migration ${name}.`);
  return index;
}

/** Makes the database of a version with `migrationCount` migrations. @param env the settings that name the database */
export async function openOld(env: Record<string, string>, migrationCount: number): Promise<Database> {
  const database = await connectDatabase(readSettings(env).database);
  await database.write((db) => migrate(db, MIGRATIONS.slice(0, migrationCount)));
  return database;
}

/** Makes such a database and closes it. @param fill adds the rows of that version */
export async function createOld(
  env: Record<string, string>,
  migrationCount: number,
  fill: (db: Connection) => Promise<unknown> = async () => {},
): Promise<void> {
  const database = await openOld(env, migrationCount);
  await database.write(fill);
  await database.close();
}

/** A school with an entry of the same id and no review, as an earlier version adds them. */
export async function insertOldSchool(db: Connection, id: number): Promise<void> {
  const name = `School ${id}`;
  for (const statement of [
    sql`insert into schools (id, school_name, name_key, prefix_key, description, location)
      values (${id}, ${name}, ${name}, ${name}, 'x', 'y')`,
    sql`insert into entries (id, kind, school_id, name, name_key, description)
      values (${id}, 'clubs', ${id}, 'Rowing', 'rowing', 'x')`,
    sql`insert into review_counts (kind, school_id, entry_id) values ('clubs', ${id}, ${id})`,
  ]) {
    await statement.execute(db);
  }
}
