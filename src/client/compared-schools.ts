import { useSyncExternalStore } from 'react';
import { COMPARED_MAX, PAGES, pageAddress } from '../contract/pages.ts';

// The schools chosen for a comparison. They are in memory, so that they survive a change of page and end with the tab.

const listeners = new Set<() => void>();
const NONE: readonly number[] = [];
let chosen = NONE;

/** The address of the comparison of some schools. */
export function comparisonAddress(ids: readonly number[]): string {
  return pageAddress(PAGES.compare, undefined, ids.length > 0 ? { ids: ids.join(',') } : undefined);
}

/** Sets the schools chosen for a comparison. Ids beyond COMPARED_MAX are left out. */
export function setComparedSchools(ids: readonly number[]): void {
  chosen = ids.length === 0 ? NONE : ids.slice(0, COMPARED_MAX);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The ids of the schools chosen for a comparison, in the order in which they were chosen. */
export function useComparedSchools(): readonly number[] {
  return useSyncExternalStore(
    subscribe,
    () => chosen,
    () => NONE,
  );
}
