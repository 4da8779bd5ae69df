import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api.ts';
import { providePrefetch } from './components/layout/page-link.tsx';
import { codeIsLoaded, ReleaseControls, readsAreAnswered, startFirstReads, takeReads } from './first-page.tsx';
import { isNotFound } from './page.ts';
import { prefetchModule } from './page-modules.ts';
import { clearPreferencesDraft } from './pages/profiles/preferences-draft.ts';
import { routes } from './routes.tsx';
import { onSessionChange, readSession } from './session.ts';
import { clearReturnPath } from './shared/accounts/return-path.ts';
import { clearDrafts, moveDraftsTo } from './shared/reviews/drafts.ts';

/**
 * An unknown id shows the "not found" page and is no fault. Every other error is logged. React wraps an error from
 * which a second rendering recovered, and gives it as the cause.
 */
function report(error: unknown): void {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!isNotFound(error) && !isNotFound(cause)) console.error(error);
}

// The next person at the same screen must not see data that this person read or typed.
onSessionChange((change) => {
  queryClient.clear();
  const session = readSession();
  if (session) moveDraftsTo(session.userId);
  if (change !== 'logout') return;
  clearDrafts();
  clearPreferencesDraft();
  clearReturnPath();
});

providePrefetch(prefetchModule);

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root.');

takeReads(queryClient);
// The router starts at once. In a task of its own: with the evaluation of all modules it would be a long one.
await new Promise((resolve) => setTimeout(resolve));
const router = createBrowserRouter(routes);
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} onError={report} />
      <ReleaseControls root={root} />
    </QueryClientProvider>
  </StrictMode>
);
// The server rendered the part of the query that the page knows. Hydration needs exactly the same address.
const isRendered = root.dataset.rendered === location.search;
// The server-rendered page or message stays until the browser can render as much.
const isLoaded = root.hasChildNodes() && (await codeIsLoaded(router));
if (isRendered && isLoaded && router.state.location.pathname === location.pathname) {
  // As a transition, React hydrates in slices of a few milliseconds: a tap or a scroll does not wait for all of it.
  startTransition(() => {
    hydrateRoot(root, app, { onCaughtError: report, onRecoverableError: report });
  });
} else {
  if (isLoaded) await readsAreAnswered(queryClient);
  startFirstReads();
  createRoot(root, { onCaughtError: report }).render(app);
}
