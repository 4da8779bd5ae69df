import type { Commit, Connection } from '../database/database.ts';
import { failureFields } from '../database/failures.ts';
import type { Composers } from './composers.ts';
import { createHandOver, type HandOverTools } from './hand-over.ts';
import { POLL_MS, planWakeUp } from './plan.ts';
import { findNextDue, insertMail, type NewMail } from './queries.ts';

/** Mails handed over at once: one that a server keeps hanging must not hold up the others. */
const SENDERS = 4;
/** How long an end waits for mails in hand; they are sent after the next start. */
const CLOSING_MAX_MS = 5_000;

/** @typeParam Purpose what mails are about: all that somebody composes, and nothing else can be queued */
export interface Outbox<Purpose extends string> {
  /** Queues a mail in the transaction that makes it necessary, if there is such a user. */
  // A property, not a method: only so is an outbox of fewer purposes refused where one of more is needed.
  readonly queue: (db: Connection, commit: Commit, mail: NewMail<Purpose>) => Promise<void>;
  /** Sends what is due until nothing is. */
  flush(): Promise<void>;
  /** Stops taking up mails and waits for those in hand, though not for long. */
  close(): Promise<void>;
}

/** Sends mails from the database, so that none is lost: queued with what makes them necessary, tried until taken. */
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
      // Who asks at any time before the end is served by this run: a mail queued while the next waking-up is planned
      // would otherwise wait for it.
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

  /** One mail shows whether the server is there before several go at once. */
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
