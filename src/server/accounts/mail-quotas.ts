import { foldCase } from '../../contract/folding.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import { LIMITS, type Limit } from '../http/limits/limits.ts';
import {
  type LimitedTools,
  limitRefusal,
  lockCount,
  spendUnchecked,
  type Throttle,
  uncount,
} from '../http/limits/throttle.ts';
import type { Refusal } from '../http/refusals/refusals.ts';
import type { PasscodePurpose } from './passcodes.ts';
import { countMails } from './queries.ts';

/** The purpose of a mail that counts against quotas: a passcode, or the notice that the password was changed. */
export type CountedMailPurpose = PasscodePurpose | 'password-changed';

/** The purpose of a mail about an account. The notice to a former mailbox counts against no quota. */
export type AccountMailPurpose = CountedMailPurpose | 'email-asked' | 'email-changed';

/** Sign-ups and resets have separate quotas, so that strangers who exhaust one do not block the other. */
const QUOTAS: Record<PasscodePurpose, { ofMailbox: Limit; inAll: Limit }> = {
  verify: { ofMailbox: LIMITS.signupMails, inAll: LIMITS.signupMailsInAll },
  reset: { ofMailbox: LIMITS.resetMails, inAll: LIMITS.resetMailsInAll },
  // The new mailbox has no account yet, as at a sign-up.
  email: { ofMailbox: LIMITS.signupMails, inAll: LIMITS.signupMailsInAll },
};

/** The last mail of an account's hourly quota is reserved for the notice of a new password, or for a first reset. */
const RESERVED_FOR_NOTICE = 1;

/** Whether a mail with this purpose contains a passcode. */
const isPasscode = (purpose: CountedMailPurpose): purpose is PasscodePurpose => purpose in QUOTAS;

/**
 * Every throttle that a mail counts against. One that is only recorded, and not sent, does not count against the account
 * of its mailbox.
 */
function throttlesOf(
  { throttles }: LimitedTools,
  purpose: CountedMailPurpose,
  { email, isSent = true }: { email: string; isSent?: boolean },
): Throttle[] {
  const account = isSent ? throttles.on(LIMITS.mails, foldCase(email)) : [];
  if (!isPasscode(purpose)) return account;
  const { ofMailbox, inAll } = QUOTAS[purpose];
  return [...account, ...throttles.on(ofMailbox, email), ...throttles.on(inAll)];
}

/**
 * `counted`: the mail can be sent now. `refused`: it must not be sent. `notBefore`: it can be sent when the site-wide
 * quota is renewed.
 */
type MailDecision = 'counted' | 'refused' | { notBefore: Milliseconds };

/**
 * Counts a mail that is about to be handed over, if the quotas allow it. Call it in the transaction that claims the
 * mail: a concurrent count waits for that transaction, so that no quota is ever exceeded.
 */
export async function countMail(
  tools: LimitedTools,
  db: Connection,
  purpose: CountedMailPurpose,
  mailbox: { email: string; isSent: boolean },
): Promise<MailDecision> {
  const now = tools.now();
  const throttles = throttlesOf(tools, purpose, mailbox);
  const usage = new Map<string, { left: number; count: number; endsAt: Milliseconds }>();
  for (const throttle of throttles) {
    const { count, endsAt } = await lockCount(db, throttle, now);
    usage.set(throttle.limit.name, { left: throttle.limit.max - count, count, endsAt });
  }
  const leftOf = ({ name }: Limit) => usage.get(name)?.left ?? Number.POSITIVE_INFINITY;
  if (isPasscode(purpose)) {
    const { ofMailbox, inAll } = QUOTAS[purpose];
    // The first reset of an hour may use the reserved mail: passcodes for sign-ups must not lock the owner out,
    // especially not of an account that has no password before its reset.
    const isFirstReset = purpose === 'reset' && usage.get(ofMailbox.name)?.count === 0;
    const reserved = isFirstReset ? 0 : RESERVED_FOR_NOTICE;
    if (leftOf(LIMITS.mails) <= reserved || leftOf(ofMailbox) <= 0) return 'refused';
    if (leftOf(inAll) <= 0) return { notBefore: usage.get(inAll.name)?.endsAt ?? now };
  } else if (leftOf(LIMITS.mails) <= 0) return 'refused';
  await spendUnchecked(db, throttles, now);
  return 'counted';
}

/** Subtracts a mail that was counted at the given time and then not handed over. */
export function uncountMail(
  tools: LimitedTools,
  db: Connection,
  mail: { purpose: CountedMailPurpose; email: string; countedAt: Milliseconds },
): Promise<void> {
  return uncount(db, throttlesOf(tools, mail.purpose, mail), mail.countedAt);
}

/** @throws a 429 when the mails already sent and those pending fill the hourly quota of a purpose */
export async function requireMailQuota(tools: LimitedTools, db: Connection, purpose: PasscodePurpose): Promise<void> {
  const refusal = await findQuotaRefusal(tools, db, purpose);
  if (refusal) throw refusal;
}

/** The 429 once a share of the hourly quota of a purpose is used up by the mails already sent and those pending. */
async function findQuotaRefusal(
  { throttles, now }: LimitedTools,
  db: Connection,
  purpose: PasscodePurpose,
  share = 1,
): Promise<Refusal | undefined> {
  const { inAll } = QUOTAS[purpose];
  const [throttle] = throttles.on(inAll);
  if (!throttle) return undefined;
  const { count, endsAt } = await countMails(db, purpose, throttle.key, now());
  return count < inAll.max * share ? undefined : limitRefusal(throttle, endsAt ?? now() + inAll.windowMs, now());
}

/** Until this share of the hourly quota of all mails is used up, an address has its usual limit. */
const UNRESTRICTED_SHARE = 0.75;

const TOO_MANY_MAILS = 'Very many people are asking for a passcode right now. Please wait a while and try again.';

/**
 * The limit by address for requests of a mail with a purpose. A few networks must not use up the mails of all. Once three
 * quarters of the hourly quota are used, the rest goes to addresses that have requested none within the hour: one mail
 * to an address, and as many to a block of addresses as its factor in `http/limits/addresses.ts`.
 * @param usual the limit before that
 */
export async function limitByAddress(
  tools: LimitedTools,
  db: Connection,
  purpose: PasscodePurpose,
  usual: Limit,
): Promise<Limit> {
  const isUsedUp = await findQuotaRefusal(tools, db, purpose, UNRESTRICTED_SHARE);
  return isUsedUp ? { ...usual, max: 1, sentence: TOO_MANY_MAILS } : usual;
}
