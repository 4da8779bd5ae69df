import type { Connection } from '../../database/database.ts';
import { hasRow } from '../../database/found-rows.ts';

/** Whether the database already contains schools or users. */
export async function isInUse(db: Connection): Promise<boolean> {
  const hasSchool = await hasRow(db.selectFrom('schools').select('id').limit(1));
  return hasSchool || hasRow(db.selectFrom('users').select('id').limit(1));
}
