import { AbortedTransactionError, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Connection } from './database.ts';
import { runPrepared } from './prepared-query.ts';
import type { Tables } from './tables.ts';

/** Makes the server parse the product's prepared queries only once for each connection. */
function prepareOn(db: Connection, send: Send): void {
  runPrepared(db, async (name, text, values) => (await send({ name, text, values: [...values] })).rows);
}

/** A connection of the pool while a transaction has it. */
interface HeldConnection {
  readonly db: Connection;
  /** Why no further query is sent: BEGIN or the transaction has failed. */
  failure?: Error | undefined;
}

type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** A pool in the form that Kysely takes, of one connection that is never released. */
function poolOf(send: Send): PostgresPool {
  const query = (text: string, values: unknown[]) => send({ text, values });
  // A cast, because Kysely's type has an overload for cursors, which are not used here.
  const client = { query: query as unknown as PostgresPoolClient['query'], release() {} };
  return { options: {}, connect: async () => client, end: async () => {} };
}

/**
 * Runs transactions on the connections of a pool. Queries that are made without waiting for each other are sent
 * together, and so is BEGIN with the first of them. Kysely's own transactions send each query only when the one before
 * is answered.
 * @param read a connection over the same pool
 * @param isDirect false if there is a pooler, which may give each transaction another connection: then nothing is
 * prepared
 */
export function createTransactions(pool: pg.Pool, read: Connection, isDirect: boolean) {
  const connections = new WeakMap<pg.PoolClient, HeldConnection>();
  if (isDirect) prepareOn(read, queryOnce);

  async function queryOnce(query: pg.QueryConfig): Promise<pg.QueryResult> {
    // `pool.query` would fail when the server accepts no further connection. `pool.connect` then waits for an open one.
    const client = await pool.connect();
    try {
      return await client.query(query);
    } finally {
      client.release();
    }
  }

  function connectionOver(client: pg.PoolClient): HeldConnection {
    const held: HeldConnection = { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(send) }) }) };
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
    // BEGIN is answered before the first query of the body. If it fails, no further query is sent.
    begun.catch((error: Error) => {
      held.failure = error;
    });
    let rollbackFailure: Error | undefined;
    try {
      const result = await body(held.db);
      await begun;
      const { command } = await client.query('commit');
      // PostgreSQL answers ROLLBACK when a statement has failed and the body has caught its error.
      if (command !== 'COMMIT') throw new AbortedTransactionError();
      return result;
    } catch (error) {
      // Another branch of a `Promise.all` may continue: its queries would run after the rollback.
      held.failure ??= new Error('The transaction has failed.');
      await client.query('rollback').catch((failure: Error) => {
        rollbackFailure = failure;
      });
      throw error;
    } finally {
      client.release(rollbackFailure);
    }
  };
}
