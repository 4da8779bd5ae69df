import { CATEGORIES, type Category, perCategory } from './categories.ts';
import { foldSearch, SEARCH_TEXT_MAX } from './folding.ts';
import { RELATIONS, SORTS } from './review-filters.ts';
import { OFFERED_MIN_RATINGS } from './stars.ts';

/** Who may open a page. The guard in the browser only avoids showing an empty page: the server checks every call. */
export type Guard = 'signed-in' | 'admin';

/** One address of the product. Router, links, document heads and sitemap are made from this list. */
export interface Page {
  /** The pattern that the router and the server match: `/school/:id`. */
  readonly path: string;
  /** The title of the document, without the site's name. A page about one school or entry puts its name first. */
  readonly title: string;
  /**
   * The kind of thing that the id in the path names. The server needs it for the document's head and for the status
   * 404.
   */
  readonly about?: 'school' | 'entry' | 'review' | 'user';
  readonly category?: Category;
  readonly guard?: Guard;
  /** Redirects visitors to the login page, not to the dashboard as the guarded pages of the specification do. */
  readonly redirectsToLogin?: true;
  /** No shared header: for the landing page and the passcode pages. */
  readonly hidesHeader?: true;
  /** Has a form that the browser sends by itself, with GET: a search, or a filter. */
  readonly hasForm?: true;
  /** Not indexed by search engines: account and admin pages. */
  readonly isPrivate?: true;
  /** Not in the sitemap: without a query the page has no content. */
  readonly isUnlisted?: true;
  /** The parameters of the query, in the order in which an address has them. */
  readonly query?: Readonly<Record<string, ReadValue>>;
  /** The query of the canonical address, where several addresses show the same. Default: the query as it is. */
  readonly canonicalQuery?: (query: PageQuery) => PageQuery;
}

/** Reads one parameter of a query. @returns its canonical spelling; undefined when the value is ignored */
type ReadValue = (text: string) => string | undefined;

/** The known part of an address's query, each value in its canonical spelling. */
export type PageQuery = Readonly<Record<string, string>>;

const oneOf =
  (values: readonly string[]): ReadValue =>
  (text) =>
    values.includes(text) ? text : undefined;

/** A text of up to `SEARCH_TEXT_MAX` characters. @param hasContent as a search or a filter understands the text */
const textOf =
  (hasContent: (text: string) => unknown): ReadValue =>
  (text) => {
    const trimmed = text.normalize('NFC').trim();
    return hasContent(trimmed) && trimmed.length <= SEARCH_TEXT_MAX && trimmed.isWellFormed() ? trimmed : undefined;
  };

/** How many schools can be compared at once. */
export const COMPARED_MAX = 4;

/** The ids of a comparison, each once, in their order, and at most `COMPARED_MAX`. */
const readIds: ReadValue = (text) => {
  const ids = text.split(',').filter((id) => /^[1-9]\d{0,15}$/.test(id));
  return [...new Set(ids)].slice(0, COMPARED_MAX).join(',') || undefined;
};

/** Comparisons of the same schools in different orders have one canonical address. */
const sortIds = ({ ids = '' }: PageQuery): PageQuery => {
  const sorted = ids.split(',').sort((one, other) => Number(one) - Number(other));
  return ids === '' ? {} : { ids: sorted.join(',') };
};

/** How a list of reviews can be sorted and filtered. Newest first is the default, which has no parameter. */
const REVIEW_FILTERS = {
  sort: oneOf(SORTS.slice(1)),
  stars: oneOf(['1', '2', '3', '4', '5']),
  relation: oneOf(RELATIONS),
};

export const PAGES = {
  /** Redirects to the landing page. */
  root: { path: '/', title: 'Discover schools worldwide' },
  landing: { path: '/landing', title: 'Discover schools worldwide', hidesHeader: true },
  login: { path: '/login', title: 'Login', isPrivate: true },
  signup: { path: '/signup', title: 'Sign Up', isPrivate: true },
  forgot: { path: '/forgot', title: 'Forgot password', isPrivate: true },
  verify: {
    path: '/verify',
    title: 'Verify your account',
    hidesHeader: true,
    isPrivate: true,
    query: { email: textOf(Boolean) },
  },
  change: {
    path: '/change',
    title: 'Change your password',
    hidesHeader: true,
    isPrivate: true,
    query: { email: textOf(Boolean) },
  },
  dashboard: { path: '/dashboard', title: 'Find a school', hasForm: true },
  allSchools: {
    path: '/allschools',
    title: 'All schools',
    hasForm: true,
    query: {
      q: textOf(foldSearch),
      country: textOf(Boolean),
      minRating: oneOf(OFFERED_MIN_RATINGS.map(String)),
      // The order by name is the default, which has no parameter.
      order: oneOf(['reviewed']),
    },
    // With a search text, the order is ignored.
    canonicalQuery: ({ order, ...query }) => (order && !query.q ? { ...query, order } : query),
  },
  school: { path: '/school/:id', title: 'School', about: 'school' },
  /** The reviews of all entries of a category. If the query names none, it is the first category that has reviews. */
  schoolReviews: {
    path: '/schoolreviews/:id',
    title: 'Reviews',
    about: 'school',
    hasForm: true,
    query: { category: oneOf(CATEGORIES.map(({ kind }) => kind)), ...REVIEW_FILTERS },
  },
  review: { path: '/review/:id', title: 'Review', about: 'review' },
  tos: { path: '/tos', title: 'Terms of Service' },
  about: { path: '/about', title: 'About' },
  leaderboard: {
    path: '/leaderboard',
    title: 'University Leaderboard',
    query: { category: oneOf(CATEGORIES.map(({ kind }) => kind)), order: oneOf(['weighted']) },
  },
  compare: {
    path: '/compare',
    title: 'Compare schools',
    isUnlisted: true,
    query: { ids: readIds },
    canonicalQuery: sortIds,
  },
  scores: { path: '/scores', title: 'How scores work' },
  removals: { path: '/removals', title: 'Removed reviews' },
  myReviews: { path: '/myreviews', title: 'Your reviews', guard: 'signed-in', redirectsToLogin: true, isPrivate: true },
  profile: { path: '/profile', title: 'Profile', guard: 'signed-in', isPrivate: true },
  adminUsers: { path: '/admin', title: 'Admin Panel', guard: 'admin', isPrivate: true },
  /** The document says nothing about the user, not even whether there is one. */
  adminUser: { path: '/admin/users/:id', title: 'User', about: 'user', guard: 'admin', isPrivate: true },
  auditTrail: { path: '/adminacts', title: 'Audit Trail', guard: 'admin', isPrivate: true },
  moderation: {
    path: '/moderation',
    title: 'Moderation',
    guard: 'admin',
    isPrivate: true,
    query: { state: oneOf(['closed', 'deleted']) },
  },
  proposals: { path: '/proposals', title: 'Proposals', guard: 'admin', isPrivate: true },
  numbers: { path: '/numbers', title: 'Numbers', guard: 'admin', isPrivate: true },
  adminNewest: { path: '/adminnewest', title: 'Newest Reviews', guard: 'admin', isPrivate: true },
  adminSchools: { path: '/adminschool', title: 'Schools', guard: 'admin', isPrivate: true },
  adminChooser: { path: '/select/:id', title: 'Choose a category', about: 'school', guard: 'admin', isPrivate: true },
} as const satisfies Record<string, Page>;

function defineCategoryPages(category: Category) {
  const { label, pages } = category;
  const ofSchool = { about: 'school', category } as const;
  const ofEntry = { about: 'entry', category } as const;
  const forAdmins = { guard: 'admin', isPrivate: true } as const;
  return {
    list: { path: `${pages.list}/:id`, title: label, ...ofSchool },
    reviews: {
      path: `${pages.reviews}/:id`,
      title: `${label} reviews`,
      ...ofEntry,
      hasForm: true,
      query: REVIEW_FILTERS,
    },
    adminEntries: { path: `${pages.adminEntries}/:id`, title: label, ...ofSchool, ...forAdmins },
    adminReviews: { path: `${pages.adminReviews}/:id`, title: `${label} reviews`, ...ofEntry, ...forAdmins },
  } as const satisfies Record<string, Page>;
}

/** The four pages of one category. Returns the same objects at every call. */
export const categoryPages = perCategory(defineCategoryPages);

/** Every page, for the server's document routes and the tests. */
export const ALL_PAGES: readonly Page[] = [
  ...Object.values<Page>(PAGES),
  ...CATEGORIES.flatMap((category) => Object.values<Page>(categoryPages(category))),
];

/**
 * The address of an account page.
 * @param values the mailbox that the page is about, and the address to open after a login
 */
export function accountAddress({ path }: Page, values: { email?: string; next?: string | undefined }): string {
  const pairs = Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined);
  // A slash need not be escaped in a query and is easier to read.
  const search = new URLSearchParams(pairs).toString().replaceAll('%2F', '/');
  return search ? `${path}?${search}` : path;
}

/** The address of a page: `pageAddress(PAGES.school, 7)` is `/school/7`. */
export function pageAddress(page: Page, id?: number, query: PageQuery = {}): string {
  const path = id === undefined ? page.path : page.path.replace(':id', String(id));
  // Documents are rendered at the canonical spelling alone, and the browser hydrates them only at the same address.
  const values = Object.entries(query).map(([name, value]) => [name, page.query?.[name]?.(value) ?? value]);
  // A comma need not be escaped in a query and is easier to read.
  const search = new URLSearchParams(values).toString().replaceAll('%2C', ',');
  return search ? `${path}?${search}` : path;
}

/** The part of a query that a page knows. Unknown and invalid values are ignored. */
export function readPageQuery({ query = {} }: Page, search: URLSearchParams): PageQuery {
  const values = Object.entries(query).map(([name, read]) => [name, read(search.get(name) ?? '')] as const);
  return Object.fromEntries(values.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
