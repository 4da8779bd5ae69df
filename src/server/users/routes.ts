import * as calls from '../../contract/users.ts';
import { recordAdmin } from '../audit/queries.ts';
import { changes, tags } from '../cache/tags.ts';
import { lockRow } from '../database/lock-row.ts';
import { deleteMarksOf } from '../helpful/queries.ts';
import { LIMITS } from '../limits/limits.ts';
import { type LimitedTools, spend } from '../limits/throttle.ts';
import { refusals } from '../refusals/refusals.ts';
import { anonymiseReviews } from '../reviews/queries.ts';
import type { Serve } from '../serve/serve.ts';
import * as queries from './queries.ts';

const LAST_ADMIN = 'The last admin can neither be demoted nor deleted. Make somebody else an admin first.';

const UNVERIFIED = 'This account is not verified yet. It can become an admin once its owner has verified it.';

/** Serves the calls of spec §7, "Users". */
export function serveUsers(serve: Serve, { throttles, now }: LimitedTools): void {
  serve.read(calls.getUsers, ({ db }) => queries.listUsers(db));

  serve.write(calls.updateUser, async ({ db, commit, params: { id }, body: { isAdmin }, caller, log }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    if (!isAdmin && (await queries.isLastAdmin(db, id))) throw refusals.clash(LAST_ADMIN);
    if (isAdmin && (await queries.isUnverified(db, id))) throw refusals.clash(UNVERIFIED);
    const user = await queries.setAdmin(db, id, isAdmin);
    if (!user) throw refusals.notFound('user');
    const role = isAdmin ? 'an admin' : 'no admin';
    await recordAdmin(db, caller, calls.updateUser, { kind: 'user', id }, now(), role);
    commit.after(() =>
      log.info({ event: 'admin-flag', userId: caller.userId, targetId: id, isAdmin }, 'admin flag changed'),
    );
    return user;
  });

  serve.write(calls.deleteUser, async ({ db, commit, params: { id }, caller, log }) => {
    await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
    if (await queries.isLastAdmin(db, id)) throw refusals.clash(LAST_ADMIN);
    // A review posted in this name meanwhile would keep the name.
    await lockRow(db, 'users', id);
    const entryIds = await anonymiseReviews(db, id);
    const markedEntryIds = await deleteMarksOf(db, id);
    if (!(await queries.deleteUser(db, id))) throw refusals.notFound('user');
    await recordAdmin(db, caller, calls.deleteUser, { kind: 'user', id }, now());
    commit.invalidate(...entryIds.map((entryId) => tags.reviewsOf(entryId)), ...changes.marksChanged(markedEntryIds));
    commit.after(() => log.info({ event: 'user-deleted', userId: caller.userId, targetId: id }, 'user deleted'));
    return {};
  });
}
