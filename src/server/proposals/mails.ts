import { categoryOf } from '../../contract/categories.ts';
import { inOneLine } from '../../contract/fields.ts';
import { categoryPages, PAGES, pageAddress } from '../../contract/pages.ts';
import type { MyProposal, Obstacle } from '../../contract/proposals.ts';
import type { Composer, Composers } from '../mail/composers.ts';
import { type Site, writeLetter } from '../mail/letter.ts';
import { findProposalForMail } from './queries.ts';

/** The purposes of mails to a proposer. The proposal is their subject. */
export type ProposalMailPurpose = 'proposal-accepted' | 'proposal-refused';

/** The explanation for the author of a review that was not posted, unless the account is gone. */
const OBSTACLE_TEXTS: Readonly<Record<Exclude<Obstacle, 'authorGone'>, string>> = {
  authorBlocked: 'Your review was not posted, because your account is blocked.',
  alreadyReviewed: 'Your review was not posted, because you have one there already.',
};

function reviewTexts({ review, reviewNotPosted }: MyProposal): string[] {
  if (!review || reviewNotPosted === 'authorGone') return [];
  if (reviewNotPosted) return [OBSTACLE_TEXTS[reviewNotPosted], `You wrote:\n${review.review}`];
  return ['Your review is posted there, dated when you proposed it.'];
}

/** The page of the school or entry that a proposal was accepted as. */
function acceptedPath({ kind, category, schoolId, entryId }: MyProposal): string {
  return kind === 'school'
    ? pageAddress(PAGES.school, schoolId)
    : pageAddress(categoryPages(categoryOf(category)).reviews, entryId);
}

const nameOf = ({ name, schoolName }: MyProposal) =>
  inOneLine(name === undefined ? schoolName : `${name} at ${schoolName}`);

/**
 * Composes the mails to proposers about decisions. Subjects contain no names, because they are shown on locked screens.
 */
export function createProposalMails(tools: Site): Composers<ProposalMailPurpose> {
  const composerOf = (
    state: 'accepted' | 'refused',
    paragraphs: (proposal: MyProposal, address: string) => string[],
  ): Composer => ({
    async compose(db, { userId, subjectId }) {
      const found = subjectId === null ? undefined : await findProposalForMail(db, subjectId, userId);
      if (!found || found.state !== state) return null;
      return writeLetter(tools, found.email, {
        subject: `your proposal was ${state}`,
        greeting: `Hello ${found.username},`,
        paragraphs: paragraphs(found, tools.publicUrl(PAGES.myReviews.path)),
      });
    },
  });
  return {
    'proposal-accepted': composerOf('accepted', (proposal, address) => [
      ...(proposal.isGone
        ? [`Your proposal of ${nameOf(proposal)} was accepted. It has since been deleted.`]
        : [
            `Your proposal of ${nameOf(proposal)} was accepted. Everyone finds it here: ${tools.publicUrl(acceptedPath(proposal))}`,
            ...reviewTexts(proposal),
          ]),
      `Your proposals: ${address}`,
    ]),
    'proposal-refused': composerOf('refused', (proposal, address) => [
      `Your proposal of ${nameOf(proposal)} was refused.`,
      `Reason: ${proposal.reason}`,
      ...(proposal.review ? [`You wrote:\n${proposal.review.review}`] : []),
      `Your proposals: ${address}`,
    ]),
  };
}
