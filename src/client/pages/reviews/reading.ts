import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Category } from '../../../contract/categories.ts';
import { entryCalls, entryName } from '../../../contract/entries.ts';
import { reviewCalls } from '../../../contract/reviews.ts';
import { callQuery, keyOf, pagedQuery, queryClient } from '../../api.ts';
import { useSession } from '../../session.ts';

/** Every read of a review page; started together, so that none waits for another. */
function readsOf(category: Category, id: number) {
  const { list, averageRating, totalReviews, mine } = reviewCalls(category);
  const { nameLookup, details } = entryCalls(category);
  const parts = { params: { id } };
  return {
    list: pagedQuery(list, parts),
    averageRating: callQuery(averageRating, parts),
    totalReviews: callQuery(totalReviews, parts),
    name: callQuery(nameLookup, parts),
    details: callQuery(details, parts),
    mine: callQuery(mine, parts),
  };
}

/** Starts all reads without waiting for them. */
export function startReading(category: Category, id: number): void {
  const reads = readsOf(category, id);
  void queryClient.prefetchInfiniteQuery(reads.list);
  for (const read of [reads.averageRating, reads.totalReviews, reads.name, reads.details]) {
    void queryClient.prefetchQuery<unknown, Error, unknown, [string, unknown]>(read as never);
  }
}

export function useReviews(category: Category, id: number) {
  return useInfiniteQuery(readsOf(category, id).list);
}

export function useFigures(category: Category, id: number) {
  const reads = readsOf(category, id);
  return {
    average: useQuery(reads.averageRating).data?.averageRating,
    total: useQuery(reads.totalReviews).data?.totalReviews,
  };
}

export function useEntry(category: Category, id: number) {
  const reads = readsOf(category, id);
  const name = useQuery(reads.name).data;
  return { name: name && entryName(category, name), details: useQuery(reads.details).data };
}

/** The signed-in user's own review; null when there is none, undefined while that is unknown. */
export function useOwnReview(category: Category, id: number) {
  const session = useSession();
  return useQuery({ ...readsOf(category, id).mine, enabled: session !== null }).data;
}

/** Reads again what a posted, corrected or withdrawn review has changed. */
export async function readAgain(category: Category): Promise<void> {
  const { list, averageRating, totalReviews, mine } = reviewCalls(category);
  await Promise.all(
    [list, averageRating, totalReviews, mine].map((call) => queryClient.invalidateQueries({ queryKey: keyOf(call) })),
  );
}
