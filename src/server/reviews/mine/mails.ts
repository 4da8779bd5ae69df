import { type AppealStep, findAppealStep } from '../../../contract/events.ts';
import { inOneLine } from '../../../contract/fields.ts';
import { PAGES } from '../../../contract/pages.ts';
import { REASONS } from '../../../contract/reasons.ts';
import type { Connection } from '../../database/database.ts';
import type { Composer, Composers } from '../../mail/composers.ts';
import { type Site, writeLetter } from '../../mail/letter.ts';
import { findHidingReason, listEvents, type ReviewMailPurpose } from '../states/queries.ts';
import { findReviewForMail } from './queries.ts';

interface MailedReview {
  readonly entryName: string;
  readonly review: string;
  /** The reason in words. */
  readonly reason: string;
  readonly isWithdrawn: boolean;
  readonly step: AppealStep;
}

interface MailTexts {
  /** The state that the mail describes. The mail is not sent if the review has left that state meanwhile. */
  readonly isHidden: boolean;
  /** Whether the mail is also sent when the author has withdrawn the review meanwhile. */
  readonly isSentAfterWithdrawal: boolean;
  /** The subject does not name the entry, because subjects are shown on locked screens. */
  readonly subject: string;
  paragraphs(review: MailedReview, address: string): string[];
}

const TEXTS: Record<ReviewMailPurpose, MailTexts> = {
  'review-hidden': {
    isHidden: true,
    isSentAfterWithdrawal: true,
    subject: 'your review was hidden',
    paragraphs: ({ entryName, reason, review, isWithdrawn }, address) => [
      `Your review of ${entryName} was hidden.`,
      `Reason: ${reason}.`,
      `You wrote:\n${review}`,
      isWithdrawn ? 'It was withdrawn since, so it cannot be appealed.' : `You can appeal once: ${address}`,
    ],
  },
  'review-restored': {
    isHidden: false,
    isSentAfterWithdrawal: false,
    subject: 'your review was restored',
    paragraphs: ({ entryName, review }, address) => [
      `Your review of ${entryName} was restored: everyone sees it again.`,
      `You wrote:\n${review}`,
      `What happened to your reviews: ${address}`,
    ],
  },
  'appeal-refused': {
    isHidden: true,
    isSentAfterWithdrawal: false,
    subject: 'your appeal was decided',
    paragraphs: ({ entryName, reason, review, step }, address) => [
      `Your review of ${entryName} stays hidden after your appeal.`,
      `Reason: ${reason}.`,
      `You wrote:\n${review}`,
      ...(step === 'over' ? [] : ['If you edit it, you can appeal once more.']),
      `What happened to your reviews: ${address}`,
    ],
  },
};

function composerOf(tools: Site, purpose: ReviewMailPurpose): Composer {
  const { subject, paragraphs, isHidden, isSentAfterWithdrawal } = TEXTS[purpose];
  return {
    async compose(db: Connection, { userId, subjectId }) {
      const row = subjectId === null ? undefined : await findReviewForMail(db, subjectId, userId);
      // The review is gone, or another decision was made meanwhile, which has a mail of its own.
      if (!row || (row.hiddenAt !== null) !== isHidden) return null;
      const isWithdrawn = row.withdrawnAt !== null;
      if (isWithdrawn && !isSentAfterWithdrawal) return null;
      const events = (await listEvents(db, [row])).get(row.id) ?? [];
      const reason = REASONS[await findHidingReason(db, row)];
      return writeLetter(tools, row.email, {
        subject,
        greeting: `Hello ${row.username},`,
        paragraphs: paragraphs(
          { ...row, entryName: inOneLine(row.entryName), reason, isWithdrawn, step: findAppealStep(events) },
          tools.publicUrl(PAGES.myReviews.path),
        ),
      });
    },
  };
}

/** Composes the mails to authors about decisions on their reviews. */
export function createReviewMails(tools: Site): Composers<ReviewMailPurpose> {
  return {
    'review-hidden': composerOf(tools, 'review-hidden'),
    'review-restored': composerOf(tools, 'review-restored'),
    'appeal-refused': composerOf(tools, 'appeal-refused'),
  };
}
