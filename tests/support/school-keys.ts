import { MIGRATIONS } from '../../src/server/database/migrate.ts';
import { migratePostgres } from '../../src/server/database/postgres-migration.ts';
import { SCHOOL_KEYS } from './next-school-keys.ts';
import { withClient } from './postgres.ts';

const QUIET = { onApplied() {}, onWaiting() {} };

/**
 * Gives a PostgreSQL database of this version the keys of the next release, by the migrations of that release. They are
 * not listed as applied, because this version opens no database with migrations that it does not know.
 */
export async function applySchoolKeys(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query('select oldest from served_versions');
    await migratePostgres(url, QUIET, [...MIGRATIONS, ...SCHOOL_KEYS]);
    await client.query('delete from migrations where number > $1', [MIGRATIONS.length]);
    await client.query('update served_versions set oldest = $1', [rows[0].oldest]);
  });
}
