import {
  type keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { data, useLocation, useMatches, useNavigate, useParams } from 'react-router';
import { type AnswerOf, type Call, callKey } from '../contract/call.ts';
import type { Category } from '../contract/categories.ts';
import { type PageRead, readsOf } from '../contract/page-reads.ts';
import { type Page, type PageQuery, pageAddress, readPageQuery } from '../contract/pages.ts';
import { CallError, type CallParts, callQuery, pagedQuery, queryClient } from './api.ts';
import { siteName } from './site.ts';

/**
 * The id in an address, a positive integer; 0 for an address without one.
 * @throws a 404, which shows the "not found" page, for anything else
 */
export function parseId(text: string | undefined): number {
  const id = Number(text ?? 0);
  if (text !== undefined && (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id))) throw data(null, { status: 404 });
  return id;
}

/** The id in the address of this page. */
export function usePageId(): number {
  return parseId(useParams().id);
}

/** The page at the current address; undefined where its route is not known yet. */
export function useCurrentPage(): Page | undefined {
  // Safe: the handle of every page's route is the page, and no other route has one.
  return useMatches().findLast((match) => match.handle)?.handle as Page | undefined;
}

/** The category of the current page. @throws on a page without one */
export function useCategory(): Category {
  const category = useCurrentPage()?.category;
  if (!category) throw new Error('This page belongs to no category.');
  return category;
}

/** Sets the document's title: "Title · School Reviews". Without a title, that of the route stays. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} · ${siteName()}`;
  }, [title]);
}

/** Whether an error means that nothing has the id in the address. */
export function isNotFound(error: unknown): boolean {
  if (error instanceof CallError) return error.status === 404;
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 404;
}

/** @throws outside of a page's route */
function useRequiredPage(): Page {
  const page = useCurrentPage();
  if (!page) throw new Error('There is no page here.');
  return page;
}

/** The part of the current address's query that the page knows. */
export function usePageQuery(): PageQuery {
  const { search } = useLocation();
  return readPageQuery(useRequiredPage(), new URLSearchParams(search));
}

/**
 * Changes a part of the current address's query; an empty value removes it.
 * @param replace whether the browser's history gets no new entry
 */
export function useQueryChange({ replace = false } = {}): (change: Readonly<Record<string, string>>) => void {
  const page = useRequiredPage();
  const id = usePageId();
  const navigate = useNavigate();
  return (change) => {
    // Read from `location`: a second change can come before the first one is rendered.
    const search = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(change)) search.set(name, value);
    const address = pageAddress(page, id, readPageQuery(page, search));
    void navigate(address, { replace });
  };
}

/**
 * Starts all reads of a page at once, without waiting for them. If another read than one of the page's subject answers
 * 404, those of the subject are repeated: it may have been deleted since their answers were cached.
 */
export function startReads(page: Page, id: number, search: URLSearchParams): void {
  const reads = readsOf(page, { id, query: readPageQuery(page, search) });

  function readSubjectAgain(): void {
    for (const { call, parts } of reads.filter(({ isOfSubject }) => isOfSubject))
      void queryClient.invalidateQueries({ queryKey: callKey(call, parts) });
  }

  for (const { call, parts, isPaged, isOfSubject, options } of reads) {
    // Safe: the parts of a read belong to its call, which the type of the whole list does not express.
    const callParts = parts as CallParts<Call>;
    const isShown = queryClient
      .getQueryCache()
      .find({ queryKey: callKey(call, parts) })
      ?.isActive();
    const how = { ...options, meta: { outlivesPage: isShown } };
    const started: Promise<unknown> = isPaged
      ? queryClient.fetchInfiniteQuery({ ...pagedQuery(call, callParts), ...how })
      : queryClient.fetchQuery({ ...callQuery(call, callParts), ...how });
    started.catch((error: Error) => {
      // Any failure is shown by the page itself.
      if (!isOfSubject && isNotFound(error)) readSubjectAgain();
    });
  }
}

/**
 * The read that the current page declares for a call.
 * @throws when the page declares none: the server would not render its data
 */
function useDeclaration<C extends Call>(call: C, isPaged: boolean): PageRead<C> {
  const page = useRequiredPage();
  const id = usePageId();
  const query = usePageQuery();
  const declared = readsOf(page, { id, query }).find((read) => read.call === call && read.isPaged === isPaged);
  if (!declared) throw new Error(`${page.path} declares no read of ${call.name}.`);
  return declared as PageRead<C>;
}

/**
 * The options of every declared read. A 404 of the page's subject is thrown to the route, which then shows the "not
 * found" page. A component that is mounted after the read failed shows the failure and does not retry, because
 * `startReads` has made the request already.
 */
const optionsOf = ({ isOfSubject, options }: PageRead) => ({
  throwOnError: isOfSubject && isNotFound,
  retryOnMount: false,
  ...options,
});

interface ReadOptions {
  enabled?: boolean;
  placeholderData?: typeof keepPreviousData;
  refetchOnMount?: 'always';
  refetchOnWindowFocus?: false;
  retry?: false;
  staleTime?: number;
}

/** A read that the page does not declare in `contract/page-reads.ts`, such as one for the signed-in user alone. */
export function useRead<C extends Call>(
  call: C,
  parts: CallParts<C> = {},
  options: ReadOptions = {},
): UseQueryResult<AnswerOf<C>> {
  return useQuery({ ...callQuery(call, parts), ...options });
}

/** The same, for a paged list: its loaded pages. */
export function usePagedRead<C extends Call>(call: C, parts: CallParts<C> = {}, options: ReadOptions = {}) {
  return useInfiniteQuery({ ...pagedQuery(call, parts), ...options });
}

/** A read that the current page declares in `contract/page-reads.ts`, with its parts from there. */
export function useDeclaredRead<C extends Call>(call: C, options: object = {}): UseQueryResult<AnswerOf<C>> {
  const read = useDeclaration(call, false);
  return useQuery({ ...callQuery(call, read.parts as CallParts<C>), ...optionsOf(read), ...options });
}

/** The same, for a paged list: its loaded pages. */
export function useDeclaredPagedRead<C extends Call>(call: C, options: object = {}) {
  const read = useDeclaration(call, true);
  return useInfiniteQuery({ ...pagedQuery(call, read.parts as CallParts<C>), ...optionsOf(read), ...options });
}

/** The key of a declared read in the query cache. */
export function useDeclaredKey(call: Call, isPaged = false): QueryKey {
  return callKey(call, useDeclaration(call, isPaged).parts);
}

/** The update time of answers from the document: so old that the browser refetches them. */
export const RENDERED_AT = 1;

/** Whether a read's answer is the one in the document, because the browser's own is still to come. */
export const isFromDocument = ({ dataUpdatedAt }: UseQueryResult) => dataUpdatedAt === RENDERED_AT;

/**
 * Whether one of a page's reads is pending. A page shows them all at once: parts that arrive one by one would shift the
 * layout. A read that has failed does not count as pending when it is tried again.
 */
export const isAnyPending = (...reads: Pick<UseQueryResult, 'isPending' | 'failureCount' | 'errorUpdateCount'>[]) =>
  reads.some(({ isPending, failureCount, errorUpdateCount }) => isPending && failureCount + errorUpdateCount === 0);
