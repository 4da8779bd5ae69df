import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { createBrowserRouter } from 'react-router';
import type { RenderedRead } from '../contract/server-rendering.ts';

const { promise, resolve } = Promise.withResolvers<void>();

/**
 * Resolves when the first page is hydrated, or is rendered in the browser alone. Its reads start then: what it was
 * rendered from came with the document.
 */
export const firstPage = promise;
export const startFirstReads = resolve;

/** Fills a query cache with what a page is rendered from, as out of date: the browser reads it again. */
export function fillReads(client: QueryClient, reads: readonly RenderedRead[]): void {
  for (const { key, isPaged, answer, next } of reads) {
    const data = isPaged ? { pages: [{ rows: answer, next }], pageParams: [{}] } : answer;
    client.setQueryData(key, data, { updatedAt: 1 });
  }
}

/** Takes what the server rendered the page from out of the document. */
export function takeReads(client: QueryClient): void {
  const data = document.getElementById('reads');
  if (data) fillReads(client, JSON.parse(data.textContent));
  data?.remove();
}

/**
 * Resolves when the page's code is loaded.
 * @returns whether the page can be hydrated
 */
export function codeIsLoaded(router: ReturnType<typeof createBrowserRouter>): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = router.subscribe(check);
    check(router.state);
    function check({ initialized, errors }: typeof router.state) {
      if (!initialized) return;
      stop();
      resolve(errors === null);
    }
  });
}

/** The longest wait for pending reads. After it the page is shown in its loading state. */
const READS_MAX_MS = 1_000;

/** Resolves when the first page's reads are answered, for a document that only says why it has no page. */
export async function readsAreAnswered(client: QueryClient): Promise<void> {
  startFirstReads();
  const { promise: answered, resolve: done } = Promise.withResolvers<void>();
  setTimeout(done, READS_MAX_MS);
  await firstPage;
  const check = () => client.isFetching() === 0 && done();
  const stop = client.getQueryCache().subscribe(check);
  check();
  await answered;
  stop();
}

/** Makes the server-rendered controls usable as soon as they are hydrated, and starts the page's reads. */
export function ReleaseControls({ root }: { root: HTMLElement }) {
  useEffect(() => {
    root.removeAttribute('data-rendered');
    for (const control of root.querySelectorAll('[inert]')) control.removeAttribute('inert');
    startFirstReads();
  }, [root]);
  return null;
}
