import type { Milliseconds } from '../database/tables.ts';

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 10 * 60_000;
/** If this many mails were refused temporarily without a success, the server may be the cause: retries come sooner. */
const REFUSED_IN_A_ROW_MAX = 3;
/** While the mail server is down, one mail is retried at least this often. If that succeeds, the others follow. */
const RETRY_SERVER_MAX_MS = 30_000;
/** How often a process looks for mails that another process has left. */
export const POLL_MS = 15_000;
/** Timers may fire up to this much too early. */
const TIMER_SLACK_MS = 5;

/** The error of a hand-over, as the mailer reports it. */
export interface SmtpFailure {
  readonly code?: string;
  /** The SMTP status; absent when the server sent none. */
  readonly responseCode?: number;
  readonly command?: string;
}

/** The state of the mail server, as far as the hand-overs so far show it. */
export interface ServerState {
  /** Consecutive failures of the server itself. */
  readonly failures: number;
  /** Ids of the mails refused temporarily since the last success. */
  readonly refused: ReadonlySet<number>;
}

/** The mail server works: it has just accepted a mail, or was not tried yet. */
export const SERVER_WORKS: ServerState = { failures: 0, refused: new Set() };

interface NextTry {
  /** The time until the mail is retried; null when it is given up. */
  readonly waitMs: Milliseconds | null;
  /** The state of the server after this failure. */
  readonly server: ServerState;
}

/** 1 s, 2 s, 4 s … up to `max`. */
function backoff(attempts: number, max: number): number {
  return Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(attempts, 20), max);
}

/** Until the server hears the recipient, all mails are the same to it: the mailer names a sign-in `AUTH PLAIN`. */
const isBeforeMail = ({ command = '' }: SmtpFailure) => /^(CONN|EHLO|HELO|STARTTLS|AUTH|MAIL)\b/.test(command);

/** The server refused this mail permanently (RFC 5321 §4.2.1): it would refuse a retry too. */
function isPermanent(failure: SmtpFailure): boolean {
  const { responseCode = 0 } = failure;
  return responseCode >= 500 && responseCode < 600 && !isBeforeMail(failure);
}

/** The failure concerns the server: it could not be reached, stopped answering, or accepts no mail at the moment. */
function isServerFailure(failure: SmtpFailure): boolean {
  return failure.responseCode === undefined || failure.responseCode === 421 || isBeforeMail(failure);
}

/**
 * Decides when a mail that was not handed over is tried again.
 * @param mail its earlier attempts
 * @param server its state before this failure
 */
export function planNextTry(
  failure: SmtpFailure,
  { id, attempts }: { id: number; attempts: number },
  { failures, refused }: ServerState,
): NextTry {
  if (isPermanent(failure)) return { waitMs: null, server: { failures: 0, refused } };
  // The mail is not at fault: it is due as soon as the server is back.
  if (isServerFailure(failure)) {
    return { waitMs: backoff(failures, RETRY_SERVER_MAX_MS), server: { failures: failures + 1, refused } };
  }
  // Even after many refusals the server does not count as down, and other mails are still tried: it may be refusing
  // only these, and a few mailboxes must not delay everybody's mail.
  const allRefused = new Set(refused).add(id);
  const max = allRefused.size < REFUSED_IN_A_ROW_MAX ? BACKOFF_MAX_MS : RETRY_SERVER_MAX_MS;
  return { waitMs: backoff(attempts, max), server: { failures: 0, refused: allRefused } };
}

/** How long a process waits before it looks for due mails again. @param nextDue undefined when the queue is empty */
export function planWakeUp(nextDue: Milliseconds | undefined, { failures }: ServerState, now: Milliseconds): number {
  const untilDue = nextDue === undefined ? POLL_MS : Math.max(nextDue - now, 0) + TIMER_SLACK_MS;
  const pause = failures > 0 ? backoff(failures - 1, RETRY_SERVER_MAX_MS) : 0;
  return Math.max(Math.min(untilDue, POLL_MS), pause);
}
