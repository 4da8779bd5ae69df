import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { createLogReader, type LogReader, type SendQuery } from './change-log.ts';
import type { ChangeListener } from './database.ts';
import { UnusableDatabase } from './failures.ts';
import { CHANNEL, createHeartbeat, isHeartbeat } from './heartbeat.ts';
import { createQueue } from './in-order.ts';
import type { RenewablePool } from './postgres-pool.ts';
import { handleNotifications, SEND_WAKE_UP } from './wake-ups.ts';

const RECONNECT_MS = 250;
/** How often a heartbeat checks that the connection has not died silently, and that its server is still the primary. */
const HEARTBEAT_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 1_500;
/** When a notification is lost, the change is noticed after this long at most. */
const READ_EVERY_MS = 1_000;
/** Rows of the log are kept for at least this time, and for at most twice as long. */
const TRIM_EVERY_MS = 30_000;

/** A connection that listens, and the reader of its server's log. */
interface Subscription {
  readonly client: pg.Client;
  readonly log: LogReader;
  readonly send: SendQuery;
  readonly lose: (error: Error) => void;
}

/**
 * Follows the changes of other processes over a separate connection: a notification says that there are some, and the
 * log says which. The listener is told when that connection is lost or the heartbeat of this process does not arrive,
 * because changes may have been missed.
 * @param pool the connections used for all writes
 * @throws when the first connection fails or receives no heartbeat
 */
export async function openChangeChannel(url: string, pool: RenewablePool, listener: ChangeListener) {
  const heartbeat = createHeartbeat(pool, ANSWER_WITHIN_MS);
  const reporter = createReporter(listener);
  let isClosed = false;
  let current: Subscription | undefined;

  async function connect(): Promise<void> {
    const client = createClient(url);
    const send = sendInOrder(client);
    const log = createLogReader(send, listener);
    const lose = (error: Error) => {
      if (current?.client !== client) return;
      current = undefined;
      reporter.fail(error);
      client.end().catch(() => {});
      if (!isClosed) void reconnect();
    };
    const subscription = { client, log, send, lose };
    const handle = handleNotifications(() => readLog(subscription), listener);
    client.on('error', lose);
    client.on('end', () => lose(new Error('The connection that listens was closed.')));
    client.on('notification', ({ payload = '', processId }) => {
      if (isHeartbeat(payload)) heartbeat.receive(payload);
      else handle(payload, processId);
    });
    try {
      await client.connect();
      await send(`LISTEN ${CHANNEL}`);
      await heartbeat.prove(send);
      await log.read();
      if (isClosed) throw new Error('Closed while it was connecting.');
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    current = subscription;
    reporter.succeed();
    void watch(subscription);
  }

  async function followLog({ log, lose }: Subscription): Promise<void> {
    try {
      await log.read();
      listener.onFollowed?.();
    } catch (error) {
      lose(error as Error);
      throw error;
    }
  }

  /** Reads in the background. A failure is ignored here, because `followLog` has reported it already. */
  function readLog(subscription: Subscription): void {
    void followLog(subscription).catch(() => {});
  }

  async function watch(watched: Subscription): Promise<void> {
    for (;;) {
      await setTimeout(HEARTBEAT_EVERY_MS, undefined, { ref: false });
      if (current !== watched) return;
      const failure = await heartbeat.prove(watched.send).catch((error: Error) => error);
      if (failure) return watched.lose(failure);
    }
  }

  async function reconnect(): Promise<void> {
    while (!isClosed && !current) {
      await setTimeout(RECONNECT_MS, undefined, { ref: false });
      await connect().catch(reporter.fail);
    }
  }

  await connect();
  const reading = setInterval(() => current && readLog(current), READ_EVERY_MS).unref();
  const trimming = setInterval(() => {
    // Over the pool: deleting many rows must not delay reads of the log.
    void current?.log.trim((text, values) => pool.query(text, values)).catch(() => {});
  }, TRIM_EVERY_MS).unref();

  return {
    // Without a subscription nothing is cached, and no replica is read.
    hasFollowed: (positions: readonly number[]) => !current || positions.every(current.log.hasRead),
    follow: async () => current && followLog(current),
    /** Wakes up the other processes, if possible over the connection that listens: the pool may have none free. */
    wakeOthers: (): Promise<unknown> => (current ? current.send(SEND_WAKE_UP) : pool.query(SEND_WAKE_UP)),
    async close() {
      isClosed = true;
      clearInterval(reading);
      clearInterval(trimming);
      reporter.stop();
      const last = current?.client;
      current = undefined;
      await last?.end();
    },
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

/** Sends each statement when the one before is answered, because a future version of the driver drops its own queue. */
function sendInOrder(client: pg.Client): SendQuery {
  const inOrder = createQueue();
  return (text, values) => inOrder(() => client.query(text, values));
}

type State = 'subscribed' | 'lost' | 'silent' | 'stopped';

/** Tells the listener once for each change of state, because reconnecting can fail many times in a row. */
function createReporter(listener: ChangeListener) {
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
    /** Ends the reports to the listener. */
    stop() {
      enter('stopped');
    },
  };
}
