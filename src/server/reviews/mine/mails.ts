import { inOneLine } from '../../../contract/fields.ts';
import { PAGES } from '../../../contract/pages.ts';
import { REASONS } from '../../../contract/reasons.ts';
import type { Connection } from '../../database/database.ts';
import type { Composer, Composers } from '../../mail/composers.ts';
import { type Site, writeLetter } from '../../mail/letter.ts';
import { findHidingReason, type ReviewMailPurpose } from '../states/queries.ts';
import { findReviewForMail } from './queries.ts';

/** The tools that mails to authors need. */
interface MailTools extends Site {
  readonly publicUrl: (path: string) => string;
}

interface Told {
  readonly entryName: string;
  readonly review: string;
  /** The reason in words. */
  readonly reason: string;
}

interface Words {
  /** The state that the mail describes. It is not sent if the review has left that state meanwhile. */
  readonly isHidden: boolean;
  /** Without the entry's name, because subjects are shown on locked screens. */
  readonly subject: string;
  paragraphs(told: Told, address: string): string[];
}

const WORDS: Record<ReviewMailPurpose, Words> = {
  'review-hidden': {
    isHidden: true,
    subject: 'your review was hidden',
    paragraphs: ({ entryName, reason, review }, address) => [
      `Your review of ${entryName} was hidden.`,
      `Reason: ${reason}.`,
      `You wrote:\n${review}`,
      `You can appeal once:\n${address}`,
    ],
  },
  'review-restored': {
    isHidden: false,
    subject: 'your review was restored',
    paragraphs: ({ entryName, review }, address) => [
      `Your review of ${entryName} was restored: everyone sees it again.`,
      `You wrote:\n${review}`,
      `What happened to your reviews:\n${address}`,
    ],
  },
  'appeal-refused': {
    isHidden: true,
    subject: 'your appeal was decided',
    paragraphs: ({ entryName, reason, review }, address) => [
      `Your review of ${entryName} stays hidden after your appeal.`,
      `Reason: ${reason}.`,
      `You wrote:\n${review}`,
      `What happened to your reviews:\n${address}`,
    ],
  },
};

function composerOf(tools: MailTools, purpose: ReviewMailPurpose): Composer {
  const { subject, paragraphs, isHidden } = WORDS[purpose];
  return {
    async compose(db: Connection, { userId, subjectId }) {
      const told = subjectId === null ? undefined : await findReviewForMail(db, subjectId, userId);
      // The decision was changed meanwhile, which has a mail of its own, or the review was withdrawn.
      if (!told || told.withdrawnAt !== null || (told.hiddenAt !== null) !== isHidden) return null;
      const reason = REASONS[await findHidingReason(db, told)];
      const letter = writeLetter(tools, {
        subject,
        greeting: `Hello ${told.username},`,
        paragraphs: paragraphs(
          { ...told, entryName: inOneLine(told.entryName), reason },
          tools.publicUrl(PAGES.myReviews.path),
        ),
      });
      return { to: told.email, ...letter };
    },
  };
}

/** Composes the mails to authors about decisions on their reviews. */
export function createReviewMails(tools: MailTools): Composers<ReviewMailPurpose> {
  return {
    'review-hidden': composerOf(tools, 'review-hidden'),
    'review-restored': composerOf(tools, 'review-restored'),
    'appeal-refused': composerOf(tools, 'appeal-refused'),
  };
}
