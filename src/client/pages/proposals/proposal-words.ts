import { findCategory } from '../../../contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import type { MyProposal, Obstacle } from '../../../contract/proposals.ts';

/** Why the review of an accepted proposal was not posted, without "the review was not posted, because". */
export const OBSTACLE_WORDS: Readonly<Record<Obstacle, string>> = {
  authorGone: 'its author has deleted their account',
  authorBlocked: 'its author is blocked',
  alreadyReviewed: 'its author has one there already',
};

/** The page of what a proposal was accepted as; undefined before, and once that is deleted. */
export function acceptedPath(proposal: MyProposal): string | undefined {
  const { kind, state, schoolId, entryId, isGone } = proposal;
  if (state !== 'accepted' || isGone) return undefined;
  if (kind === 'school') return pageAddress(PAGES.school, schoolId);
  const category = findCategory(proposal.category);
  return category && pageAddress(categoryPages(category).reviews, entryId);
}
