import { CATEGORIES, type Category, findCategory } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { chosenCategory } from '../../contract/page-reads.ts';
import { categoryPages, PAGES, type Page, type PageQuery, pageAddress } from '../../contract/pages.ts';
import { getReview, reviewCalls } from '../../contract/reviews.ts';
import { getSchool } from '../../contract/schools.ts';
import type { Tag } from '../database/change-tags.ts';
import { tags } from '../http/cache/tags.ts';
import type { PublicReads } from '../http/serve/public-reads.ts';
import { findSchoolRating } from '../visibility/count-queries.ts';
import type { DocumentOptions } from './document-options.ts';
import type { PageSources } from './page-sources.ts';
import {
  describeEntry,
  describeSchool,
  describeTrail,
  type RatingFigures,
  type StructuredData,
} from './structured-data.ts';

const NEWEST_MAX = 5;

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
function descriptionOf(page: Page): string {
  const description = DESCRIPTIONS.get(page);
  if (description === undefined) throw new Error(`${page.path} has no description.`);
  return description;
}

/** The data from which a head is written. */
export interface PageSubject {
  title: string;
  description: string;
  data: readonly StructuredData[];
  /** Tags of the data that it is made from, in addition to those of the page's reads. */
  tags: readonly Tag[];
}

/** Makes the function that describes the subject of a page, from the answers to its reads. */
export function createSubjects({ reads: publicReads, database, publicUrl }: DocumentOptions) {
  const tools: SubjectTools = {
    publicReads,
    rateSchool: (id) => findSchoolRating(database.readShared(), id),
    urlOf: (page, id, query) => publicUrl(pageAddress(page, id, query)),
  };

  return async function subjectOf(
    page: Page,
    id: number | undefined,
    sources: PageSources,
    query: PageQuery,
  ): Promise<PageSubject> {
    if (id === undefined) return { title: page.title, description: descriptionOf(page), data: [], tags: [] };
    if (page.about === 'review') return reviewSubject(tools, page, id, sources);
    if (page === PAGES.schoolReviews) return schoolReviewsSubject(tools, id, sources, query);
    return page.about === 'entry' && page.category
      ? entrySubject(tools, page, page.category, id, sources)
      : schoolSubject(tools, page, id, sources);
  };
}

interface SubjectTools {
  readonly publicReads: PublicReads;
  readonly rateSchool: (id: number) => Promise<RatingFigures>;
  /** Makes the absolute address of a page. */
  readonly urlOf: (page: Page, id?: number, query?: PageQuery) => string;
}

async function schoolSubject(tools: SubjectTools, page: Page, id: number, sources: PageSources): Promise<PageSubject> {
  const { urlOf, rateSchool } = tools;
  const school = sources.answer(getSchool);
  const { schoolName, description, location } = school;
  const trail = schoolTrail(tools, id, schoolName);
  if (page.category) {
    const { label, summary } = page.category;
    return {
      title: `${label} at ${schoolName}`,
      description: `${label} at ${schoolName}, ${location}: ${summary}.`,
      data: [describeTrail([...trail, { name: label, url: urlOf(page, id) }])],
      tags: [],
    };
  }
  const data = describeSchool(school, urlOf(PAGES.school, id), await rateSchool(id));
  return {
    title: schoolName,
    description: `${location}. ${description}`,
    data: [data, describeTrail(trail)],
    tags: [tags.reviewsAt(id)],
  };
}

function schoolReviewsSubject(tools: SubjectTools, id: number, sources: PageSources, query: PageQuery): PageSubject {
  const { schoolName, location } = sources.answer(getSchool);
  const category = chosenCategory(query);
  const { label } = category;
  const trail = [
    ...schoolTrail(tools, id, schoolName),
    { name: label, url: tools.urlOf(categoryPages(category).list, id) },
    { name: `${label} reviews`, url: tools.urlOf(PAGES.schoolReviews, id, { category: category.kind }) },
  ];
  return {
    title: `${label} reviews · ${schoolName}`,
    description: `All student reviews of ${label} at ${schoolName}, ${location}.`,
    data: [describeTrail(trail)],
    tags: [],
  };
}

async function entrySubject(
  tools: SubjectTools,
  page: Page,
  category: Category,
  id: number,
  sources: PageSources,
): Promise<PageSubject> {
  const { urlOf, publicReads } = tools;
  const { list, averageRating, totalReviews } = reviewCalls(category);
  const entry = sources.answer(entryCalls(category).details);
  const { schoolId } = entry;
  const name = entryName(category, entry);
  // Read for the school's location in the structured data. The answer about the entry already has the school's tag.
  const school = await publicReads.findAnswer(getSchool, { params: { id: schoolId } });
  const data = describeEntry({
    category,
    name,
    description: entry.description,
    url: urlOf(page, id),
    school,
    schoolUrl: urlOf(PAGES.school, schoolId),
    rating: {
      average: sources.answer(averageRating).averageRating,
      count: sources.answer(totalReviews).totalReviews,
    },
    newestReviews: sources.answer(list).slice(0, NEWEST_MAX),
  });
  const trail = [
    ...schoolTrail(tools, schoolId, school.schoolName),
    { name: category.label, url: urlOf(categoryPages(category).list, schoolId) },
    { name, url: urlOf(page, id) },
  ];
  return {
    title: `${name} reviews · ${entry.schoolName}`,
    description: `Student reviews of ${name} at ${entry.schoolName}: ${entry.description}`,
    data: [data, describeTrail(trail)],
    tags: [],
  };
}

function reviewSubject(tools: SubjectTools, page: Page, id: number, sources: PageSources): PageSubject {
  const { urlOf } = tools;
  const { review, category: kind, entryId, entryName: name, schoolId, schoolName } = sources.answer(getReview);
  const category = findCategory(kind);
  const trail = [
    ...schoolTrail(tools, schoolId, schoolName),
    ...(category ? [{ name, url: urlOf(categoryPages(category).reviews, entryId) }] : []),
    { name: page.title, url: urlOf(page, id) },
  ];
  return { title: `Review of ${name} · ${schoolName}`, description: review, data: [describeTrail(trail)], tags: [] };
}

/** The pages above those of a school's entries and reviews. */
function schoolTrail({ urlOf }: SubjectTools, id: number, name: string) {
  return [
    { name: PAGES.allSchools.title, url: urlOf(PAGES.allSchools) },
    { name, url: urlOf(PAGES.school, id) },
  ];
}
