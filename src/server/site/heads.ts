import type { Call } from '../../contract/call.ts';
import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { leaderboardCall } from '../../contract/leaderboard.ts';
import { PAGES, type Page, pageAddress } from '../../contract/pages.ts';
import { reviewCalls } from '../../contract/reviews.ts';
import { FIRST_SCHOOLS, getSchool, listSchools } from '../../contract/schools.ts';
import type { Database } from '../database/database.ts';
import { findEntry, findEntryDetails } from '../entries/queries.ts';
import { escapeHtml, type Head } from '../http/pages.ts';
import { averageOf, listReviews } from '../reviews/queries.ts';
import { findSchool } from '../schools/queries.ts';
import { type DrawFrame, type PageRead, readAddress } from './frames.ts';
import { describeEntry, describeSchool, type StructuredData, toScript } from './structured-data.ts';

const NO_INDEX = '<meta name="robots" content="noindex">';
const NOT_FOUND: Head = { status: 404, title: 'Page not found', markup: NO_INDEX, frame: '' };
const DESCRIPTION_MAX = 200;
const NEWEST_MAX = 5;

export interface HeadOptions {
  siteName: string;
  publicUrl: (path: string) => string;
  drawFrame: DrawFrame;
}

/** What a head says of a page beyond its title. */
interface Subject {
  title: string;
  description: string;
  /** Calls that the page makes at once: the browser can start them while the code is still on its way. */
  reads: readonly PageRead[];
  data?: StructuredData;
}

const SITE_DESCRIPTION =
  'Discover schools anywhere in the world, and read and write reviews of their athletics, clubs, housing, jobs, lifestyles, majors and more.';

function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length <= DESCRIPTION_MAX ? flat : `${flat.slice(0, DESCRIPTION_MAX - 1)}…`;
}

/** An id as addresses spell it; undefined for anything else. */
function parseId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

const about = (call: Call, id: number): PageRead => ({ call, parts: { params: { id } } });

const preloadLink = (read: PageRead) =>
  `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(readAddress(read))}">`;

/** What a page about nothing in particular asks for at once. */
function readsOf(page: Page): PageRead[] {
  if (page === PAGES.allSchools) return [{ call: listSchools, parts: { query: { limit: FIRST_SCHOOLS } } }];
  if (page !== PAGES.leaderboard) return [];
  // Its first category is the one that is open.
  return CATEGORIES.slice(0, 1).map((category) => ({ call: leaderboardCall(category), parts: {} }));
}

/** Makes the function that writes the head of a document: status, title, and what others may show of the page. */
export function createHeads(database: Database, { siteName, publicUrl, drawFrame }: HeadOptions) {
  const db = database.read;

  async function schoolSubject(page: Page, id: number): Promise<Subject | undefined> {
    const school = await findSchool(db, id);
    if (!school) return undefined;
    const { schoolName, description, location } = school;
    const url = publicUrl(pageAddress(PAGES.school, id));
    const own = about(getSchool, id);
    return page.category
      ? {
          title: `${page.category.label} at ${schoolName}`,
          description: `${page.category.label} at ${schoolName}, ${location}: ${page.category.summary}.`,
          reads: [about(entryCalls(page.category).list, id), own],
        }
      : {
          title: schoolName,
          description: `${location}. ${description}`,
          reads: [own],
          data: describeSchool(school, url),
        };
  }

  async function entrySubject(page: Page, category: Category, id: number): Promise<Subject | undefined> {
    const [entry, counters] = await Promise.all([findEntryDetails(db, category, id), findEntry(db, category, id)]);
    if (!entry || !counters) return undefined;
    const name = entryName(category, entry);
    const { reviews } = await listReviews(db, id, { limit: NEWEST_MAX, before: undefined });
    const { list, averageRating, totalReviews } = reviewCalls(category);
    const { nameLookup, details } = entryCalls(category);
    return {
      title: `${name} reviews · ${entry.schoolName}`,
      description: `Student reviews of ${name} at ${entry.schoolName}: ${entry.description}`,
      reads: [
        { ...about(list, id), isPaged: true },
        ...[averageRating, totalReviews, nameLookup, details].map((call) => about(call, id)),
      ],
      data: describeEntry({
        name,
        description: entry.description,
        url: publicUrl(pageAddress(page, id)),
        school: { name: entry.schoolName, url: publicUrl(pageAddress(PAGES.school, entry.schoolId)) },
        average: averageOf(counters.ratingSum, counters.ratingCount),
        count: counters.ratingCount,
        newest: reviews,
      }),
    };
  }

  function plainSubject(page: Page): Subject {
    return {
      title: page.title,
      description: SITE_DESCRIPTION,
      reads: readsOf(page),
    };
  }

  function subjectOf(page: Page, id: number): Promise<Subject | undefined> {
    return page.about === 'entry' && page.category ? entrySubject(page, page.category, id) : schoolSubject(page, id);
  }

  function write(page: Page, subject: Subject, id: number | undefined): string {
    const meta = (name: 'name' | 'property', key: string, content: string) =>
      `<meta ${name}="${key}" content="${escapeHtml(content)}">`;
    const url = publicUrl(pageAddress(page, id));
    const description = shorten(subject.description);
    return [
      meta('name', 'description', description),
      `<link rel="canonical" href="${escapeHtml(url)}">`,
      meta('property', 'og:title', subject.title),
      meta('property', 'og:description', description),
      meta('property', 'og:type', 'website'),
      meta('property', 'og:url', url),
      meta('property', 'og:site_name', siteName),
      ...subject.reads.map(preloadLink),
      ...(subject.data ? [toScript(subject.data)] : []),
    ].join('');
  }

  return async (page: Page, idText: string | undefined): Promise<Head> => {
    const id = page.about && parseId(idText);
    if (page.about && !id) return NOT_FOUND;
    const subject = id ? await subjectOf(page, id) : plainSubject(page);
    if (!subject) return NOT_FOUND;
    const markup = page.isPrivate ? NO_INDEX : write(page, subject, id || undefined);
    const frame = page.guard ? '' : await drawFrame(pageAddress(page, id || undefined), subject.reads);
    return { status: 200, title: page.isPrivate ? page.title : subject.title, markup, frame };
  };
}
