import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { EVERYTHING, readTags, type Tag, writeTags } from './change-tags.ts';
import type { ChangeListener, Connection } from './database.ts';
import { UnusableDatabase } from './failures.ts';
import { CHANNEL, createHeartbeat, isHeartbeat } from './heartbeat.ts';
import type { RenewablePool } from './postgres-pool.ts';

/** PostgreSQL refuses payloads of 8,000 bytes or more. */
const PAYLOAD_MAX = 7_500;
const RECONNECT_MS = 250;
/** Detects a connection that died silently, or whose server is no longer the primary. */
const HEARTBEAT_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 1_500;

/**
 * Subscribes to the changes of other processes with LISTEN, over a separate connection. The listener is told when that
 * connection is lost or the heartbeat of this process does not arrive, because changes may have been missed.
 * @param pool the connections used for all writes
 * @returns a function that ends the subscription
 * @throws when the first connection fails or receives no heartbeat
 */
export async function openChangeChannel(
  url: string,
  pool: RenewablePool,
  listener: ChangeListener,
): Promise<() => Promise<void>> {
  const heartbeat = createHeartbeat(pool, ANSWER_WITHIN_MS);
  const subscription = reportSubscription(listener);
  let isClosed = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<void> {
    const fresh = createClient(url);
    const lose = (error: Error) => {
      if (client !== fresh) return;
      client = undefined;
      subscription.fail(error);
      fresh.end().catch(() => {});
      if (!isClosed) void reconnect();
    };
    fresh.on('error', lose);
    fresh.on('end', () => lose(new Error('The connection that listens was closed.')));
    fresh.on('notification', ({ payload = '' }) => {
      if (isHeartbeat(payload)) heartbeat.receive(payload);
      else receive(payload, listener);
    });
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      await heartbeat.prove(fresh);
      if (isClosed) throw new Error('Closed while it was connecting.');
    } catch (error) {
      void fresh.end().catch(() => {});
      throw error;
    }
    client = fresh;
    subscription.succeed();
    void watch(fresh, lose);
  }

  async function watch(watched: pg.Client, lose: (error: Error) => void): Promise<void> {
    for (;;) {
      await setTimeout(HEARTBEAT_EVERY_MS, undefined, { ref: false });
      if (client !== watched) return;
      const failure = await heartbeat.prove(watched).catch((error: Error) => error);
      if (failure) return lose(failure);
      listener.onHeard?.();
    }
  }

  async function reconnect(): Promise<void> {
    while (!isClosed && !client) {
      await setTimeout(RECONNECT_MS, undefined, { ref: false });
      await connect().catch(subscription.fail);
    }
  }

  await connect();
  return async () => {
    isClosed = true;
    subscription.stop();
    const last = client;
    client = undefined;
    await last?.end();
  };
}

function createClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    fallback_application_name: 'school-reviews changes',
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
}

/** Notifies the other processes if and only if the transaction commits. */
export async function announce(db: Connection, tags: ReadonlySet<Tag>): Promise<void> {
  const named = writeTags(tags);
  const payload = named.length <= PAYLOAD_MAX ? named : EVERYTHING;
  await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db);
}

/**
 * Passes a notification on, even of this process's own change: if the answer to a COMMIT is lost, the process learns of
 * the commit only here.
 */
function receive(payload: string, listener: ChangeListener): void {
  if (payload === '') return;
  if (payload === EVERYTHING) listener.onUnknownChange();
  else listener.onTags(readTags(payload));
}

type State = 'subscribed' | 'lost' | 'silent' | 'stopped';

/** Tells the listener once for each change of state, because reconnecting can fail many times in a row. */
function reportSubscription(listener: ChangeListener) {
  let state: State | undefined;

  function enter(next: State): boolean {
    if (next === state || state === 'stopped') return false;
    state = next;
    return true;
  }

  return {
    succeed() {
      if (enter('subscribed')) listener.onSubscribed();
    },
    fail(error: Error) {
      const isNew = enter(error instanceof UnusableDatabase ? 'silent' : 'lost');
      if (isNew) listener.onUnsubscribed(error.message);
    },
    /** Tells nothing more. */
    stop() {
      enter('stopped');
    },
  };
}
