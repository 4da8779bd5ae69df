import type { Milliseconds } from '../database/tables.ts';

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 10 * 60_000;
/** So many mails refused for now, and none taken in between, are not about the mails: the server takes none. */
const REFUSED_IN_A_ROW_MAX = 3;
/** While the mail server cannot be reached, one mail is tried this often at least: the others go out with it. */
const RETRY_SERVER_MAX_MS = 30_000;
/** How often a process looks for mails that others left behind. */
export const POLL_MS = 15_000;
/** Timers may fire this early. */
const TIMER_SLACK_MS = 5;

/** What the mailer knows of a hand-over that failed. */
export interface SmtpFailure {
  readonly code?: string;
  /** The SMTP status; none when the server said nothing. */
  readonly responseCode?: number;
  readonly command?: string;
}

/** What the hand-overs so far say of the mail server. */
export interface ServerState {
  /** In a row, of the server and not of a mail. */
  readonly failures: number;
  /** Mails refused for now since one was taken. */
  readonly refused: ReadonlySet<number>;
}

/** Nothing is wrong with the mail server: it has just taken a mail, or none has been tried. */
export const SERVER_WORKS: ServerState = { failures: 0, refused: new Set() };

interface NextTry {
  /** How long the mail waits; null when it is never tried again. */
  readonly waitMs: Milliseconds | null;
  /** What is known of the server from now on. */
  readonly server: ServerState;
}

/** 1 s, 2 s, 4 s … up to a most. */
function backoff(attempts: number, max: number): number {
  return Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(attempts, 20), max);
}

/** Whatever is said while connecting or signing in is not about a mail. */
const isBeforeMail = ({ command }: SmtpFailure) => command === 'CONN' || command === 'AUTH';

/** The server refused this mail for good (RFC 5321 §4.2.1): trying again would only annoy it. */
function isPermanent(failure: SmtpFailure): boolean {
  const { responseCode = 0 } = failure;
  return responseCode >= 500 && responseCode < 600 && !isBeforeMail(failure);
}

/** Nothing was said about this mail: the server was not there, or did not go on, or takes no mail at all just now. */
function isOfServer(failure: SmtpFailure): boolean {
  return failure.responseCode === undefined || failure.responseCode === 421 || isBeforeMail(failure);
}

/**
 * Decides when a mail that was not handed over is tried again.
 * @param mail its attempts before this one
 * @param server what was known of the server before
 */
export function planNextTry(
  failure: SmtpFailure,
  { id, attempts }: { id: number; attempts: number },
  { failures, refused }: ServerState,
): NextTry {
  if (isPermanent(failure)) return { waitMs: null, server: { failures: 0, refused } };
  // Of a server that was not there it is nobody's own failure: each is due as soon as it is back.
  if (isOfServer(failure)) {
    return { waitMs: backoff(failures, RETRY_SERVER_MAX_MS), server: { failures: failures + 1, refused } };
  }
  // Of one that takes none it may be: the others are tried all the same, or a few mailboxes could keep everybody's
  // mail waiting.
  const all = new Set(refused).add(id);
  const max = all.size < REFUSED_IN_A_ROW_MAX ? BACKOFF_MAX_MS : RETRY_SERVER_MAX_MS;
  return { waitMs: backoff(attempts, max), server: { failures: 0, refused: all } };
}

/** How long a process may rest until it looks for due mails again. @param nextDue undefined when none waits */
export function planWakeUp(nextDue: Milliseconds | undefined, { failures }: ServerState, now: Milliseconds): number {
  const untilDue = nextDue === undefined ? POLL_MS : Math.max(nextDue - now, 0) + TIMER_SLACK_MS;
  const pause = failures > 0 ? backoff(failures - 1, RETRY_SERVER_MAX_MS) : 0;
  return Math.max(Math.min(untilDue, POLL_MS), pause);
}
