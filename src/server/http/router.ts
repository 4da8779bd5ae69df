import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as Type from 'typebox';
import type { AnswerOf, Call } from '../../contract/call.ts';
import { isUnavailable } from '../database/failures.ts';
import { limiterAddress } from './address-limit.ts';
import type { ReadyAnswer } from './answer-cache.ts';
import { compileCheck } from './checks.ts';
import type { CopyOptions, PublicCall, PublicReads, ReadHandler, TagsOf } from './public-reads.ts';
import { sendReady } from './ready-answers.ts';
import { refusals } from './refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call;
  }
}

/** Who calls, as the database says at this moment. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly isAdmin: boolean;
  /** The session of the token in hand. */
  readonly sessionId: string;
}

/** What a handler gets: only what the call's contract names, checked. */
export interface Incoming<C extends Call> {
  readonly params: Type.Static<C['params']>;
  readonly query: Type.Static<C['query']>;
  readonly body: Type.Static<C['body']>;
  readonly caller: C['access'] extends 'everyone' ? null : Caller;
  /** The network address that limits count by. */
  readonly address: string;
  readonly log: FastifyBaseLogger;
  /** For headers beside the answer, and to hear when the client leaves. */
  readonly reply: FastifyReply;
}

export type Handler<C extends Call> = (incoming: Incoming<C>) => Promise<AnswerOf<C>>;

export interface ServeOptions {
  /** The body is a hint that the call does not use: it is checked to be JSON of so many bytes at most, and not kept. */
  ignoredBodyMax?: number;
}

/** Registers a call with its handler: checks, access and status come from the contract. */
export interface Serve {
  /** Every answer is made anew. */
  <C extends Call>(call: C, handler: Handler<C>, options?: ServeOptions): void;
  /** For public reads: the answer is kept, and the same bytes go to everyone until a commit touches one of its tags. */
  kept<C extends PublicCall>(call: C, handler: ReadHandler<C>, tagsOf: TagsOf<C>, copies?: CopyOptions<C>): void;
}

/** Finds who a token belongs to. @throws a 401 for a dead one */
export type Identify = (token: string, log: FastifyBaseLogger) => Promise<Caller>;

function readToken(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

async function admit(call: Call, request: FastifyRequest, identify: Identify): Promise<Caller> {
  const token = readToken(request);
  if (token === undefined) {
    throw request.headers.authorization === undefined ? refusals.notSignedIn() : refusals.deadToken();
  }
  const caller = await identify(token, request.log);
  if (call.access === 'admin' && !caller.isAdmin) {
    request.log.warn({ event: 'forbidden', userId: caller.userId, call: call.name }, 'call refused: not an admin');
    throw refusals.notAdmin();
  }
  return caller;
}

/**
 * Sends a finished answer; while the database does not answer, the last one there was, which says that it is old.
 * @throws what finding it threw, when there is none
 */
export async function sendKept(
  reply: FastifyReply,
  find: () => Promise<ReadyAnswer>,
  findStale: () => ReadyAnswer | undefined,
): Promise<void> {
  let answer: ReadyAnswer | undefined;
  let extra: string[] = [];
  try {
    answer = await find();
  } catch (error) {
    answer = isUnavailable(error) ? findStale() : undefined;
    if (!answer) throw error;
    extra = staleHeaders(answer);
  }
  reply.hijack();
  sendReady(reply.request.raw, reply.raw, answer, extra);
}

/** Said of an answer out of the cache while the database does not answer (RFC 9111 §5.1, §5.5). */
function staleHeaders({ builtAt }: ReadyAnswer): string[] {
  const age = Math.max(0, Math.round((Date.now() - builtAt) / 1000));
  return ['Age', String(age), 'Warning', '110 - "Response is Stale"'];
}

/** Makes the function that domains register their calls with. */
export function createServe(app: FastifyInstance, identify: Identify, reads: PublicReads): Serve {
  const admitted = new WeakMap<FastifyRequest, Caller>();

  function serve<C extends Call>(call: C, handler: Handler<C>, options: ServeOptions = {}): void {
    const checkParams = compileCheck<C['params']>(call.params, true);
    const checkQuery = compileCheck<C['query']>(call.query, true);
    const checkBody = compileCheck<C['body']>(call.body, false);
    const hasBody = Object.keys((call.body as { properties?: object }).properties ?? {}).length > 0;
    const isForEveryone = call.access === 'everyone';
    const isPrivate = !isForEveryone || call.method !== 'GET';

    app.route({
      method: call.method,
      url: call.path,
      config: { call, isBodyIgnored: options.ignoredBodyMax !== undefined },
      ...(options.ignoredBodyMax !== undefined && { bodyLimit: options.ignoredBodyMax }),
      // Access first: for somebody who may not call no body is read, and they learn nothing about what is accepted.
      ...(!isForEveryone && {
        onRequest: async (request: FastifyRequest) => {
          const caller = await admit(call, request, identify);
          if (request.raw.complete) admitted.set(request, caller);
        },
      }),
      handler: async (request, reply) => {
        if (isPrivate) reply.header('Cache-Control', 'no-store');
        // Who takes long to send a body may have been logged out or demoted since, and is looked up again.
        const caller = isForEveryone ? null : (admitted.get(request) ?? (await admit(call, request, identify)));
        if (hasBody && request.body === undefined) throw refusals.badInput('The request needs a JSON body.');
        const answer = await handler({
          params: checkParams(request.params),
          query: checkQuery(request.query),
          body: checkBody(hasBody ? request.body : {}),
          // The contract's access decides between null and a caller; the compiler cannot follow that.
          caller: caller as never,
          address: limiterAddress(request.ip),
          log: request.log,
          reply,
        });
        reply.code(call.status);
        if (call.status === 204) return reply.send();
        if (typeof answer === 'string') return reply.type('text/plain; charset=utf-8').send(answer);
        // By hand: Fastify would send null as an empty body.
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
      },
    });
  }

  function kept<C extends PublicCall>(
    call: C,
    handler: ReadHandler<C>,
    tagsOf: TagsOf<C>,
    copies?: CopyOptions<C>,
  ): void {
    const checkParams = compileCheck(call.params, true) as (input: unknown) => object;
    const checkQuery = compileCheck(call.query, true) as (input: unknown) => object;
    reads.register(call, handler, tagsOf, copies);
    app.route({
      method: call.method,
      url: call.path,
      config: { call },
      handler: async (request, reply) => {
        const params = checkParams(request.params);
        const query = checkQuery(request.query);
        return sendKept(
          reply,
          () => reads.answerRequest(request.raw, call, params, query),
          () => reads.findStale(call, params, query),
        );
      },
    });
  }

  return Object.assign(serve, { kept });
}
