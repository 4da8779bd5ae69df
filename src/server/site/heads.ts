import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { leaderboardCall } from '../../contract/leaderboard.ts';
import { PAGES, type Page, pageAddress } from '../../contract/pages.ts';
import { reviewCalls } from '../../contract/reviews.ts';
import { FIRST_SCHOOLS, getSchool, listSchools } from '../../contract/schools.ts';
import { escapeHtml } from '../http/html.ts';
import { type Head, NO_INDEX } from '../http/pages.ts';
import type { PublicReads } from '../http/public-reads.ts';
import type { DrawFrame } from './frames.ts';
import { openPageSources, type PageSources } from './page-sources.ts';
import { describeEntry, describeSchool, type StructuredData, toScript } from './structured-data.ts';

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
  data?: StructuredData;
}

const SITE_DESCRIPTION =
  'Discover schools anywhere in the world, and read and write reviews of their athletics, clubs, housing, jobs, lifestyles, majors and more.';

function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length <= DESCRIPTION_MAX ? flat : `${flat.slice(0, DESCRIPTION_MAX - 1)}…`;
}

const preloadLink = (address: string) =>
  `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(address)}">`;

/** Makes the function that writes the head of a document, out of the answers that its page asks for at once. */
export function createHeads(publicReads: PublicReads, { siteName, publicUrl, drawFrame }: HeadOptions) {
  async function schoolSubject(page: Page, id: number, sources: PageSources): Promise<Subject> {
    const parts = { params: { id } };
    const [school] = await Promise.all([
      sources.ask(getSchool, parts),
      page.category && sources.ask(entryCalls(page.category).list, parts),
    ]);
    const { schoolName, description, location } = school;
    if (page.category) {
      const { label, summary } = page.category;
      return {
        title: `${label} at ${schoolName}`,
        description: `${label} at ${schoolName}, ${location}: ${summary}.`,
      };
    }
    const url = publicUrl(pageAddress(PAGES.school, id));
    return { title: schoolName, description: `${location}. ${description}`, data: describeSchool(school, url) };
  }

  async function entrySubject(page: Page, category: Category, id: number, sources: PageSources): Promise<Subject> {
    const parts = { params: { id } };
    const { list, averageRating, totalReviews } = reviewCalls(category);
    const { nameLookup, details } = entryCalls(category);
    const [reviews, average, total, entry] = await Promise.all([
      sources.ask(list, parts, true),
      sources.ask(averageRating, parts),
      sources.ask(totalReviews, parts),
      sources.ask(details, parts),
      sources.ask(nameLookup, parts),
    ]);
    const name = entryName(category, entry);
    return {
      title: `${name} reviews · ${entry.schoolName}`,
      description: `Student reviews of ${name} at ${entry.schoolName}: ${entry.description}`,
      data: describeEntry({
        name,
        description: entry.description,
        url: publicUrl(pageAddress(page, id)),
        school: { name: entry.schoolName, url: publicUrl(pageAddress(PAGES.school, entry.schoolId)) },
        average: average.averageRating,
        count: total.totalReviews,
        newest: reviews.slice(0, NEWEST_MAX),
      }),
    };
  }

  async function plainSubject(page: Page, sources: PageSources): Promise<Subject> {
    if (page === PAGES.allSchools) await sources.ask(listSchools, { query: { limit: FIRST_SCHOOLS } });
    // Its first category is the one that is open.
    if (page === PAGES.leaderboard && CATEGORIES[0]) await sources.ask(leaderboardCall(CATEGORIES[0]), {});
    return { title: page.title, description: SITE_DESCRIPTION };
  }

  function subjectOf(page: Page, id: number | undefined, sources: PageSources): Promise<Subject> {
    if (id === undefined) return plainSubject(page, sources);
    return page.about === 'entry' && page.category
      ? entrySubject(page, page.category, id, sources)
      : schoolSubject(page, id, sources);
  }

  function write(page: Page, subject: Subject, id: number | undefined, sources: PageSources): string {
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
      ...sources.addresses.map(preloadLink),
      ...(subject.data ? [toScript(subject.data)] : []),
    ].join('');
  }

  return async (page: Page, id: number | undefined): Promise<Head> => {
    const sources = openPageSources(publicReads);
    const subject = await subjectOf(page, id, sources);
    return {
      title: page.isPrivate ? page.title : subject.title,
      markup: page.isPrivate ? NO_INDEX : write(page, subject, id, sources),
      frame: page.guard ? '' : await drawFrame(pageAddress(page, id), sources.reads),
      tags: [...sources.tags],
    };
  };
}
