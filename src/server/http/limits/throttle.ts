import { type Connection, together } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { type Refusal, refusals } from '../refusals/refusals.ts';
import { tiersOf } from './addresses.ts';
import type { Limit } from './limits.ts';
import {
  type CountedTable,
  countEvents,
  deleteWindows,
  findFullEnd,
  findWindow,
  listCreationTimes,
  uncountEvent,
  type Window,
} from './queries.ts';
import { isNoted, noteRate } from './rate-headers.ts';

/** One limit for one account, address or user. The key contains its hash, so that the table identifies nobody. */
export interface Throttle {
  readonly limit: Limit;
  readonly key: string;
}

export type Throttles = ReturnType<typeof createThrottles>;

/** The tools of a domain with limited writes. */
export interface LimitedTools {
  readonly throttles: Throttles;
  readonly now: () => Milliseconds;
}

/**
 * The mailbox of an address, only for counting and never as an identity: many providers deliver `box+anything@` to
 * `box@`, so that one person has any number of addresses.
 */
function foldMailbox(email: string): string {
  return email.toLowerCase().replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

type Subject = readonly (string | number)[];

/**
 * The parts of the keys of a subject's counters: an address has one counter for each block that contains it, a mailbox
 * is counted without its tag.
 */
function countedParts({ by }: Limit, subject: Subject): { parts: Subject; factor: number }[] {
  const [first = ''] = subject;
  if (by === 'address') return tiersOf(String(first)).map(({ block, factor }) => ({ parts: [block], factor }));
  return [{ parts: by === 'mailbox' ? [foldMailbox(String(first))] : subject, factor: 1 }];
}

/** @param hash a keyed hash of its arguments */
export function createThrottles(hash: (...parts: string[]) => string, isLimitedByAddress: boolean) {
  return {
    /**
     * The throttles of a limit for a subject. There are none when RATE_LIMIT=off lifts the limit: nothing is counted,
     * and the headers say that the limit is unused.
     */
    on(limit: Limit, ...subject: (string | number)[]): Throttle[] {
      const isLifted =
        !isLimitedByAddress && (limit.by === 'address' || limit.by === 'user' || limit.by === 'everybody');
      if (isLifted) {
        if (SPENT_BY_CALLER.includes(limit.by)) noteRate(limit, limit.max, limit.windowMs / 1000);
        return [];
      }
      return countedParts(limit, subject).map(({ parts, factor }) => {
        const hashes = parts.map((part) => hash(limit.name, String(part)));
        return { limit: { ...limit, max: limit.max * factor }, key: [limit.name, ...hashes].join(':') };
      });
    },
  };
}

/** The 429 of a throttle. */
export function limitRefusal({ limit }: Throttle, endsAt: Milliseconds, now: Milliseconds): Refusal {
  return refusals.tooManyRequests(limit.sentence, (limit.retryAfterMs ?? endsAt - now) / 1000, limit);
}

/** The limits that only the caller's own requests count against. */
const SPENT_BY_CALLER: readonly Limit['by'][] = ['account', 'address', 'user'];

/**
 * Stores the rest of a limit for the headers, which must not reveal other people's requests: to somebody who guesses
 * passwords or passcodes, the counter of an account would show whether it exists, and when its owner logs in.
 * @param namedInHeaders the kinds of limits that the headers may name
 */
export function noteRemaining(
  { limit }: Throttle,
  { count: used, endsAt }: Window,
  now: Milliseconds,
  namedInHeaders: readonly Limit['by'][] = SPENT_BY_CALLER,
): void {
  if (namedInHeaders.includes(limit.by)) noteRate(limit, limit.max - used, (endsAt - now) / 1000);
}

/** @param events 0 only locks the window */
function count(db: Connection, { limit, key }: Throttle, now: Milliseconds, events = 1): Promise<Window> {
  return countEvents(db, { key, events, now, endsAt: now + limit.windowMs });
}

/**
 * Counts one event against each throttle.
 * @throws a 429 when a limit is exceeded; the transaction is then rolled back and nothing is counted
 */
export async function spend(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<void> {
  for (const throttle of throttles) {
    const window = await count(db, throttle, now);
    if (window.count > throttle.limit.max) throw limitRefusal(throttle, window.endsAt, now);
    noteRemaining(throttle, window, now);
  }
}

/** Counts one event against each throttle, even beyond its limit. The headers say less is left where they name it. */
export async function spendUnchecked(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<void> {
  for (const throttle of throttles) {
    const window = await count(db, throttle, now);
    if (isNoted(throttle.limit)) noteRemaining(throttle, window, now, [throttle.limit.by]);
  }
}

/** Counts one event, even beyond the limit. @returns whether the limit allows it */
export async function trySpend(db: Connection, throttle: Throttle, now: Milliseconds): Promise<boolean> {
  const window = await count(db, throttle, now);
  return window.count <= throttle.limit.max;
}

/** Uncounts an event that was counted at the given time. Does nothing if its window has ended since. */
export async function uncount(db: Connection, throttles: readonly Throttle[], countedAt: Milliseconds): Promise<void> {
  for (const { key, limit } of throttles) {
    await uncountEvent(db, key, countedAt + limit.windowMs);
  }
}

interface LimitCheckOptions {
  /**
   * Whether the windows are locked until the transaction ends, so that each of concurrent tries sees those before it.
   */
  readonly isLocked?: boolean;
  /** The kinds of limits that the headers may name, if not only those by address. */
  readonly namedInHeaders?: readonly Limit['by'][];
}

/** The 429 of the first throttle whose limit is reached. Counts nothing. */
export async function findLimitRefusal(
  db: Connection,
  throttles: readonly Throttle[],
  now: Milliseconds,
  { isLocked = false, namedInHeaders = ['address'] }: LimitCheckOptions = {},
): Promise<Refusal | undefined> {
  for (const throttle of throttles) {
    const open = isLocked ? await lockCount(db, throttle, now) : await findWindow(db, throttle.key, now);
    const window = open ?? { count: 0, endsAt: now + throttle.limit.windowMs };
    if (window.count >= throttle.limit.max) return limitRefusal(throttle, window.endsAt, now);
    noteRemaining(throttle, window, now, namedInHeaders);
  }
  return undefined;
}

/** @throws a 429 when a limit is reached; counts nothing */
export async function requireBelowLimit(...asked: Parameters<typeof findLimitRefusal>): Promise<void> {
  const refusal = await findLimitRefusal(...asked);
  if (refusal) throw refusal;
}

/** The number of events in the current window, and its end. Nobody else can count until the transaction ends. */
export function lockCount(db: Connection, throttle: Throttle, now: Milliseconds): Promise<Window> {
  return count(db, throttle, now, 0);
}

/** Whether any of the throttles has an open window. */
export async function hasOpenWindow(db: Connection, throttles: readonly Throttle[], now: Milliseconds) {
  const windows = await together(throttles.map(({ key }) => findWindow(db, key, now)));
  return windows.some((window) => window !== undefined);
}

/**
 * Resets the throttles and all whose keys begin with one of theirs: the throttle of an account, and with it those of the
 * account at each address.
 */
export async function resetThrottles(db: Connection, throttles: readonly Throttle[]): Promise<void> {
  for (const { key } of throttles) await deleteWindows(db, key);
}

/** Until when the limit of any of the throttles is reached, at any address; undefined if none is reached. */
export async function findLockEnd(
  db: Connection,
  throttles: readonly Throttle[],
  now: Milliseconds,
): Promise<Milliseconds | undefined> {
  const ends: Milliseconds[] = [];
  for (const { key, limit } of throttles) ends.push((await findFullEnd(db, { key, max: limit.max }, now)) ?? 0);
  return Math.max(0, ...ends) || undefined;
}

/** Starts a new window without events. */
export async function restartWindows(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<void> {
  await resetThrottles(db, throttles);
  for (const throttle of throttles) await count(db, throttle, now, 0);
}

/**
 * Applies a limit to the rows that a user has added, of which the newest may be one too many. Unlike a throttle it
 * needs no counter, and its window moves on with each row.
 * @throws a 429 when there are more than the limit allows; the transaction is then rolled back with the new row
 */
export async function requireRowLimit(
  db: Connection,
  tables: readonly CountedTable[],
  limit: Limit,
  userId: number,
  now: Milliseconds,
): Promise<void> {
  const { max, windowMs, sentence } = limit;
  const times: Milliseconds[] = [];
  for (const table of tables) {
    times.push(...(await listCreationTimes(db, table, userId, { since: now - windowMs, most: max + 1 })));
  }
  times.sort((one, other) => other - one);
  const oldest = times[max - 1];
  if (times.length > max && oldest !== undefined)
    throw refusals.tooManyRequests(sentence, (oldest + windowMs - now) / 1000, limit);
  noteRate(limit, max - times.length, ((times.at(-1) ?? now) + windowMs - now) / 1000);
}
