import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { refusals } from '../refusals/refusals.ts';
import type { Limit } from './limits.ts';
import { listCreationTimes, type UserRows } from './queries.ts';

/**
 * Applies a limit to the rows that a user has added, of which the newest may be one too many. Unlike a throttle it needs
 * no counter, and its window moves on with each row.
 * @throws a 429 when there are more than the limit allows; the transaction is then rolled back with the new row
 */
export async function requireRowLimit(
  db: Connection,
  table: UserRows,
  { max, windowMs, sentence }: Limit,
  userId: number,
  now: Milliseconds,
): Promise<void> {
  const times = await listCreationTimes(db, table, userId, { since: now - windowMs, most: max + 1 });
  const oldest = times[max - 1];
  if (times.length > max && oldest !== undefined)
    throw refusals.tooManyRequests(sentence, (oldest + windowMs - now) / 1000);
}
