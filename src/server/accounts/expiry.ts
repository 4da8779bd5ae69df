import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import { deleteExpired } from './queries.ts';
import { SESSION_LIFE_MAX } from './sessions.ts';
import { UNVERIFIED_LIFE } from './signup.ts';

const EVERY_MS = 10 * 60_000;

/** Removes from time to time what has expired; nothing depends on it but the size of the tables. @returns the way to stop */
export function startExpiry(database: Database, now: () => Milliseconds, log: FastifyBaseLogger): () => void {
  const sweep = () =>
    database
      .write((db) =>
        deleteExpired(db, {
          now: now(),
          sessionsCreatedBefore: now() - SESSION_LIFE_MAX,
          unverifiedCreatedBefore: now() - UNVERIFIED_LIFE,
        }),
      )
      .catch((error: unknown) =>
        log.warn({ event: 'expiry-failed', err: error }, 'expired rows stay until the next try'),
      );
  const timer = setInterval(sweep, EVERY_MS).unref();
  return () => clearInterval(timer);
}
