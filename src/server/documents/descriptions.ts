import { CATEGORIES } from '../../contract/categories.ts';
import { PAGES, type Page } from '../../contract/pages.ts';

// The last category is left out, because it collects what fits in no other.
const REVIEWED_CATEGORIES = CATEGORIES.slice(0, -1).map(({ label }) => label.toLowerCase());
const SITE_DESCRIPTION = `Discover schools anywhere in the world, and read and write reviews of their ${REVIEWED_CATEGORIES.join(', ')} and more.`;

/**
 * Descriptions for search engines, of pages that are not about one school, entry or review. Those of other pages are
 * made from their data.
 */
const DESCRIPTIONS = new Map<Page, string>([
  [PAGES.root, SITE_DESCRIPTION],
  [PAGES.landing, SITE_DESCRIPTION],
  [PAGES.dashboard, 'Find a school by its name and read what students, parents and educators say about it.'],
  [PAGES.allSchools, 'All schools that can be reviewed here, by name and country.'],
  [PAGES.tos, 'The terms of service: what holds for everybody who reads or writes reviews of schools here.'],
  [PAGES.about, 'What this site is for, how its reviews come about, and where to write to.'],
  [PAGES.removals, 'How many reviews are hidden, of how many stars and why: a list that anyone can check.'],
  [
    PAGES.leaderboard,
    'Compare schools across different categories and see which universities rank highest in student reviews.',
  ],
  [PAGES.compare, 'Two to four schools side by side, category by category, and who leads where reviews can tell.'],
  [PAGES.scores, 'How averages, trends, the weighted leaderboard and comparisons come about, with examples to check.'],
]);

/** @throws for a page that search engines may index and that has no description */
export function descriptionOf(page: Page): string {
  const description = DESCRIPTIONS.get(page);
  if (description === undefined) throw new Error(`${page.path} has no description.`);
  return description;
}
