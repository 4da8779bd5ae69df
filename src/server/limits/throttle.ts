import { sql } from 'kysely';
import type { Connection } from '../database/database.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import type { Milliseconds } from '../database/tables.ts';
import { type Refusal, refusals } from '../refusals/refusals.ts';
import { foldMailbox } from '../security/mailboxes.ts';
import { keyedHash } from '../security/secrets.ts';
import { tiersOf } from './addresses.ts';
import type { Limit } from './limits.ts';

/** One limit applied to one account, address or user. Subjects are stored hashed: the table names nobody. */
export interface Throttle {
  readonly limit: Limit;
  readonly key: string;
}

/** Applies limits: those that RATE_LIMIT=off lifts are left out here, and so nowhere else. */
export interface Throttles {
  on(limit: Limit, ...subject: (string | number)[]): Throttle[];
}

/** What a domain needs whose writes are limited. */
export interface LimitedTools {
  readonly throttles: Throttles;
  readonly now: () => Milliseconds;
}

type Subject = readonly (string | number)[];

/** What a subject is counted as: an IPv6 address as each block that it lies in, a mailbox without its tag. */
function countedParts({ by }: Limit, subject: Subject): { parts: Subject; times: number }[] {
  const [first = ''] = subject;
  if (by === 'address') return tiersOf(String(first)).map(({ block, times }) => ({ parts: [block], times }));
  return [{ parts: by === 'mailbox' ? [foldMailbox(String(first))] : subject, times: 1 }];
}

export function createThrottles(key: Uint8Array, isLimitedByAddress: boolean): Throttles {
  return {
    on(limit, ...subject) {
      const isLifted =
        !isLimitedByAddress && (limit.by === 'address' || limit.by === 'user' || limit.by === 'everybody');
      if (isLifted) return [];
      return countedParts(limit, subject).map(({ parts, times }) => {
        const hashes = parts.map((part) => keyedHash(key, limit.name, String(part)));
        return { limit: { ...limit, max: limit.max * times }, key: [limit.name, ...hashes].join(':') };
      });
    },
  };
}

function refuse({ limit }: Throttle, endsAt: Milliseconds, now: Milliseconds): Refusal {
  return refusals.tooMany(limit.sentence, (limit.retryAfterMs ?? endsAt - now) / 1000);
}

interface Counted {
  key: string;
  /** 0 only holds the row. */
  events: number;
  now: Milliseconds;
  endsAt: Milliseconds;
}

const queryCount = prepareQuery((db, given: Given<Counted>) =>
  db
    .insertInto('throttles')
    .values({ key: given('key'), count: given('events'), ends_at: given('endsAt') })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when throttles.ends_at <= ${given('now')} then 0 else throttles.count end + excluded.count`,
        ends_at: sql`case when throttles.ends_at <= ${given('now')} then excluded.ends_at else throttles.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at']),
);

/** Counts one event. @returns how often it has happened in the window that it falls into, and when that ends */
async function count(db: Connection, { limit, key }: Throttle, now: Milliseconds, events = 1) {
  const [row] = await queryCount(db, { key, events, now, endsAt: now + limit.windowMs });
  if (!row) throw new Error('A counted event was not answered.');
  return row;
}

/** Counts one event against each throttle. @throws a 429 when it is one too many; the unit then counts nothing */
export async function spend(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<void> {
  for (const throttle of throttles) {
    const row = await count(db, throttle, now);
    if (row.count > throttle.limit.max) throw refuse(throttle, row.ends_at, now);
  }
}

/** Counts one event against each throttle, beyond the limit too: for failures, which have happened anyway. */
export async function record(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<void> {
  for (const throttle of throttles) await count(db, throttle, now);
}

/** Counts one event if there is room for it. @returns whether there was */
export async function trySpend(db: Connection, throttle: Throttle, now: Milliseconds): Promise<boolean> {
  const row = await count(db, throttle, now);
  return row.count <= throttle.limit.max;
}

/**
 * Takes back an event that was counted at a time, as if it had not happened. One whose window has ended since is
 * forgotten anyway.
 */
export async function takeBack(db: Connection, throttles: readonly Throttle[], countedAt: Milliseconds): Promise<void> {
  for (const { key, limit } of throttles) {
    await db
      .updateTable('throttles')
      .set((row) => ({ count: row('count', '-', 1) }))
      .where('key', '=', key)
      .where('count', '>', 0)
      // A window that began later ends later.
      .where('ends_at', '<=', countedAt + limit.windowMs)
      .execute();
  }
}

/** The 429 of the first throttle that has no room left; counts nothing. */
export async function findFull(
  db: Connection,
  throttles: readonly Throttle[],
  now: Milliseconds,
  pending = 0,
): Promise<Refusal | undefined> {
  for (const throttle of throttles) {
    const row = await db
      .selectFrom('throttles')
      .select(['count', 'ends_at'])
      .where('key', '=', throttle.key)
      .where('ends_at', '>', now)
      .executeTakeFirst();
    const { count: counted, ends_at: endsAt } = row ?? { count: 0, ends_at: now + throttle.limit.windowMs };
    if (counted + pending >= throttle.limit.max) return refuse(throttle, endsAt, now);
  }
  return undefined;
}

/**
 * @param pending events to come, whose room is taken already
 * @throws a 429 when a throttle has no room left; counts nothing
 */
export async function requireRoom(
  db: Connection,
  throttles: readonly Throttle[],
  now: Milliseconds,
  pending = 0,
): Promise<void> {
  const refusal = await findFull(db, throttles, now, pending);
  if (refusal) throw refusal;
}

/**
 * Like `requireRoom`, and keeps others from counting until the unit ends: of tries at once, those that wait see what
 * those before them have counted.
 */
export async function holdRoom(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<void> {
  for (const throttle of throttles) {
    const row = await count(db, throttle, now, 0);
    if (row.count >= throttle.limit.max) throw refuse(throttle, row.ends_at, now);
  }
}

/**
 * How often something has happened in the current window, and when that ends. Keeps others from counting until the
 * transaction ends.
 */
export async function holdCount(
  db: Connection,
  throttle: Throttle,
  now: Milliseconds,
): Promise<{ count: number; endsAt: Milliseconds }> {
  const row = await count(db, throttle, now, 0);
  return { count: row.count, endsAt: row.ends_at };
}

/** Whether any of the events has been counted in its window. */
export async function hasHappened(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<boolean> {
  const keys = throttles.map(({ key }) => key);
  const row = await db
    .selectFrom('throttles')
    .select('key')
    .where('key', 'in', keys)
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets what was counted, for a subject given in part too: an account at whatever address. */
export async function lift(db: Connection, throttles: readonly Throttle[]): Promise<void> {
  for (const { key } of throttles) {
    await db
      .deleteFrom('throttles')
      // ';' follows ':' in every character set, so this is all that begins with the key and a colon.
      .where((row) => row.or([row('key', '=', key), row.and([row('key', '>', `${key}:`), row('key', '<', `${key};`)])]))
      .execute();
  }
}

/** Begins a new window with nothing counted. */
export async function restart(db: Connection, throttles: readonly Throttle[], now: Milliseconds): Promise<void> {
  await lift(db, throttles);
  for (const throttle of throttles) await count(db, throttle, now, 0);
}

/** Removes windows that have ended, about so many at most. @returns whether there may be more */
export async function deleteEndedThrottles(db: Connection, now: Milliseconds, most: number): Promise<boolean> {
  const last = await db
    .selectFrom('throttles')
    .select('ends_at')
    .where('ends_at', '<', now)
    .orderBy('ends_at')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  const before = last ? last.ends_at + 1 : now;
  await db.deleteFrom('throttles').where('ends_at', '<', before).execute();
  return last !== undefined;
}
