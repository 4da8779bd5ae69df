import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as Type from 'typebox';
import type { AnswerOf, Call } from '../../contract/call.ts';
import type { Tag } from '../cache/tags.ts';
import type { AnswerCache, ReadyAnswer } from './answer-cache.ts';
import { compileCheck } from './checks.ts';
import { type ReadyCounts, sendReady } from './ready-answers.ts';

/** A call whose answer is the same for everyone who asks. */
export type PublicCall = Call & { readonly access: 'everyone' };

/** What the handler of a public read gets: nothing that tells one reader from another. */
export interface ReadRequest<C extends Call> {
  readonly params: Type.Static<C['params']>;
  readonly query: Type.Static<C['query']>;
  /** Says where the next page of a list is, as a Link header. */
  setLink(link: string): void;
}

export type ReadHandler<C extends Call> = (request: ReadRequest<C>) => Promise<AnswerOf<C>>;

/** Names what an answer was made from: it is kept until a commit touches one of the tags. */
export type TagsOf<C extends Call> = (
  request: Pick<ReadRequest<C>, 'params' | 'query'>,
  answer: AnswerOf<C>,
) => readonly Tag[];

/** How few copies of equal responses are cached. */
export interface CopyOptions<C extends Call> {
  /** Names the response among those of a call: queries with the same key get the same bytes. The query unless given. */
  readonly keyOf?: (query: Type.Static<C['query']>) => object;
  /** A list with a larger `limit` is cut out of the one without: cached by itself, each number would be one more copy. */
  readonly limitMax?: number;
}

/** Finds or makes the answer to a public read. @throws what its handler throws */
type Read = (params: object, query: object) => Promise<ReadyAnswer>;

interface Registered {
  readonly read: Read;
  readonly findStale: (params: object, query: object) => ReadyAnswer | undefined;
  readonly hasId: boolean;
  readonly checkParams: (input: unknown) => object;
  readonly checkQuery: (input: unknown) => object;
}

const ADDRESS = /^\/auth\/(\w+)(?:\/([1-9]\d{0,15}))?(?:\?(.+))?$/;
const PLAIN_QUERY = /^\w+=[\w-]*(?:&\w+=[\w-]*)*$/;

/** A query in which nothing is encoded or said twice; undefined for any other. */
function readPlainQuery(search: string | undefined): Record<string, string> | undefined {
  if (search === undefined) return {};
  if (!PLAIN_QUERY.test(search)) return undefined;
  const pairs = search.split('&').map((pair) => pair.split('=') as [string, string]);
  const query = Object.fromEntries(pairs);
  return Object.keys(query).length === pairs.length ? query : undefined;
}

/** The address of an answer without what the call does not know, so that noise makes no second copy. */
function canonicalUrl(call: Call, params: object, query: object): string {
  const path = Object.entries(params).reduce((url, [name, value]) => url.replace(`:${name}`, String(value)), call.path);
  const entries = Object.entries(query);
  if (entries.length === 0) return path;
  return `${path}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * The public reads of all calls: their answers are the same bytes for everyone, kept by the cache, so they can be
 * found or made by whoever needs them, without a request.
 */
export class PublicReads {
  readonly #cache: AnswerCache;
  readonly #byName = new Map<string, Registered>();
  readonly #begun = new WeakMap<IncomingMessage, Promise<ReadyAnswer>>();

  constructor(cache: AnswerCache) {
    this.#cache = cache;
  }

  register<C extends PublicCall>(
    call: C,
    handler: ReadHandler<C>,
    tagsOf: TagsOf<C>,
    { keyOf = (query) => query as object, limitMax = Number.POSITIVE_INFINITY }: CopyOptions<C> = {},
  ): void {
    const urlOf = (params: object, query: object) =>
      canonicalUrl(call, params, keyOf(query as Type.Static<C['query']>));

    const readWhole = async (params: object, query: object) => {
      const url = urlOf(params, query);
      return (
        this.#cache.find(url) ??
        this.#cache.build(url, async () => {
          const headers: string[] = [];
          const setLink = (link: string) => headers.push('Link', link);
          // Whoever asks has checked them by the call's schemas; the compiler cannot know.
          const request = { params, query, setLink } as unknown as ReadRequest<C>;
          const answer = await handler(request);
          return {
            route: call.path,
            text: JSON.stringify(answer),
            form: 'json',
            tags: tagsOf(request, answer),
            headers,
            rows: Array.isArray(answer) ? answer.length : undefined,
          };
        })
      );
    };

    /** The query of the list that a response is cut out of, and to how many rows. */
    const cutOf = (query: { limit?: number }): [whole: object, rows: number] => {
      const { limit = 0, ...whole } = query;
      return limit > limitMax ? [whole, limit] : [query, Number.POSITIVE_INFINITY];
    };
    const read: Read = async (params, query) => {
      const [whole, rows] = cutOf(query);
      return this.#cache.cut(await readWhole(params, whole), rows);
    };
    const findStale: Registered['findStale'] = (params, query) => {
      const [whole, rows] = cutOf(query);
      const stale = this.#cache.findStale(urlOf(params, whole));
      return stale && this.#cache.cut(stale, rows);
    };
    this.#byName.set(call.name, {
      read,
      findStale,
      hasId: call.path.endsWith('/:id'),
      checkParams: compileCheck(call.params, true) as Registered['checkParams'],
      checkQuery: compileCheck(call.query, true) as Registered['checkQuery'],
    });
  }

  /** The answer to a call. @throws a refusal, as the call would answer it */
  answer(call: PublicCall, params: object, query: object): Promise<ReadyAnswer> {
    const registered = this.#byName.get(call.name);
    if (!registered) throw new TypeError(`${call.name} is no public read.`);
    return registered.read(params, query);
  }

  /** The same where the request may have begun it before it was routed. */
  answerRequest(request: IncomingMessage, call: PublicCall, params: object, query: object): Promise<ReadyAnswer> {
    return this.#begun.get(request) ?? this.answer(call, params, query);
  }

  /** The last answer to a call, although it may be out of date: for when the database does not answer. */
  findStale(call: PublicCall, params: object, query: object): ReadyAnswer | undefined {
    return this.#byName.get(call.name)?.findStale(params, query);
  }

  /** Begins the read that an address plainly asks for; undefined for what routing and its checks must look at. */
  #begin(address: string): Promise<ReadyAnswer> | undefined {
    const [, name = '', id, search] = ADDRESS.exec(address) ?? [];
    const registered = this.#byName.get(name);
    const plain = readPlainQuery(search);
    if (!registered || !plain || registered.hasId !== (id !== undefined)) return undefined;
    try {
      const params = registered.checkParams(id === undefined ? {} : { id });
      return registered.read(params, registered.checkQuery(plain));
    } catch {
      return undefined;
    }
  }

  /**
   * Answers a public read before routing, which would cost more than the read itself.
   * @param route takes over what is not a plain read of what exists, and what failed
   */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    counts: ReadyCounts,
    route: (request: IncomingMessage, response: ServerResponse) => void,
  ): void {
    const answer = request.method === 'GET' && request.url ? this.#begin(request.url) : undefined;
    if (!answer) {
      route(request, response);
      return;
    }
    this.#begun.set(request, answer);
    answer.then(
      (ready) => counts.count(ready.route, sendReady(request, response, ready)),
      () => route(request, response),
    );
  }
}
