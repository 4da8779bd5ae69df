import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { SendQuery } from './change-log.ts';
import { UnusableDatabase } from './failures.ts';
import { isPoolBusy, type RenewablePool } from './postgres-pool.ts';

/** The channel on which changes are announced. */
export const CHANNEL = 'school_reviews_changes';

/** No tag has this prefix. */
const HEARTBEAT_PREFIX = 'heartbeat:';

/** After this many heartbeats in a row that found no free connection, the subscription counts as lost. */
const UNSENT_MAX = 3;

const NO_NOTIFICATIONS =
  'DATABASE_LISTEN_URL, or DATABASE_URL without it, brings no notifications. ' +
  'Allowed: the same database on its primary, not through a pooler in transaction mode.';

export function isHeartbeat(payload: string): boolean {
  return payload.startsWith(HEARTBEAT_PREFIX);
}

/** A message that a process sends to itself over the same connections as its changes. */
export type Heartbeat = ReturnType<typeof createHeartbeat>;

/** @param pool the connections used for all writes */
export function createHeartbeat(pool: RenewablePool, answerWithinMs: number) {
  const ownPrefix = `${HEARTBEAT_PREFIX}${randomUUID()}:`;
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
    /** Receives a payload for which `isHeartbeat` is true, from any process. */
    receive(payload: string): void {
      // A heartbeat of another process must not overwrite our own before `prove` has compared it.
      if (!payload.startsWith(ownPrefix)) return;
      received = payload;
      onReceived();
    },
    /**
     * Proves that notifications sent through the pool arrive on a listening connection, which `query` uses. An answer
     * to a query there would not prove it: a pooler in transaction mode accepts LISTEN but passes no notification on,
     * and an old primary that is still running after another was promoted answers every query but receives no
     * notification.
     * @throws {UnusableDatabase} when the heartbeat was sent and did not arrive; otherwise the error of the query
     */
    async prove(query: SendQuery): Promise<void> {
      count += 1;
      const payload = `${ownPrefix}${count}`;
      const arrival = new Promise<void>((resolve) => {
        onReceived = () => {
          if (received === payload) resolve();
        };
      });
      const wasSent = await send(payload);
      if (wasSent) await Promise.race([arrival, setTimeout(answerWithinMs, undefined, { ref: false })]);
      if (received === payload) return;
      // The heartbeat may be in a socket buffer that this busy process has not read yet. It is read before the answer
      // to this query.
      await query('SELECT 1');
      if (!wasSent || received === payload) return;
      // The host name may now resolve to another server, so the pool must open new connections.
      await pool.renew();
      throw new UnusableDatabase(NO_NOTIFICATIONS);
    },
  };
}
