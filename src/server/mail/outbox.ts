import { AsyncLocalStorage } from 'node:async_hooks';
import type { Commit, Connection } from '../database/database.ts';
import { failureFields } from '../database/failures.ts';
import { createRerun } from '../database/in-order.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Composers } from './composers.ts';
import { createHandOver, type HandOverTools } from './hand-over.ts';
import { POLL_MS, planWakeUp } from './plan.ts';
import { findNextDue, insertMail, type NewMail } from './queries.ts';

/**
 * How many mails are handed over in parallel, so that one for which the server takes long does not delay the others.
 */
const SENDERS = 4;
/** How long closing waits for mails in flight. Unfinished ones are sent again after the next start. */
const CLOSING_MAX_MS = 5_000;

/** Work that a domain does some time after a transaction, in transactions of its own, such as queueing a mail. */
export interface DelayedWork {
  /** Does the work that has been due longest. @returns false when none was due, or another process did it */
  doNext(): Promise<boolean>;
  /**
   * When the next work is due; undefined when none waits. Absent if no time is known in advance: the work is then done
   * when the outbox looks for due mails, every 15 s.
   */
  findNextDue?(): Promise<Milliseconds | undefined>;
}

/** How long this process waits before it looks again for due work that another process may be doing. */
const OTHER_PROCESS_MS = 1_000;

/** @typeParam Purpose the union of all purposes that have a composer; no other purpose can be queued */
export interface Outbox<Purpose extends string> {
  /** Queues a mail in the transaction that makes it necessary, if the user exists. */
  // A property, not a method: TypeScript then rejects an outbox with fewer purposes than are needed.
  readonly queue: (db: Connection, commit: Commit, mail: NewMail<Purpose>) => Promise<void>;
  /** After the commit, plans the delayed work that the transaction has stored. */
  readonly wake: (commit: Commit) => void;
  /** Does due work and sends due mails. Resolves after a run that has begun at the call or later. */
  flush(): Promise<void>;
  /** How many mails of this process the mail server has accepted, and refused for good. */
  readonly counts: { readonly handedOver: number; readonly refused: number };
  /** Starts no more mails and waits a short time for those in flight. */
  close(): Promise<void>;
}

/**
 * Sends mails from a queue in the database. The transaction that needs a mail queues it, and it is retried until the
 * mail server accepts it.
 */
export function createOutbox<Purpose extends string>(
  tools: HandOverTools & { readonly composers: Composers<Purpose>; readonly delayed: readonly DelayedWork[] },
): Outbox<Purpose> {
  const { database, transport, delayed, log, now } = tools;
  const handOver = createHandOver(tools);
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  /** Runs without the async context of a request: sending serves many requests, and is charged to none. */
  const outsideRequests = AsyncLocalStorage.snapshot();

  // A call during a run leads to another one: a mail queued just before a run ends would otherwise wait for the next
  // wake-up.
  const flush = createRerun(() => outsideRequests(work));

  async function work(): Promise<void> {
    if (isClosed) return;
    try {
      for (const { doNext } of delayed) while (!isClosed && (await doNext()));
      await sendDue();
      await planNextRun();
    } catch (error) {
      log.warn(
        { event: 'outbox-stalled', ...failureFields(error) },
        'the outbox could not be worked through, will try again',
      );
      wakeUpIn(POLL_MS);
    }
  }

  async function planNextRun(): Promise<void> {
    const forMails = planWakeUp(await findNextDue(database.read), handOver.serverState(), now());
    const workDue = await Promise.all(delayed.map((one) => one.findNextDue?.()));
    const forWork = workDue.map((due = now() + POLL_MS) => Math.max(due - now(), 0) || OTHER_PROCESS_MS);
    wakeUpIn(Math.min(forMails, ...forWork));
  }

  /** Sends one mail first, to learn whether the server is up, and then several in parallel. */
  async function sendDue(): Promise<void> {
    if (await sendNext()) await Promise.all(Array.from({ length: SENDERS }, sendAll));
  }

  async function sendAll(): Promise<void> {
    while (await sendNext());
  }

  const sendNext = async () => !isClosed && (await handOver.next());

  function wakeUpIn(waitMs: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void flush(), waitMs).unref();
  }

  return {
    async queue(db, commit, mail) {
      await insertMail(db, mail, now());
      commit.after(() => void flush());
    },
    wake: (commit) => commit.after(() => void flush()),
    flush,
    counts: handOver.counts,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const closeTimer = setTimeout(() => transport.close(), CLOSING_MAX_MS);
      await flush();
      clearTimeout(closeTimer);
    },
  };
}
