import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { createTransactions } from '../../src/server/database/postgres-transactions.ts';

test('a branch that continues after another one has failed sends nothing after the rollback', async () => {
  const sent: string[] = [];
  const query = async ({ text }: pg.QueryConfig | { text: string }) => {
    sent.push(text);
    await setTimeout();
    if (text === 'fails') throw new Error('Failed.');
    return { command: text.toUpperCase(), rows: [], fields: [] };
  };
  const client = {
    query: (given: string | pg.QueryConfig) => query(typeof given === 'string' ? { text: given } : given),
    release() {},
  };
  // Casts, because transactions use nothing else of a pool, and no connection for reads.
  const pool = { connect: async () => client } as unknown as pg.Pool;
  const transact = createTransactions(pool, undefined as never, false);
  let late: Promise<unknown> | undefined;
  const transaction = transact(async (db) => {
    const branch = async () => {
      await sql`first`.execute(db);
      await setTimeout(5);
      await sql`late`.execute(db);
    };
    late = branch();
    await Promise.all([late, sql`fails`.execute(db)]);
  });
  await expect(transaction).rejects.toThrow('Failed.');
  await expect(late).rejects.toThrow('The transaction has failed.');
  expect(sent).toEqual(['begin', 'first', 'fails', 'rollback']);
});
