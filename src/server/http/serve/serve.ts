import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as Type from 'typebox';
import { type AddressParts, type AnswerOf, type Call, fieldsOf, type Nothing } from '../../../contract/call.ts';
import { CHANGE_POSITION } from '../../../contract/change-positions.ts';
import type { Commit, Connection, Database, StatementBody } from '../../database/database.ts';
import { isForeignKeyViolation } from '../../database/failures.ts';
import type { Page } from '../../database/paging.ts';
import type { OwnWrites } from '../cache/own-writes.ts';
import { sendFreshOrStale } from '../cache/send.ts';
import { clientBlock } from '../limits/addresses.ts';
import { BOUNDS } from '../limits/bounds.ts';
import { currentWork } from '../limits/processor-time.ts';
import { rateHeaders } from '../limits/rate-headers.ts';
import type { TimeBudgets } from '../limits/time-budgets.ts';
import { type Refusal, refusals } from '../refusals/refusals.ts';
import { compileCheck } from './checks.ts';
import {
  type CacheOptions,
  type PublicCall,
  type PublicReads,
  type ReadHandler,
  splitPage,
  type TagsOf,
} from './public-reads.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call;
  }
  interface FastifyRequest {
    /** The user of its token, once the session is found. */
    callerId: number | undefined;
  }
}

/** The caller with their current data from the database. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  /** The username in the token. After a change of the name this is the former one. */
  readonly tokenUsername: string;
  readonly isAdmin: boolean;
  /** When the account was made, in milliseconds since 1970. */
  readonly joinedAt: number;
  /** The session of the request's token. */
  readonly sessionId: string;
}

/** The request that a handler gets: the validated parts of the call. */
interface Incoming<C extends Call> {
  readonly params: Type.Static<C['params']>;
  readonly query: Type.Static<C['query']>;
  readonly body: Type.Static<C['body']>;
  readonly caller: C['access'] extends 'everyone' ? null : Caller;
  /** The network address in the form that limits count. */
  readonly address: string;
  readonly log: FastifyBaseLogger;
  /** For additional headers, and to notice that the client has disconnected. */
  readonly reply: FastifyReply;
}

type AnyHandler<C extends Call, More = object> = (
  incoming: Incoming<C> & More,
) => Promise<AnswerOf<C> | Page<AnswerOf<C>>>;

/** For a call without an answer it makes no difference what the handler returns. */
type Handler<C extends Call, More = object> = Nothing extends C['answer']
  ? (incoming: Incoming<C> & More) => Promise<unknown>
  : AnyHandler<C, More>;

interface ServeOptions {
  /** The maximum size of the body in bytes. Default: `BOUNDS.body`. */
  bodyMax?: number;
}

interface WriteOptions<C extends Call> {
  /** Awaited before the transaction begins. */
  before?: (incoming: Incoming<C> & { db: Connection }) => Promise<void>;
  /** Makes the handler's change by `writeInOneStatement`. The handler runs only if that changed nothing. */
  inOneStatement?: (
    incoming: Incoming<C> & { db: Connection; commit: Commit },
  ) => ReturnType<StatementBody<AnswerOf<C>>>;
  /** The refusal when a row that the handler has read was deleted before the new row could refer to it. */
  onVanished?: (incoming: Incoming<C> & { db: Connection }) => Promise<Refusal>;
}

/**
 * Registers calls with their handlers. Checks, access and status come from the contract; the kind of the call decides
 * the connection.
 */
export interface Serve {
  /** A call that takes more than one step. It opens its own transactions. */
  <C extends Call>(call: C, handler: Handler<C>, options?: ServeOptions): void;
  /**
   * A public read, on a connection that may be a replica. The response is cached, the same bytes for everyone, until a
   * commit invalidates one of its tags.
   */
  read<C extends PublicCall>(call: C, handler: ReadHandler<C>, tagsOf: TagsOf<C>, cacheOptions?: CacheOptions<C>): void;
  /** A read of data that only the caller may see. It uses the primary, which has the caller's latest writes. */
  read<C extends PrivateCall>(call: C, handler: Handler<C, { db: Connection }>): void;
  /** A change in one transaction, answered after its commit. On SQLite it must await nothing but its own queries. */
  write<C extends Call>(
    call: C,
    handler: Handler<C, { db: Connection; commit: Commit }>,
    options?: WriteOptions<C>,
  ): void;
}

type PrivateCall = Call & { readonly access: 'signed-in' | 'admin' };

/** Finds the user of a token. @throws a 401 when it is no longer valid */
export type Identify = (token: string, log: FastifyBaseLogger) => Promise<Caller>;

function readToken(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1];
}

interface AuthorizeTools {
  readonly identify: Identify;
  /** Undefined: processor time is not limited. */
  readonly timeBudgets: TimeBudgets | undefined;
}

/** Finds the caller of a request, and charges its processor time to the caller's budget. */
async function authorize(
  call: Call,
  request: FastifyRequest,
  { identify, timeBudgets }: AuthorizeTools,
): Promise<Caller> {
  const token = readToken(request);
  if (token === undefined) {
    throw request.headers.authorization === undefined ? refusals.notSignedIn() : refusals.invalidToken();
  }
  const caller = await identify(token, request.log);
  request.callerId = caller.userId;
  if (call.access === 'admin' && !caller.isAdmin) throw refusals.notAdmin();
  timeBudgets?.chargeUser(caller.userId);
  return caller;
}

/** Routes a call to its handler, which gets validated parts and, unless the call is public, the caller. */
function routeCall<C extends Call>(
  app: FastifyInstance,
  tools: AuthorizeTools,
  call: C,
  handler: AnyHandler<C>,
  options: ServeOptions = {},
): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  const checkParams = compileCheck<C['params']>(call.params, true);
  const checkQuery = compileCheck<C['query']>(call.query, true);
  const checkBody = compileCheck<C['body']>(call.body, false);
  const hasBody = fieldsOf(call.body).length > 0;
  const isForEveryone = call.access === 'everyone';
  const isPrivate = !isForEveryone || call.method !== 'GET';

  app.route({
    method: call.method,
    url: call.path,
    config: { call },
    bodyLimit: options.bodyMax ?? BOUNDS.body.max,
    // Access is checked first: the body of a caller without permission is not read, and its errors are not revealed.
    ...(!isForEveryone && {
      onRequest: async (request: FastifyRequest) => {
        callers.set(request, await authorize(call, request, tools));
        // A short body is read in the same iteration of the event loop as its head.
        if (!request.raw.complete) setImmediate(() => request.raw.complete || callers.delete(request));
      },
    }),
    handler: async (request, reply) => {
      if (isPrivate) reply.header('Cache-Control', 'no-store');
      // While a longer body arrived, the caller may have been logged out or demoted: it is read again.
      const caller = isForEveryone ? null : (callers.get(request) ?? (await authorize(call, request, tools)));
      if (hasBody && request.body === undefined) throw refusals.badInput('The request needs a JSON body.');
      const parts = { params: checkParams(request.params), query: checkQuery(request.query) };
      const work = currentWork();
      const found = await handler({
        ...parts,
        body: checkBody(hasBody ? request.body : {}),
        // Safe: the contract's access decides between null and a caller, which the compiler cannot know.
        caller: caller as never,
        address: clientBlock(request.ip),
        log: request.log,
        reply,
      }).finally(() => {
        if (work?.rates) reply.headers(rateHeaders([...work.rates.values()]));
      });
      if (work?.position !== undefined) reply.header(CHANGE_POSITION, String(work.position));
      reply.code(call.status);
      if (call.status === 204) return reply.send();
      const { answer, link } = splitPage(call, parts as AddressParts, found);
      if (link) reply.header('Link', link);
      if (typeof answer === 'string') return reply.type('text/plain; charset=utf-8').send(answer);
      // Serialised here, because Fastify would send null as an empty body.
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

interface ReadTools {
  readonly reads: PublicReads;
  readonly ownWrites: OwnWrites;
}

/** Routes a public read to the cache, where its handler is registered and runs on a miss. */
function routePublicRead(app: FastifyInstance, { reads, ownWrites }: ReadTools, call: PublicCall): void {
  const checkParams = compileCheck(call.params, true) as (input: unknown) => object;
  const checkQuery = compileCheck(call.query, true) as (input: unknown) => object;
  app.route({
    method: call.method,
    url: call.path,
    config: { call },
    handler: async (request, reply) => {
      const parts = { params: checkParams(request.params), query: checkQuery(request.query) };
      const isCurrent = !ownWrites.isBehind(request.raw) || (await ownWrites.catchUp());
      return sendFreshOrStale(
        reply,
        () => (isCurrent ? reads.find(call, parts) : reads.findPastCache(call, parts)),
        () => reads.findStale(call, parts),
      );
    },
  });
}

/** Makes the function with which domains register their calls. */
export function createServe(
  app: FastifyInstance,
  { database, reads, ownWrites, ...tools }: AuthorizeTools & ReadTools & { database: Database },
): Serve {
  app.decorateRequest('callerId', undefined);

  function serve<C extends Call>(call: C, handler: AnyHandler<C>, options?: ServeOptions): void {
    routeCall(app, tools, call, handler, options);
  }

  function read<C extends PublicCall>(
    call: C,
    handler: ReadHandler<C> | AnyHandler<C, { db: Connection }>,
    tagsOf?: TagsOf<C>,
    cacheOptions?: CacheOptions<C>,
  ): void {
    // The overloads of `Serve.read` require tags for public calls and forbid them for others.
    if (tagsOf) {
      reads.register(call, handler as ReadHandler<C>, tagsOf, cacheOptions);
      routePublicRead(app, { reads, ownWrites }, call);
    } else
      serve(call, (incoming) => (handler as AnyHandler<C, { db: Connection }>)({ ...incoming, db: database.read }));
  }

  function write<C extends Call>(
    call: C,
    handler: AnyHandler<C, { db: Connection; commit: Commit }>,
    { before, inOneStatement, onVanished }: WriteOptions<C> = {},
  ): void {
    serve(call, async (incoming) => {
      await before?.({ ...incoming, db: database.read });
      try {
        const answer =
          inOneStatement &&
          (await database.writeInOneStatement?.((db, commit) => inOneStatement({ ...incoming, db, commit })));
        return answer ?? (await database.write((db, commit) => handler({ ...incoming, db, commit })));
      } catch (error) {
        if (!onVanished || !isForeignKeyViolation(error)) throw error;
        throw await onVanished({ ...incoming, db: database.read });
      }
    });
  }

  // Safe: what the handler of a call without an answer returns is not sent.
  return Object.assign(serve, { read, write }) as Serve;
}
