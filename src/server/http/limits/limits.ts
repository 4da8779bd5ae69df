const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How often something may happen, and for whom it is counted. */
export interface Limit {
  readonly name: string;
  /**
   * What the counter belongs to. An IPv6 address is counted in tiers, a mailbox in folded form. RATE_LIMIT=off turns
   * off the limits by address, by user and for everybody together; those by account, mailbox and site remain.
   */
  readonly by: 'account' | 'account and address' | 'mailbox' | 'address' | 'user' | 'everybody' | 'site';
  readonly max: number;
  readonly windowMs: number;
  /** The Retry-After of the 429. Default: the rest of the window. */
  readonly retryAfterMs?: number;
  /** The sentence of the 429. */
  readonly sentence: string;
}

/** A limit with the reason that docs/limits.md shows. */
export interface ListedLimit extends Limit {
  readonly why: string;
}

const LATER = 'Too many tries. Please wait a while and try again.';

/**
 * The limits that are counted in the database, so that all processes share them.
 */
export const LIMITS = {
  wrongPasswords: {
    name: 'wrong-passwords',
    by: 'account and address',
    max: 10,
    windowMs: 15 * MINUTE,
    why: 'guessing one account from one place; a reset lifts it',
    sentence: 'Too many wrong passwords. Please wait up to 15 minutes or reset your password.',
  },
  wrongPasswordsInARow: {
    name: 'wrong-passwords-in-a-row',
    by: 'account',
    max: 100,
    windowMs: 365 * DAY,
    // Not the rest of the window: a reset by mail unlocks the account at once, and nobody should be told to wait for a
    // year.
    retryAfterMs: DAY,
    why: 'guessing one account from many places; a reset lifts it',
    sentence: 'Too many wrong passwords. Please reset your password by mail.',
  },
  wrongPasswordsByAddress: {
    name: 'wrong-passwords-by-address',
    by: 'address',
    max: 50,
    windowMs: 15 * MINUTE,
    why: 'guessing many accounts from one place',
    sentence: LATER,
  },
  wrongPasscodes: {
    name: 'wrong-passcodes',
    by: 'account',
    max: 20,
    windowMs: DAY,
    why: 'a code has a million values: twenty a day are no way in',
    sentence: 'Too many wrong passcodes today. Please try again tomorrow.',
  },
  wrongPasscodesByAddress: {
    name: 'wrong-passcodes-by-address',
    by: 'address',
    max: 20,
    windowMs: HOUR,
    why: 'guessing the codes of many accounts from one place',
    sentence: LATER,
  },
  wrongPasscodesOfOne: {
    name: 'wrong-passcodes-of-one',
    by: 'account and address',
    max: 20,
    windowMs: HOUR,
    why: 'who has asked for a code there passes the limit of the address, and has this one',
    sentence: LATER,
  },
  signups: {
    name: 'signups',
    by: 'address',
    max: 30,
    windowMs: HOUR,
    why: 'a class signs up together; a flood of accounts does not',
    sentence: LATER,
  },
  signupsOfMailbox: {
    name: 'signups-of-mailbox',
    by: 'mailbox',
    max: 4,
    windowMs: HOUR,
    why: 'nobody gets a flood of our mails, and one mailbox, with whatever tags, makes few accounts',
    sentence: 'This mailbox was used to sign up several times. Please wait an hour and try again.',
  },
  // A mail counts when it is handed to the mail server. accounts/mail-quotas.ts decides which mail counts against which
  // quota.
  mails: {
    name: 'mails',
    by: 'account',
    max: 5,
    windowMs: HOUR,
    why: 'nobody gets a flood of our mails; the fifth is kept for word that the password was changed',
    sentence: LATER,
  },
  signupMails: {
    name: 'signup-mails',
    by: 'mailbox',
    max: 4,
    windowMs: HOUR,
    why: 'the same for mailboxes without an account',
    sentence: LATER,
  },
  resetMails: {
    name: 'reset-mails',
    by: 'mailbox',
    max: 4,
    windowMs: HOUR,
    why: 'resets have room of their own, which sign-ups cannot take',
    sentence: LATER,
  },
  signupMailsInAll: {
    name: 'signup-mails-in-all',
    by: 'everybody',
    max: 1_000,
    windowMs: HOUR,
    why: 'what a mail server may be made to send before it is taken for a sender of spam; the last quarter goes to addresses that have asked for none within the hour, one each',
    sentence: LATER,
  },
  resetMailsInAll: {
    name: 'reset-mails-in-all',
    by: 'everybody',
    max: 1_000,
    windowMs: HOUR,
    why: 'the same for resets, which sign-ups cannot take; the last quarter likewise',
    sentence: LATER,
  },
  mailsByAddress: {
    name: 'mails-by-address',
    by: 'address',
    max: 30,
    windowMs: HOUR,
    why: 'mails to many mailboxes asked for from one place',
    sentence: LATER,
  },
  // Applied by accounts/decision-mails.ts when a mail is handed over.
  decisionMails: {
    name: 'decision-mails',
    by: 'account',
    max: 5,
    windowMs: HOUR,
    why: 'nobody gets a flood of mails about their reviews and proposals, whatever admins do; one more tells that there were others',
    sentence: LATER,
  },
  blockMails: {
    name: 'block-mails',
    by: 'account',
    max: 3,
    windowMs: HOUR,
    why: 'the same for mails about being blocked; a further one waits, and the last reason is mailed',
    sentence: LATER,
  },
  reviews: {
    name: 'reviews',
    by: 'user',
    max: 30,
    windowMs: HOUR,
    why: 'nobody writes more in earnest',
    sentence: 'You have posted many reviews in a short time. Please go on in an hour.',
  },
  reviewEdits: {
    name: 'review-edits',
    by: 'user',
    max: 60,
    windowMs: HOUR,
    why: 'each edit invalidates cached responses',
    sentence: 'You have edited reviews many times in a short time. Please go on in an hour.',
  },
  reports: {
    name: 'reports',
    by: 'account',
    max: 20,
    windowMs: DAY,
    why: 'nobody floods the queue; counted by the reports themselves, in any 24 hours',
    sentence: 'You have sent 20 reports within a day. Please send further ones tomorrow.',
  },
  proposals: {
    name: 'proposals',
    by: 'account',
    max: 10,
    windowMs: DAY,
    why: 'nobody floods the admins; schools and entries together, counted by the proposals themselves, in any 24 hours',
    sentence: 'You have made 10 proposals within a day. Please make further ones tomorrow.',
  },
  helpfulMarks: {
    name: 'helpful-marks',
    by: 'user',
    max: 120,
    windowMs: HOUR,
    why: 'each mark invalidates cached responses',
    sentence: 'You have marked many reviews in a short time. Please go on in an hour.',
  },
  profileSaves: {
    name: 'profile-saves',
    by: 'user',
    max: 30,
    windowMs: HOUR,
    why: 'the same for profiles',
    sentence: 'You have saved your profile many times in a short time. Please go on in an hour.',
  },
  schoolSaves: {
    name: 'school-saves',
    by: 'user',
    max: 300,
    windowMs: HOUR,
    why: 'three times as many as a list holds',
    sentence: 'You have saved and removed many schools in a short time. Please go on in an hour.',
  },
  recommendations: {
    name: 'recommendations',
    by: 'user',
    max: 10,
    windowMs: HOUR,
    why: 'each reads many rows, and may ask a model',
    sentence: 'You have asked for many recommendations. Please ask again in an hour.',
  },
  modelCalls: {
    name: 'model-calls',
    by: 'site',
    max: 1_000,
    windowMs: DAY,
    why: 'what a model costs in all, whoever asks: LLM_CALLS_PER_DAY. Beyond it the built-in recommender answers',
    sentence: LATER,
  },
  modelCallsOfOne: {
    name: 'model-calls-of-one',
    by: 'user',
    max: 3,
    windowMs: DAY,
    why: 'once half of LLM_CALLS_PER_DAY is used, and 20 at least, the rest is for accounts older than a day, so many times each: new accounts cannot use up the model of all',
    sentence: LATER,
  },
  deletes: {
    name: 'deletes',
    by: 'user',
    max: 60,
    windowMs: MINUTE,
    why: 'a stolen token of an admin deletes little before somebody notices',
    sentence: 'That was a lot of deleting. Please go on in a minute.',
  },
  blocks: {
    name: 'blocks',
    by: 'user',
    max: 60,
    windowMs: HOUR,
    why: 'each mails a text of the admin to a person: with a stolen token few are reached before somebody notices',
    sentence: 'You have blocked many people in a short time. Please go on in an hour.',
  },
  adminWrites: {
    name: 'admin-writes',
    by: 'user',
    max: 300,
    windowMs: MINUTE,
    why: 'five a second: more than anybody types, less than what keeps the database busy; lists come in by npm run import',
    sentence: 'That was a lot of changes. Please go on in a minute.',
  },
} as const satisfies Record<string, ListedLimit>;

/**
 * The requests of one address to the whole server, counted in the memory of each process: more than a quick reader
 * sends, less than keeps a process busy.
 */
export const REQUESTS_PER_MINUTE = 3_000;
