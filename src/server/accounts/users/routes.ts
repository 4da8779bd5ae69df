import * as calls from '../../../contract/users.ts';
import { recordAdmin } from '../../audit/queries.ts';
import { lockRow } from '../../database/lock-row.ts';
import { changes } from '../../http/cache/tags.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { type LimitedTools, spend } from '../../http/limits/throttle.ts';
import { refusals, requireFound } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { deleteQueuedMails } from '../../mail/queries.ts';
import { deleteMailFiles, type MailTransport } from '../../mail/transport.ts';
import { deleteMarksOf } from '../../reviews/helpful/queries.ts';
import { anonymiseReviews } from '../../reviews/signature-queries.ts';
import { lockManyReviews } from '../../visibility/location-queries.ts';
import { deleteSessions } from '../session-queries.ts';
import { removeContributions } from './contributions.ts';
import type { UserMailPurpose } from './mails.ts';
import * as queries from './queries.ts';

const LAST_ADMIN = 'The last admin can neither be demoted nor deleted. Make somebody else an admin first.';

const UNVERIFIED = 'This account is not verified yet. It can become an admin once its owner has verified it.';

const BLOCKED = 'This account is blocked. Unblock it before you make it an admin.';

const IS_ADMIN = 'An admin cannot be blocked. Take the admin flag away first.';

/** The tools that the calls for users need. */
interface UserTools extends LimitedTools {
  readonly outbox: Outbox<UserMailPurpose>;
  readonly transport: MailTransport;
}

/** Serves the calls of spec §7, "Users", and blocking. */
export function serveUsers(serve: Serve, { throttles, now, outbox, transport }: UserTools): void {
  serve.read(calls.getUsers, ({ db }) => queries.listUsers(db));

  serve.write(calls.updateUser, async ({ db, commit, params: { id }, body: { isAdmin }, caller, log }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    if (!isAdmin && (await queries.isLastAdmin(db, id))) throw refusals.conflict(LAST_ADMIN);
    if (isAdmin) {
      const before = await queries.lockUser(db, id);
      if (before?.verified_at === null) throw refusals.conflict(UNVERIFIED);
      if (before && before.blocked_reason !== null) throw refusals.conflict(BLOCKED);
    }
    const user = requireFound(await queries.changeUser(db, id, { is_admin: isAdmin ? 1 : 0 }), 'user');
    const action = isAdmin ? 'an admin' : 'no admin';
    await recordAdmin(db, caller, calls.updateUser, { kind: 'user', id }, now(), { action });
    commit.after(() =>
      log.info({ event: 'admin-flag', userId: caller.userId, targetId: id, isAdmin }, 'admin flag changed'),
    );
    return user;
  });

  serve.write(calls.blockUser, async ({ db, commit, params: { userId }, body, caller, log }) => {
    const { isBlocked, reason } = body;
    if (isBlocked && reason === undefined) throw refusals.badInput('The reason is missing.', 'reason');
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    if (isBlocked) await spend(db, throttles.on(LIMITS.blocks, caller.userId), now());
    const before = await queries.lockUser(db, userId);
    if (isBlocked && before?.is_admin === 1) throw refusals.conflict(IS_ADMIN);
    const user = await queries.changeUser(db, userId, { blocked_reason: isBlocked ? (reason ?? null) : null });
    if (!before || !user) throw refusals.notFound('user');
    if (isBlocked) await deleteSessions(db, userId);
    const action = isBlocked ? 'blocked' : 'unblocked';
    await recordAdmin(db, caller, calls.blockUser, { kind: 'user', id: userId }, now(), { action, reason });
    if (isBlocked && before.blocked_reason !== reason) {
      // Mails are composed when they are sent: one still queued would give the new reason too, and arrive twice.
      await deleteQueuedMails(db, userId, 'user-blocked');
      await outbox.queue(db, commit, { purpose: 'user-blocked', userId });
    }
    commit.after(() =>
      log.info({ event: 'user-blocked', userId: caller.userId, targetId: userId, isBlocked }, 'block changed'),
    );
    return user;
  });

  serve.write(calls.deleteUser, async ({ db, commit, params: { id }, query, caller, log }) => {
    await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
    await lockManyReviews(db);
    if (await queries.isLastAdmin(db, id)) throw refusals.conflict(LAST_ADMIN);
    // Locked, because a review posted now would keep the user's name.
    await lockRow(db, 'users', id);
    const by = { userId: caller.userId, now: now() };
    const reason = query.reviews === 'hide' ? await removeContributions(db, commit, id, by) : undefined;
    const signed = await anonymiseReviews(db, id);
    const marked = await deleteMarksOf(db, id);
    if (!(await queries.deleteUser(db, id))) throw refusals.notFound('user');
    await recordAdmin(db, caller, calls.deleteUser, { kind: 'user', id }, now(), { reason });
    commit.invalidate(...changes.authorsChanged(signed), ...changes.marksChanged(marked));
    commit.erase();
    commit.after(() => {
      log.info({ event: 'user-deleted', userId: caller.userId, targetId: id }, 'user deleted');
      void deleteMailFiles(transport, id, log);
    });
    return {};
  });
}
