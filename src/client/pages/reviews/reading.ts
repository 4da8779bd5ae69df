import { useQuery } from '@tanstack/react-query';
import type { Category } from '../../../contract/categories.ts';
import { entryCalls, entryName } from '../../../contract/entries.ts';
import { reviewCalls } from '../../../contract/reviews.ts';
import { callQuery, keyOf, queryClient } from '../../api.ts';
import { usePagedRead, usePageRead } from '../../page-reads.ts';
import { useSession } from '../../session.ts';

export function useReviews(category: Category) {
  return usePagedRead(reviewCalls(category).list);
}

export function useFigures(category: Category) {
  const { averageRating, totalReviews } = reviewCalls(category);
  return {
    average: usePageRead(averageRating).data?.averageRating,
    total: usePageRead(totalReviews).data?.totalReviews,
  };
}

export function useEntry(category: Category) {
  const { nameLookup, details } = entryCalls(category);
  const name = usePageRead(nameLookup).data;
  return { name: name && entryName(category, name), details: usePageRead(details).data };
}

/** The signed-in user's own review; null when there is none, undefined while that is unknown. */
export function useOwnReview(category: Category, id: number) {
  const session = useSession();
  const { mine } = reviewCalls(category);
  return useQuery({ ...callQuery(mine, { params: { id } }), enabled: session !== null }).data;
}

/** Reads again what a posted, corrected or withdrawn review has changed. */
export async function readAgain(category: Category): Promise<void> {
  const { list, averageRating, totalReviews, mine } = reviewCalls(category);
  await Promise.all(
    [list, averageRating, totalReviews, mine].map((call) => queryClient.invalidateQueries({ queryKey: keyOf(call) })),
  );
}
