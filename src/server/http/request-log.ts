import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { stdTimeFunctions } from 'pino';

/** The path without its query: emails and a password can stand there (contract §3). */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** One JSON object a line, time in UTC, nothing of a request but its method and path. */
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

/** Logs changes and failures; plain reads only at debug, where a line for each would cost more than the read. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const isQuiet = reply.statusCode < 400 && (request.method === 'GET' || request.method === 'HEAD');
    if (isQuiet && app.log.level !== 'debug' && app.log.level !== 'trace') return;
    const line = {
      method: request.method,
      path: pathOf(request),
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log[isQuiet ? 'debug' : 'info'](line, 'answered');
  });
}
