import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { useLocation } from 'react-router';
import type { Guard } from '../contract/pages.ts';
import { createStore } from './store.ts';

/** The element that takes the focus while a page has no heading yet. */
export const MAIN_ID = 'main';

/** Gives the focus to the page's heading, or to the page while it has none. */
export function focusPage(): void {
  const main = document.getElementById(MAIN_ID);
  const target = main?.querySelector<HTMLElement>('h1') ?? main;
  target?.focus({ preventScroll: true });
}

/**
 * A ref for an element that may disappear while the keyboard focus is in it: the focus would fall to the body (WCAG
 * 2.4.3). It goes to the target, else to the focusable section around the element, else to the page. Whoever has moved
 * on keeps it.
 */
export function passFocusOn(element: HTMLElement | null, findTarget?: () => HTMLElement | null | undefined) {
  // React calls it before it removes the element. The focus moves after the rendering, which may remove a heading too.
  return (): void => {
    if (!element?.contains(document.activeElement)) return;
    const around = element.closest<HTMLElement>('section[tabindex]');
    queueMicrotask(() => {
      const isLost = () => document.activeElement === document.body;
      if (isLost()) (findTarget?.() ?? around)?.focus({ preventScroll: true });
      if (isLost()) focusPage();
    });
  };
}

/**
 * Moves the focus to the new page's heading, which makes screen readers announce it. A heading that is rendered later,
 * with its data, takes the focus itself (see PageHeading). It runs before the browser paints: afterwards it could take
 * the focus from a reader who is already typing.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useLayoutEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    focusPage();
  }, [pathname]);
}

/**
 * Opens pages at the top and restores the scroll position when going back. The router's own component stores positions
 * in sessionStorage under keys of its own; this hook stores them in memory.
 */
export function useScrollMemory(): void {
  const { key, pathname, hash } = useLocation();
  const positions = useRef(new Map<string, number>());
  const currentKey = useRef(key);
  const currentPath = useRef(pathname);

  useEffect(() => {
    const remember = () => positions.current.set(currentKey.current, window.scrollY);
    const letBrowserRestore = () => {
      history.scrollRestoration = 'auto';
    };
    history.scrollRestoration = 'manual';
    addEventListener('scroll', remember, { passive: true });
    addEventListener('pagehide', letBrowserRestore);
    return () => {
      removeEventListener('scroll', remember);
      removeEventListener('pagehide', letBrowserRestore);
    };
  }, []);

  useLayoutEffect(() => {
    if (currentKey.current === key) return;
    currentKey.current = key;
    const isSamePage = currentPath.current === pathname;
    currentPath.current = pathname;
    // A filter or a category of the same page was changed: the scroll position must not change.
    if (isSamePage && !hash && !positions.current.has(key)) return;
    const anchor = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (anchor) anchor.scrollIntoView();
    else window.scrollTo(0, positions.current.get(key) ?? 0);
  }, [key, pathname, hash]);
}

let renderedKey: string | undefined;

/** Records which location is rendered: the router has a new one before its page is rendered. */
export function useRecordRendered(): void {
  const { key } = useLocation();
  useLayoutEffect(() => {
    renderedKey = key;
  }, [key]);
}

export const isRendered = ({ key }: { key: string }): boolean => key === renderedKey;

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

/** A page that the user may not open, for which the dashboard was shown instead. */
interface RefusedPage {
  readonly address: string;
  readonly guard: Guard;
}

const refusedPage = createStore<RefusedPage | null>(null);

/** @param page null when another page than the dashboard is opened */
export const setRefusedPage = (page: RefusedPage | null): void => refusedPage.set(page);

export const useRefusedPage = refusedPage.use;
