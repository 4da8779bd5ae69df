import type { Call } from '../../../contract/call.ts';
import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryName } from '../../../contract/entries.ts';
import { foldSearch } from '../../../contract/folding.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { getMyProposals, proposeEntry } from '../../../contract/proposals.ts';
import { invalidateReads, request } from '../../api.ts';
import { lightNextPage } from '../../components/school/light.tsx';
import { notify } from '../../notices.ts';
import { type Draft, proposedReview } from '../reviews/drafts.ts';

/** The entries in whose names each typed word is the beginning of a word; all entries if nothing is typed. */
export function similarEntries(category: Category, entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = foldSearch(typed).split(' ').filter(Boolean);
  return entries.filter((entry) => {
    const own = foldSearch(entryName(category, entry)).split(' ');
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}

/**
 * Says that something was proposed, and reads again what that changes.
 * @param path its page, if it is there already @param lists the calls for the lists that it is then in
 */
export async function showProposed(path: string | undefined, lists: readonly Call[]): Promise<void> {
  notify.success(path ? 'Thank you. It is added.' : 'Thank you. An admin will look at it and mail you.');
  await invalidateReads(getMyProposals, ...(path ? lists : []));
}

/** Proposes an entry, with a review if one was begun. @returns its page if no admin has to decide first */
export async function sendEntryProposal(
  category: Category,
  { schoolId, ...fields }: { schoolId: number; name: string; description?: string },
  review: Draft,
): Promise<string | undefined> {
  const body = { schoolId, category: category.kind, ...fields, ...proposedReview(review) };
  const proposal = await request(proposeEntry, { body });
  lightNextPage(proposal);
  const { entryId } = proposal;
  return entryId === undefined ? undefined : pageAddress(categoryPages(category).reviews, entryId);
}
