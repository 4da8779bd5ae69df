import type { FastifyBaseLogger } from 'fastify';
import type { Commit, Connection, Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Mail, MailTransport } from './transport.ts';

/** While a process has a mail in hand no other takes it; if the process dies, the mail is due again after this. */
const LEASE_MS = 60_000;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 10 * 60_000;
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;
/** How often a process looks for mails that others left behind. */
const POLL_MS = 15_000;

export interface QueuedMail {
  readonly id: number;
  readonly purpose: string;
  readonly userId: number;
}

/** What the outbox asks of those who know what a mail is about. */
export interface Composer {
  /** Writes the mail at the moment of sending; null when it has become pointless. Part of the claiming unit. */
  compose(db: Connection, queued: QueuedMail): Promise<Mail | null>;
  /** The mail server has it. Part of the unit that takes the mail off the queue. */
  handedOver(db: Connection, queued: QueuedMail): Promise<void>;
}

export interface Outbox {
  /** Queues a mail in the unit that makes it necessary: it is sent if and only if that is committed. */
  queue(db: Connection, commit: Commit, mail: { purpose: string; userId: number }): Promise<void>;
  /** Sends what is due until nothing is. */
  flush(): Promise<void>;
  /** Stops taking up mails and waits for the one in hand. */
  close(): Promise<void>;
}

/** 1 s, 2 s, 4 s … 10 min. */
function backoff(attempts: number): number {
  return Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(attempts, 20), BACKOFF_MAX_MS);
}

/** The server refused this mail for good (RFC 5321 §4.2.1): trying again would only annoy it. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, command } = (error ?? {}) as { responseCode?: number; command?: string };
  return responseCode >= 500 && responseCode < 600 && command !== 'AUTH' && command !== 'CONN';
}

export function createOutbox(
  database: Database,
  transport: MailTransport,
  composer: Composer,
  options: { log: FastifyBaseLogger; now: () => Milliseconds },
): Outbox {
  const { log, now } = options;
  let isClosed = false;
  let flushing: Promise<void> | undefined;
  let isAskedAgain = false;
  let timer: NodeJS.Timeout | undefined;

  /** Takes the mail that is due longest. SKIP LOCKED keeps processes from waiting for each other's. */
  async function claim() {
    return database.write(async (db) => {
      const due = db
        .selectFrom('outbox')
        .selectAll()
        .where('due_at', '<=', now())
        .orderBy('due_at')
        .orderBy('id')
        .limit(1);
      const row = await (database.engine === 'postgres' ? due.forUpdate().skipLocked() : due).executeTakeFirst();
      if (!row) return undefined;
      const queued: QueuedMail = { id: row.id, purpose: row.purpose, userId: row.user_id };
      const mail = now() - row.created_at < GIVE_UP_AFTER_MS ? await composer.compose(db, queued) : null;
      if (!mail) {
        await db.deleteFrom('outbox').where('id', '=', row.id).execute();
        return { queued, mail: null, attempts: row.attempts };
      }
      await db
        .updateTable('outbox')
        .set({ due_at: now() + LEASE_MS, attempts: row.attempts + 1 })
        .where('id', '=', row.id)
        .execute();
      return { queued, mail, attempts: row.attempts };
    });
  }

  async function deliver(queued: QueuedMail, mail: Mail, attempts: number): Promise<void> {
    try {
      await transport.send(mail);
    } catch (error) {
      const gone = isPermanent(error);
      log.warn(
        { event: 'mail-failed', err: error, mailId: mail.id, attempts: attempts + 1 },
        gone ? 'mail refused for good' : 'mail not handed over, will try again',
      );
      await database.write(async (db) => {
        if (gone) await db.deleteFrom('outbox').where('id', '=', queued.id).execute();
        else
          await db
            .updateTable('outbox')
            .set({ due_at: now() + backoff(attempts) })
            .where('id', '=', queued.id)
            .execute();
      });
      return;
    }
    await database.write(async (db) => {
      await composer.handedOver(db, queued);
      await db.deleteFrom('outbox').where('id', '=', queued.id).execute();
    });
  }

  async function sendDue(): Promise<void> {
    while (!isClosed) {
      const claimed = await claim();
      if (!claimed) return;
      if (claimed.mail) await deliver(claimed.queued, claimed.mail, claimed.attempts);
    }
  }

  async function work(): Promise<void> {
    try {
      // Who asks at any time before the end is served by this run: a mail queued while the next waking-up is planned
      // would otherwise wait for it.
      do {
        isAskedAgain = false;
        await sendDue();
        await wakeUp();
      } while (isAskedAgain && !isClosed);
    } catch (error) {
      log.warn({ event: 'outbox-stalled', err: error }, 'the outbox could not be worked through, will try again');
      if (!isClosed) timer = setTimeout(() => void outbox.flush(), POLL_MS).unref();
    } finally {
      flushing = undefined;
    }
  }

  async function wakeUp(): Promise<void> {
    const next = await database.read
      .selectFrom('outbox')
      .select('due_at')
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    const wait = next ? Math.min(Math.max(next.due_at - now(), 0) + 5, POLL_MS) : POLL_MS;
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void outbox.flush(), wait).unref();
  }

  const outbox: Outbox = {
    async queue(db, commit, { purpose, userId }) {
      await db.insertInto('outbox').values({ purpose, user_id: userId, created_at: now(), due_at: now() }).execute();
      commit.after(() => void outbox.flush());
    },
    flush() {
      isAskedAgain = true;
      if (isClosed) return Promise.resolve();
      flushing ??= work();
      return flushing;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await flushing;
    },
  };
  return outbox;
}
