// Drops a column that processes of the version before read, in the transaction of the migrations.
import { type Kysely, sql } from 'kysely';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<(db: Kysely<unknown>) => Promise<void>>(
  'database/postgres-migration.ts',
  'lockTables',
  (lockTables) => async (db) => {
    await lockTables(db);
    await sql`alter table reviews drop column edited_at`.execute(db);
  },
);
