import { useEffect } from 'react';
import { data, useMatches, useParams } from 'react-router';
import type { Category } from '../contract/categories.ts';
import type { Page } from '../contract/pages.ts';
import { CallError } from './api.ts';
import { siteName } from './site.ts';

/** The id in an address, a positive integer. @throws a 404, which shows the "not found" page, for anything else */
export function parseId(text: string | undefined): number {
  const id = Number(text);
  if (!/^[1-9]\d*$/.test(text ?? '') || !Number.isSafeInteger(id)) throw data(null, { status: 404 });
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
