import { DatabaseSilent } from '../../database/failures.ts';

/** How long a request waits for the database if there is a stale response. */
const STALE_AFTER_MS = 1_000;

/**
 * Waits for a response, but only for a second, because the caller has a stale one.
 * @throws {DatabaseSilent} after that second
 */
export function waitBriefly<T>(response: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(new DatabaseSilent()), STALE_AFTER_MS);
  response.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
