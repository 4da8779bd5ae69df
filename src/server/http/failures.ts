import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../../contract/call.ts';
import { foldCase } from '../../contract/folding.ts';
import { failureFields, isUnavailable } from '../database/failures.ts';
import { composeLines, type HeaderLines, setLines } from './cache/response-heads.ts';
import { clientBlock } from './limits/addresses.ts';
import { headerLinesAt } from './open-addresses.ts';
import { closeLingering, endIfLong } from './orderly-close.ts';
import { REQUEST_ID } from './proxies.ts';
import { isDocumentAddress, type WriteRefusalPage } from './refusals/refusal-pages.ts';
import { Refusal, refusals } from './refusals/refusals.ts';

/** Replaces Fastify's own errors: their messages name internals, and their bodies have another shape. */
const FASTIFY_REFUSALS: Record<string, () => Refusal> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refusals.notJson,
  FST_ERR_CTP_INVALID_JSON_BODY: refusals.invalidJson,
  FST_ERR_BAD_URL: () => refusals.badInput('The address is not spelled correctly.'),
  FST_ERR_MAX_PARAM_LENGTH: () => refusals.badInput('The address is not spelled correctly.'),
  FST_ERR_REQ_INVALID_VALIDATION_INVOCATION: () => refusals.badInput('The request could not be understood.'),
};

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (isUnavailable(error)) return refusals.unavailable();
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = code === undefined ? undefined : FASTIFY_REFUSALS[code];
  if (known) return known();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal(statusCode, 'The request could not be understood.');
  }
  return undefined;
}

function startRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  endIfLong(reply.request.raw, reply.raw);
  return reply.code(refusal.status).headers(refusal.headers).header('Cache-Control', 'no-store');
}

/** Answers a refusal in the format of calls. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return startRefusal(reply, refusal).type('application/json; charset=utf-8').send(refusal.toJson());
}

type FailureHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Makes the pseudonym of a mailbox or an address for the log. */
export type PseudonymOf = (kind: 'account' | 'address', of: string) => string;

/**
 * Whether the path identifies the review, entry or proposal that a user acted on. Paths are logged, by the proxy too:
 * together with the user, a path would reveal who wrote an anonymous review.
 */
function isPathPersonal({ call }: { call?: Pick<Call, 'access' | 'path'> }): boolean {
  return call?.access === 'signed-in' && call.path.includes(':');
}

/**
 * The sender of a refused request, for the log: the user, or else the mailbox in the body, and the address. Mailbox and
 * address are pseudonyms. Where the path is personal, the user is left out.
 */
function sourceOf(request: FastifyRequest, refusal: Refusal, pseudonymOf: PseudonymOf) {
  const { callerId, body, ip } = request;
  const userId = isPathPersonal(request.routeOptions.config) ? undefined : (refusal.userId ?? callerId);
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  const isByMailbox = userId === undefined && typeof email === 'string';
  return {
    userId,
    account: isByMailbox ? pseudonymOf('account', foldCase(email)) : undefined,
    address: pseudonymOf('address', clientBlock(ip)),
  };
}

/**
 * Makes the function that answers every failure that Fastify reports. An unexpected one is logged and not shown. At
 * addresses that people open in a browser the answer is a page, at all others it is the JSON of `Refusal`.
 */
export function createFailureHandler(writePage: WriteRefusalPage, pseudonymOf: PseudonymOf): FailureHandler {
  function send(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
    if ('call' in request.routeOptions.config || !isDocumentAddress(request.url)) return sendRefusal(reply, refusal);
    return startRefusal(reply, refusal).type('text/html; charset=utf-8').send(writePage(refusal));
  }

  return (error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal) {
      // Our own refusals need no stack.
      const reason = error instanceof Refusal ? {} : failureFields(error);
      if (refusal.status === 503) request.log.warn({ event: 'unavailable', ...reason }, 'answered 503');
      if (refusal.event) {
        const { event, limit } = refusal;
        request.log.warn({ event, limit, ...sourceOf(request, refusal, pseudonymOf) }, 'a request was refused');
      }
      return send(request, reply, refusal);
    }
    request.log.error({ err: error }, 'a request failed unexpectedly');
    return send(request, reply, new Refusal(500, 'Something went wrong on our side. Please try again later.'));
  };
}

/**
 * Answers requests whose address the router cannot decode, or whose parameter is too long. No hook runs for them, so
 * the headers of every response are set here.
 */
export function createBadAddressHandler(headers: HeaderLines, handleFailure: FailureHandler): FailureHandler {
  return (error, request, reply) => {
    setLines(reply.raw, headerLinesAt(headers, request.method, request.url));
    reply.raw.setHeader(REQUEST_ID, request.id);
    return handleFailure(error, request, reply);
  };
}

/**
 * Answers what Node's parser refuses: bytes that are not HTTP, headers that are too long, requests that arrive too
 * slowly. Node passes only the socket.
 */
export function createBadHttpHandler(baseHeaders: readonly string[]) {
  const lines = composeLines(baseHeaders);
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const body = JSON.stringify({ error: 'The request could not be understood as HTTP.' });
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Cache-Control: no-store\r\n` +
        'Content-Type: application/json; charset=utf-8\r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
    closeLingering(socket);
  };
}
