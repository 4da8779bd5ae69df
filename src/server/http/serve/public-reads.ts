import type * as Type from 'typebox';
import { type AddressParts, type AnswerOf, type Call, callAddress } from '../../../contract/call.ts';
import type { Tag } from '../../database/change-tags.ts';
import type { Connection, Database } from '../../database/database.ts';
import { Page } from '../../database/paging.ts';
import { answerOf, type CachedResponse, cutList, type NewResponse, writeRows } from '../cache/cached-response.ts';
import type { ResponseCache } from '../cache/response-cache.ts';

/** A call whose answer is the same for everyone. */
export type PublicCall = Call & { readonly access: 'everyone' };

/** The request that the handler of a public read gets. It contains nothing about the reader. */
interface ReadRequest<C extends Call> {
  /** May be a replica that has every change this process knows of. */
  readonly db: Connection;
  /**
   * False when the reader has made a change that has not reached this process: data that it has cached may be stale.
   */
  readonly mayUseCache: boolean;
  readonly params: Type.Static<C['params']>;
  readonly query: Type.Static<C['query']>;
}

export type ReadHandler<C extends Call> = (request: ReadRequest<C>) => Promise<AnswerOf<C> | Page<AnswerOf<C>>>;

/** The tags of an answer: its response is cached until a commit invalidates one of them. */
export type TagsOf<C extends Call> = (
  request: Pick<ReadRequest<C>, 'params' | 'query'>,
  answer: AnswerOf<C>,
) => readonly Tag[];

/** Options that limit the number of cached responses of a call. */
export interface CacheOptions<C extends Call> {
  /**
   * The part of the query that determines the response: queries with the same key share one. Default: the whole query.
   */
  readonly keyOf?: (query: Type.Static<C['query']>) => object;
  /**
   * The largest `limit` whose lists are cached on their own. A list with a larger one is cut from the cached list that
   * is requested without a limit: otherwise each number would need a cached response.
   */
  readonly limitMax?: number;
  /** False for queries that no page makes: caching them would only evict responses that are requested again. */
  readonly isCached?: (query: Type.Static<C['query']>) => boolean;
}

/** The checked parts of a call. */
export interface ReadParts {
  readonly params?: object;
  readonly query?: { readonly limit?: number };
}

interface RegisteredRead {
  readonly make: (parts: ReadParts, db?: Connection) => () => Promise<NewResponse>;
  readonly addressOf: (parts: ReadParts) => string;
  readonly limitMax: number;
  readonly isCached: (parts: ReadParts) => boolean;
}

export type PublicReads = ReturnType<typeof createPublicReads>;

/** The public reads of all calls, for the routes of the calls and for documents. */
export function createPublicReads(
  cache: ResponseCache,
  { readShared, read: primary }: Pick<Database, 'readShared' | 'read'>,
) {
  const byName = new Map<string, RegisteredRead>();

  function requireRegistered(call: PublicCall): RegisteredRead {
    const found = byName.get(call.name);
    if (!found) throw new TypeError(`${call.name} is no public read.`);
    return found;
  }

  /** The parts of the call whose response an answer is cut from, and the number of its rows that the answer has. */
  function wholeOf({ limitMax }: RegisteredRead, { params, query = {} }: ReadParts): [whole: ReadParts, rows: number] {
    const { limit = 0, ...rest } = query;
    return limit > limitMax ? [{ params, query: rest }, limit] : [{ params, query }, Number.POSITIVE_INFINITY];
  }

  /** The response to a call, from the cache or made now. @throws the refusal of the call */
  async function find(call: PublicCall, parts: ReadParts): Promise<CachedResponse> {
    const read = requireRegistered(call);
    const [whole, rows] = wholeOf(read, parts);
    const address = read.addressOf(whole);
    if (!read.isCached(whole)) return cache.makeUncached(address, read.make(whole));
    return cutList(await cache.findOrMake(address, read.make(whole)), rows);
  }

  return {
    register<C extends PublicCall>(
      call: C,
      handler: ReadHandler<C>,
      tagsOf: TagsOf<C>,
      { keyOf, limitMax = Number.POSITIVE_INFINITY, isCached }: CacheOptions<C> = {},
    ): void {
      // Safe: the caller has checked the parts with the call's schemas.
      const checked = ({ params = {}, query = {} }: ReadParts) =>
        ({ params, query }) as unknown as Pick<ReadRequest<C>, 'params' | 'query'>;
      const keyed = (parts: ReadParts) => (keyOf ? { ...parts, query: keyOf(checked(parts).query) } : parts);
      byName.set(call.name, {
        limitMax,
        isCached: (parts) => isCached?.(checked(parts).query) ?? true,
        addressOf: (parts) => callAddress(call, keyed(parts)),
        make: (parts, db) => async () => {
          const request = checked(parts);
          const found = await handler({ db: db ?? readShared(), mayUseCache: db === undefined, ...request });
          const { answer, link } = splitPage(call, keyed(parts), found);
          const headers = link === undefined ? [] : ['Link', link];
          const isCut = limitMax < Number.POSITIVE_INFINITY && Array.isArray(answer);
          const body = isCut ? writeRows(answer) : { text: JSON.stringify(answer) };
          const tags = tagsOf(request, answer);
          return { route: call.path, ...body, format: 'json', tags, headers };
        },
      });
    },
    find,
    /** The response to a call, made now from the primary, past the cache. @throws the refusal of the call */
    async findPastCache(call: PublicCall, parts: ReadParts): Promise<CachedResponse> {
      const read = requireRegistered(call);
      const [whole, rows] = wholeOf(read, parts);
      return cutList(await cache.makeUncached(read.addressOf(whole), read.make(whole, primary)), rows);
    },
    /** The answer that the response to a call contains. @throws the refusal of the call */
    findAnswer: async <C extends PublicCall>(call: C, parts: ReadParts): Promise<AnswerOf<C>> =>
      // Safe: the response was made from an answer of this call.
      answerOf(await find(call, parts)) as never,
    /** The last response to a call, even if it is stale: for times when the database does not answer. */
    findStale(call: PublicCall, parts: ReadParts): CachedResponse | undefined {
      const read = requireRegistered(call);
      const [whole, rows] = wholeOf(read, parts);
      const stale = cache.findStale(read.addressOf(whole));
      return stale && cutList(stale, rows);
    },
  };
}

/**
 * Splits what a handler has found into the answer and the Link header. A page becomes its rows and the address of the
 * next page: the same call and query with another cursor. Anything else is the answer itself.
 */
export function splitPage<C extends Call>(
  call: C,
  parts: AddressParts,
  found: AnswerOf<C> | Page<AnswerOf<C>>,
): { answer: AnswerOf<C>; link: string | undefined } {
  if (!(found instanceof Page)) return { answer: found, link: undefined };
  const { rows: answer, next } = found;
  if (next === undefined) return { answer, link: undefined };
  const address = callAddress(call, { ...parts, query: { ...parts.query, before: next } });
  return { answer, link: `<${address}>; rel="next"` };
}
