import type { Commit, Connection } from '../database/database.ts';
import type { UserRow } from '../database/tables.ts';
import { LIMITS } from '../security/limits.ts';
import { requireRoom, spend, trySpend } from '../security/throttle.ts';
import type { AccountTools } from './account-tools.ts';
import { noteAskedPasscode } from './passcode-tries.ts';
import type { PasscodePurpose } from './passcodes.ts';
import { deleteQueuedMails, emailKey, findUserByEmail } from './queries.ts';

/** Queues a passcode if the account's mails of this hour allow it. @returns whether they did */
export async function queuePasscode(
  { throttles, outbox, now }: AccountTools,
  db: Connection,
  commit: Commit,
  user: { id: number; email: string },
  purpose: PasscodePurpose,
): Promise<boolean> {
  for (const throttle of throttles.on(LIMITS.mails, emailKey(user.email))) {
    if (!(await trySpend(db, throttle, now()))) return false;
  }
  await deleteQueuedMails(db, user.id, purpose);
  await outbox.queue(db, commit, { purpose, userId: user.id });
  return true;
}

/** Whom a code of a purpose is for: one who has not verified yet, one who has. */
function isFor(purpose: PasscodePurpose, user: UserRow): boolean {
  return (user.verified_at === null) === (purpose === 'verify');
}

/**
 * Mails a passcode to an account that a visitor names. The answer does not tell whether it exists: the limits of an
 * account and of an address count for unknown mailboxes too, and beyond them nothing is sent and nothing said.
 * @throws a 429 when this address has asked too often
 */
export async function requestPasscode(
  tools: AccountTools,
  email: string,
  purpose: PasscodePurpose,
  address: string,
): Promise<void> {
  const { database, throttles, now } = tools;
  await database.write(async (db, commit) => {
    const inAll = throttles.on(LIMITS.mailsInAll);
    await spend(db, throttles.on(LIMITS.mailsByAddress, address), now());
    // Asked of everybody, but spent with a mail alone: made-up mailboxes would use up what all others need.
    await requireRoom(db, inAll, now());
    await noteAskedPasscode(tools, db, { email, purpose }, address);
    const user = await findUserByEmail(db, email);
    if (user && isFor(purpose, user)) {
      if (await queuePasscode(tools, db, commit, user, purpose)) await spend(db, inAll, now());
      return;
    }
    for (const throttle of throttles.on(LIMITS.mails, emailKey(email))) await trySpend(db, throttle, now());
  });
}
