import { COMPARED_MAX, PAGES, pageAddress } from '../contract/pages.ts';
import { createStore } from './store.ts';

// The schools chosen for a comparison. They are in memory, so that they survive a change of page and end with the tab.

const NO_SCHOOLS: readonly number[] = [];
const chosen = createStore(NO_SCHOOLS);

/** The address of the comparison of some schools. */
export function comparisonAddress(ids: readonly number[]): string {
  return pageAddress(PAGES.compare, undefined, ids.length > 0 ? { ids: ids.join(',') } : undefined);
}

/** Sets the schools chosen for a comparison. Ids beyond COMPARED_MAX are left out. */
export function setComparedSchools(ids: readonly number[]): void {
  chosen.set(ids.slice(0, COMPARED_MAX));
}

/** The ids of the schools chosen for a comparison, in the order in which they were chosen. */
export const useComparedSchools = chosen.use;
