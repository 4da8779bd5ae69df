import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ALL_PAGES, type Page, type PageQuery, pageAddress, readPageQuery } from '../../contract/pages.ts';
import { refusalHeading } from '../../contract/refusal-texts.ts';
import type { Made, ResponseCache } from '../cache/response-cache.ts';
import type { Tag } from '../database/change-tags.ts';
import { failureFields, isUnavailable } from '../database/failures.ts';
import { sendRefusal } from '../http/failures.ts';
import { escapeHtml } from '../refusals/html.ts';
import { isDocumentAddress, refusalContent } from '../refusals/refusal-pages.ts';
import { Refusal, refusals } from '../refusals/refusals.ts';
import { sendFound } from '../serve/serve.ts';

/** What one document says. */
export interface Head {
  title: string;
  /** Markup after the title, escaped where it was made. */
  markup: string;
  /** The page as it first looks, which stands until the browser has drawn it; empty: nothing does. */
  frame: string;
  /** What it was made from. */
  tags: readonly Tag[];
}

interface PageOptions {
  /** The built product: index.html and hashed assets. */
  clientDir: string;
  siteName: string;
  supportEmail: string;
  cache: ResponseCache;
  /** Looks up what an address is about. @throws a refusal with the status 404 where there is nothing */
  headOf: (page: Page, id: number | undefined, query: PageQuery) => Promise<Head>;
}

/** Written by the build (vite.config.ts). */
const PAGE_SCRIPTS = 'page-scripts.json';
/** Where the browser's side draws. */
const ROOT = '<div id="root">';
/** Markup that keeps a document out of search engines. */
export const NO_INDEX = '<meta name="robots" content="noindex">';

/** An id as addresses spell it; undefined for anything else. */
function parseId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

/** What an address has from its question mark on. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}

/** The scripts of each page by its address, as `start.ts` reads them; the shell names only its own. */
function readPageScripts(clientDir: string): ReadonlyMap<string, string> {
  const file = join(clientDir, PAGE_SCRIPTS);
  const scripts: Record<string, string[]> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return new Map(Object.entries(scripts).map(([path, own]) => [path, own.join(' ')]));
}

/**
 * The element that the browser's side renders in.
 * @param frame what the server rendered, not hydrated yet
 * @param query of the address it was rendered for, so that it is not taken for another's
 */
function openRoot(frame: string, query: string, scripts: string | undefined): string {
  const rendered = frame && ` data-frame="${escapeHtml(query)}"`;
  return `<div id="root"${rendered}${scripts ? ` data-scripts="${scripts}"` : ''}>${frame}`;
}

/** Reads the shell once and answers the function that fills its head. */
function openShell({ clientDir, siteName, supportEmail }: PageOptions) {
  const html = readFileSync(join(clientDir, 'index.html'), 'utf8')
    // By functions: a text may hold what a replacement would take for a pattern.
    .replace(/(<meta name="application-name" content=")[^"]*/, (_, start) => start + escapeHtml(siteName))
    .replace(/(<meta name="support-email" content=")[^"]*/, (_, start) => start + escapeHtml(supportEmail));
  const [before = '', rest = ''] = html.split('<!--head-->');
  const [head = '', body = ''] = (rest.split('<!--/head-->')[1] ?? '').split(ROOT);
  return (title: string, markup: string, root: string) =>
    `${before}<title>${escapeHtml(`${title} · ${siteName}`)}</title>${markup}${head}${root}${body}`;
}

/**
 * Serves the browser's side: hashed assets that never change, and the one document under every address of the
 * product; addresses it does not have get the same document with the status 404.
 */
export async function servePages(app: FastifyInstance, options: PageOptions): Promise<void> {
  const fill = openShell(options);
  const scripts = readPageScripts(options.clientDir);

  /** In place of a page: says what happened until its code, if there is any, has more to say or tries again. */
  function sendInstead(reply: FastifyReply, refusal: Refusal): FastifyReply {
    const cacheControl = refusal.status === 404 ? 'no-cache' : 'no-store';
    reply.code(refusal.status).type('text/html; charset=utf-8').header('Cache-Control', cacheControl);
    return reply
      .headers(refusal.headers)
      .send(fill(refusalHeading(refusal.status), NO_INDEX, ROOT + refusalContent(refusal)));
  }

  async function build(page: Page, id: number | undefined, query: PageQuery): Promise<Made> {
    const head = await options.headOf(page, id, query);
    const root = openRoot(head.frame, queryOf(pageAddress(page, id, query)), scripts.get(page.path));
    const text = fill(head.title, head.markup, root);
    return { route: page.path, text, form: 'html', tags: head.tags };
  }

  // From a list made at start: only files of the build can be named, whatever the address spells.
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
        const isMissing = error instanceof Refusal && error.status === 404;
        if (isMissing) return sendInstead(reply, refusals.noPage());
        if (!isUnavailable(error)) throw error;
        request.log.warn({ event: 'unavailable', ...failureFields(error) }, 'answered 503');
        return sendInstead(reply, refusals.unavailable());
      }
    });

    if (page.path !== '/') {
      app.get<{ Params: { id?: string } }>(`${page.path}/`, async (request, reply) => {
        const id = page.about && parseId(request.params.id);
        if (page.about && id === undefined) return sendInstead(reply, refusals.noPage());
        // Made from the list of pages, never from what was asked for, which could name another host.
        return reply.redirect(pageAddress(page, id) + queryOf(request.url), 308);
      });
    }

    app.route({
      method: ['POST', 'PUT', 'PATCH', 'DELETE'],
      url: page.path,
      config: { changesNothing: true },
      // Before the body is read.
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
