import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { Page } from '../contract/pages.ts';
import { queryClient } from './api.ts';
import { providePrefetch } from './components/layout/page-link.tsx';
import { AfterHydration, cacheRenderedReads, startFirstReads, waitForCode, waitForReads } from './first-page.tsx';
import { isNotFound } from './page.ts';
import { prefetchModule } from './page-modules.ts';
import { routes } from './routes.tsx';
import { onSessionChange } from './session.ts';
import { joinTabs } from './session-tabs.ts';
import { hasDraftOn } from './tab-memory.ts';

/**
 * An unknown id shows the "not found" page and is no fault. Every other error is logged. React wraps an error from
 * which a second rendering recovered, and gives it as the cause.
 */
function logError(error: unknown): void {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!isNotFound(error) && !isNotFound(cause)) console.error(error);
}

// The next person at the same screen must not see data that this person read. Before a takeover the tab has read public
// data only, with which it may be about to hydrate its page.
onSessionChange((change) => {
  // Reads in flight go on after a refused token: without it they fail, and the page says so.
  if (change === 'invalid token') queryClient.removeQueries({ predicate: ({ state }) => state.data !== undefined });
  else if (change !== 'takeover' && change !== 'renewal') queryClient.clear();
});

joinTabs();
providePrefetch(prefetchModule);

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root.');

cacheRenderedReads(queryClient);
const { rendered } = root.dataset;
const renderedQuery = new URLSearchParams(rendered);
// The server may have rendered the page with more in its query than was requested, such as a category: the page itself
// would redirect to that address.
if (rendered && [...new URLSearchParams(location.search)].every(([name, value]) => renderedQuery.get(name) === value))
  history.replaceState(history.state, '', rendered + location.hash);
// The router starts at once, in a task of its own: together with the evaluation of all modules, the task would be long.
await new Promise((resolve) => setTimeout(resolve));
const router = createBrowserRouter(routes);
let path = router.state.location.pathname;
/** Whether something was typed or chosen on the current page. */
let isTouched = false;
addEventListener('input', () => {
  isTouched = true;
});
router.subscribe(({ location: { pathname } }) => {
  if (pathname === path) return;
  path = pathname;
  isTouched = false;
  // Browsers share the canonical address and offer the feed, which are those of the first page.
  for (const link of document.querySelectorAll('[rel=canonical], [rel=alternate]')) link.remove();
});
/** Whether leaving the page would lose what its reader has typed: then it stays open even after a refused token. */
const hasInput = () => isTouched || hasDraftOn(path);
const isGuarded = () => router.state.matches.some(({ route }) => (route.handle as Page | undefined)?.guard);
// Leaves a page that the tab may no longer show.
onSessionChange((change) => {
  const isRefused = change === 'invalid token' && isGuarded() && !hasInput();
  if (change === 'logout elsewhere' || change === 'renewal' || isRefused) void router.revalidate();
});
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      {/* Around the page and not beside it: a second child would give other ids than on the server. */}
      <AfterHydration root={root} router={router}>
        <RouterProvider router={router} onError={logError} />
      </AfterHydration>
    </QueryClientProvider>
  </StrictMode>
);
/** Whether a browser's translator has replaced text nodes by its own elements: React then cannot hydrate them. */
const isTranslated = () => root.querySelector('font') !== null;
// The server rendered the part of the query that the page knows. Hydration needs exactly the same address.
const isRendered = rendered === location.search;
// What the server rendered, a page or a refusal, stays on screen until the code that replaces it is loaded.
const isLoaded = root.hasChildNodes() && (await waitForCode(router));
if (isRendered && isLoaded && !isTranslated() && router.state.location.pathname === location.pathname) {
  // As a transition, React hydrates in slices of a few milliseconds: a tap or a scroll does not wait for all of it.
  startTransition(() => {
    hydrateRoot(root, app, {
      onCaughtError: logError,
      // After such an error React renders the page anew.
      onRecoverableError: (error) => isTranslated() || logError(error),
    });
  });
} else {
  if (isLoaded) await waitForReads(queryClient);
  startFirstReads();
  createRoot(root, { onCaughtError: logError }).render(app);
}
