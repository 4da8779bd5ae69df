import { getSchoolSummary, type SchoolSummary } from '../../contract/comparison.ts';
import { withDefaultCategory } from '../../contract/page-reads.ts';
import { PAGES, type Page, type PageQuery, pageAddress } from '../../contract/pages.ts';
import type { Tag } from '../database/change-tags.ts';
import { answerOf } from '../http/cache/cached-response.ts';
import { escapeHtml } from '../http/refusals/refusal-pages.ts';
import type { PublicReads } from '../http/serve/public-reads.ts';
import type { DocumentOptions } from './document-options.ts';
import { type DocumentParts, NO_INDEX } from './page-shell.ts';
import { readPageSources } from './page-sources.ts';
import { openRenderer } from './renderer.ts';
import { toScript } from './structured-data.ts';
import { createSubjects, type PageSubject } from './subjects.ts';

/** By this id the browser finds the answers that the page was rendered from, and hydrates it without requests. */
const READS_ATTRIBUTES = 'type="application/json" id="reads"';
const DESCRIPTION_MAX = 200;

/** Its segments are what readers take for one character, such as a flag or a letter with its marks. */
const characterSegmenter = new Intl.Segmenter('en');

function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  if (flat.length <= DESCRIPTION_MAX) return flat;
  return `${flat.slice(0, characterSegmenter.segment(flat).containing(DESCRIPTION_MAX - 1)?.index)}…`;
}

/** The root shows the landing page, whose address is the canonical one. */
function canonicalAddressOf(page: Page, id: number | undefined, query: PageQuery): string {
  if (page === PAGES.root) return PAGES.landing.path;
  return pageAddress(page, id, page.canonicalQuery?.(query) ?? query);
}

const IMAGE = { path: '/og-image.png', width: 1200, height: 630, alt: 'A campus at dusk' };

/** The feed of the school or entry that a page shows. */
function feedOf(page: Page, id: number | undefined): string | undefined {
  const isShown = page.about === 'entry' || page === PAGES.school;
  return isShown && id !== undefined ? `/feeds/${page.about}/${id}.atom` : undefined;
}

/**
 * Adds the category that the page of a school's reviews shows if its query names none.
 * @returns the query, and the tags of the data that decided about the category
 */
async function addCategory(
  publicReads: PublicReads,
  page: Page,
  schoolId: number,
  query: PageQuery,
): Promise<{ query: PageQuery; tags: readonly Tag[] }> {
  if (page !== PAGES.schoolReviews || query.category !== undefined) return { query, tags: [] };
  const summary = await publicReads.find(getSchoolSummary, { params: { schoolId } });
  return { query: withDefaultCategory(query, answerOf(summary) as SchoolSummary), tags: summary.tags };
}

/** Writes everything in a head except the title. */
function writeHead(
  subject: PageSubject,
  canonicalAddress: string,
  feed: string | undefined,
  { publicUrl, siteName }: DocumentOptions,
): string {
  const meta = (name: 'name' | 'property', key: string, content: string) =>
    `<meta ${name}="${key}" content="${escapeHtml(content)}">`;
  const url = publicUrl(canonicalAddress);
  const description = shorten(subject.description);
  return [
    meta('name', 'description', description),
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...(feed ? [`<link rel="alternate" type="application/atom+xml" href="${feed}">`] : []),
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
    ...subject.data.map((one) => toScript(one)),
  ].join('');
}

/**
 * Makes the function that writes the parts of a document: its head and its rendered page, both from the answers to the
 * page's reads.
 */
export function createDocumentParts(options: DocumentOptions) {
  const { reads: publicReads } = options;
  const subjectOf = createSubjects(options);
  const renderPage = openRenderer(options);
  return async (page: Page, id: number | undefined, requestedQuery: PageQuery): Promise<DocumentParts> => {
    const { query, tags } = await addCategory(publicReads, page, id ?? 0, requestedQuery);
    const address = pageAddress(page, id, query);
    const sources = await readPageSources(publicReads, page, { id: id ?? 0, query });
    const content = page.guard ? '' : await renderPage(address, sources.reads);
    const data = !page.guard && sources.reads.length > 0 ? toScript(sources.reads, READS_ATTRIBUTES) : '';
    if (page.isPrivate) return { address, title: page.title, markup: NO_INDEX, content, data, tags: sources.tags };
    const subject = await subjectOf(page, id, sources, query);
    const markup = writeHead(subject, canonicalAddressOf(page, id, query), feedOf(page, id), options);
    return { address, title: subject.title, markup, content, data, tags: [...tags, ...sources.tags, ...subject.tags] };
  };
}
