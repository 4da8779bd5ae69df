import { CALLS } from '../../contract/calls.ts';
import type { HeaderLines } from './cache/response-heads.ts';

/** The names of public reads, as their addresses have them after `/auth/`: `getSchool`. */
const PUBLIC_READ_NAMES = new Set(
  CALLS.filter(({ access, method }) => access === 'everyone' && method === 'GET').map(({ path }) => path.split('/')[2]),
);

const READING_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether pages of other sites may read an address: public reads, feeds, badges and the API description. The status of
 * the answer makes no difference.
 */
export function isOpenAddress(method: string, url: string): boolean {
  if (!READING_METHODS.has(method)) return false;
  const [path = ''] = url.split('?', 1);
  const [, first, second] = path.split('/', 3);
  if (first === 'auth') return PUBLIC_READ_NAMES.has(second);
  return first === 'feeds' || first === 'badges' || path === '/openapi.json';
}

/** The header lines of whatever is answered at an address: they depend on who may read it, and not on the status. */
export function headerLinesAt(headers: HeaderLines, method: string, url: string): readonly string[] {
  if (isOpenAddress(method, url)) return headers.open;
  return url.startsWith('/auth/') ? headers.calls : headers.documents;
}
