import { useSearchParams } from 'react-router';
import { ALL_PAGES, accountAddress, PAGES, type Page } from '../contract/pages.ts';

const NEXT_ADDRESS_MAX = 500;

const ACCOUNT_PAGES: readonly Page[] = [PAGES.login, PAGES.signup, PAGES.forgot, PAGES.verify, PAGES.change];

/** Pages that nobody wants to be led to after logging in. */
const NEVER_NEXT_PAGES: readonly Page[] = [PAGES.root, PAGES.landing, ...ACCOUNT_PAGES];

const isAt = (pathname: string) => (page: Page) =>
  new RegExp(`^${page.path.replace(':id', '[1-9]\\d*')}$`).test(pathname);

/**
 * The page to open after a login, from an address that anybody can have written.
 * @returns a path with query and fragment; undefined unless it leads to a page of the product at this origin
 */
export function readNextAddress(text: string | null, origin: string): string | undefined {
  if (!text || text.length > NEXT_ADDRESS_MAX) return undefined;
  if (!URL.canParse(text, origin)) return undefined;
  const { origin: targetOrigin, pathname, search, hash } = new URL(text, origin);
  if (targetOrigin !== origin) return undefined;
  const page = ALL_PAGES.find(isAt(pathname));
  return page && !NEVER_NEXT_PAGES.includes(page) ? pathname + search + hash : undefined;
}

/** The page to open after a login, from the current address. */
export function useNextAddress(): string | undefined {
  const text = useSearchParams()[0].get('next');
  return text === null ? undefined : readNextAddress(text, location.origin);
}

/** Adds `next` to the address of an account page, and returns any other address as it is. */
export function withNextAddress(path: string, next: string | undefined): string {
  const page = ACCOUNT_PAGES.find((one) => one.path === path);
  return page ? accountAddress(page, { next }) : path;
}
