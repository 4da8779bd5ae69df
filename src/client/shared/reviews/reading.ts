import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryCalls, entryName } from '../../../contract/entries.ts';
import { type EntrySummary, getCategorySummary, getEntrySummary } from '../../../contract/entry-summary.ts';
import { getMyHelpful } from '../../../contract/helpful.ts';
import { getCategoryReviews, getReview, type OwnReview, reviewCalls } from '../../../contract/reviews.ts';
import { type CallParts, callQuery, findCachedRow, invalidateReads, keyPrefixOf, queryClient } from '../../api.ts';
import { isAnyPending, useCurrentPage, useDeclaredPagedRead, useDeclaredRead, usePageId, useRead } from '../../page.ts';
import { useSession } from '../../session.ts';
import { summaryAfterPost } from './summary-after-post.ts';

/** Whether the page is about one entry, and not about all of a category at a school. */
const useIsEntryPage = () => useCurrentPage()?.about === 'entry';

/** The reviews that the address asks for. While they are loading, the previous ones stay. */
export function useReviews(category: Category) {
  const call = useIsEntryPage() ? reviewCalls(category).list : getCategoryReviews;
  return useDeclaredPagedRead(call, { placeholderData: keepPreviousData });
}

/** The figures of all reviews, or of those with the relation in the address. */
export function useSummaryRead() {
  const call = useIsEntryPage() ? getEntrySummary : getCategorySummary;
  return useDeclaredRead(call, { placeholderData: keepPreviousData });
}

export const useSummary = () => useSummaryRead().data;

/** Whether one of the reads that an entry's page waits for is pending. */
export function useIsEntryPending(category: Category): boolean {
  const { averageRating, totalReviews } = reviewCalls(category);
  return isAnyPending(
    useDeclaredRead(entryCalls(category).details),
    useDeclaredRead(averageRating),
    useDeclaredRead(totalReviews),
    useSummaryRead(),
    useReviews(category),
  );
}

function findListedName(category: Category, id: number) {
  const entry = findCachedRow<Entry>(entryCalls(category).list, id);
  return entry && { [category.nameField]: entryName(category, entry) };
}

/**
 * The entry of the page. If a cached list has its name, it is there at once, for the heading that takes the focus. If
 * its name could not be loaded, that of its details stands in, or else that of the category: the reviews can still be read
 * and written.
 */
export function useEntry(category: Category) {
  const { nameLookup, details } = entryCalls(category);
  const id = usePageId();
  const name = useDeclaredRead(nameLookup, { placeholderData: () => findListedName(category, id) });
  const detailed = useDeclaredRead(details).data;
  const known = name.data ?? (name.isError ? detailed : undefined);
  return {
    name: known ? entryName(category, known) : name.isError ? category.label : undefined,
    nameRead: name,
    details: detailed,
  };
}

/**
 * The signed-in user's own review; null if there is none, undefined while that is unknown.
 * @param id of the entry; undefined when none is chosen
 */
export function useOwnReview(category: Category, id: number | undefined) {
  const session = useSession();
  const { mine } = reviewCalls(category);
  return useRead(mine, { params: { id: id ?? 0 } }, { enabled: session !== null && id !== undefined }).data;
}

/** The ids of the signed-in user's own reviews of some entries. */
export function useOwnReviewIds(category: Category, entryIds: readonly number[]): readonly number[] {
  const session = useSession();
  const { mine } = reviewCalls(category);
  return useQueries({
    queries: session ? entryIds.map((id) => callQuery(mine, { params: { id } })) : [],
    combine: (results) => results.flatMap(({ data }) => data?.id ?? []),
  });
}

/** The ids of the reviews of some entries that the signed-in user has marked as helpful. */
export function useMarkedReviewIds(entryIds: readonly number[]): readonly number[] {
  const session = useSession();
  return useQueries({
    queries: session ? entryIds.map((entryId) => callQuery(getMyHelpful, { params: { entryId } })) : [],
    combine: (results) => results.flatMap(({ data = [] }) => data),
  });
}

/**
 * Refetches the reads that the specification names after a review was posted. The user's own review needs no read: it
 * is the answer to the post, and the summary is computed from it.
 */
export async function refetchAfterPost(category: Category, entryId: number, own: OwnReview): Promise<void> {
  const { list, averageRating, totalReviews, mine } = reviewCalls(category);
  queryClient.setQueryData(callQuery(mine, { params: { id: entryId } }).queryKey, own);
  const summaries = queryClient.getQueriesData<EntrySummary>({ queryKey: keyPrefixOf(getEntrySummary) });
  for (const [queryKey, summary] of summaries) {
    // Safe: `callKey` makes the keys, from the parts of the call.
    const { params, query } = queryKey[1] as CallParts<typeof getEntrySummary>;
    const next = summary && params?.entryId === entryId && summaryAfterPost(summary, own, query?.relation);
    if (next) queryClient.setQueryData(queryKey, next);
    else void queryClient.invalidateQueries({ queryKey });
  }
  await invalidateReads(list, averageRating, totalReviews);
}

/** Refetches the reads that an edited or deleted review changes. */
export function refetchReviews(category: Category): Promise<void> {
  const { list, averageRating, totalReviews, mine } = reviewCalls(category);
  return invalidateReads(list, averageRating, totalReviews, mine, getEntrySummary);
}

/** Caches that one's own review is deleted, and refetches the reads that this changes. */
export function refetchAsDeleted(category: Category, entryId: number): Promise<void> {
  queryClient.setQueryData(callQuery(reviewCalls(category).mine, { params: { id: entryId } }).queryKey, null);
  return refetchReviews(category);
}

/**
 * Removes the answer that the page of a review was rendered from. An answer that is only invalidated would be shown,
 * with the old text, until the new one has arrived.
 */
export function forgetReviewPage(reviewId: number): void {
  queryClient.removeQueries({ queryKey: callQuery(getReview, { params: { reviewId } }).queryKey });
}

/** Refetches every read that has failed. */
export function retryReads(): void {
  void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
}
