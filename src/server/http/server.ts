import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { createBadAddressHandler, createBadHttpHandler, createFailureHandler, type PseudonymOf } from './failures.ts';
import { createFrontServer, type FrontOptions } from './front.ts';
import { BOUNDS } from './limits/bounds.ts';
import type { Maintenance } from './maintenance.ts';
import { protect } from './protection.ts';
import { createRequestIds } from './proxies.ts';
import { refusals } from './refusals/refusals.ts';
import { logAnswers, loggerOptions } from './request-log.ts';
import { readJsonBodies } from './serve/json-body.ts';

/**
 * Makes the server with everything that applies to all requests: the part before the routes, the log, headers and
 * failures.
 */
export function createServer(
  settings: { trustProxy: boolean | string; rateLimit: boolean; logLevel: string; publicUrl: URL | undefined },
  logStream: { write(line: string): void } | undefined,
  front: Omit<FrontOptions, 'onOverload' | 'onLimited' | 'trustProxy' | 'rateLimit'>,
  { pseudonymOf, maintenance }: { pseudonymOf: PseudonymOf; maintenance: Maintenance },
): FastifyInstance {
  const { trustProxy, rateLimit } = settings;
  const handleFailure = createFailureHandler(front.writeRefusalPage, pseudonymOf);
  const onOverload = () => server.log.warn({ event: 'shedding' }, 'overloaded: refusing what has waited too long');
  const onLimited: FrontOptions['onLimited'] = (reqId, { event, limit }, address) =>
    server.log.warn(
      { reqId, event, limit, address: pseudonymOf('address', address) },
      'requests of an address are refused: logged once a minute',
    );
  const server: FastifyInstance = Fastify({
    clientErrorHandler: createBadHttpHandler(front.headers.calls),
    frameworkErrors: createBadAddressHandler(front.headers, handleFailure),
    logger: loggerOptions(settings.logLevel, logStream),
    genReqId: createRequestIds(trustProxy),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    bodyLimit: BOUNDS.body.max,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    serverFactory: (handler) => createFrontServer(handler, { ...front, trustProxy, rateLimit, onOverload, onLimited }),
  });
  server.setErrorHandler(handleFailure);
  logAnswers(server);
  protect(server, front.headers, settings.publicUrl);
  // With a callback, because a promise for each request would take longer than the hook itself.
  server.addHook('onRequest', ({ method, headers, routeOptions: { config } }, _reply, done) => {
    const encoding = headers['content-encoding'] ?? 'identity';
    const isChange = config.call && method !== 'GET' && method !== 'HEAD';
    // Nothing is decompressed here, so a compressed body would be read as plain text (RFC 9110 §15.5.16).
    if (encoding.toLowerCase() !== 'identity') done(refusals.contentEncoded());
    else done(isChange && maintenance.isReadOnly() ? refusals.readOnly() : undefined);
  });
  readJsonBodies(server, (status) => front.counts.countRefusedBody(status));
  return server;
}
