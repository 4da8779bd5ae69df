import type { Commit, Connection } from '../database/database.ts';
import { failureFields } from '../database/failures.ts';
import type { Composers } from './composers.ts';
import { createHandOver, type HandOverTools } from './hand-over.ts';
import { POLL_MS, planWakeUp } from './plan.ts';
import { findNextDue, insertMail, type NewMail } from './queries.ts';

/** Mails handed over in parallel, so that one mail that the server keeps waiting does not hold up the others. */
const SENDERS = 4;
/** How long closing waits for mails in flight; they are sent again after the next start. */
const CLOSING_MAX_MS = 5_000;

/** @typeParam Purpose the union of all purposes that have a composer; no other can be queued */
export interface Outbox<Purpose extends string> {
  /** Queues a mail in the transaction that makes it necessary, if there is such a user. */
  // A property, not a method: TypeScript then rejects an outbox of fewer purposes where more are needed.
  readonly queue: (db: Connection, commit: Commit, mail: NewMail<Purpose>) => Promise<void>;
  /** Sends what is due until nothing is. */
  flush(): Promise<void>;
  /** Starts no more mails and waits a short time for those in flight. */
  close(): Promise<void>;
}

/**
 * Sends mails from a queue in the database: each is queued by the transaction that needs it and retried until the mail
 * server takes it.
 */
export function createOutbox<Purpose extends string>(
  tools: HandOverTools & { readonly composers: Composers<Purpose> },
): Outbox<Purpose> {
  const { database, transport, log, now } = tools;
  const handOver = createHandOver(tools);
  let isClosed = false;
  let flushing: Promise<void> | undefined;
  let isAskedAgain = false;
  let timer: NodeJS.Timeout | undefined;

  function flush(): Promise<void> {
    isAskedAgain = true;
    if (isClosed) return Promise.resolve();
    flushing ??= work();
    return flushing;
  }

  async function work(): Promise<void> {
    try {
      // A call during a run is served by that run: otherwise a mail queued while the next wake-up is being planned
      // would wait for it.
      do {
        isAskedAgain = false;
        await sendDue();
        wakeUpIn(planWakeUp(await findNextDue(database.read), handOver.server(), now()));
      } while (isAskedAgain && !isClosed);
    } catch (error) {
      log.warn(
        { event: 'outbox-stalled', ...failureFields(error) },
        'the outbox could not be worked through, will try again',
      );
      wakeUpIn(POLL_MS);
    } finally {
      flushing = undefined;
    }
  }

  /** One mail at first, to learn whether the server is up; then several in parallel. */
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
    flush,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const impatience = setTimeout(() => transport.close(), CLOSING_MAX_MS);
      await flushing;
      clearTimeout(impatience);
    },
  };
}
