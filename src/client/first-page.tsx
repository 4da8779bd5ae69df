import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { createBrowserRouter } from 'react-router';

type Router = ReturnType<typeof createBrowserRouter>;

/** The longest wait for pending reads. After it the page is shown in its loading state. */
const READS_MAX_MS = 1_000;

function codeIsThere(router: Router): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

function readsAreThere(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    if (client.isFetching() === 0) return resolve();
    const timer = setTimeout(done, READS_MAX_MS);
    const stop = client.getQueryCache().subscribe(() => {
      if (client.isFetching() === 0) done();
    });
    function done() {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}

/**
 * Resolves when the page's code is loaded and the reads started by its loader are answered.
 * @returns whether the page can be hydrated: the server rendered it with an answer to each read
 */
export async function pageIsReady(router: Router, client: QueryClient): Promise<boolean> {
  await codeIsThere(router);
  await readsAreThere(client);
  const reads = client.getQueryCache().getAll();
  return router.state.errors === null && reads.every(({ state }) => state.status === 'success');
}

/** Makes the server-rendered controls usable as soon as they are hydrated. */
export function ReleaseControls({ root }: { root: HTMLElement }) {
  useEffect(() => {
    root.removeAttribute('data-rendered');
    for (const control of root.querySelectorAll('[inert]')) control.removeAttribute('inert');
  }, [root]);
  return null;
}
