import { AbortedTransactionError, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Connection } from './database.ts';
import { runPrepared } from './prepared-query.ts';
import type { Tables } from './tables.ts';

/** Makes the server parse and plan each of the product's prepared queries once for each connection. */
function prepareOn(db: Connection, send: Send): void {
  runPrepared(db, async (name, text, values) => (await send({ name, text, values: [...values] })).rows);
}

/** A connection of the pool while a transaction has it. */
interface Held {
  readonly db: Connection;
  /** Why the transaction has not begun. */
  failure?: Error | undefined;
}

type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** A pool in the form that Kysely takes, of one connection that is never released. */
function poolOf(send: Send): PostgresPool {
  const query = (text: string, values: unknown[]) => send({ text, values });
  // Kysely's type has an overload for cursors, which are not used here.
  const client = { query: query as unknown as PostgresPoolClient['query'], release() {} };
  return { options: {}, connect: async () => client, end: async () => {} };
}

/**
 * Runs transactions on the connections of a pool. Queries that are made without waiting for each other are sent
 * together, and so is BEGIN with the first of them. Kysely's own transactions send the next when the one before is
 * answered.
 * @param read a connection over the same pool
 * @param isDirect false for a pooler, which gives a transaction one connection and the next another one: there nothing
 * is prepared
 */
export function createTransactions(pool: pg.Pool, read: Connection, isDirect: boolean) {
  const connections = new WeakMap<pg.PoolClient, Held>();
  if (isDirect) prepareOn(read, queryOnce);

  async function queryOnce(query: pg.QueryConfig): Promise<pg.QueryResult> {
    // Not `pool.query`, which fails while the server has no further connection, and does not wait for one of the pool's.
    const client = await pool.connect();
    try {
      return await client.query(query);
    } finally {
      client.release();
    }
  }

  function connectionOver(client: pg.PoolClient): Held {
    const held: Held = { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(send) }) }) };
    function send(query: pg.QueryConfig): Promise<pg.QueryResult> {
      return held.failure ? Promise.reject(held.failure) : client.query(query);
    }
    if (isDirect) prepareOn(held.db, send);
    return held;
  }

  /** @throws the error of the body or the commit; then nothing is changed */
  return async function transact<T>(body: (db: Connection) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const held = connections.get(client) ?? connectionOver(client);
    connections.set(client, held);
    held.failure = undefined;
    const begun = client.query('begin');
    // It is answered before the first query of the body, which then sends no further one.
    begun.catch((error: Error) => {
      held.failure = error;
    });
    let broken: Error | undefined;
    try {
      const result = await body(held.db);
      await begun;
      const { command } = await client.query('commit');
      // PostgreSQL answers so when a statement has failed whose error the body has caught.
      if (command !== 'COMMIT') throw new AbortedTransactionError();
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  };
}
