import type { AnswerOf } from '../../contract/call.ts';
import type { Category } from '../../contract/categories.ts';
import { entryCalls, entryName } from '../../contract/entries.ts';
import { categoryPages, PAGES, type Page, type PageQuery, pageAddress } from '../../contract/pages.ts';
import { reviewCalls } from '../../contract/reviews.ts';
import { getSchool } from '../../contract/schools.ts';
import { bytesOf } from '../cache/response-cache.ts';
import { tags } from '../cache/tags.ts';
import type { Tag } from '../database/change-tags.ts';
import { escapeHtml } from '../refusals/html.ts';
import type { PublicReads } from '../serve/public-reads.ts';
import { descriptionOf } from './descriptions.ts';
import { type PageSources, readPage } from './page-sources.ts';
import { type Head, NO_INDEX } from './pages.ts';
import type { RenderPage } from './renderer.ts';
import {
  describeEntry,
  describeSchool,
  describeTrail,
  type RatingFigures,
  type StructuredData,
  toScript,
} from './structured-data.ts';

const DESCRIPTION_MAX = 200;
const NEWEST_MAX = 5;

interface HeadOptions {
  siteName: string;
  publicUrl: (path: string) => string;
  renderPage: RenderPage;
  /** The mean and number of all reviews of a school. */
  rateSchool: (id: number) => Promise<RatingFigures>;
}

/** The contents of a head besides the page's title. */
interface Subject {
  title: string;
  description: string;
  data: readonly StructuredData[];
  /** Tags of the data that it was made from, besides those of the page's reads. */
  tags: readonly Tag[];
}

function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length <= DESCRIPTION_MAX ? flat : `${flat.slice(0, DESCRIPTION_MAX - 1)}…`;
}

const preloadLink = (address: string) =>
  `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(address)}">`;

const IMAGE = { path: '/og-image.png', width: 1200, height: 630, alt: 'A campus at dusk' };

/** Makes the function that writes the head of a document from the answers to its page's reads. */
export function createHeads(publicReads: PublicReads, { siteName, publicUrl, renderPage, rateSchool }: HeadOptions) {
  const step = (name: string, page: Page, id?: number) => ({ name, url: publicUrl(pageAddress(page, id)) });
  const schoolSteps = (id: number, name: string) => [
    step(PAGES.allSchools.title, PAGES.allSchools),
    step(name, PAGES.school, id),
  ];

  async function schoolSubject(page: Page, id: number, sources: PageSources): Promise<Subject> {
    const school = sources.answer(getSchool);
    const { schoolName, description, location } = school;
    const trail = schoolSteps(id, schoolName);
    if (page.category) {
      const { label, summary } = page.category;
      return {
        title: `${label} at ${schoolName}`,
        description: `${label} at ${schoolName}, ${location}: ${summary}.`,
        data: [describeTrail([...trail, step(label, page, id)])],
        tags: [],
      };
    }
    const url = publicUrl(pageAddress(PAGES.school, id));
    return {
      title: schoolName,
      description: `${location}. ${description}`,
      data: [describeSchool(school, url, await rateSchool(id)), describeTrail(trail)],
      tags: [tags.reviewsAt(id)],
    };
  }

  async function entrySubject(page: Page, category: Category, id: number, sources: PageSources): Promise<Subject> {
    const { list, averageRating, totalReviews } = reviewCalls(category);
    const entry = sources.answer(entryCalls(category).details);
    const { schoolId } = entry;
    const name = entryName(category, entry);
    // The school's location, which the page does not show. The answer about the entry has the school's tag already.
    const { plain } = await publicReads.find(getSchool, { params: { id: schoolId } });
    const school: AnswerOf<typeof getSchool> = JSON.parse(bytesOf(plain).toString());
    const data = describeEntry({
      category,
      name,
      description: entry.description,
      url: publicUrl(pageAddress(page, id)),
      school,
      schoolUrl: publicUrl(pageAddress(PAGES.school, schoolId)),
      rating: {
        average: sources.answer(averageRating).averageRating,
        count: sources.answer(totalReviews).totalReviews,
      },
      newest: sources.answer(list).slice(0, NEWEST_MAX),
    });
    const trail = [
      ...schoolSteps(schoolId, school.schoolName),
      step(category.label, categoryPages(category).list, schoolId),
      step(name, page, id),
    ];
    return {
      title: `${name} reviews · ${entry.schoolName}`,
      description: `Student reviews of ${name} at ${entry.schoolName}: ${entry.description}`,
      data: [data, describeTrail(trail)],
      tags: [],
    };
  }

  async function subjectOf(page: Page, id: number | undefined, sources: PageSources): Promise<Subject> {
    if (id === undefined) return { title: page.title, description: descriptionOf(page), data: [], tags: [] };
    return page.about === 'entry' && page.category
      ? entrySubject(page, page.category, id, sources)
      : schoolSubject(page, id, sources);
  }

  function write(subject: Subject, address: string, sources: PageSources): string {
    const meta = (name: 'name' | 'property', key: string, content: string) =>
      `<meta ${name}="${key}" content="${escapeHtml(content)}">`;
    // The first address is another name of the landing page.
    const url = publicUrl(address === PAGES.root.path ? PAGES.landing.path : address);
    const description = shorten(subject.description);
    return [
      meta('name', 'description', description),
      `<link rel="canonical" href="${escapeHtml(url)}">`,
      meta('property', 'og:title', subject.title),
      meta('property', 'og:description', description),
      meta('property', 'og:type', 'website'),
      meta('property', 'og:url', url),
      meta('property', 'og:site_name', siteName),
      meta('property', 'og:image', publicUrl(IMAGE.path)),
      meta('property', 'og:image:width', String(IMAGE.width)),
      meta('property', 'og:image:height', String(IMAGE.height)),
      meta('property', 'og:image:alt', IMAGE.alt),
      meta('name', 'twitter:card', 'summary_large_image'),
      ...sources.addresses.map(preloadLink),
      ...subject.data.map(toScript),
    ].join('');
  }

  return async (page: Page, id: number | undefined, query: PageQuery): Promise<Head> => {
    const address = pageAddress(page, id, query);
    const sources = await readPage(publicReads, page, { id: id ?? 0, query });
    const content = page.guard ? '' : await renderPage(address, sources.reads);
    if (page.isPrivate) return { title: page.title, markup: NO_INDEX, content, tags: sources.tags };
    const subject = await subjectOf(page, id, sources);
    const markup = write(subject, address, sources);
    return { title: subject.title, markup, content, tags: [...sources.tags, ...subject.tags] };
  };
}
