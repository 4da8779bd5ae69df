import type { ComponentType } from 'react';
import { matchPath } from 'react-router';
import { CATEGORIES } from '../contract/categories.ts';
import { categoryPages, PAGES, type Page } from '../contract/pages.ts';

type Load = () => Promise<{ readonly Component: ComponentType }>;

/** The module of each page: a separate chunk, fetched when the page is opened or a link to it is pointed at. */
const PAGE_MODULES: Record<Exclude<keyof typeof PAGES, 'root'>, Load> = {
  landing: () => import('./pages/site/landing.tsx'),
  login: () => import('./pages/accounts/login.tsx'),
  signup: () => import('./pages/accounts/signup.tsx'),
  forgot: () => import('./pages/accounts/forgot.tsx'),
  verify: () => import('./pages/accounts/verify.tsx'),
  change: () => import('./pages/accounts/change.tsx'),
  dashboard: () => import('./pages/schools/dashboard.tsx'),
  allSchools: () => import('./pages/schools/all-schools.tsx'),
  school: () => import('./pages/schools/school.tsx'),
  schoolReviews: () => import('./pages/reviews/school-reviews-page.tsx'),
  review: () => import('./pages/reviews/review-page.tsx'),
  tos: () => import('./pages/site/tos.tsx'),
  about: () => import('./pages/site/about.tsx'),
  leaderboard: () => import('./pages/leaderboard/leaderboard-page.tsx'),
  compare: () => import('./pages/compare/compare-page.tsx'),
  scores: () => import('./pages/site/scores.tsx'),
  removals: () => import('./pages/site/removals.tsx'),
  myReviews: () => import('./pages/reviews/my-reviews-page.tsx'),
  profile: () => import('./pages/profiles/profile-page.tsx'),
  adminUsers: () => import('./pages/admin/users-page.tsx'),
  adminUser: () => import('./pages/admin/user-page.tsx'),
  numbers: () => import('./pages/admin/numbers-page.tsx'),
  moderation: () => import('./pages/moderation/moderation-page.tsx'),
  proposals: () => import('./pages/proposals/proposals-page.tsx'),
  adminNewest: () => import('./pages/admin/newest-page.tsx'),
  auditTrail: () => import('./pages/admin/audit-page.tsx'),
  adminSchools: () => import('./pages/admin/schools-page.tsx'),
  adminChooser: () => import('./pages/admin/chooser-page.tsx'),
};

const CATEGORY_PAGE_MODULES: Record<keyof ReturnType<typeof categoryPages>, Load> = {
  list: () => import('./pages/reviews/category-page.tsx'),
  reviews: () => import('./pages/reviews/reviews-page.tsx'),
  adminEntries: () => import('./pages/admin/entries-page.tsx'),
  adminReviews: () => import('./pages/admin/reviews-page.tsx'),
};

export interface LoadablePage {
  readonly page: Page;
  readonly load: Load;
}

// Object.keys loses the type of the keys; the cast is safe because both records are literals.
const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T)[];

/** Every page with its module, except the root, which only redirects. */
export const LOADABLE_PAGES: readonly LoadablePage[] = [
  ...keysOf(PAGE_MODULES).map((name) => ({ page: PAGES[name], load: PAGE_MODULES[name] })),
  ...CATEGORIES.flatMap((category) => {
    const pages = categoryPages(category);
    return keysOf(pages).map((name) => ({ page: pages[name], load: CATEGORY_PAGE_MODULES[name] }));
  }),
];

/** Fetches the code of the page at an address before its link is followed. */
export function prefetchModule(pathname: string): void {
  const target = LOADABLE_PAGES.find(({ page }) => matchPath({ path: page.path, caseSensitive: true }, pathname));
  // Prefetching is only a hint: if it fails, following the link tries again and shows the error.
  target?.load().catch((cause: unknown) => console.info('The page could not be fetched in advance.', cause));
}
