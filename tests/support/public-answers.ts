import type { Call } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { ALL_PAGES, PAGES } from '../../src/contract/pages.ts';
import { getRemovals, getRemovalTotals } from '../../src/contract/removals.ts';
import { SORTS } from '../../src/contract/review-filters.ts';
import { type Answer, call } from './call.ts';

const CONCURRENCY = 8;
/** Compressing each answer would take longer than making it. */
const PLAIN = { 'Accept-Encoding': 'identity' };

const CATEGORY_QUERIES = CATEGORIES.map(({ kind }) => `?category=${kind}`);

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  getRanking: CATEGORY_QUERIES,
  compareSchools: ['?ids=1,2', '?ids=3,2,1'],
  searchSchools: ['?q=university', '?minRating=3', '?order=reviewed', ''],
  schools: ['', '?prefix=u&limit=5'],
  getEntrySummary: ['', '?relation=parent'],
  getCategorySummary: [...CATEGORY_QUERIES, `${CATEGORY_QUERIES[0]}&relation=parent`],
  getCategoryReviews: CATEGORY_QUERIES,
  getEntryVoices: CATEGORY_QUERIES,
};

const PAGE_QUERIES: Readonly<Record<string, readonly string[]>> = {
  [PAGES.leaderboard.path]: ['', '?category=clubs&order=weighted'],
  [PAGES.compare.path]: ['?ids=1,2'],
  [PAGES.allSchools.path]: ['', '?q=university'],
  [PAGES.schoolReviews.path]: ['', ...CATEGORY_QUERIES],
};

/** Feeds and badges, which other sites show. */
const SHARED = (['school', 'entry'] as const).flatMap((about) =>
  [`/feeds/${about}/:id.atom`, `/badges/${about}/:id.svg`].map((path) => ({ path, about })),
);

/** The queries of a list of reviews, which is also read without any. */
const LIST_QUERIES = [...SORTS.map((sort) => `?sort=${sort}&limit=3`), '?stars=1', '?relation=parent', '?months=1'];

/** Ids of what the addresses are about. */
interface PublicIds {
  readonly schools: readonly number[];
  readonly entries: readonly { readonly id: number; readonly kind: string }[];
  readonly reviews: readonly number[];
  /** An id that is tried as that of a school and an entry, though it is none. */
  readonly strange?: number | undefined;
}

/**
 * Everything that is public except the removals, which reveal hides by design: calls, pages, sitemap, feeds, badges.
 */
export function publicAddresses({ schools, entries, reviews, strange }: PublicIds): string[] {
  const entriesOf = (category?: Category) =>
    entries.filter(({ kind }) => !category || kind === category.kind).map(({ id }) => id);
  const ids = { school: () => schools, entry: entriesOf, review: () => reviews, user: () => [] };
  const fillIds = (address: string, about: keyof typeof ids, category?: Category) =>
    /:\w+/.test(address)
      ? [...new Set([...ids[about](category), ...(strange === undefined ? [] : [strange])])].map((id) =>
          address.replace(/:\w+/, String(id)),
        )
      : [address];

  const removals: readonly Call[] = [getRemovals, getRemovalTotals];
  const calls = CALLS.filter((one) => one.method === 'GET' && one.access === 'everyone' && !removals.includes(one));
  const callAddresses = calls.flatMap(({ path, name }) => {
    const category = CATEGORIES.find((one) => Object.values(one.calls).includes(name));
    const ofSchool = /:(id|schoolId)/.test(path) && (!category || name === category.calls.list);
    const about = ofSchool ? 'school' : path.endsWith(':reviewId') ? 'review' : 'entry';
    const queries = name === category?.calls.reviews ? ['', ...LIST_QUERIES] : (QUERIES[name] ?? ['']);
    return queries.flatMap((query) => fillIds(path + query, about, category));
  });
  const pages = ALL_PAGES.filter((page) => page !== PAGES.removals && !page.guard).flatMap(
    ({ path, about = 'school', category }) =>
      (PAGE_QUERIES[path] ?? ['']).flatMap((query) => fillIds(path + query, about, category)),
  );
  const shared = SHARED.flatMap(({ path, about }) => fillIds(path, about));
  return [...callAddresses, ...pages, ...shared, '/sitemap.xml'];
}

interface PublicAnswer {
  readonly address: string;
  /** Status, headers and body. */
  readonly text: string;
}

/**
 * Reads addresses and all addresses that their responses link to. Those that do not exist are requested without
 * queries.
 */
export async function readPublic(
  product: { url: string },
  addresses: readonly string[],
): Promise<Map<string, PublicAnswer>> {
  const answers = new Map<string, PublicAnswer>();
  const waiting = [...addresses];
  async function read(address: string): Promise<void> {
    const [plain = ''] = address.split('?');
    if (plain !== address && answers.get(plain)?.text.startsWith('404')) return;
    let answer: Answer;
    // On a machine that stands still for a second, a product sheds load.
    do answer = await call(product, `GET ${address}`, { headers: PLAIN });
    while (answer.status === 503);
    answers.set(address, { address, text: textOf(answer) });
    const next = /<[^>]*?(\/auth\/[^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    if (next && !answers.has(next)) await read(next);
  }
  while (waiting.length > 0) await Promise.all(waiting.splice(0, CONCURRENCY).map(read));
  return answers;
}

/** Headers that differ from answer to answer. */
const OF_ONE_REQUEST = ['date', 'x-request-id'];

function textOf({ status, headers, text }: Answer): string {
  const lines = [...headers]
    .filter(([name]) => !OF_ONE_REQUEST.includes(name))
    .map(([name, value]) => `${name}: ${value}`);
  return [status, ...lines.sort(), '', text].join('\n');
}

/** The addresses that two products answer differently, or that one of them alone leads to. */
export function differences(one: Map<string, PublicAnswer>, other: Map<string, PublicAnswer>): string[] {
  const addresses = [...new Set([...one.keys(), ...other.keys()])];
  return addresses.filter((address) => one.get(address)?.text !== other.get(address)?.text);
}
