import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ALL_PAGES, PAGES, type Page, type PageQuery, pageAddress, readPageQuery } from '../../contract/pages.ts';
import type { ProposalMode } from '../../contract/proposals.ts';
import { refusalHeading } from '../../contract/refusal-texts.ts';
import type { Made } from '../cache/cached-response.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import type { Tag } from '../database/change-tags.ts';
import { failureFields, isUnavailable } from '../database/failures.ts';
import { sendRefusal } from '../http/failures.ts';
import { BOUNDS } from '../limits/bounds.ts';
import { escapeHtml } from '../refusals/html.ts';
import { isDocumentAddress, refusalContent } from '../refusals/refusal-pages.ts';
import { Refusal, refusals } from '../refusals/refusals.ts';
import { sendFound } from '../serve/serve.ts';

/** The parts of one document. */
export interface Head {
  title: string;
  /** Markup after the title. It is already escaped. */
  markup: string;
  /** The server-rendered page, shown until hydration; empty when the page is client-only. */
  content: string;
  /** The tags of the data that the document is made from. */
  tags: readonly Tag[];
}

interface PageOptions {
  /** The built product: index.html and hashed assets. */
  clientDir: string;
  siteName: string;
  supportEmail: string;
  proposals: ProposalMode;
  cache: ResponseCache;
  /** Makes the head of a page. @throws a refusal with the status 404 when its school or entry does not exist */
  headOf: (page: Page, id: number | undefined, query: PageQuery) => Promise<Head>;
  /** After a merge, the successor of the school or entry of a page; undefined if it was not merged. */
  successorOf: (page: Page, id: number) => Promise<number | undefined>;
  /** Makes the absolute address of a path. */
  publicUrl: (path: string) => string;
}

/** The statuses of a school or entry that does not exist, or no longer exists. */
const GONE = new Set([301, 404]);

/** The build writes this file (vite.config.ts). */
const PAGE_SCRIPTS = 'page-scripts.json';
/** The element that contains the page. */
const ROOT = '<div id="root">';
/** Tells search engines not to index a document. */
export const NO_INDEX = '<meta name="robots" content="noindex">';

/** The id in an address, which has one spelling; undefined for anything else. */
function parseId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

/** The query of an address, including the question mark. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

/**
 * The scripts of each page by its path, in the form that `start.ts` reads. The page shell contains only the scripts of
 * all pages.
 */
function readPageScripts(clientDir: string): ReadonlyMap<string, string> {
  const file = join(clientDir, PAGE_SCRIPTS);
  const scripts: Record<string, string[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return new Map(Object.entries(scripts).map(([path, own]) => [path, own.join(' ')]));
}

/**
 * The opening tag of the root element, and its content.
 * @param content the server-rendered page
 * @param query the query it was rendered for: the browser hydrates the page only at an address with the same query
 */
function openRoot(content: string, query: string, scripts: string | undefined): string {
  const rendered = content && ` data-rendered="${escapeHtml(query)}"`;
  return `<div id="root"${rendered}${scripts ? ` data-scripts="${scripts}"` : ''}>${content}`;
}

/** Reads the page shell once. @returns the function that fills in its head and its root */
function openShell({ clientDir, siteName, supportEmail, proposals }: PageOptions) {
  const html = readFileSync(join(clientDir, 'index.html'), 'utf8')
    // Replaced by functions, because a name could contain `$&`, which has a meaning in a replacement text.
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, start) => start + escapeHtml(siteName))
    .replace(/(<meta name="support-email" content=")[^"]*/, (_, start) => start + escapeHtml(supportEmail))
    .replace(/(<meta name="proposals" content=")[^"]*/, `$1${proposals}`);
  const [before = '', rest = ''] = html.split('<!--head-->');
  const [head = '', body = ''] = (rest.split('<!--/head-->')[1] ?? '').split(ROOT);
  return (title: string, markup: string, root: string) =>
    `${before}<title>${escapeHtml(`${title} · ${siteName}`)}</title>${markup}${head}${root}${body}`;
}

/**
 * Serves the client: hashed assets that never change, and a document for every page. An unknown address gets a document
 * with the status 404.
 */
export async function servePages(app: FastifyInstance, options: PageOptions): Promise<void> {
  const fill = openShell(options);
  const scripts = readPageScripts(options.clientDir);

  /** Answers with a page that explains the refusal. Its script, once loaded, may say more or try again. */
  function sendInstead(reply: FastifyReply, refusal: Refusal): FastifyReply {
    const cacheControl = refusal.status === 404 ? 'no-cache' : 'no-store';
    reply.code(refusal.status).type('text/html; charset=utf-8').header('Cache-Control', cacheControl);
    return reply
      .headers(refusal.headers)
      .send(fill(refusalHeading(refusal.status), NO_INDEX, ROOT + refusalContent(refusal)));
  }

  /**
   * Redirects to the school or entry that this one was merged into, with a document for clients that do not follow. It
   * is not cached by browsers, because that one may be merged or deleted too.
   */
  function sendMoved(reply: FastifyReply, address: string): FastifyReply {
    const link = escapeHtml(address);
    const canonical = escapeHtml(options.publicUrl(address));
    return reply
      .code(301)
      .type('text/html; charset=utf-8')
      .headers({ Location: address, 'Cache-Control': 'no-cache' })
      .send(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Merged · ${escapeHtml(options.siteName)}</title>` +
          `<link rel="canonical" href="${canonical}"></head>` +
          `<body><p>This was merged into another one. It is at <a href="${link}">${link}</a> now.</p></body></html>`,
      );
  }

  async function build(page: Page, id: number | undefined, query: PageQuery): Promise<Made> {
    const head = await options.headOf(page, id, query);
    const root = openRoot(head.content, queryOf(pageAddress(page, id, query)), scripts.get(page.path));
    const text = fill(head.title, head.markup, root);
    const copiesMax = page === PAGES.compare ? BOUNDS.comparisonsCached.max : undefined;
    return { route: page.path, text, form: 'html', tags: head.tags, copiesMax };
  }

  // The list of files is made when the server starts, so that no address can name a file outside of the build.
  await app.register(fastifyStatic, {
    root: options.clientDir,
    wildcard: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    globIgnore: ['index.html', PAGE_SCRIPTS, '**/*.br', '**/*.gz'],
    setHeaders(reply, path) {
      const isHashed = path.includes(join('/', 'assets', '/'));
      reply.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  for (const page of ALL_PAGES) {
    app.get<{ Params: { id?: string } }>(page.path, async (request, reply) => {
      const id = page.about && parseId(request.params.id);
      if (page.about && id === undefined) return sendInstead(reply, refusals.noPage());
      const query = readPageQuery(page, new URLSearchParams(queryOf(request.url)));
      const address = pageAddress(page, id, query);
      try {
        return await sendFound(
          reply,
          () => options.cache.findOrMake(address, () => build(page, id, query)),
          () => options.cache.findStale(address),
        );
      } catch (error) {
        if (error instanceof Refusal && GONE.has(error.status)) {
          const successor = id && (await options.successorOf(page, id));
          if (successor) return sendMoved(reply, pageAddress(page, successor, query));
          return sendInstead(reply, refusals.noPage());
        }
        if (!isUnavailable(error)) throw error;
        request.log.warn({ event: 'unavailable', ...failureFields(error) }, 'answered 503');
        return sendInstead(reply, refusals.unavailable());
      }
    });

    if (page.path !== '/') {
      app.get<{ Params: { id?: string } }>(`${page.path}/`, async (request, reply) => {
        const id = page.about && parseId(request.params.id);
        if (page.about && id === undefined) return sendInstead(reply, refusals.noPage());
        // Made from the list of pages and not from the requested address, which could name another host.
        return reply.redirect(pageAddress(page, id) + queryOf(request.url), 308);
      });
    }

    app.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url: page.path,
      config: { changesNothing: true },
      // `onRequest`, so that the body is not read.
      onRequest: async () => {
        throw refusals.notACall();
      },
      handler: async () => {},
    });
  }

  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead && isDocumentAddress(request.url)
      ? sendInstead(reply, refusals.noPage())
      : sendRefusal(reply, refusals.notFound('address'));
  });
}
