import type { FastifyBaseLogger } from 'fastify';
import type { Commit, Connection, Database } from '../database/database.ts';
import { failureFields } from '../database/failures.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Mail, MailTransport } from './transport.ts';

/** While a process has a mail in hand no other takes it; if the process dies, the mail is due again after this. */
const LEASE_MS = 60_000;
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 10 * 60_000;
/** So many mails refused for now, and none taken in between, are not about the mails: the server takes none. */
const REFUSED_IN_A_ROW_MAX = 3;
/** While the mail server cannot be reached, one mail is tried this often at least: the others go out with it. */
const RETRY_SERVER_MAX_MS = 30_000;
/** Mails handed over at once: one that a server keeps hanging must not hold up the others. */
const SENDERS = 4;
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;
/** How long an end waits for mails in hand; they are sent after the next start. */
const CLOSING_MAX_MS = 5_000;
/** How often a process looks for mails that others left behind. */
const POLL_MS = 15_000;

export interface QueuedMail {
  readonly id: number;
  readonly purpose: string;
  readonly userId: number;
  /** When it was first claimed: by a process that ended with the mail in flight, unless it is by this one. */
  readonly countedAt: Milliseconds | null;
}

/** A mail to hand over now, the time before which it may not go, or null when it is not to be sent at all. */
export type Composed = Mail | { readonly notBefore: Milliseconds } | null;

/** What the outbox asks of those who know what a mail is about. */
export interface Composer {
  /** Writes the mail at the moment of sending, in the transaction that claims it. */
  compose(db: Connection, queued: QueuedMail): Promise<Composed>;
  /** The mail server has it. Runs in the transaction that takes the mail off the queue. */
  handedOver(db: Connection, queued: QueuedMail): Promise<void>;
  /** The mail server does not have it. Runs in the transaction that puts the mail back or off the queue. */
  notHandedOver(db: Connection, queued: QueuedMail, mail: Mail): Promise<void>;
}

export interface Outbox {
  /** Queues a mail in the transaction that makes it necessary, if there is such a user. */
  queue(db: Connection, commit: Commit, mail: { purpose: string; userId: number }): Promise<void>;
  /** Sends what is due until nothing is. */
  flush(): Promise<void>;
  /** Stops taking up mails and waits for those in hand, though not for long. */
  close(): Promise<void>;
}

/** 1 s, 2 s, 4 s … up to a most. */
function backoff(attempts: number, max: number): number {
  return Math.min(BACKOFF_FIRST_MS * 2 ** Math.min(attempts, 20), max);
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  command?: string;
}

/** What may be logged of a failure: the server's own words can name the mailbox. */
function describeFailure(error: unknown): SmtpError {
  const { code, responseCode, command } = (error ?? {}) as SmtpError;
  return { ...(code && { code }), ...(responseCode && { responseCode }), ...(command && { command }) };
}

/** Nothing was said about this mail: the server was not there, or did not go on, or takes no mail at all just now. */
function isServerFailure(error: unknown): boolean {
  const { responseCode, command } = (error ?? {}) as SmtpError;
  return responseCode === undefined || responseCode === 421 || command === 'CONN' || command === 'AUTH';
}

/** The server refused this mail for good (RFC 5321 §4.2.1): trying again would only annoy it. */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, command } = (error ?? {}) as SmtpError;
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
  /** In a row, of the server and not of a mail. */
  let serverFailures = 0;
  /** Mails refused for now since one was taken. */
  const refusedInARow = new Set<number>();

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
      const { id, purpose, user_id: userId, attempts } = row;
      const queued: QueuedMail = { id, purpose, userId, countedAt: row.counted_at };
      const composed = now() - row.created_at < GIVE_UP_AFTER_MS ? await composer.compose(db, queued) : null;
      if (!composed) {
        await db.deleteFrom('outbox').where('id', '=', id).execute();
        return { queued, mail: null, attempts };
      }
      if ('notBefore' in composed) {
        await db.updateTable('outbox').set({ due_at: composed.notBefore }).where('id', '=', id).execute();
        return { queued, mail: null, attempts };
      }
      const countedAt = row.counted_at ?? now();
      await db
        .updateTable('outbox')
        .set({ due_at: now() + LEASE_MS, attempts: attempts + 1, counted_at: countedAt })
        .where('id', '=', id)
        .execute();
      return { queued: { ...queued, countedAt }, mail: composed, attempts };
    });
  }

  /** @returns whether the mail server took it, or said something about this mail alone */
  async function deliver(queued: QueuedMail, mail: Mail, attempts: number): Promise<boolean> {
    try {
      await transport.send(mail);
    } catch (error) {
      const gone = isPermanent(error);
      const isDown = !gone && isServerFailure(error);
      if (!gone && !isDown) refusedInARow.add(queued.id);
      log.warn(
        { event: 'mail-failed', failure: describeFailure(error), mailId: mail.id, attempts: attempts + 1 },
        gone ? 'mail refused for good' : 'mail not handed over, will try again',
      );
      // Of a server that was not there it is nobody's own failure: each is due as soon as it is back. Of one that takes
      // none it may be: the others are tried all the same, or a few mailboxes could keep everybody's mail waiting.
      const refusedMax = refusedInARow.size < REFUSED_IN_A_ROW_MAX ? BACKOFF_MAX_MS : RETRY_SERVER_MAX_MS;
      const wait = isDown ? backoff(serverFailures, RETRY_SERVER_MAX_MS) : backoff(attempts, refusedMax);
      await database.write(async (db) => {
        await composer.notHandedOver(db, queued, mail);
        if (gone) await db.deleteFrom('outbox').where('id', '=', queued.id).execute();
        else
          await db
            .updateTable('outbox')
            .set({ due_at: now() + wait, counted_at: null })
            .where('id', '=', queued.id)
            .execute();
      });
      return !isDown;
    }
    refusedInARow.clear();
    await database.write(async (db) => {
      await composer.handedOver(db, queued);
      await db.deleteFrom('outbox').where('id', '=', queued.id).execute();
    });
    return true;
  }

  /** @returns whether to go on: there was a mail, and the server is there */
  async function sendNext(): Promise<boolean> {
    const claimed = isClosed ? undefined : await claim();
    if (!claimed) return false;
    if (!claimed.mail) return true;
    const isServerThere = await deliver(claimed.queued, claimed.mail, claimed.attempts);
    serverFailures = isServerThere ? 0 : serverFailures + 1;
    return isServerThere;
  }

  async function sendAll(): Promise<void> {
    while (await sendNext());
  }

  /** One mail shows whether the server is there before several go at once. */
  async function sendDue(): Promise<void> {
    if (await sendNext()) await Promise.all(Array.from({ length: SENDERS }, sendAll));
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
      log.warn(
        { event: 'outbox-stalled', ...failureFields(error) },
        'the outbox could not be worked through, will try again',
      );
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
    const pause = serverFailures > 0 ? backoff(serverFailures - 1, RETRY_SERVER_MAX_MS) : 0;
    const wait = Math.max(next ? Math.min(Math.max(next.due_at - now(), 0) + 5, POLL_MS) : POLL_MS, pause);
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void outbox.flush(), wait).unref();
  }

  const outbox: Outbox = {
    async queue(db, commit, { purpose, userId }) {
      const time = now();
      await db
        .insertInto('outbox')
        .columns(['purpose', 'user_id', 'created_at', 'due_at'])
        .expression((from) =>
          from
            .selectFrom('users')
            .select((user) => [
              user.val(purpose).as('purpose'),
              'id',
              user.val(time).as('now'),
              user.val(time).as('due'),
            ])
            .where('id', '=', userId),
        )
        .execute();
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
      const impatience = setTimeout(() => transport.close(), CLOSING_MAX_MS);
      await flushing;
      clearTimeout(impatience);
    },
  };
  return outbox;
}
