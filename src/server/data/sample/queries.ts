import type { Connection } from '../../database/database.ts';

/** Whether the database already contains schools or users. */
export async function isInUse(db: Connection): Promise<boolean> {
  const [school, user] = await Promise.all([
    db.selectFrom('schools').select('id').limit(1).executeTakeFirst(),
    db.selectFrom('users').select('id').limit(1).executeTakeFirst(),
  ]);
  return school !== undefined || user !== undefined;
}
