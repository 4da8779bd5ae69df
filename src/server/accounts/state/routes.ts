import * as calls from '../../../contract/user-state.ts';
import { recordAdmin } from '../../audit/queries.ts';
import type { Commit, Connection } from '../../database/database.ts';
import type { UserRow } from '../../database/tables.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { spend } from '../../http/limits/throttle.ts';
import { requireFound } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import type { AccountTools } from '../account-tools.ts';
import { findUser, findUserByEmail } from '../queries.ts';
import { deleteSessions } from '../session-queries.ts';
import { mailVerification, readUserState, unlockAccount } from './user-state.ts';

/** Serves what admins do for one person who asks for help. */
export function serveUserStates(serve: Serve, tools: AccountTools): void {
  const { database, throttles, now } = tools;

  serve.read(calls.getUserState, async ({ db, params: { userId } }) =>
    readUserState(tools, db, await requireUser(db, userId)),
  );

  serve(calls.findUser, async ({ body, caller }) => {
    // Refused after the commit, so that a mailbox without an account counts against the limit too.
    const user = await database.write(async (db) => {
      await spend(db, throttles.on(LIMITS.userLookups, caller.userId), now());
      const found = await findUserByEmail(db, body.email);
      if (found) await recordAdmin(db, caller, calls.findUser, { kind: 'user', id: found.id }, now());
      return found;
    });
    return readUserState(tools, database.read, requireFound(user, 'user'));
  });

  /** Serves a call that does something for a user, and records it in the audit trail. */
  function serveHelp(
    call: typeof calls.unlockUser,
    help: (db: Connection, user: UserRow, commit: Commit) => Promise<void>,
  ): void {
    serve.write(call, async ({ db, commit, params, caller }) => {
      await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
      const user = await requireUser(db, params.userId);
      await help(db, user, commit);
      await recordAdmin(db, caller, call, { kind: 'user', id: user.id }, now());
    });
  }

  serveHelp(calls.unlockUser, (db, user) => unlockAccount(tools, db, user));
  serveHelp(calls.mailPasscode, (db, user, commit) => mailVerification(tools, db, commit, user));
  serveHelp(calls.endUserSessions, (db, { id }) => deleteSessions(db, id));
}

const requireUser = async (db: Connection, userId: number) => requireFound(await findUser(db, userId), 'user');
