import { randomBytes } from 'node:crypto';
import { HOUR, MINUTE } from '../../contract/durations.ts';
import type { Connection, Database } from '../database/database.ts';
import { failureFields, isUnavailable } from '../database/failures.ts';
import type { Milliseconds, UserRow } from '../database/tables.ts';
import { BOUNDS } from '../http/limits/bounds.ts';
import { refusals } from '../http/refusals/refusals.ts';
import type { Identify } from '../http/serve/serve.ts';
import type { KeyRing } from '../security/secrets.ts';
import { createTokenReader, issueToken } from '../security/tokens.ts';
import { deleteOldestSessions, findSession, insertSession, touchSession } from './session-queries.ts';

/** The lifetime of a session in total, and while it is unused. It is shorter for admins, who have more privileges. */
const LIFETIMES = {
  user: { absolute: 24 * HOUR, idle: 4 * HOUR },
  admin: { absolute: 12 * HOUR, idle: HOUR },
};

/** The longest lifetime: an older session row can be deleted. */
export const SESSION_LIFETIME_MAX = LIFETIMES.user.absolute;

/** The last use is stored at most this often: a write for each read would cost more than the read. */
const TOUCH_EVERY = 10 * MINUTE;

/** How far the clocks of several machines may differ. */
const CLOCK_SKEW_MAX = MINUTE;

const lifetimeOf = (isAdmin: boolean) => (isAdmin ? LIFETIMES.admin : LIFETIMES.user);

/** Whether a session has expired, by its age or because it was not used. Its row may still be there. */
export function isExpired(
  session: { created_at: Milliseconds; used_at: Milliseconds },
  isAdmin: boolean,
  now: Milliseconds,
): boolean {
  const { absolute, idle } = lifetimeOf(isAdmin);
  return now - session.created_at >= absolute || now - session.used_at >= idle;
}

/**
 * Opens a session. If the user has too many, the oldest one ends.
 * @returns its id, for the token that is signed after the commit
 */
export async function openSession(db: Connection, userId: number, now: Milliseconds): Promise<string> {
  const sessionId = randomBytes(16).toString('base64url');
  // Deleted before the insert, so that the new session survives even if all were opened in the same millisecond.
  await deleteOldestSessions(db, userId, BOUNDS.sessions.max - 1);
  await insertSession(db, sessionId, userId, now);
  return sessionId;
}

/** Signs the token of a session. */
export function signToken([tokenKey]: KeyRing, sessionId: string, user: UserRow, now: Milliseconds): Promise<string> {
  const isAdmin = user.is_admin === 1;
  const claims = { userId: user.id, username: user.username, isAdmin, sessionId };
  return issueToken(tokenKey, claims, now, now + lifetimeOf(isAdmin).absolute);
}

/** Reads the user of a token and their privileges from the database: the token only identifies the session. */
export function createIdentify(database: Database, tokenKeys: KeyRing, now: () => Milliseconds): Identify {
  const readToken = createTokenReader(tokenKeys);
  return async (token, log) => {
    const time = now();
    const claims = await readToken(token, time);
    const session = claims && (await findSession(database.read, claims.sessionId));
    const invalidToken = () => refusals.invalidToken({ event: 'dead-token', userId: claims?.userId });
    if (!session || session.user_id !== claims.userId) throw invalidToken();
    const isAdmin = session.is_admin === 1;
    // The last use is in the future: the clock was set back, and the session would be valid for longer.
    if (session.used_at - time > CLOCK_SKEW_MAX) throw invalidToken();
    if (isExpired(session, isAdmin, time)) throw invalidToken();
    if (time - session.used_at >= TOUCH_EVERY) {
      await database
        .write((db) => touchSession(db, claims.sessionId, time))
        .catch((error: unknown) => {
          // A read must not fail because the database accepts no writes. The last use is then not recorded.
          if (!isUnavailable(error)) throw error;
          log.warn({ event: 'session-not-touched', ...failureFields(error) }, 'the use of a session was not noted');
        });
    }
    const { user_id: userId, username, joinedAt } = session;
    return { userId, username, tokenUsername: claims.username, isAdmin, joinedAt, sessionId: claims.sessionId };
  };
}
