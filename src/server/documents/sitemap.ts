import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { CATEGORIES } from '../../contract/categories.ts';
import { ALL_PAGES, categoryPages, PAGES, pageAddress } from '../../contract/pages.ts';
import type { Connection } from '../database/database.ts';
import type { NewResponse } from '../http/cache/cached-response.ts';
import { tags } from '../http/cache/tags.ts';
import { BOUNDS } from '../http/limits/bounds.ts';
import { createOneAtATime } from '../http/limits/one-at-a-time.ts';
import { escapeHtml } from '../http/refusals/refusal-pages.ts';
import { refusals } from '../http/refusals/refusals.ts';
import type { DocumentOptions } from './document-options.ts';
import { countAddresses, findLastId, type IdRange, listEntriesIn, listSchoolIdsIn } from './queries.ts';
import { sendDocument } from './send-document.ts';

/** The protocol allows 50,000 addresses in one file (https://www.sitemaps.org/protocol.html). */
const ONE_FILE_MAX = 49_000;
/**
 * How many ids one file of a split sitemap covers, each with up to three addresses. Because files are split by ids, an
 * address stays in the same file when others are added or deleted.
 */
const IDS_PER_PART = 16_000;
const ALL_IDS: IdRange = { after: 0, to: Number.MAX_SAFE_INTEGER };

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const pagesByKind = new Map(CATEGORIES.map((category) => [category.kind, categoryPages(category)]));

/** How many ids are read in one step. Other requests are served between the steps. */
const IDS_PER_STEP = 1_000;

async function schoolAddresses(db: Connection, range: IdRange): Promise<string[]> {
  const ids = await listSchoolIdsIn(db, range);
  return ids.map((id) => pageAddress(PAGES.school, id));
}

/** The review page of each entry, and the lists of its category. Empty lists are left out. */
async function entryAddresses(db: Connection, range: IdRange): Promise<string[]> {
  const addresses = new Set<string>();
  for (const { id, kind, schoolId } of await listEntriesIn(db, range)) {
    const pages = pagesByKind.get(kind);
    if (!pages) continue;
    addresses.add(pageAddress(pages.list, schoolId));
    addresses.add(pageAddress(PAGES.schoolReviews, schoolId, { category: kind }));
    addresses.add(pageAddress(pages.reviews, id));
  }
  return [...addresses];
}

const PART_READERS = { schools: schoolAddresses, entries: entryAddresses };
type PartName = keyof typeof PART_READERS;
const PART_NAMES = Object.keys(PART_READERS) as PartName[];

const STATIC_ADDRESSES = ALL_PAGES.filter(
  (page) => !page.isPrivate && !page.isUnlisted && !page.about && page !== PAGES.root,
).map((page) => page.path);

/** Serves `/sitemap.xml`, split into parts when there are many addresses, and `/robots.txt`. */
export function serveSitemap(app: FastifyInstance, { database, publicUrl, cache }: DocumentOptions): void {
  const runOneAtATime = createOneAtATime(BOUNDS.sitemapsQueued.max);

  function send(reply: FastifyReply, route: string, address: string, list: () => Promise<Sitemap>): Promise<void> {
    const make = async (): Promise<NewResponse> => {
      const text = writeSitemap(await runOneAtATime(list), publicUrl);
      return { route, text, format: 'xml', tags: [tags.addresses] };
    };
    return sendDocument(reply, cache, address, make);
  }

  app.get('/sitemap.xml', (_request, reply) =>
    send(reply, '/sitemap.xml', '/sitemap.xml', () => listWhole(database.read)),
  );

  app.get('/sitemap/pages.xml', (_request, reply) =>
    send(reply, '/sitemap/pages.xml', '/sitemap/pages.xml', async () => ({ pages: STATIC_ADDRESSES })),
  );

  app.get<{ Params: { part: string; after: string } }>(
    '/sitemap/:part/:after(^\\d{1,16}).xml',
    async (request, reply) => {
      const { part } = request.params;
      const after = Number(request.params.after);
      if ((part !== 'schools' && part !== 'entries') || after % IDS_PER_PART !== 0) throw refusals.notFound('address');
      const address = `/sitemap/${part}/${after}.xml`;
      return send(reply, '/sitemap/:part/:after.xml', address, () => listPart(database.read, part, after));
    },
  );

  // Nothing is disallowed: a crawler sees the `noindex` of a page only if it may read the page.
  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(['User-agent: *', 'Disallow:', `Sitemap: ${publicUrl('/sitemap.xml')}`, ''].join('\n')),
  );
}

/** The paths of pages, or those of the parts of a split sitemap. */
type Sitemap = { readonly pages: readonly string[] } | { readonly parts: readonly string[] };

async function listWhole(db: Connection): Promise<Sitemap> {
  if ((await countAddresses(db)) > ONE_FILE_MAX) {
    const parts = await Promise.all(PART_NAMES.map((name) => listParts(db, name)));
    return { parts: ['/sitemap/pages.xml', ...parts.flat()] };
  }
  const addresses = await Promise.all(PART_NAMES.map((name) => PART_READERS[name](db, ALL_IDS)));
  return { pages: [...STATIC_ADDRESSES, ...addresses.flat()] };
}

/** The addresses of all parts of one kind. */
async function listParts(db: Connection, name: PartName): Promise<string[]> {
  const last = await findLastId(db, name);
  const count = Math.max(1, Math.ceil(last / IDS_PER_PART));
  return Array.from({ length: count }, (_, number) => `/sitemap/${name}/${number * IDS_PER_PART}.xml`);
}

/** @throws a 404 for a part after the last one */
async function listPart(db: Connection, name: PartName, after: number): Promise<Sitemap> {
  if (after > 0 && after >= (await findLastId(db, name))) throw refusals.notFound('address');
  const pages = new Set<string>();
  for (let from = after; from < after + IDS_PER_PART; from += IDS_PER_STEP) {
    for (const address of await PART_READERS[name](db, { after: from, to: from + IDS_PER_STEP })) pages.add(address);
    await setImmediate();
  }
  return { pages: [...pages] };
}

function writeSitemap(sitemap: Sitemap, publicUrl: (path: string) => string): string {
  const [root, item, paths] =
    'parts' in sitemap ? ['sitemapindex', 'sitemap', sitemap.parts] : ['urlset', 'url', sitemap.pages];
  const items = paths.map((path) => `<${item}><loc>${escapeHtml(publicUrl(path))}</loc></${item}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${items.join('\n')}\n</${root}>\n`;
}
