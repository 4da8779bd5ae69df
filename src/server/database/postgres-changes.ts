import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { EVERYTHING, readTags, type Tag, writeTags } from '../cache/tags.ts';
import type { ChangeListener, Connection } from './database.ts';
import { UnusableDatabase } from './failures.ts';

const CHANNEL = 'school_reviews_changes';

/** PostgreSQL refuses a payload of 8,000 bytes. */
const PAYLOAD_MAX = 7_500;
const RECONNECT_MS = 250;
/** A connection that died without a word is found out by asking. */
const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 1_500;

export interface ChangeChannel {
  /** Tells the other processes, if and only if the transaction commits. */
  announce(db: Connection, tags: ReadonlySet<Tag>): Promise<void>;
  close(): Promise<void>;
}

const NOT_HEARD =
  'DATABASE_LISTEN_URL, or DATABASE_URL without it, brings no notifications. ' +
  'Allowed: the same database on its primary, not through a pooler in transaction mode.';

/**
 * Hears what other processes change, over a connection of its own. While that is lost the listener is told so: what
 * happened meanwhile is unknown.
 * @param db speaks over the connections that everything is written with
 * @throws when the first connection fails or brings nothing
 */
export async function openChangeChannel(url: string, db: Connection, listener: ChangeListener): Promise<ChangeChannel> {
  let isClosed = false;
  let client: pg.Client | undefined;

  function hear(payload: string | undefined): void {
    if (!payload) return;
    // One's own as well: a commit whose answer was lost on the way is heard of here alone.
    if (payload === EVERYTHING) listener.onUnknownChange();
    else listener.onTags(readTags(payload));
  }

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      fallback_application_name: 'school-reviews changes',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    const lose = () => {
      if (client !== fresh) return;
      client = undefined;
      listener.onInformed(false);
      fresh.end().catch(() => {});
      if (!isClosed) void reconnect();
    };
    fresh.on('error', lose);
    fresh.on('end', lose);
    fresh.on('notification', ({ payload }) => hear(payload));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      await proveHearing(fresh);
      if (isClosed) throw new Error('Closed while it was connecting.');
    } catch (error) {
      void fresh.end().catch(() => {});
      throw error;
    }
    client = fresh;
    listener.onInformed(true);
    void ask(fresh, lose);
  }

  /**
   * Sends a word without a tag the way changes come. A pooler in transaction mode takes LISTEN like any statement and
   * passes nothing on: whoever believed it would answer what is out of date for ever.
   */
  async function proveHearing(fresh: pg.Client): Promise<void> {
    const heard = once(fresh, 'notification');
    // It may also fail while the word is still being sent.
    heard.catch(() => {});
    await sql`select pg_notify(${CHANNEL}, '')`.execute(db);
    const silence = setTimeout(ANSWER_WITHIN_MS, 'silent', { ref: false });
    if ((await Promise.race([heard, silence])) === 'silent') throw new UnusableDatabase(NOT_HEARD);
  }

  async function ask(asked: pg.Client, lose: () => void): Promise<void> {
    for (;;) {
      await setTimeout(ASK_EVERY_MS, undefined, { ref: false });
      if (client !== asked) return;
      const answers = await asked.query('SELECT 1').then(
        () => true,
        () => false,
      );
      if (!answers) return lose();
    }
  }

  async function reconnect(): Promise<void> {
    while (!isClosed && !client) {
      await setTimeout(RECONNECT_MS, undefined, { ref: false });
      // Not there yet: the listener knows, and the next try comes.
      await connect().catch(() => {});
    }
  }

  await connect();
  return {
    async announce(db, tags) {
      const named = writeTags(tags);
      const payload = named.length <= PAYLOAD_MAX ? named : EVERYTHING;
      await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db);
    },
    async close() {
      isClosed = true;
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
