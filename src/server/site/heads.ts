import type { Category } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { PAGES, type Page, type PageQuery, pageAddress } from '../../contract/pages.ts';
import { reviewCalls } from '../../contract/reviews.ts';
import { getSchool } from '../../contract/schools.ts';
import { escapeHtml } from '../http/html.ts';
import { type Head, NO_INDEX } from '../http/pages.ts';
import type { PublicReads } from '../http/public-reads.ts';
import type { DrawFrame } from './frames.ts';
import { type PageSources, readPage } from './page-sources.ts';
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
  function schoolSubject(page: Page, id: number, sources: PageSources): Subject {
    const school = sources.answer(getSchool);
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

  function entrySubject(page: Page, category: Category, id: number, sources: PageSources): Subject {
    const { list, averageRating, totalReviews } = reviewCalls(category);
    const entry = sources.answer(entryCalls(category).details);
    const name = entryName(category, entry);
    return {
      title: `${name} reviews · ${entry.schoolName}`,
      description: `Student reviews of ${name} at ${entry.schoolName}: ${entry.description}`,
      data: describeEntry({
        name,
        description: entry.description,
        url: publicUrl(pageAddress(page, id)),
        school: { name: entry.schoolName, url: publicUrl(pageAddress(PAGES.school, entry.schoolId)) },
        average: sources.answer(averageRating).averageRating,
        count: sources.answer(totalReviews).totalReviews,
        newest: sources.answer(list).slice(0, NEWEST_MAX),
      }),
    };
  }

  function subjectOf(page: Page, id: number | undefined, sources: PageSources): Subject {
    if (id === undefined || page.isPrivate) return { title: page.title, description: SITE_DESCRIPTION };
    return page.about === 'entry' && page.category
      ? entrySubject(page, page.category, id, sources)
      : schoolSubject(page, id, sources);
  }

  function write(subject: Subject, address: string, sources: PageSources): string {
    const meta = (name: 'name' | 'property', key: string, content: string) =>
      `<meta ${name}="${key}" content="${escapeHtml(content)}">`;
    const url = publicUrl(address);
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

  return async (page: Page, id: number | undefined, query: PageQuery): Promise<Head> => {
    const address = pageAddress(page, id, query);
    const sources = await readPage(publicReads, page, { id: id ?? 0, query });
    const subject = subjectOf(page, id, sources);
    return {
      title: subject.title,
      markup: page.isPrivate ? NO_INDEX : write(subject, address, sources),
      frame: page.guard ? '' : await drawFrame(address, sources.reads),
      tags: sources.tags,
    };
  };
}
