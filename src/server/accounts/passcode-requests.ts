import type { Commit, Connection } from '../database/database.ts';
import type { UserRow } from '../database/tables.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { spend } from '../http/limits/throttle.ts';
import { deleteQueuedMails } from '../mail/queries.ts';
import type { AccountTools } from './account-tools.ts';
import { limitByAddress, requireMailQuota } from './mail-quotas.ts';
import { recordPasscodeRequest } from './passcode-tries.ts';
import type { PasscodePurpose } from './passcodes.ts';
import { findUserByEmail, NOBODY } from './queries.ts';

/**
 * Queues a passcode mail and replaces a pending one. When the mail is sent, its code is made and it counts against the
 * quotas.
 */
export async function queuePasscode(
  { outbox }: Pick<AccountTools, 'outbox'>,
  db: Connection,
  commit: Commit,
  userId: number,
  purpose: PasscodePurpose,
): Promise<void> {
  await deleteQueuedMails(db, userId, purpose);
  await outbox.queue(db, commit, { purpose, userId });
}

/** Unverified accounts can use passcodes for verifying, verified ones those for other purposes. */
function canUsePasscode(user: UserRow, purpose: PasscodePurpose): boolean {
  return (user.verified_at === null) === (purpose === 'verify');
}

/** The same sentence whether the account exists or not. */
const PASSCODE_SENT = { message: 'If this account can use one, a passcode is on its way to its mailbox.' };

/**
 * Mails a passcode to the account that a visitor names. Neither the answer nor its timing reveals whether the account
 * exists: the same statements run for an unknown mailbox and for an account that cannot use such a code. These two
 * cases use no quota, because a mail counts only when it is handed over.
 * @throws a 429 after too many requests from this address or from all addresses
 */
export async function requestPasscode(
  tools: AccountTools,
  email: string,
  purpose: PasscodePurpose,
  address: string,
): Promise<typeof PASSCODE_SENT> {
  const { database, throttles, now } = tools;
  await database.write(async (db, commit) => {
    const byAddress = await limitByAddress(tools, db, purpose, LIMITS.mailsByAddress);
    await spend(db, throttles.on(byAddress, address), now());
    await requireMailQuota(tools, db, purpose);
    await recordPasscodeRequest(tools, db, { email, purpose }, address);
    const user = await findUserByEmail(db, email);
    await queuePasscode(tools, db, commit, user && canUsePasscode(user, purpose) ? user.id : NOBODY, purpose);
  });
  return PASSCODE_SENT;
}
