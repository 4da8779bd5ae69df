import * as calls from '../../contract/users.ts';
import { noteAct } from '../audit/queries.ts';
import { tags } from '../cache/tags.ts';
import { refusals } from '../http/refusals.ts';
import type { Serve } from '../http/router.ts';
import { anonymiseReviews } from '../reviews/queries.ts';
import { LIMITS } from '../security/limits.ts';
import { type LimitedTools, spend } from '../security/throttle.ts';
import * as queries from './queries.ts';

const LAST_ADMIN = 'The last admin can neither be demoted nor deleted. Make somebody else an admin first.';

/** Serves the calls of spec §7, "Users". */
export function serveUsers(serve: Serve, { database, throttles, now }: LimitedTools): void {
  serve(calls.getUsers, () => queries.listUsers(database.read));

  serve(calls.updateUser, async ({ params: { id }, body: { isAdmin }, caller, log }) => {
    const user = await database.write(async (db) => {
      await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
      if (!isAdmin && (await queries.isLastAdmin(db, id))) throw refusals.clash(LAST_ADMIN);
      const changed = await queries.setAdmin(db, id, isAdmin);
      if (changed) {
        const target = `user ${id}, ${changed.username}: ${isAdmin ? 'an admin' : 'no admin'}`;
        await noteAct(db, caller, calls.updateUser, target, now());
      }
      return changed;
    });
    if (!user) throw refusals.notFound('user');
    log.info({ event: 'admin-flag', userId: caller.userId, targetId: id, isAdmin }, 'admin flag changed');
    return user;
  });

  serve(calls.deleteUser, async ({ params: { id }, caller, log }) => {
    await database.write(async (db, commit) => {
      await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
      if (await queries.isLastAdmin(db, id)) throw refusals.clash(LAST_ADMIN);
      await queries.lockUser(db, database.engine, id);
      const entryIds = await anonymiseReviews(db, id);
      const username = await queries.deleteUser(db, id);
      if (username === undefined) throw refusals.notFound('user');
      await noteAct(db, caller, calls.deleteUser, `user ${id}, ${username}`, now());
      commit.invalidate(...entryIds.map((entryId) => tags.reviewsOf(entryId)));
    });
    log.info({ event: 'user-deleted', userId: caller.userId, targetId: id }, 'user deleted');
    return {};
  });
}
