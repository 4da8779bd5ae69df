import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Connection } from '../../src/server/database/database.ts';
import type { RunningProduct } from './rows.ts';

/** Does something in a transaction that stays open. @returns the function that ends the transaction */
export async function holdTransaction({ app }: RunningProduct, act: (db: Connection) => Promise<unknown>) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const done = app.database.write(async (db) => {
    await act(db);
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  return async () => {
    end.resolve();
    await done;
  };
}

/** Waits until `amount` statements wait for locks. Does nothing on SQLite: its one writer waits for no row lock. */
export async function waitForLocks({ app: { database } }: RunningProduct, amount: number): Promise<void> {
  if (database.engine === 'sqlite') return;
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await waiting.execute(database.read)).rows.length < amount) await setTimeout(5);
}
