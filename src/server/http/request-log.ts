import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { destination, stdTimeFunctions } from 'pino';
import { BOUNDS } from './limits/bounds.ts';
import { CLIENT_CLOSED_REQUEST } from './refusals/refusals.ts';

/** Longer than any path of the product. Longer ones are cut. */
const PATH_MAX = 200;

/** The path without its query, which may contain emails and a password. */
function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?', 1)[0] ?? '';
  return path.length > PATH_MAX ? `${path.slice(0, PATH_MAX)}…` : path;
}

/**
 * Calls back when a request has ended. Fastify's own hook does not run if the client has disconnected. Such a request
 * has the status 499 here, which is never sent.
 * @param begin runs when the request is routed, and returns what is called back
 */
export function whenAnswered(
  app: FastifyInstance,
  begin: (request: FastifyRequest, reply: FastifyReply) => (status: number) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const end = begin(request, reply);
    reply.raw.once('close', () => end(reply.raw.writableFinished ? reply.statusCode : CLIENT_CLOSED_REQUEST));
    done();
  });
}

/** The log on standard output. Where it cannot be written, as on a full disk, the site is served without it. */
export function openLog(): { write(line: string): void } {
  const log = destination({ fd: 1, maxLength: BOUNDS.pendingLog.max });
  const flush = log.flushSync.bind(log);
  let isFailing = false;
  log.on('error', () => {
    isFailing = true;
  });
  log.on('write', () => {
    isFailing = false;
  });
  // Called at the end of the process. On a full disk pino's own would repeat the same write for ever.
  log.flushSync = () => {
    if (!isFailing) flush();
  };
  return log;
}

/** One JSON object per line, with the time in UTC. Of a request only method and path are logged. */
export function loggerOptions(
  level: string,
  stream: { write(line: string): void } | undefined,
): NonNullable<FastifyServerOptions['logger']> {
  return {
    level,
    timestamp: stdTimeFunctions.isoTime,
    ...(stream && { stream }),
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
    },
  };
}

/**
 * Logs changes and failures. Successful reads are logged at debug only, because a line for each would cost more than
 * the read.
 */
export function logAnswers(app: FastifyInstance): void {
  whenAnswered(app, (request, reply) => (status) => {
    const isQuiet = status < 400 && (request.method === 'GET' || request.method === 'HEAD');
    if (isQuiet && app.log.level !== 'debug' && app.log.level !== 'trace') return;
    const line = {
      method: request.method,
      path: pathOf(request),
      route: request.routeOptions.url,
      status,
      ms: Math.round(reply.elapsedTime),
    };
    request.log[isQuiet ? 'debug' : 'info'](line, 'answered');
  });
}
