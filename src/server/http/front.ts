import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { BatchedResponse } from './batched-response.ts';
import type { OwnWrites } from './cache/own-writes.ts';
import type { ResponseCache } from './cache/response-cache.ts';
import type { HeaderLines } from './cache/response-heads.ts';
import { trySendCached } from './cache/send.ts';
import type { FrontCounts } from './front-counts.ts';
import type { Draining, Starting } from './lifecycle.ts';
import { clientBlock, createAddressLimit, removePorts } from './limits/addresses.ts';
import { type Arrival, createAdmission } from './limits/admission.ts';
import { BOUNDS } from './limits/bounds.ts';
import { inTurn, limitConnections } from './limits/connections.ts';
import { REQUESTS_PER_MINUTE } from './limits/limits.ts';
import { runWork, Work } from './limits/processor-time.ts';
import { type Budget, findBudgetRefusal, type TimeBudgets } from './limits/time-budgets.ts';
import { limitUnread } from './limits/unread-responses.ts';
import { headerLinesAt } from './open-addresses.ts';
import { closeInOrder, endConnection, endIfLong } from './orderly-close.ts';
import { createRequestIds, REQUEST_ID, readTrust } from './proxies.ts';
import { isDocumentAddress, type WriteRefusalPage } from './refusals/refusal-pages.ts';
import { type Refusal, refusals } from './refusals/refusals.ts';

const TIMEOUTS = {
  headersTimeout: BOUNDS.headersWithin.max,
  requestTimeout: BOUNDS.requestWithin.max,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: BOUNDS.keepAlive.max,
};

/** A request without a body is no stream for Node, which takes 0.3 µs less. */
const OPTIONS = { ...TIMEOUTS, optimizeEmptyRequests: true, ServerResponse: BatchedResponse };

/** These addresses are never queued: a supervisor requests them and restarts the process when it gets no answer. */
const NEVER_QUEUED = new Set(['/healthz', '/readyz']);
const isExempt = ({ url = '' }: IncomingMessage) => NEVER_QUEUED.has(url);

/** Node uses the first of two Host headers, but a proxy may have used the other. RFC 9112 §3.2 requires a 400. */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

interface PaidArrival extends Arrival {
  readonly address: string;
  readonly budgets: readonly Budget[];
}

export interface FrontOptions {
  cache: ResponseCache;
  ownWrites: OwnWrites;
  counts: FrontCounts;
  draining: Draining;
  starting: Starting;
  /** Called when the server begins to refuse requests because there are too many. */
  onOverload(): void;
  /** Called when requests of an address are refused, at most once a minute for each block. @param address the block */
  onLimited(requestId: string, refusal: Refusal, address: string): void;
  trustProxy: boolean | string;
  rateLimit: boolean;
  /** Undefined: processor time is not limited. */
  timeBudgets: TimeBudgets | undefined;
  /** The header lines of every answer. */
  headers: HeaderLines;
  writeRefusalPage: WriteRefusalPage;
}

const REQUESTS_POLICY = { name: 'requests', max: REQUESTS_PER_MINUTE, windowMs: 60_000 };
const tooManyRequests = (waitSeconds: number) =>
  refusals.tooManyRequests('Too many requests. Please slow down.', waitSeconds, REQUESTS_POLICY);

/**
 * The HTTP server. It answers from the cache at once and passes every other request on to Fastify. Every request,
 * cached or not, counts against the limit of the client's address.
 */
export function createFrontServer(handler: RequestListener, options: FrontOptions): Server {
  const { cache, ownWrites, counts, draining, starting } = options;
  const { headers, writeRefusalPage, onOverload, onLimited } = options;
  const { timeBudgets } = options;
  const isTrusted = readTrust(options.trustProxy);
  /** The address of the connection, or the client's address according to trusted proxies. */
  const addressOf = (request: IncomingMessage): string | undefined => {
    if (!isTrusted) return request.socket.remoteAddress;
    removePorts(request);
    return proxyAddress(request, isTrusted);
  };
  const addressLimit = options.rateLimit ? createAddressLimit(REQUESTS_PER_MINUTE) : undefined;

  const idOf = createRequestIds(options.trustProxy);

  function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, requestId = idOf(request)) {
    endIfLong(request, response);
    const isDocument = isDocumentAddress(request.url ?? '');
    const body = isDocument ? writeRefusalPage(refusal) : refusal.toJson();
    const type = isDocument ? 'text/html' : 'application/json';
    response.writeHead(refusal.status, [
      ...headerLinesAt(headers, request.method ?? '', request.url ?? ''),
      ...Object.entries(refusal.headers).flat(),
      ...[REQUEST_ID, requestId],
      ...['Cache-Control', 'no-store', 'Content-Type', `${type}; charset=utf-8`],
      ...['Content-Length', String(Buffer.byteLength(body))],
    ]);
    response.end(body);
  }

  const admission = createAdmission<PaidArrival>({
    serve(arrival, waitedMs) {
      counts.queueSeconds.observe(waitedMs / 1000);
      // While it was queued, other requests may have used up the processor time of its address.
      if (isRefusedForTime(arrival)) return;
      const { request, response, budgets } = arrival;
      runWork(new Work(budgets), () => handler(request, response));
    },
    refuse({ request, response }) {
      counts.shedRequests += 1;
      refuse(request, response, refusals.unavailable());
    },
    onOverload,
  });

  function isRefusedForTime(arrival: PaidArrival): boolean {
    const refusal = findBudgetRefusal(arrival.budgets);
    if (refusal) refuseLimited(arrival, refusal);
    return refusal !== undefined;
  }

  function admit(arrival: PaidArrival): void {
    if (!isRefusedForTime(arrival)) admission.admit(arrival);
  }

  async function admitOnceStarted(arrival: PaidArrival): Promise<void> {
    const { request, response } = arrival;
    if (await starting.wait(request.method)) admit(arrival);
    else refuse(request, response, refusals.unavailable());
  }

  function refuseLimited({ request, response, address }: Omit<PaidArrival, 'budgets'>, refusal: Refusal): void {
    counts.limitedRequests += 1;
    const id = idOf(request);
    if (addressLimit?.isFirstOfMinute(address)) onLimited(id, refusal, clientBlock(address));
    refuse(request, response, refusal, id);
  }

  const answer: RequestListener = (request, response) => {
    // Node drops what came in one piece with a request to upgrade: its client has to know that nothing answers it.
    if (request.headers.upgrade !== undefined) endConnection(response);
    if (request.method !== 'GET' && request.method !== 'HEAD') closeInOrder(request);
    const address = addressOf(request);
    // A connection that was reset has no address any more, and no client waits for the answer.
    if (!address) {
      // Not through the request, which does nothing once it has ended.
      request.socket.destroy();
      return;
    }
    if (draining.isDraining) {
      endConnection(response);
      if (!isExempt(request)) draining.countRequest();
    }
    const waitSeconds = addressLimit?.count(address) ?? 0;
    if (namesTwoHosts(request)) {
      endConnection(response);
      refuse(request, response, refusals.twoHosts());
    } else if (waitSeconds > 0) {
      refuseLimited({ request, response, address }, tooManyRequests(waitSeconds));
    } else if (!ownWrites.isBehind(request) && trySendCached(request, response, cache, counts)) return;
    else if (isExempt(request)) handler(request, response);
    else {
      const arrival = { request, response, address, budgets: timeBudgets?.ofAddress(address) ?? [] };
      if (starting.isOver) admit(arrival);
      else void admitOnceStarted(arrival);
    }
  };

  // An unknown Expect header is ignored, as RFC 9110 §10.1.1 allows: Node would answer 417 without a body.
  const answerInTurn = inTurn(answer);
  const server = createServer(OPTIONS, answerInTurn).on('checkExpectation', answerInTurn);
  const onRefused = () => {
    counts.refusedConnections += 1;
  };
  server.maxConnections = BOUNDS.connections.max;
  server.on('drop', onRefused);
  limitUnread(server);
  const connectionLimit = { max: BOUNDS.connectionsOfOne.max, isTrusted: isTrusted ?? (() => false), onRefused };
  if (addressLimit) limitConnections(server, connectionLimit);
  return server.setTimeout(BOUNDS.inactivity.max);
}
