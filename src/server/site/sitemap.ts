import type { FastifyInstance } from 'fastify';
import { CATEGORIES } from '../../contract/categories.ts';
import { ALL_PAGES, categoryPages, PAGES, pageAddress } from '../../contract/pages.ts';
import type { Database } from '../database/database.ts';
import type { SendText } from '../http/compression.ts';
import { escapeHtml } from '../http/pages.ts';
import { refusals } from '../http/refusals.ts';
import type { KeptTexts } from './kept-texts.ts';
import { countAddresses, listEntriesAfter, listSchoolIdsAfter } from './queries.ts';

/** The protocol allows 50,000 addresses in one file (https://www.sitemaps.org/protocol.html). */
const ONE_FILE_MAX = 40_000;
/** Rows in one file of a split sitemap: an entry can bring two addresses. */
const PART_ROWS = 20_000;

const XML = 'application/xml; charset=utf-8';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface Part {
  addresses: string[];
  /** Where the next part goes on; undefined when this was the last. */
  nextAfter: number | undefined;
}

const byKind = new Map(CATEGORIES.map((category) => [category.kind, categoryPages(category)]));

async function schoolPart(database: Database, after: number): Promise<Part> {
  const ids = await listSchoolIdsAfter(database.read, after, PART_ROWS);
  return {
    addresses: ids.map((id) => pageAddress(PAGES.school, id)),
    nextAfter: ids.length === PART_ROWS ? ids.at(-1) : undefined,
  };
}

/** The review page of each entry, and the list it stands in: only lists with something in them are worth finding. */
async function entryPart(database: Database, after: number): Promise<Part> {
  const entries = await listEntriesAfter(database.read, after, PART_ROWS);
  const addresses = new Set<string>();
  for (const { id, kind, schoolId } of entries) {
    const pages = byKind.get(kind);
    if (!pages) continue;
    addresses.add(pageAddress(pages.list, schoolId));
    addresses.add(pageAddress(pages.reviews, id));
  }
  return { addresses: [...addresses], nextAfter: entries.length === PART_ROWS ? entries.at(-1)?.id : undefined };
}

const PARTS = { schools: schoolPart, entries: entryPart };

const STATIC_ADDRESSES = ALL_PAGES.filter((page) => !page.isPrivate && !page.about && page !== PAGES.root).map(
  (page) => page.path,
);

export interface SitemapOptions {
  publicUrl: (path: string) => string;
  sendText: SendText;
  texts: KeptTexts;
}

/** Serves `/sitemap.xml`, split into parts when there are many addresses, and `/robots.txt`. */
export function serveSitemap(app: FastifyInstance, database: Database, options: SitemapOptions): void {
  const { publicUrl, sendText, texts } = options;
  const locations = (paths: readonly string[]) => paths.map((path) => `<loc>${escapeHtml(publicUrl(path))}</loc>`);
  const urlSet = (paths: readonly string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${locations(paths)
      .map((location) => `<url>${location}</url>`)
      .join('\n')}\n</urlset>\n`;
  const index = (paths: readonly string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="${NAMESPACE}">\n${locations(paths)
      .map((location) => `<sitemap>${location}</sitemap>`)
      .join('\n')}\n</sitemapindex>\n`;

  async function writeWhole(): Promise<string> {
    if ((await countAddresses(database.read)) > ONE_FILE_MAX) {
      const first = ['/sitemap/pages.xml', '/sitemap/schools/0.xml', '/sitemap/entries/0.xml'];
      return index([...first, ...(await laterParts(database))]);
    }
    const parts = await Promise.all([schoolPart(database, 0), allEntries(database)]);
    return urlSet([...STATIC_ADDRESSES, ...parts.flatMap(({ addresses }) => addresses)]);
  }

  app.get('/sitemap.xml', async (_request, reply) => sendText(reply.type(XML), await texts.read('whole', writeWhole)));

  app.get('/sitemap/pages.xml', (_request, reply) => sendText(reply.type(XML), urlSet(STATIC_ADDRESSES)));

  app.get<{ Params: { part: string; after: string } }>(
    '/sitemap/:part/:after(^\\d{1,16}).xml',
    async (request, reply) => {
      const { part, after } = request.params;
      if (part !== 'schools' && part !== 'entries') throw refusals.notFound('address');
      const name = `${part} ${Number(after)}`;
      const write = async () => urlSet((await PARTS[part](database, Number(after))).addresses);
      return sendText(reply.type(XML), await texts.read(name, write));
    },
  );

  // Nothing is disallowed: what must not be listed says noindex, which only a crawler that may read it can see.
  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(['User-agent: *', 'Disallow:', `Sitemap: ${publicUrl('/sitemap.xml')}`, ''].join('\n')),
  );
}

async function allEntries(database: Database): Promise<{ addresses: string[] }> {
  const addresses: string[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const part: Part = await entryPart(database, after);
    addresses.push(...part.addresses);
    after = part.nextAfter;
  }
  return { addresses: [...new Set(addresses)] };
}

/** The addresses of all parts but the first of each kind. */
async function laterParts(database: Database): Promise<string[]> {
  const found: string[] = [];
  for (const [name, read] of Object.entries(PARTS)) {
    for (
      let part = await read(database, 0);
      part.nextAfter !== undefined;
      part = await read(database, part.nextAfter)
    ) {
      found.push(`/sitemap/${name}/${part.nextAfter}.xml`);
    }
  }
  return found;
}
