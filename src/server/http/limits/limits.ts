import { DAY, HOUR, MINUTE } from '../../../contract/durations.ts';

/** How often something may happen, and for whom it is counted. */
export interface Limit {
  readonly name: string;
  /**
   * The owner of the counter. For an address, each block that contains it is counted too; a mailbox is counted in
   * folded form. RATE_LIMIT=off turns off the limits by address, by user and for everybody together; those by account,
   * mailbox and site remain.
   */
  readonly by: 'account' | 'account and address' | 'mailbox' | 'address' | 'user' | 'everybody' | 'site';
  readonly max: number;
  readonly windowMs: number;
  /** The Retry-After of the 429. Default: the rest of the window. */
  readonly retryAfterMs?: number;
  /** The sentence of the 429. */
  readonly sentence: string;
}

/** A limit that refuses nothing: an open window records, without a name, that something has happened. */
export const recordOnly = (given: Pick<Limit, 'name' | 'by' | 'windowMs'>): Limit => ({
  ...given,
  max: Number.POSITIVE_INFINITY,
  sentence: '',
});

/** A limit with the reason that docs/limits.md shows. */
export interface ListedLimit extends Limit {
  readonly why: string;
}

/** A limit in the table. It is stored under its key, in kebab case. */
type Row = Omit<ListedLimit, 'name' | 'sentence'> & Partial<Pick<Limit, 'sentence'>>;

const TOO_MANY_TRIES = 'Too many tries. Please wait a while and try again.';

const ROWS = {
  wrongPasswords: {
    by: 'account and address',
    max: 10,
    windowMs: 15 * MINUTE,
    why: 'slows guessing the password of one account from one address; a reset clears it',
    sentence: 'Too many wrong passwords. Please wait up to 15 minutes or reset your password.',
  },
  wrongPasswordsInARow: {
    by: 'account',
    max: 100,
    windowMs: 365 * DAY,
    // Not the rest of the window: a reset by mail unlocks the account at once, and nobody should be told to wait for a
    // year.
    retryAfterMs: DAY,
    why: 'stops guessing the password of one account from many addresses; a reset clears it',
    sentence: 'Too many wrong passwords. Please reset your password by mail.',
  },
  wrongPasswordsByAddress: {
    by: 'address',
    max: 50,
    windowMs: 15 * MINUTE,
    why: 'guessing passwords of many accounts',
  },
  wrongPasscodes: {
    by: 'account',
    max: 20,
    windowMs: DAY,
    why: '20 guesses a day cannot find one of a million codes',
    sentence: 'Too many wrong passcodes today. Please try again tomorrow.',
  },
  wrongPasscodesByAddress: { by: 'address', max: 20, windowMs: HOUR, why: 'guessing passcodes of many accounts' },
  wrongPasscodesOfOne: {
    by: 'account and address',
    max: 20,
    windowMs: HOUR,
    why: 'applies instead of the limit by address where the account itself has requested a code from that address',
  },
  signups: { by: 'address', max: 30, windowMs: HOUR, why: 'enough for a class, too few for a flood of accounts' },
  signupsOfMailbox: {
    by: 'mailbox',
    max: 4,
    windowMs: HOUR,
    why: 'limits the mails to one mailbox, and the accounts made with its tags',
    sentence: 'This mailbox was used to sign up several times. Please wait an hour and try again.',
  },
  // A mail counts when it is handed to the mail server. accounts/mail-quotas.ts decides which mail counts against which
  // quota.
  mails: { by: 'account', max: 5, windowMs: HOUR, why: 'the fifth is for the password-changed notice' },
  signupMails: { by: 'mailbox', max: 4, windowMs: HOUR, why: 'the same for mailboxes without an account' },
  resetMails: { by: 'mailbox', max: 4, windowMs: HOUR, why: 'sign-ups cannot use up the mails for resets' },
  signupMailsInAll: {
    by: 'everybody',
    max: 1_000,
    windowMs: HOUR,
    why: 'keeps the mail server off spam lists; the last quarter is for addresses without a sign-up in the past hour, one each',
  },
  resetMailsInAll: { by: 'everybody', max: 1_000, windowMs: HOUR, why: 'the same for resets' },
  mailsByAddress: { by: 'address', max: 30, windowMs: HOUR, why: 'mails to many mailboxes requested from one address' },
  emailChanges: {
    by: 'account',
    max: 10,
    windowMs: DAY,
    why: 'each mails a mailbox that may belong to somebody else, and a notice to the present one',
    sentence: 'You have asked for another email many times today. Please try again tomorrow.',
  },
  // Applied by accounts/decision-mails.ts when a mail is handed over.
  decisionMails: { by: 'account', max: 5, windowMs: HOUR, why: 'on reviews and proposals; one more sums up the rest' },
  blockMails: { by: 'account', max: 3, windowMs: HOUR, why: 'a further one waits; the last reason is mailed' },
  reviews: {
    by: 'user',
    max: 30,
    windowMs: HOUR,
    why: 'more than anybody writes in earnest',
    sentence: 'You have posted many reviews in a short time. Please go on in an hour.',
  },
  reviewEdits: {
    by: 'user',
    max: 60,
    windowMs: HOUR,
    why: 'each edit invalidates cached responses',
    sentence: 'You have edited reviews many times in a short time. Please go on in an hour.',
  },
  reports: {
    by: 'account',
    max: 20,
    windowMs: DAY,
    why: 'protects the queue of the admins; counts the stored reports of any 24 hours',
    sentence: 'You have sent 20 reports within a day. Please send further ones tomorrow.',
  },
  proposals: {
    by: 'account',
    max: 10,
    windowMs: DAY,
    why: 'the same for proposals of schools and entries together',
    sentence: 'You have made 10 proposals within a day. Please make further ones tomorrow.',
  },
  proposalWithdrawals: {
    by: 'account',
    max: 9,
    windowMs: DAY,
    why: 'one fewer than proposals, against which each counts too: making room for more by withdrawing has an end',
    sentence: 'You have withdrawn 9 proposals within a day. Please withdraw further ones tomorrow.',
  },
  helpfulMarks: {
    by: 'user',
    max: 120,
    windowMs: HOUR,
    why: 'each mark invalidates cached responses',
    sentence: 'You have marked many reviews in a short time. Please go on in an hour.',
  },
  profileSaves: {
    by: 'user',
    max: 30,
    windowMs: HOUR,
    why: 'more than anybody saves in earnest',
    sentence: 'You have saved your profile many times in a short time. Please go on in an hour.',
  },
  schoolSaves: {
    by: 'user',
    max: 300,
    windowMs: HOUR,
    why: 'three times the length of a full list',
    sentence: 'You have saved and removed many schools in a short time. Please go on in an hour.',
  },
  recommendations: {
    by: 'user',
    max: 10,
    windowMs: HOUR,
    why: 'each reads many rows, and may ask a model',
    sentence: 'You have asked for many recommendations. Please ask again in an hour.',
  },
  modelCalls: { by: 'site', max: 1_000, windowMs: DAY, why: 'what the model may cost: LLM_CALLS_PER_DAY' },
  modelCallsOfOne: {
    by: 'user',
    max: 3,
    windowMs: DAY,
    why: 'once half of LLM_CALLS_PER_DAY is used, and at least 20 calls, accounts older than a day get so many each and newer ones none',
  },
  deletes: {
    by: 'user',
    max: 60,
    windowMs: MINUTE,
    why: 'limits what a stolen admin token can delete before somebody notices',
    sentence: 'That was a lot of deleting. Please go on in a minute.',
  },
  userLookups: {
    by: 'account',
    max: 30,
    windowMs: HOUR,
    why: 'each tells an admin whether a mailbox has an account: limits how many a stolen token can ask about',
    sentence: 'You have looked up many people in a short time. Please go on in an hour.',
  },
  blocks: {
    by: 'user',
    max: 60,
    windowMs: HOUR,
    why: 'each block mails a text by the admin: limits how many people a stolen token can reach',
    sentence: 'You have blocked many people in a short time. Please go on in an hour.',
  },
  adminWrites: {
    by: 'user',
    max: 300,
    windowMs: MINUTE,
    why: 'five a second: more than anybody types, too few to keep the database busy; use npm run import for lists',
    sentence: 'That was a lot of changes. Please go on in a minute.',
  },
} as const satisfies Record<string, Row>;

const kebab = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The limits that are counted in the database, so that all processes share them. */
// Safe: the entries are those of the table.
export const LIMITS = Object.fromEntries(
  Object.entries<Row>(ROWS).map(([key, row]): [string, ListedLimit] => [
    key,
    { sentence: TOO_MANY_TRIES, ...row, name: kebab(key) },
  ]),
) as Readonly<Record<keyof typeof ROWS, ListedLimit>>;

/**
 * The requests of one address to the whole server, counted in the memory of each process: more than a quick reader
 * sends, less than keeps a process busy.
 */
export const REQUESTS_PER_MINUTE = 3_000;
