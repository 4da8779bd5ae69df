import * as Type from 'typebox';
import { Email } from './accounts.ts';
import { defineCall } from './call.ts';
import { Id, Instant } from './fields.ts';

/** For how many days the refused logins of an account and the states of its mails are kept. */
export const ACCOUNT_HISTORY_DAYS = 30;

/**
 * Why a login was refused. `locked`: after too many wrong passwords, for the account or from the address; `contested`:
 * several sign-ups used the mailbox, so the account has no password yet.
 */
const RefusalReason = Type.Enum(['password', 'unverified', 'blocked', 'locked', 'contested']);
export type RefusalReason = Type.Static<typeof RefusalReason>;

/**
 * The purposes of mails about accounts. `changed`: the notice that the password was changed; `email`: a change of the
 * email.
 */
const AccountMail = Type.Enum(['signup', 'reset', 'changed', 'email', 'blocked']);
export type AccountMail = Type.Static<typeof AccountMail>;

export const RefusedLogin = Type.Object({ at: Instant, reason: RefusalReason });

/** `handedOver`: the mail server accepted it; `failed`: it was refused permanently, or withheld by a limit. */
export const MailState = Type.Object({
  purpose: AccountMail,
  state: Type.Enum(['queued', 'handedOver', 'failed']),
  at: Instant,
});

/** The data about an account that an admin may see. Nothing in it reveals anonymous reviews. */
export const UserState = Type.Object({
  id: Id,
  username: Type.String(),
  isVerified: Type.Boolean(),
  isAdmin: Type.Boolean(),
  isBlocked: Type.Boolean(),
  blockedReason: Type.Optional(Type.String()),
  createdAt: Instant,
  /** The day in UTC; null if no login is known. */
  lastLoginOn: Type.Union([Type.String({ format: 'date' }), Type.Null()]),
  /** Until when too many wrong passwords lock the account, for everybody or for one address. */
  lockedUntil: Type.Optional(Instant),
  /** The number of open sessions. */
  sessions: Type.Integer({ minimum: 0 }),
  /** Newest first, of the last `ACCOUNT_HISTORY_DAYS`. */
  refusedLogins: Type.Array(RefusedLogin),
  /** Newest first, of the last `ACCOUNT_HISTORY_DAYS`. */
  mails: Type.Array(MailState),
  /** How many signed reviews the person has posted and not withdrawn, hidden ones included. */
  signedReviews: Type.Integer({ minimum: 0 }),
});
export type UserState = Type.Static<typeof UserState>;

const ofUser = { access: 'admin', refuses: [404], params: Type.Object({ userId: Id }) } as const;
const userAction = { ...ofUser, method: 'POST' } as const;

export const getUserState = defineCall({
  ...ofUser,
  name: 'getUserState',
  summary: 'What is known of an account: whether its owner can log in, and if not, why',
  answer: UserState,
});

export const findUser = defineCall({
  name: 'findUser',
  method: 'POST',
  summary: 'The same for the account with exactly this email; noted in the audit trail',
  access: 'admin',
  refuses: [404],
  body: Type.Object({ email: Email }),
  answer: UserState,
});

export const unlockUser = defineCall({
  ...userAction,
  name: 'unlockUser',
  summary: 'Forget the wrong passwords and passcodes that lock an account',
});

export const mailPasscode = defineCall({
  ...userAction,
  name: 'mailPasscode',
  summary: 'Mail a new passcode to somebody who has not verified their account',
  refuses: [404, 409],
});

export const endUserSessions = defineCall({
  ...userAction,
  name: 'endUserSessions',
  summary: 'Log a user out everywhere',
});

export const USER_STATE_CALLS = [getUserState, findUser, unlockUser, mailPasscode, endUserSessions];
