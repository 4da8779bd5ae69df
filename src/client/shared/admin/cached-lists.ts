import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../../api.ts';

/** Invalidates every cached response: a change by an admin may be visible on any page. */
export async function invalidateCache(): Promise<void> {
  await queryClient.invalidateQueries({ refetchType: 'none' });
}

/**
 * Changes a cached list in the same way as the server just did. A response that is still in flight would be older, so
 * it is cancelled.
 */
export async function updateCachedList<Rows>(queryKey: QueryKey, change: (rows: Rows) => Rows): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData<Rows>(queryKey, (rows) => rows && change(rows));
  await invalidateCache();
}
