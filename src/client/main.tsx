import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api.ts';
import { Alive, pageIsReady } from './first-page.tsx';
import { isNotFound } from './page.ts';
import { prefetchPage } from './page-modules.ts';
import { forgetReturnPlace } from './pages/accounts/return-place.ts';
import { forgetPreferences } from './pages/profiles/preferences-form.ts';
import { adoptDrafts, forgetDrafts } from './pages/reviews/drafts.ts';
import { providePrefetch } from './prefetch.ts';
import { routes } from './routes.tsx';
import { onSessionChange, readSession } from './session.ts';

/** An id that names nothing has its own page and is no fault; everything else belongs in the console. */
function report(error: unknown): void {
  if (!isNotFound(error)) console.error(error);
}

// What one person read or typed must not be there for the next one at this screen.
onSessionChange((change) => {
  queryClient.clear();
  const session = readSession();
  if (session) adoptDrafts(session.userId);
  if (change !== 'logout') return;
  forgetDrafts();
  forgetPreferences();
  forgetReturnPlace();
});

providePrefetch(prefetchPage);

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root.');

const router = createBrowserRouter(routes);
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} onError={report} />
      <Alive root={root} />
    </QueryClientProvider>
  </StrictMode>
);
const isDrawn = root.hasChildNodes();
// What the server drew, or said in place of the page, stays until there is as much to show.
const isReady = isDrawn && (await pageIsReady(router, queryClient));
if (
  isReady &&
  // Only the part of an address's query that its page knows was rendered.
  root.dataset.frame === location.search &&
  router.state.location.pathname === location.pathname
) {
  hydrateRoot(root, app, { onCaughtError: report, onRecoverableError: report });
} else {
  createRoot(root, { onCaughtError: report }).render(app);
}
