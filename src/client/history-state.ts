import { useLayoutEffect, useReducer } from 'react';
import { useLocation } from 'react-router';

const historyStates = new Map<string, unknown>();

/** State of the current entry of the browser's history, in memory, so that it is restored when going back. */
export function useHistoryState<State>(initial: State): [State, (state: State) => void] {
  const { key } = useLocation();
  const [, render] = useReducer((count: number) => count + 1, 0);
  // Safe: a page has at most one such state.
  const state = historyStates.has(key) ? (historyStates.get(key) as State) : initial;
  return [
    state,
    (next) => {
      historyStates.set(key, next);
      render();
    },
  ];
}

const historyScrolls = new Map<string, number>();

/**
 * Scrolls a region of the page to where it was when this entry of the history was left.
 * @returns a handler for the scroll event of the region, which stores the position
 */
export function useKeptScroll(region: React.RefObject<HTMLElement | null>): () => void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    region.current?.scrollTo(0, historyScrolls.get(key) ?? 0);
  }, [key, region]);
  return () => void historyScrolls.set(key, region.current?.scrollTop ?? 0);
}
