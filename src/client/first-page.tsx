import type { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import type { createBrowserRouter } from 'react-router';
import type { RenderedRead } from '../contract/server-rendering.ts';
import { RENDERED_AT } from './page.ts';
import { refillFields, replayEarlyEvents } from './replay-events.ts';

const { promise, resolve } = Promise.withResolvers<void>();

/**
 * Resolves when the first page is hydrated, or is rendered in the browser alone. Its reads start only then, because the
 * document contains the answers that it was rendered from.
 */
export const firstPage = promise;
export const startFirstReads = resolve;

/** Fills a query cache with the answers that a page is rendered from, as stale. */
export function fillReads(client: QueryClient, reads: readonly RenderedRead[]): void {
  for (const { key, isPaged, answer, next } of reads) {
    const data = isPaged ? { pages: [{ rows: answer, next }], pageParams: [{}] } : answer;
    client.setQueryData(key, data, { updatedAt: RENDERED_AT });
  }
}

/**
 * Moves the answers that the server rendered the page from out of the document into the query cache. An answer is
 * dropped when the browser's own first read of it fails.
 */
export function cacheRenderedReads(client: QueryClient): void {
  const data = document.getElementById('reads');
  if (!data) return;
  fillReads(client, JSON.parse(data.textContent));
  data.remove();
  client.getQueryCache().subscribe(({ query }) => {
    // Without data the page says what failed and offers to retry.
    if (query.state.status === 'error' && query.state.dataUpdatedAt === RENDERED_AT) {
      query.setState({ data: undefined, dataUpdatedAt: 0 });
    }
  });
}

/**
 * Waits until the page's code is loaded or has failed to load.
 * @returns whether the page can be hydrated
 */
export function waitForCode(router: ReturnType<typeof createBrowserRouter>): Promise<boolean> {
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

/** How long to wait for pending reads. Then the page is shown in its loading state. */
const READS_MAX_MS = 1_000;

/** Starts the first page's reads and waits for the answers, while the document goes on showing, say, a refusal. */
export async function waitForReads(client: QueryClient): Promise<void> {
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

interface AfterHydrationProps {
  root: HTMLElement;
  router: ReturnType<typeof createBrowserRouter>;
  children: ReactNode;
}

/** Replays the early events as soon as its children are hydrated, and starts the page's reads. */
export function AfterHydration({ root, router, children }: AfterHydrationProps) {
  // After the rendering, which would overwrite the values of fields, and before the next event.
  useLayoutEffect(() => queueMicrotask(refillFields), []);
  useEffect(() => {
    void replayEarlyEvents(router).finally(() => root.removeAttribute('data-rendered'));
    startFirstReads();
  }, [root, router]);
  return children;
}
