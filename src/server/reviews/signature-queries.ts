import type { Connection } from '../database/database.ts';
import { locking } from '../database/lock-row.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { EntryKey, ReviewKey } from '../database/review-tables.ts';
import { lockBySchool } from '../visibility/location-queries.ts';
import { allReviews } from '../visibility/queries.ts';
import { entryKeyOf, updateStored } from './states/queries.ts';

// The names under signed reviews. They are stored with the reviews, and follow the name of the account.

/** The name that an author has now. */
export const composeUsername = (db: Connection, param: Param<{ userId: number }>) =>
  db.selectFrom('users').select('username').where('id', '=', param('userId'));

const queryUsername = prepareQuery(composeUsername);

/**
 * Signs a stored review with the name that its author has now. The name is read after the review was stored. So a
 * concurrent renaming of the author has either committed before the name is read, or waits for the row of the author or
 * of the review, and then renames this review too.
 */
export async function signCurrently<Row extends ReviewKey & { readonly username: string | null }>(
  db: Connection,
  row: Row,
  userId: number,
): Promise<Row> {
  if (row.username === null) return row;
  const [{ username } = row] = await queryUsername(db, { userId });
  if (username === row.username) return row;
  await updateStored(db, row).set({ username }).execute();
  return { ...row, username };
}

/**
 * Signs a user's reviews with a new name. @returns the entries whose responses showed the former name. The entries of
 * anonymous reviews are left out: invalidating them would show an observer where the user wrote.
 */
export async function renameReviews(db: Connection, userId: number, username: string): Promise<EntryKey[]> {
  const signed = await lockSigned(db, userId);
  await db
    .updateTable('reviews')
    .set({ username })
    .where('user_id', '=', userId)
    .where('username', 'is not', null)
    .execute();
  return signed;
}

/**
 * Locks all reviews of a user, anonymous ones too: otherwise one that a concurrent edit signs would keep the name.
 * @returns the entries of the signed reviews
 */
async function lockSigned(db: Connection, userId: number): Promise<EntryKey[]> {
  const locked = await lockBySchool(allReviews(db).where('user_id', '=', userId), (reviews) =>
    locking(db, reviews.select(['entry_id', 'school_id', 'username'])).execute(),
  );
  return locked.filter((row) => row.username !== null).map(entryKeyOf);
}

/**
 * Removes the author from all reviews of a user.
 * @returns the entries whose responses showed the username, to be invalidated. Invalidating those with anonymous
 * reviews too would show an observer where the user wrote.
 */
export async function anonymiseReviews(db: Connection, userId: number): Promise<EntryKey[]> {
  const signed = await lockSigned(db, userId);
  await db.updateTable('reviews').set({ user_id: null, username: null }).where('user_id', '=', userId).execute();
  return signed;
}
