import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ALL_PAGES, type Page, type PageQuery, pageAddress, readPageQuery } from '../../contract/pages.ts';
import { failureFields, isUnavailable } from '../database/failures.ts';
import type { NewResponse } from '../http/cache/cached-response.ts';
import type { Format } from '../http/cache/response-heads.ts';
import { sendRefusal } from '../http/failures.ts';
import { escapeHtml, isDocumentAddress } from '../http/refusals/refusal-pages.ts';
import { Refusal, refusals } from '../http/refusals/refusals.ts';
import type { DocumentOptions } from './document-options.ts';
import { createDocumentParts } from './heads.ts';
import { openShell, PAGE_SCRIPTS } from './page-shell.ts';
import { findSuccessorOf } from './queries.ts';
import { sendDocument } from './send-document.ts';

type SendRefusalPage = (reply: FastifyReply, refusal: Refusal) => FastifyReply;

/** The request of a page. Pages about a school, an entry or a review have an id in their path. */
type PageRequest = FastifyRequest<{ Params: { id?: string } }>;

/** The statuses of calls about something that does not exist, or was merged. */
const GONE_STATUSES = new Set([301, 404]);

/**
 * Serves the client: hashed assets that never change, and a document for every page. An unknown address gets a document
 * with the status 404.
 */
export async function servePages(app: FastifyInstance, options: DocumentOptions): Promise<void> {
  const shell = openShell(options);
  const partsOf = createDocumentParts(options);

  const sendRefusalPage: SendRefusalPage = (reply, refusal) =>
    reply
      .code(refusal.status)
      .type('text/html; charset=utf-8')
      .header('Cache-Control', refusal.status === 404 ? 'no-cache' : 'no-store')
      .headers(refusal.headers)
      .send(shell.refusal(refusal));

  async function build(page: Page, id: number | undefined, query: PageQuery, format: Format): Promise<NewResponse> {
    const parts = await partsOf(page, id, query);
    const text = shell.page(page, parts, queryOf(parts.address));
    return { route: page.path, text, format, tags: parts.tags };
  }

  /** Sends a redirect after a merge, or the page of a 404 or 503. @throws the error when it is none of these */
  async function sendFailure(
    error: unknown,
    page: Page,
    id: number | undefined,
    query: PageQuery,
    reply: FastifyReply,
  ) {
    if (error instanceof Refusal && GONE_STATUSES.has(error.status)) {
      const successor = id && (await findSuccessorOf(options.database.readShared(), page, id));
      if (successor) return sendMergeRedirect(reply, pageAddress(page, successor, query), options);
      return sendRefusalPage(reply, refusals.pageNotFound());
    }
    if (!isUnavailable(error)) throw error;
    reply.log.warn({ event: 'unavailable', ...failureFields(error) }, 'answered 503');
    return sendRefusalPage(reply, refusals.unavailable());
  }

  await serveAssets(app, options.clientDir);
  for (const page of ALL_PAGES) {
    app.get(page.path, async (request: PageRequest, reply) => {
      const id = page.about && parseId(request.params.id);
      if (page.about && id === undefined) return sendRefusalPage(reply, refusals.pageNotFound());
      const query = readPageQuery(page, new URLSearchParams(queryOf(request.url)));
      const address = pageAddress(page, id, query);
      try {
        const format = formatOf(page, query);
        const make = () => build(page, id, query, format);
        return await sendDocument(reply, options.cache, address, make, format === 'personalHtml');
      } catch (error) {
        return sendFailure(error, page, id, query, reply);
      }
    });
    if (page.path !== '/') redirectFromSlash(app, page, sendRefusalPage);
    refuseWrites(app, page);
  }

  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return isRead && isDocumentAddress(request.url, request.headers.accept)
      ? sendRefusalPage(reply, refusals.pageNotFound())
      : sendRefusal(reply, refusals.notFound('address'));
  });
}

async function serveAssets(app: FastifyInstance, clientDir: string): Promise<void> {
  // Without a wildcard, the files are listed when the server starts: no address can name a file outside of the build.
  await app.register(fastifyStatic, {
    root: clientDir,
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
}

/** Redirects from the path of a page with a trailing slash. */
function redirectFromSlash(app: FastifyInstance, page: Page, sendRefusalPage: SendRefusalPage): void {
  app.get(`${page.path}/`, async (request: PageRequest, reply) => {
    const id = page.about && parseId(request.params.id);
    if (page.about && id === undefined) return sendRefusalPage(reply, refusals.pageNotFound());
    // The target is made from the list of pages and not from the requested address, which could name another host.
    return reply.redirect(pageAddress(page, id) + queryOf(request.url), 308);
  });
}

/** Refuses other methods at the path of a page. */
function refuseWrites(app: FastifyInstance, page: Page): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: page.path,
    config: { changesNothing: true },
    // `onRequest`, so that the body is not read.
    onRequest: async () => {
      throw refusals.methodNotAllowed();
    },
    handler: async () => {},
  });
}

/**
 * Redirects to the school or entry into which the requested one was merged, with a document for clients that do not
 * follow. Browsers do not cache the redirect, because its target may be merged or deleted too.
 */
function sendMergeRedirect(
  reply: FastifyReply,
  address: string,
  { siteName, publicUrl }: Pick<DocumentOptions, 'siteName' | 'publicUrl'>,
): FastifyReply {
  const link = escapeHtml(address);
  const canonical = escapeHtml(publicUrl(address));
  return reply
    .code(301)
    .type('text/html; charset=utf-8')
    .headers({ Location: address, 'Cache-Control': 'no-cache' })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Merged · ${escapeHtml(siteName)}</title>` +
        `<link rel="canonical" href="${canonical}"></head>` +
        `<body><p>This was merged into another one. It is at <a href="${link}">${link}</a> now.</p></body></html>`,
    );
}

/** The id in an address; undefined for anything else, also for other spellings of a number such as 07. */
function parseId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * The format of a document. If its address names a person it is personal: answers from the cache can be told from new
 * ones, and would tell strangers whose mailbox is being verified, and which user an admin looks at.
 */
function formatOf({ about, hasForm }: Page, { email }: PageQuery): Format {
  if (about === 'user' || email !== undefined) return 'personalHtml';
  return hasForm ? 'htmlWithForm' : 'html';
}

/** The query of an address, including the question mark. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start);
}
