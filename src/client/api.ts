import { type InfiniteData, infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import type * as Type from 'typebox';
import {
  type AddressParts,
  type AnswerOf,
  type BodyOf,
  type Call,
  callAddress,
  callKey,
  type QueryOf,
  readNextQuery,
} from '../contract/call.ts';
import { refusalText } from '../contract/refusal-texts.ts';
import { hasOutline } from './added-reads.ts';
import { notify } from './notices.ts';
import { noteOwnWrite, sendOwnWrites } from './own-writes.ts';
import { endSession, readSession } from './session.ts';

/** Shown when the server no longer accepts the token. */
const SESSION_ENDED = 'Your session has ended. Please log in again.';

/** Shown when a school was merged after its name was loaded. */
const MERGED = 'This school was merged into another one.';

/** A call that failed. `answered` is true for a refusal by the server and false for a network failure. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The status of the response; 0 when there was none. */
  readonly status: number = 0;
  /** Whether the message is the server's own sentence, which can be shown to users. */
  readonly answered: boolean = false;
  /** Seconds until a retry is useful; 0 when unknown. */
  readonly retryAfter: number = 0;
  /** The field of the call that the failure is about, if the server named one. */
  readonly field: string | undefined;
  /** Distinguishes this refusal from others with the same status. */
  readonly code: string | undefined;
  /** At a login before verification: whether a mailed passcode can still be entered. */
  readonly hasPasscode: boolean | undefined;

  constructor(message: string, failure: Partial<Omit<CallError, 'name' | 'message' | 'stack'>> = {}) {
    super(message);
    Object.assign(this, failure);
  }
}

export function refusedField(error: unknown): string | undefined {
  return error instanceof CallError ? error.field : undefined;
}

/** The text for a failure: the server's sentence, or the prefix of spec §8 followed by the network's message. */
export function failureText(error: unknown, prefix: string): string {
  if (error instanceof CallError && error.answered) return error.message;
  return `${prefix}${error instanceof Error ? error.message : String(error)}`;
}

/** The text for an action that failed: the server's sentence, or the given one followed by what the reader can do. */
export function actionFailureText(error: unknown, sentence: string): string {
  return error instanceof CallError && error.answered ? error.message : `${sentence} ${problemText(error)}`;
}

/** Explains why data is missing from a page and what the reader can do. */
export function problemText(error: unknown): string {
  if (error instanceof CallError && error.answered) return refusalText(error.status, error.message, error.retryAfter);
  if (!navigator.onLine) return 'You are offline. Connect to the internet and try again.';
  if (error instanceof CallError && error.status > 0)
    return 'The site cannot answer right now. Please try again shortly.';
  return 'Check your connection and try again.';
}

/** The arguments of a call, as its contract names them. Parts that the contract does not name are absent. */
export interface Parts<C extends Call> {
  params?: Type.Static<C['params']>;
  query?: QueryOf<C>;
  body?: BodyOf<C>;
}

interface SendOptions {
  signal?: AbortSignal;
  /** Lets the request outlive the page (logout). */
  keepalive?: boolean;
  /** The media type to ask for, where a call can answer in several. */
  accept?: string;
}

/** The refusal in the body of a response, whatever its status (spec §8); undefined if the body has none. */
function refusalIn(body: unknown, { status, headers }: Response): CallError | undefined {
  const { error, field, code, hasPasscode } = (body ?? {}) as Partial<CallError> & { error?: unknown };
  if (typeof error !== 'string') return undefined;
  const retryAfter = Number(headers.get('Retry-After'));
  return new CallError(error, { field, code, hasPasscode, status, answered: true, retryAfter });
}

/**
 * Whether a token was refused, and not a password, which is a 401 too. RFC 6750 §3: this header tells. Where a proxy has
 * dropped all of them, it was the token if no password was sent.
 */
function isTokenRefused({ status, headers }: Response, body: object = {}): boolean {
  if (status !== 401) return false;
  const challenge = headers.get('WWW-Authenticate');
  return challenge === null ? !('password' in body || 'currentPassword' in body) : challenge.includes('invalid_token');
}

/** Throws the error of a request that was not answered, or whose answer broke off. */
const throwNetworkError = (cause: Error): never => {
  throw cause.name === 'AbortError' ? cause : new CallError(cause.message, { cause });
};

async function send<C extends Call>(
  call: C,
  parts: Parts<C>,
  { accept, ...options }: SendOptions = {},
): Promise<Response> {
  const token = readSession()?.token;
  const headers = new Headers(accept === undefined ? {} : { Accept: accept });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (parts.body !== undefined) headers.set('Content-Type', 'application/json');
  if (call.method === 'GET') sendOwnWrites(headers);
  const response = await fetch(callAddress(call, parts as AddressParts), {
    method: call.method,
    headers,
    body: parts.body === undefined ? undefined : JSON.stringify(parts.body),
    ...options,
  }).catch(throwNetworkError);
  // The requested school was merged into another one, about which the answer is: to every page it is gone.
  if (response.redirected) throw new CallError(MERGED, { status: 404, answered: true });
  if (response.ok) {
    noteOwnWrite(response);
    // A change may be visible on any page, which then must not show an answer of the last seconds. Those on screen are
    // not asked for: after a change the page reads again what it needs.
    if (call.method !== 'GET') void queryClient.invalidateQueries({ refetchType: 'none' });
    return response;
  }
  // A newer sign-in in this tab must not end because of an older request.
  if (token && isTokenRefused(response, parts.body) && readSession()?.token === token) {
    endSession('invalid token');
    notify.failure(SESSION_ENDED);
  }
  const { status } = response;
  const body: unknown = await response.json().catch(() => null);
  throw refusalIn(body, response) ?? new CallError(`The server answered with status ${status}.`, { status });
}

/** A text as JSON; undefined if it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The answer in a response. Every read is JSON, however it is labelled: a page would break on anything else, such as
 * the login page of a hotel's network. A change may be answered with a text, or with nothing at all.
 */
async function answerOf<C extends Call>({ name, method }: C, response: Response): Promise<AnswerOf<C>> {
  const { status, headers } = response;
  if (status === 204) return undefined as AnswerOf<C>;
  const text = await response.text().catch(throwNetworkError);
  const type = headers.get('Content-Type') ?? '';
  const json = method !== 'GET' && type.startsWith('text/') ? undefined : parseJson(text);
  const isBroken =
    method === 'GET'
      ? json === undefined || !hasOutline(name, json)
      : json === undefined && type.startsWith('application/json') && text !== '';
  const refusal = refusalIn(json, response);
  if (refusal) throw refusal;
  if (isBroken) throw new CallError('The answer cannot be read.', { status });
  // The API tests check that the server's responses match the contract.
  return (json === undefined ? text : json) as AnswerOf<C>;
}

/** Logs a call that failed (spec §8). An id that nothing has is no failure, nor is a read that was cancelled. */
function logFailure({ name, method }: Call, error: Error): void {
  const isUnknownId = method === 'GET' && error instanceof CallError && error.status === 404;
  if (!isUnknownId && error.name !== 'AbortError') console.warn(`The call ${name} failed.`, error);
}

/** Makes a call. @returns its answer, and the cursor of the next page if it is a list with more */
async function exchange<C extends Call>(call: C, parts: Parts<C>, options?: SendOptions) {
  try {
    const response = await send(call, parts, options);
    return { answer: await answerOf(call, response), next: readNextQuery(response.headers.get('Link')) };
  } catch (error) {
    if (error instanceof Error) logFailure(call, error);
    throw error;
  }
}

/** Makes a call. @throws {CallError} */
export async function request<C extends Call>(
  call: C,
  parts: Parts<C> = {},
  options?: SendOptions,
): Promise<AnswerOf<C>> {
  return (await exchange(call, parts, options)).answer;
}

/** The address that the server redirects a page to, such as a merged school's; null if it does not redirect. */
export async function findRedirect(address: string): Promise<string | null> {
  const { redirected, url } = await fetch(address, { method: 'HEAD' });
  return redirected ? url.slice(location.origin.length) : null;
}

/** The options with which TanStack Query makes a read. The key is the call's name and its parts. */
export function callQuery<C extends Call>(call: C, parts: Parts<C> = {}) {
  return queryOptions({
    queryKey: callKey(call, parts as AddressParts),
    queryFn: ({ signal }) => request(call, parts, { signal }),
  });
}

/** A row of a paged list. Where a page is no list, such as an answer to a search, the whole page counts as one row. */
type RowOf<C extends Call> = AnswerOf<C> extends readonly (infer Row)[] ? Row : AnswerOf<C>;

// Not inline: TanStack Query would call a new function at every rendering, and all rows would be joined anew.
function joinPages<C extends Call>({ pages }: InfiniteData<{ rows: AnswerOf<C> }>): RowOf<C>[] {
  // Safe: flatMap spreads lists alone, as RowOf says.
  return pages.flatMap(({ rows }) => rows as RowOf<C> | RowOf<C>[]);
}

/** A list that pages through `Link: <…>; rel="next"`, page by page. Its data are the rows of all loaded pages. */
export function pagedQuery<C extends Call>(call: C, parts: Parts<C> = {}) {
  return infiniteQueryOptions({
    queryKey: callKey(call, parts as AddressParts),
    initialPageParam: {} as object,
    queryFn: async ({ signal, pageParam }) => {
      const query = { ...(parts.query as object), ...pageParam } as QueryOf<C>;
      const { answer: rows, next } = await exchange(call, { ...parts, query }, { signal });
      return { rows, next };
    },
    getNextPageParam: (page) => page.next,
    select: joinPages<C>,
  });
}

/** The key prefix of all reads of a call. */
export function keyPrefixOf(call: Call): [string] {
  return [call.name];
}

/** Invalidates all reads of some calls after a change. Resolves when those on screen are answered again. */
export async function invalidateReads(...calls: readonly Call[]): Promise<void> {
  await Promise.all(calls.map((call) => queryClient.invalidateQueries({ queryKey: keyPrefixOf(call) })));
}

/** Whether a retry is useless, because the server would refuse again. After other failures a retry can help. */
const isRefused = (error: Error) => error instanceof CallError && error.status > 0 && error.status < 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Without a network a read fails and says so; by default it would wait, and its page would say "Loading".
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < 2 && !isRefused(error),
    },
    mutations: { networkMode: 'always' },
  },
});
