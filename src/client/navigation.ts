import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** The element that takes the focus while a page has no heading yet. */
export const MAIN_ID = 'main';

/**
 * Moves the focus to the new page's heading, which makes screen readers say its name. A heading that arrives later
 * with its data fetches the focus itself (see PageHeading). Before the page is painted: later, readers who have already
 * gone on to a field would lose the focus, and what they type.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const previous = useRef(pathname);
  useLayoutEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    const main = document.getElementById(MAIN_ID);
    const target = main?.querySelector<HTMLElement>('h1') ?? main;
    target?.focus({ preventScroll: true });
  }, [pathname]);
}

/**
 * Opens pages at their top and goes back to where they were left. The router's own component keeps positions in
 * sessionStorage, which is the token's alone (spec §3): these live in memory.
 */
export function useScrollMemory(): void {
  const { key, pathname, hash } = useLocation();
  const positions = useRef(new Map<string, number>());
  const current = useRef(key);
  const page = useRef(pathname);

  useEffect(() => {
    const remember = () => positions.current.set(current.current, window.scrollY);
    const handOver = () => {
      history.scrollRestoration = 'auto';
    };
    history.scrollRestoration = 'manual';
    addEventListener('scroll', remember, { passive: true });
    addEventListener('pagehide', handOver);
    return () => {
      removeEventListener('scroll', remember);
      removeEventListener('pagehide', handOver);
    };
  }, []);

  useLayoutEffect(() => {
    if (current.current === key) return;
    current.current = key;
    const isSamePage = page.current === pathname;
    page.current = pathname;
    // A filter or a category chosen on the page: what one looks at stays where it is.
    if (isSamePage && !hash && !positions.current.has(key)) return;
    const anchor = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (anchor) anchor.scrollIntoView();
    else window.scrollTo(0, positions.current.get(key) ?? 0);
  }, [key, pathname, hash]);
}
