import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../database/database.ts';
import { type Param, prepareQuery } from '../../database/prepared-query.ts';
import type { Milliseconds, Tables } from '../../database/tables.ts';

interface CountedEvents {
  key: string;
  /** 0 only locks the row. */
  events: number;
  now: Milliseconds;
  /** The end of the new window, if none is open. */
  endsAt: Milliseconds;
}

/** The new values of a window to which events are added. A window that has ended begins anew. */
export const addingEvents = (now: RawBuilder<Milliseconds>) => ({
  count: sql<number>`case when throttles.ends_at <= ${now} then 0 else throttles.count end + excluded.count`,
  ends_at: sql<Milliseconds>`case when throttles.ends_at <= ${now} then excluded.ends_at else throttles.ends_at end`,
});

const queryCountEvents = prepareQuery((db, param: Param<CountedEvents>) =>
  db
    .insertInto('throttles')
    .values({ key: param('key'), count: param('events'), ends_at: param('endsAt') })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(addingEvents(param('now'))))
    .returning(['count', 'ends_at']),
);

/** The number of events in a window, and its end. */
export interface Window {
  readonly count: number;
  readonly endsAt: Milliseconds;
}

/** Counts events in the open window, and prevents others from counting until the transaction ends. */
export async function countEvents(db: Connection, counted: CountedEvents): Promise<Window> {
  const [row] = await queryCountEvents(db, counted);
  if (!row) throw new Error('A counted event was not answered.');
  return { count: row.count, endsAt: row.ends_at };
}

/** Uncounts one event. @param endsBy a window that ends later began after the event and does not contain it */
export async function uncountEvent(db: Connection, key: string, endsBy: Milliseconds): Promise<void> {
  await db
    .updateTable('throttles')
    .set((row) => ({ count: row('count', '-', 1) }))
    .where('key', '=', key)
    .where('count', '>', 0)
    .where('ends_at', '<=', endsBy)
    .execute();
}

const queryWindow = prepareQuery((db, param: Param<{ key: string; now: Milliseconds }>) =>
  db
    .selectFrom('throttles')
    .select(['count', 'ends_at as endsAt'])
    .where('key', '=', param('key'))
    .where('ends_at', '>', param('now')),
);

/** The open window, if there is one. */
export async function findWindow(db: Connection, key: string, now: Milliseconds): Promise<Window | undefined> {
  const [window] = await queryWindow(db, { key, now });
  return window;
}

/**
 * The end of the last open window with `max` events or more, among the windows of a key and of all keys that continue
 * it after a colon.
 */
export async function findFullEnd(
  db: Connection,
  { key, max }: { key: string; max: number },
  now: Milliseconds,
): Promise<Milliseconds | undefined> {
  const found = await db
    .selectFrom('throttles')
    .select((select) => select.fn.max('ends_at').as('at'))
    .where((row) => isOrBeginsWith(row, key))
    .where('count', '>=', max)
    .where('ends_at', '>', now)
    .executeTakeFirst();
  return found?.at ?? undefined;
}

/** Matches the key, and all keys that begin with it and a colon: ';' follows ':' in every character set. */
function isOrBeginsWith(row: ExpressionBuilder<Tables, 'throttles'>, key: string) {
  return row.or([row('key', '=', key), row.and([row('key', '>', `${key}:`), row('key', '<', `${key};`)])]);
}

/** Deletes the windows of a key, and of all keys that continue it after a colon. */
export async function deleteWindows(db: Connection, key: string): Promise<void> {
  await db
    .deleteFrom('throttles')
    .where((row) => isOrBeginsWith(row, key))
    .execute();
}

/** Deletes windows that have ended, about `most` of them. @returns whether there may be more */
export async function deleteEndedWindows(db: Connection, now: Milliseconds, most: number): Promise<boolean> {
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

/** Tables whose rows themselves are counted: each row names its user and when it was added. */
export type CountedTable = 'proposals' | 'proposal_reviews' | 'reports';

/** The times after `since` at which a user added rows, newest first. */
export async function listCreationTimes(
  db: Connection,
  table: CountedTable,
  userId: number,
  { since, most }: { since: Milliseconds; most: number },
): Promise<Milliseconds[]> {
  const rows = await db
    .selectFrom(table)
    .select('created_at')
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => row.created_at);
}
