import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { UnusableDatabase } from './failures.ts';
import { isPoolBusy, type RenewablePool } from './postgres-pool.ts';

/** The channel that changes are announced on. */
export const CHANNEL = 'school_reviews_changes';

/** No tag begins like this. */
const PREFIX = 'heartbeat:';

/** After this many heartbeats in a row without a free connection the subscription counts as unproven. */
const UNSENT_MAX = 3;

const NOT_HEARD =
  'DATABASE_LISTEN_URL, or DATABASE_URL without it, brings no notifications. ' +
  'Allowed: the same database on its primary, not through a pooler in transaction mode.';

/** A message that a process sends to itself, over the same connections as changes. */
export interface Heartbeat {
  /** Takes a payload for which `isHeartbeat` is true, from any process. */
  receive(payload: string): void;
  /**
   * Proves that notifications sent through the pool arrive on a listening connection. A pooler in transaction mode
   * accepts LISTEN and passes no notification on; an old primary that is still up after another was promoted answers
   * every query and receives no notification. A query on the listening connection detects neither.
   * @throws {UnusableDatabase} when the heartbeat was sent and did not arrive; otherwise the error of the query
   */
  prove(listening: pg.Client): Promise<void>;
}

export function isHeartbeat(payload: string): boolean {
  return payload.startsWith(PREFIX);
}

/** @param pool holds the connections that everything is written with */
export function createHeartbeat(pool: RenewablePool, answerWithinMs: number): Heartbeat {
  const own = `${PREFIX}${randomUUID()}:`;
  let count = 0;
  let unsent = 0;
  let received = '';
  let onReceived = () => {};

  /** @returns false when all connections were in use */
  async function send(payload: string): Promise<boolean> {
    const query = { text: 'select pg_notify($1, $2)', values: [CHANNEL, payload], query_timeout: answerWithinMs };
    try {
      await pool.query(query);
      unsent = 0;
      return true;
    } catch (error) {
      unsent += 1;
      if (isPoolBusy(error) && unsent < UNSENT_MAX) return false;
      throw error;
    }
  }

  return {
    receive(payload) {
      // A heartbeat of another process must not overwrite our own before `prove` has compared it.
      if (!payload.startsWith(own)) return;
      received = payload;
      onReceived();
    },
    async prove(listening) {
      count += 1;
      const payload = `${own}${count}`;
      const arrival = new Promise<void>((resolve) => {
        onReceived = () => {
          if (received === payload) resolve();
        };
      });
      const wasSent = await send(payload);
      if (wasSent) await Promise.race([arrival, setTimeout(answerWithinMs, undefined, { ref: false })]);
      if (received === payload) return;
      // It may be in a socket buffer that this process was too busy to read; it is read before this answer.
      await listening.query('SELECT 1');
      if (!wasSent || received === payload) return;
      // The host name may resolve to another server by now, so the pool opens new connections.
      await pool.renew();
      throw new UnusableDatabase(NOT_HEARD);
    },
  };
}
