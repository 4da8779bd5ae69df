import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REQUESTS_PER_MINUTE } from '../security/limits.ts';
import { refusals } from './refusals.ts';
import { limiterAddress } from './router.ts';

const SELF = "'self'";
const NONE = "'none'";

const policy = (directives: Record<string, string>) =>
  Object.entries(directives)
    .map(([name, source]) => `${name} ${source}`)
    .join('; ');

const NOTHING_LOADS = { 'default-src': NONE, 'frame-ancestors': NONE };

/** Documents load only what this origin serves; no inline script or style, nothing framed. */
const DOCUMENT_POLICY = policy({
  ...NOTHING_LOADS,
  'script-src': SELF,
  'style-src': SELF,
  'img-src': SELF,
  'font-src': SELF,
  'connect-src': SELF,
  'manifest-src': SELF,
  'base-uri': NONE,
  'object-src': NONE,
  'form-action': NONE,
});

const CALL_POLICY = policy(NOTHING_LOADS);

const HEADERS: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Embedder-Policy', 'require-corp'],
];

const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

const isChanging = (method: string) => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/** A browser says where a request comes from; other clients say nothing, and hold no session by themselves. */
function isCrossSite(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  if (['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']))) return true;
  const { origin, host } = request.headers;
  if (origin === undefined || origin === publicOrigin) return false;
  return URL.parse(origin)?.host !== host;
}

/** Headers on every answer, no changes from other sites, and a ceiling on requests of one address. */
export async function protect(
  app: FastifyInstance,
  options: { publicUrl: URL | undefined; rateLimit: boolean },
): Promise<void> {
  const isHttps = options.publicUrl?.protocol === 'https:';

  app.addHook('onRequest', async (request, reply) => {
    const { raw } = reply;
    for (const [name, value] of HEADERS) raw.setHeader(name, value);
    raw.setHeader('Content-Security-Policy', request.url.startsWith('/auth/') ? CALL_POLICY : DOCUMENT_POLICY);
    if (isHttps) raw.setHeader('Strict-Transport-Security', STRICT_TRANSPORT);
    if (isChanging(request.method) && isCrossSite(request, options.publicUrl?.origin)) throw refusals.crossSite();
  });

  if (options.rateLimit) {
    await app.register(fastifyRateLimit, {
      max: REQUESTS_PER_MINUTE,
      timeWindow: '1 minute',
      keyGenerator: (request) => limiterAddress(request.ip),
      addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
      addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
      errorResponseBuilder: (_request, { ttl }) => refusals.tooMany('Too many requests. Please slow down.', ttl / 1000),
    });
  }
}
