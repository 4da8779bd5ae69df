import { PAGES } from '../../contract/pages.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import { LIMITS, type Limit } from '../http/limits/limits.ts';
import { type LimitedTools, lockCount, spendUnchecked, uncount } from '../http/limits/throttle.ts';
import { type Composed, type Composer, type Composers, mapComposers } from '../mail/composers.ts';
import { greet, type Site, writeLetter } from '../mail/letter.ts';
import { hasQueuedMail, insertMail } from '../mail/queries.ts';
import { findUser } from './queries.ts';

/** The purpose of the one mail that is sent in place of all mails about decisions beyond the hourly limit. */
export type MoreDecisionsPurpose = 'more-decisions';
const MORE_DECISIONS: MoreDecisionsPurpose = 'more-decisions';

/** Decides what becomes of a mail beyond the limit of its recipient, whose current window ends at `endsAt`. */
type DecideBeyondLimit = (db: Connection, userId: number, endsAt: Milliseconds) => Promise<Composed>;

/** A composer whose mails count against a limit of their recipient. */
function withLimit(
  composer: Composer,
  limit: Limit,
  decideBeyond: DecideBeyondLimit,
  { throttles, now }: LimitedTools,
): Composer {
  return {
    ...composer,
    async compose(db, queued) {
      const composed = await composer.compose(db, queued);
      // A mail whose hand-over was interrupted is counted already.
      if (!composed || 'notBefore' in composed || queued.countedAt !== null) return composed;
      const throttlesOfUser = throttles.on(limit, queued.userId);
      for (const throttle of throttlesOfUser) {
        const { count, endsAt } = await lockCount(db, throttle, now());
        if (count >= throttle.limit.max) return decideBeyond(db, queued.userId, endsAt);
      }
      await spendUnchecked(db, throttlesOfUser, now());
      return composed;
    },
    async notHandedOver(db, queued, mail) {
      if (queued.countedAt !== null) await uncount(db, throttles.on(limit, queued.userId), queued.countedAt);
      await composer.notHandedOver?.(db, queued, mail);
    },
  };
}

/**
 * Mails about blocks are delayed when there are too many. A delayed mail gives the reason that is stored when it is
 * sent.
 */
export function limitBlockMails<Purpose extends string>(
  composers: Composers<Purpose>,
  tools: LimitedTools,
): Composers<Purpose> {
  const postpone: DecideBeyondLimit = async (_db, _userId, endsAt) => ({ notBefore: endsAt });
  return mapComposers(composers, (composer) => withLimit(composer, LIMITS.blockMails, postpone, tools));
}

/**
 * Limits the mails about decisions on reviews and proposals. Those beyond the limit are not sent; when the hour is
 * over, one mail says that there were more decisions, and where to read them.
 */
export function limitDecisionMails<Purpose extends string>(
  composers: Composers<Purpose>,
  tools: LimitedTools & Site,
): Composers<Purpose | MoreDecisionsPurpose> {
  const queueSummary: DecideBeyondLimit = async (db, userId, endsAt) => {
    if (!(await hasQueuedMail(db, userId, MORE_DECISIONS))) {
      await insertMail(db, { purpose: MORE_DECISIONS, userId }, endsAt);
    }
    return null;
  };
  const summary: Composer = {
    async compose(db, { userId }) {
      const user = await findUser(db, userId);
      if (!user) return null;
      return writeLetter(tools, user.email, {
        subject: 'more decisions about what you wrote',
        greeting: greet(user),
        paragraphs: [
          'There were more decisions about your reviews and proposals within an hour than we mail one by one.',
          `What happened to each of them: ${tools.publicUrl(PAGES.myReviews.path)}`,
        ],
      });
    },
  };
  const limited = mapComposers(composers, (one) => withLimit(one, LIMITS.decisionMails, queueSummary, tools));
  // Safe: together these are the composers of all purposes of the type.
  return { ...limited, [MORE_DECISIONS]: summary } as Composers<Purpose | MoreDecisionsPurpose>;
}
