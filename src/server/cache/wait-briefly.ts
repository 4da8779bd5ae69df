import { DatabaseSilent } from '../database/failures.ts';

/** How long a reader waits for the database while a stale response is at hand. */
const STALE_AFTER_MS = 1_000;

/**
 * Waits for a response no longer than it is worth waiting when there is a stale one.
 * @throws {DatabaseSilent} when it takes longer than a second
 */
export function waitBriefly<T>(response: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new DatabaseSilent()), STALE_AFTER_MS);
  response.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
