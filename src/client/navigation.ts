import { useEffect, useLayoutEffect } from 'react';
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
 * the focus from a reader who is already typing. Called before useScrollMemory, which records the page as rendered.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    if (rendered && rendered.pathname !== pathname) focusPage();
  }, [pathname]);
}

/** The element that a fragment names. Our ids are ASCII, so there is nothing to decode. */
const findAnchor = (hash: string) => document.getElementById(hash.slice(1));

/**
 * Follows links within the page without an entry in the history. The browser's entry would lack the router's state: the
 * page would lose its scroll position and the state of its lists, and "Go Back" would take it for the first page. Until
 * the page is hydrated, the browser follows these links itself.
 */
export function useLinksWithinPage(): void {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      // Safe: clicks have elements as targets.
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
      // With these keys the browser opens a tab or a window, or saves what is linked.
      if (!link || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const anchor = findAnchor(link.hash);
      anchor?.focus();
      anchor?.scrollIntoView();
    };
    // Captured, so that a link's own handler runs after it.
    addEventListener('click', follow, true);
    return () => removeEventListener('click', follow, true);
  }, []);
}

/** The location whose page is rendered. */
let rendered: { key: string; pathname: string } | undefined;

/** Whether a location is the one that is rendered: the router has a new one before its page is rendered. */
export const isRendered = ({ key }: { key: string }): boolean => key === rendered?.key;

let firstKey: string | undefined;

/** Whether a location is the first one of the document. After a reload its key is that of the entry, not 'default'. */
export const isFirstPage = ({ key }: { key: string }): boolean => key === (firstKey ?? key);

/** Scroll positions by the key of the entry of the history. */
const positions = new Map<string | undefined, number>();

/**
 * Opens pages at the top and restores the scroll position when going back. The router's own component stores positions
 * in sessionStorage under keys of its own; this hook stores them in memory.
 */
export function useScrollMemory(): void {
  const { key, pathname, hash } = useLocation();

  useEffect(() => {
    const remember = () => positions.set(rendered?.key, window.scrollY);
    const letBrowserRestore = () => {
      history.scrollRestoration = 'auto';
    };
    history.scrollRestoration = 'manual';
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('scroll', remember, { signal });
    addEventListener('pagehide', letBrowserRestore, { signal });
    return () => listening.abort();
  }, []);

  useLayoutEffect(() => {
    const previous = rendered;
    rendered = { key, pathname };
    firstKey ??= key;
    // The browser itself scrolls the first page.
    if (!previous || previous.key === key) return;
    const position = positions.get(key);
    // A filter or a category of the same page was changed: the scroll position must not change.
    if (previous.pathname === pathname && !hash && position === undefined) return;
    window.scrollTo(0, position ?? 0);
    // Somebody who goes back is not led to the anchor again, but to where they were.
    if (position === undefined) findAnchor(hash)?.scrollIntoView();
  }, [key, pathname, hash]);
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
