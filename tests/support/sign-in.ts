import { openSession, signToken } from '../../src/server/accounts/sessions.ts';
import type { Database } from '../../src/server/database/database.ts';
import { openKeys } from '../../src/server/security/secrets.ts';

/** A user with a session. */
export interface SignedIn {
  readonly userId: number;
  readonly username: string;
  readonly email: string;
  readonly token: string;
}

/** Opens a session for each of these users in the database. @returns the users, in this order */
export async function signInAll(
  database: Database,
  tokenSecret: string,
  userIds: readonly number[],
): Promise<SignedIn[]> {
  const now = Date.now();
  const sessionIds = await database.write(async (db) => {
    const opened: string[] = [];
    for (const userId of userIds) opened.push(await openSession(db, userId, now));
    return opened;
  });
  const { token: key } = openKeys(tokenSecret, '');
  const users = await database.read.selectFrom('users').selectAll().where('id', 'in', userIds).execute();
  const byId = new Map(users.map((user) => [user.id, user]));
  return Promise.all(
    userIds.map(async (userId, index) => {
      const [user, sessionId] = [byId.get(userId), sessionIds[index]];
      if (!user || !sessionId) throw new Error(`There is no user ${userId}.`);
      return { userId, username: user.username, email: user.email, token: await signToken(key, sessionId, user, now) };
    }),
  );
}
