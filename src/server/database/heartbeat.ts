import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { UnusableDatabase } from './failures.ts';
import { isPoolBusy, type RenewablePool } from './postgres-pool.ts';

/** The channel that changes are announced on. */
export const CHANNEL = 'school_reviews_changes';

/** No tag begins like this. */
const PREFIX = 'heartbeat:';

/** After so many heartbeats in a row that found no free connection the subscription counts as unproven. */
const UNSENT_MAX = 3;

const NOT_HEARD =
  'DATABASE_LISTEN_URL, or DATABASE_URL without it, brings no notifications. ' +
  'Allowed: the same database on its primary, not through a pooler in transaction mode.';

/** A process's own message to itself, sent the way changes are sent and received the way they are received. */
export interface Heartbeat {
  /** Takes a payload for which `isHeartbeat` is true, from whichever process it is. */
  receive(payload: string): void;
  /**
   * Proves that what is written through the pool is announced over a listening connection. A pooler in transaction mode
   * takes LISTEN like any statement and passes nothing on; an old primary that is still up after another was promoted
   * answers every question and hears of nothing. Asking the connection itself shows neither.
   * @throws {UnusableDatabase} when the heartbeat was sent and did not arrive, else what failed
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
      // That of another process, between one's own and the look at it, would hide it.
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
      // It may lie in a socket that this process was too busy to read; it is read before this is answered.
      await listening.query('SELECT 1');
      if (!wasSent || received === payload) return;
      // The name in its address may lead to another server by now: its connections are made anew.
      await pool.renew();
      throw new UnusableDatabase(NOT_HEARD);
    },
  };
}
