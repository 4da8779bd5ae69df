import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Composer, Composers, QueuedMail } from './composers.ts';
import { POLL_MS, planNextTry, SERVER_WORKS, type SmtpFailure } from './plan.ts';
import { deleteMail, lockDueMail, markInFlight, postponeMail } from './queries.ts';
import type { Mail, MailTransport } from './transport.ts';

/** For how long no other process takes a mail in flight. If its process ends, the mail is due again after this time. */
const LEASE_MS = 60_000;
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

export interface HandOverTools {
  readonly database: Database;
  readonly transport: Pick<MailTransport, 'send' | 'close'>;
  readonly composers: Composers<string>;
  readonly log: FastifyBaseLogger;
  readonly now: () => Milliseconds;
}

/** A mail that this process has in flight. */
interface InFlight {
  readonly composer: Composer;
  readonly queued: QueuedMail;
  readonly mail: Mail;
  /** The number of earlier attempts. */
  readonly attempts: number;
}

/** The part of a failure that may be logged: the server's own message can contain the mailbox. */
function describeFailure(error: unknown): SmtpFailure {
  const { code, responseCode, command } = (error ?? {}) as SmtpFailure;
  return { ...(code && { code }), ...(responseCode && { responseCode }), ...(command && { command }) };
}

/** During an update a newer process may queue a purpose that this one does not know. The newer process will send it. */
const composerOfUnknownPurpose = (now: () => Milliseconds): Composer => ({
  compose: async () => ({ notBefore: now() + POLL_MS }),
});

/** @returns undefined when no mail is due; null when the due mail was deleted or postponed */
function claimMail({ database, composers, now }: HandOverTools): Promise<InFlight | null | undefined> {
  return database.write(async (db) => {
    const row = await lockDueMail(db, now());
    if (!row) return undefined;
    const { id, attempts, user_id: userId, subject_id: subjectId } = row;
    const queued: QueuedMail = { userId, subjectId, countedAt: row.counted_at };
    const isTooOld = now() - row.created_at >= GIVE_UP_AFTER_MS;
    const composer = composers[row.purpose] ?? composerOfUnknownPurpose(now);
    const composed = isTooOld ? null : await composer.compose(db, queued);
    if (!composed) {
      if (isTooOld) await composer.givenUp?.(db, queued);
      await deleteMail(db, id);
      return null;
    }
    if ('notBefore' in composed) {
      await postponeMail(db, id, composed.notBefore);
      return null;
    }
    const countedAt = queued.countedAt ?? now();
    await markInFlight(db, id, { dueAt: now() + LEASE_MS, countedAt });
    return { composer, queued: { ...queued, countedAt }, mail: { id, userId, ...composed }, attempts };
  });
}

/** Sends queued mails one by one, each by only one process, and records the state of the mail server. */
export function createHandOver(tools: HandOverTools) {
  const { database, transport, log, now } = tools;
  let server = SERVER_WORKS;
  const counts = { handedOver: 0, refused: 0 };

  /** @returns whether the mail server works: it accepted the mail, or refused only this one */
  async function deliver({ composer, queued, mail, attempts }: InFlight): Promise<boolean> {
    const about = { mailId: mail.id, ...(composer.isAboutAccount && { userId: mail.userId }), attempts: attempts + 1 };
    try {
      await transport.send(mail);
    } catch (error) {
      const failure = describeFailure(error);
      const { waitMs, server: nextState } = planNextTry(failure, { id: mail.id, attempts }, server);
      server = nextState;
      if (waitMs === null) counts.refused += 1;
      log.warn(
        { event: 'mail-failed', failure, ...about },
        waitMs === null ? 'mail refused for good' : 'mail not handed over, will try again',
      );
      await database.write(async (db) => {
        await composer.notHandedOver?.(db, queued, mail);
        if (waitMs === null) {
          await composer.givenUp?.(db, queued);
          await deleteMail(db, mail.id);
        } else await postponeMail(db, mail.id, now() + waitMs);
      });
      return nextState.failures === 0;
    }
    server = SERVER_WORKS;
    counts.handedOver += 1;
    log.info({ event: 'mail-handed-over', ...about }, 'mail handed over');
    await database.write(async (db) => {
      await composer.handedOver?.(db, queued);
      await deleteMail(db, mail.id);
    });
    return true;
  }

  return {
    /** The state of the mail server according to the results so far. */
    serverState: () => server,
    /** How many mails the mail server has accepted, and refused for good. */
    counts,
    /** Hands over the mail that has been due longest. @returns false when there was none or the mail server is down */
    async next(): Promise<boolean> {
      const claimed = await claimMail(tools);
      return claimed ? deliver(claimed) : claimed === null;
    },
  };
}
