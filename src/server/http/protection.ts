import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CHANGE_POSITION } from '../../contract/change-positions.ts';
import { type HeaderLines, setLines } from './cache/response-heads.ts';
import { headerLinesAt, isOpenAddress } from './open-addresses.ts';
import { REQUEST_ID } from './proxies.ts';
import { refusals } from './refusals/refusals.ts';

const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The hashes of the scripts that stand in the page shell itself, as a policy names them. */
const hashInlineScripts = (shell: string) =>
  [...shell.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );

/**
 * Documents load only files of this origin, and no inline style; of inline scripts they run only the page shell's own.
 * They cannot be framed.
 */
const documentPolicy = (shell: string) =>
  `${CALL_POLICY}; script-src ${["'self'", ...hashInlineScripts(shell)].join(' ')}; style-src 'self'; img-src 'self'; ` +
  "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'";

/** For documents with a form that the browser sends without a script. */
const allowForm = (policy: string) => policy.replace("form-action 'none'", "form-action 'self'");
const RESOURCE_POLICY_HEADER = 'Cross-Origin-Resource-Policy';

const HEADERS = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  [RESOURCE_POLICY_HEADER, 'same-origin'],
  ['Cross-Origin-Embedder-Policy', 'require-corp'],
] as const;

/** For responses that pages of other sites may read. */
const OPEN_HEADERS = [
  [RESOURCE_POLICY_HEADER, 'cross-origin'],
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'Link, ETag, Retry-After, RateLimit, RateLimit-Policy'],
] as const;

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD',
  'Access-Control-Allow-Headers': CHANGE_POSITION,
  'Access-Control-Max-Age': '86400',
};

const STRICT_TRANSPORT = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const;

/**
 * The header lines of calls, of documents, of documents with a form, and of what pages of other sites may read.
 * @param clientDir the folder of the built pages
 */
export function headerLines(publicUrl: URL | undefined, clientDir: string): HeaderLines {
  const policy = documentPolicy(readFileSync(join(clientDir, 'index.html'), 'utf8'));
  const headers = publicUrl?.protocol === 'https:' ? [...HEADERS, STRICT_TRANSPORT] : HEADERS;
  const withPolicy = (ownPolicy: string) => [...headers, ['Content-Security-Policy', ownPolicy]].flat();
  return {
    calls: withPolicy(CALL_POLICY),
    documents: withPolicy(policy),
    documentsWithForm: withPolicy(allowForm(policy)),
    open: [
      ...headers.filter(([name]) => name !== RESOURCE_POLICY_HEADER),
      ['Content-Security-Policy', CALL_POLICY],
      ...OPEN_HEADERS,
    ].flat(),
  };
}

const isChanging = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/**
 * Browsers state the origin of a request. Other clients do not, but they have no session that another site could
 * misuse.
 */
function isCrossSite(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  if (['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']))) return true;
  const { origin, host } = request.headers;
  if (origin === undefined || origin === publicOrigin) return false;
  return URL.parse(origin)?.host !== host;
}

/** Sets the security headers of responses that pass the hooks, and refuses changes that another site requests. */
export function protect(app: FastifyInstance, headers: HeaderLines, publicUrl: URL | undefined): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' && isOpenAddress(request.method, request.url)) {
      void reply.code(204).headers(PREFLIGHT).send();
      return;
    }
    // Writes to a page are exempt, as they only get a 405: our referrer policy makes its forms send `Origin: null`.
    const mayChange = isChanging(request.method) && !('changesNothing' in request.routeOptions.config);
    const isRefused = mayChange && isCrossSite(request, publicUrl?.origin);
    done(isRefused ? refusals.crossSite() : undefined);
  });
  // Set in onSend and not in onRequest: the stored head of a cached response has the security headers already.
  app.addHook('onSend', (request, { raw }, payload, done) => {
    raw.setHeader(REQUEST_ID, request.id);
    setLines(raw, headerLinesAt(headers, request.method, request.url));
    done(null, payload);
  });
}
