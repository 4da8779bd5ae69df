import { createHash } from 'node:crypto';
import type { MyData, MySession } from '../../../contract/my-account.ts';
import type { Connection } from '../../database/database.ts';
import { writeInstant } from '../../database/instants.ts';
import { lockRow } from '../../database/lock-row.ts';
import type { Page, PageRequest } from '../../database/paging.ts';
import type { Milliseconds, UserRow } from '../../database/tables.ts';
import { changes } from '../../http/cache/tags.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import type { Caller } from '../../http/serve/serve.ts';
import { findProfile } from '../../profiles/queries.ts';
import { eraseProposalsOf, listMyProposals } from '../../proposals/queries.ts';
import { deleteMarksOf } from '../../reviews/helpful/queries.ts';
import { listMyReviews } from '../../reviews/mine/queries.ts';
import { anonymiseReviews } from '../../reviews/signature-queries.ts';
import { deleteReviewsOf, entryKeyOf } from '../../reviews/states/queries.ts';
import { lockManyReviews } from '../../visibility/location-queries.ts';
import { isVisible } from '../../visibility/queries.ts';
import type { AccountTools } from '../account-tools.ts';
import * as accounts from '../queries.ts';
import { deleteSession } from '../session-queries.ts';
import { isExpired } from '../sessions.ts';
import { findLastLogin, listMails, listRefusedLogins } from '../state/queries.ts';
import { deleteUser, isLastAdmin } from '../users/queries.ts';
import { lockAccount } from './account-changes.ts';
import * as queries from './queries.ts';

/** The number of a session in answers: 48 bits of a hash, because its id is a part of the token. */
const sessionNumber = (id: string) => createHash('sha256').update(id).digest().readUIntBE(0, 6) + 1;

/** A user's sessions, the one used last first. */
export async function listMySessions(
  db: Connection,
  { userId, sessionId, isAdmin }: Caller,
  now: Milliseconds,
): Promise<MySession[]> {
  const sessions = await queries.listSessions(db, userId);
  return sessions
    .filter((session) => !isExpired(session, isAdmin, now))
    .sort((one, other) => other.used_at - one.used_at)
    .map(({ id, created_at, used_at }) => ({
      id: sessionNumber(id),
      createdAt: writeInstant(created_at),
      lastUsedAt: writeInstant(used_at),
      isThis: id === sessionId,
    }));
}

/** @throws a 404 when none of the user's sessions has this number */
export async function endMySession(db: Connection, { userId }: Caller, number: number): Promise<void> {
  const session = (await queries.listSessions(db, userId)).find(({ id }) => sessionNumber(id) === number);
  if (!session) throw refusals.notFound('session');
  await deleteSession(db, session.id);
}

/** All rows of a paged list. */
async function readAll<Row>(read: (request: PageRequest) => Promise<Page<Row[]>>): Promise<Row[]> {
  const all: Row[] = [];
  let before: string | undefined;
  do {
    const { rows, next } = await read({ before });
    all.push(...rows);
    before = next;
  } while (before !== undefined);
  return all;
}

/** Everything that is stored about a user. */
export async function readMyData(db: Connection, caller: Caller, now: Milliseconds): Promise<MyData> {
  const { userId } = caller;
  const user = await accounts.findUser(db, userId);
  if (!user) throw refusals.invalidToken();
  const pendingEmail = await queries.findPendingEmail(db, userId, now);
  const lastLogin = await findLastLogin(db, userId);
  return {
    account: {
      id: user.id,
      username: user.username,
      email: user.email,
      ...(pendingEmail !== undefined && { pendingEmail }),
      isAdmin: user.is_admin === 1,
      createdAt: writeInstant(user.created_at),
      ...(user.verified_at !== null && { verifiedAt: writeInstant(user.verified_at) }),
      ...(lastLogin !== null && { lastLoginOn: writeInstant(lastLogin).slice(0, 10) }),
      ...(user.blocked_reason !== null && { blockedReason: user.blocked_reason }),
    },
    profile: (await findProfile(db, userId)) ?? null,
    reviews: await readAll((request) => listMyReviews(db, userId, request)),
    ...(await queries.listWrittenToAdmins(db, userId)),
    helpful: await queries.listMarks(db, userId),
    savedSchools: await queries.listSaved(db, userId),
    proposals: await readAll((request) => listMyProposals(db, userId, request)),
    sessions: await listMySessions(db, caller, now),
    refusedLogins: await listRefusedLogins(db, userId, now),
    mails: await listMails(db, userId, now),
  };
}

/**
 * Deletes an account for good. The audit trail keeps only its id.
 * @param record records the deletion, in the same transaction
 * @throws a 409 for the last admin
 */
export async function deleteAccount(
  { database }: Pick<AccountTools, 'database'>,
  user: UserRow,
  reviewsChoice: 'keep' | 'delete',
  record: (db: Connection) => Promise<void> = async () => {},
): Promise<void> {
  await database.write(async (db, commit) => {
    await lockManyReviews(db);
    await lockRow(db, 'users', user.id);
    await lockAccount(db, user);
    if (await isLastAdmin(db, user.id)) {
      throw refusals.conflict('You are the last admin. Make somebody else an admin first.');
    }
    await queries.eraseWrittenToAdmins(db, user.id);
    await eraseProposalsOf(db, user.id);
    if (reviewsChoice === 'delete') {
      for (const review of await deleteReviewsOf(db, user.id)) {
        const tagsOf = isVisible(review) ? changes.reviewsChanged : changes.reviewHidden;
        commit.invalidate(...tagsOf(entryKeyOf(review), review.kind));
      }
    } else commit.invalidate(...changes.authorsChanged(await anonymiseReviews(db, user.id)));
    commit.invalidate(...changes.marksChanged(await deleteMarksOf(db, user.id)));
    await deleteUser(db, user.id);
    await record(db);
    commit.erase();
  });
}
