import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api.ts';
import { isNotFound } from './page.ts';
import { prefetchPage } from './page-modules.ts';
import { takePasswordFromAddress } from './pages/accounts/pending-password.ts';
import { providePrefetch } from './prefetch.ts';
import { routes } from './routes.tsx';
import { onSessionChange, readSession } from './session.ts';
import './styles/base.css';

/** An id that names nothing has its own page and is no fault; everything else belongs in the console. */
function report(error: unknown): void {
  if (!isNotFound(error)) console.error(error);
}

// What one person read must not be there for the next one at this screen.
onSessionChange(() => {
  if (!readSession()) queryClient.clear();
});

takePasswordFromAddress();
providePrefetch(prefetchPage);

const root = document.getElementById('root');
if (!root) throw new Error('The document has no #root.');

createRoot(root, { onCaughtError: report }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createBrowserRouter(routes)} onError={report} />
    </QueryClientProvider>
  </StrictMode>,
);
