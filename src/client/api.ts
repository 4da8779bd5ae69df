import {
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  type QueryFunctionContext,
  queryOptions,
} from '@tanstack/react-query';
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
import { hasExpectedShape } from './added-reads.ts';
import { notify } from './notices.ts';
import { addOwnWrites, rememberOwnWrite } from './own-writes.ts';
import { demote, endSession, readSession } from './session.ts';

/** Shown when the server no longer accepts the token. */
const SESSION_ENDED = 'Your session has ended. Please log in again.';

/** Shown when a school was merged after its name was loaded. */
const MERGED = 'This school was merged into another one.';

/** A call that failed. */
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

/** Whether the server said itself why a call failed. Otherwise it may have done what it was asked to do. */
export const isExplained = (error: unknown): error is CallError => error instanceof CallError && error.answered;

export function refusedField(error: unknown): string | undefined {
  return error instanceof CallError ? error.field : undefined;
}

/** The text for a failure: the server's sentence, or the prefix of spec §8 followed by the network's message. */
export function failureText(error: unknown, prefix: string): string {
  if (isExplained(error)) return error.message;
  return `${prefix}${error instanceof Error ? error.message : String(error)}`;
}

/** The text for an action that failed: the server's sentence, or the given one followed by what the reader can do. */
export function actionFailureText(error: unknown, sentence: string): string {
  return isExplained(error) ? error.message : `${sentence} ${problemText(error)}`;
}

/** Explains why data is missing from a page and what the reader can do. */
export function problemText(error: unknown): string {
  if (isExplained(error)) return refusalText(error.status, error.message, error.retryAfter);
  if (!navigator.onLine) return 'You are offline. Connect to the internet and try again.';
  if (error instanceof CallError && error.status > 0)
    return 'The site cannot answer right now. Please try again shortly.';
  return 'Check your connection and try again.';
}

/** The arguments of a call. */
export interface CallParts<C extends Call> {
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
  if (!error || typeof error !== 'string') return undefined;
  const retryAfter = Number(headers.get('Retry-After'));
  return new CallError(error, { field, code, hasPasscode, status, answered: true, retryAfter });
}

/**
 * Whether a 401 refuses the token and not a password, as WWW-Authenticate says (RFC 6750 §3). If a proxy has removed that
 * header, a 401 refuses the token unless a password was sent.
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
  parts: CallParts<C>,
  { accept, ...options }: SendOptions = {},
): Promise<Response> {
  const token = readSession()?.token;
  const headers = new Headers(accept === undefined ? {} : { Accept: accept });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (parts.body !== undefined) headers.set('Content-Type', 'application/json');
  if (call.method === 'GET') addOwnWrites(headers);
  const response = await fetch(callAddress(call, parts as AddressParts), {
    method: call.method,
    headers,
    body: parts.body === undefined ? undefined : JSON.stringify(parts.body),
    ...options,
  }).catch(throwNetworkError);
  // The school was merged, and the answer is about the one that it was merged into. Pages show it as not found.
  if (response.redirected) throw new CallError(MERGED, { status: 404, answered: true });
  if (response.ok) {
    rememberOwnWrite(response);
    // Any page may show what was changed, so all cached answers are stale. Those on screen are not refetched here: the
    // page that made the change refetches what it needs.
    if (call.method !== 'GET') void queryClient.invalidateQueries({ refetchType: 'none' });
    return response;
  }
  // An older request must not end a session that began after it.
  if (token && isTokenRefused(response, parts.body) && readSession()?.token === token) {
    endSession('invalid token');
    notify.failure(SESSION_ENDED);
  }
  if (response.headers.get('WWW-Authenticate')?.includes('scope')) demote(token);
  const { status } = response;
  const body: unknown = await response.json().catch(() => null);
  throw refusalIn(body, response) ?? new CallError(`The server answered with status ${status}.`, { status });
}

/** @returns undefined if the text is no JSON */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads the answer from a response. A read must be JSON, whatever its media type says: anything else would break the
 * page, such as the login page of a hotel's network. A write may be answered with a text or with nothing.
 */
async function readAnswer<C extends Call>({ name, method }: C, response: Response): Promise<AnswerOf<C>> {
  const { status, headers } = response;
  if (status === 204) return undefined as AnswerOf<C>;
  const text = await response.text().catch(throwNetworkError);
  const type = headers.get('Content-Type') ?? '';
  const json = method !== 'GET' && type.startsWith('text/') ? undefined : parseJson(text);
  const isBroken =
    method === 'GET'
      ? json === undefined || !hasExpectedShape(name, json)
      : json === undefined && type.startsWith('application/json') && text !== '';
  const refusal = refusalIn(json, response);
  if (refusal) throw refusal;
  if (isBroken) throw new CallError('The answer cannot be read.', { status });
  // The API tests check that the server's responses match the contract.
  return (json === undefined ? text : json) as AnswerOf<C>;
}

/** Logs a failed call (spec §8). Reads with an unknown id and cancelled reads are not failures. */
function logFailure({ name, method }: Call, error: Error): void {
  const isUnknownId = method === 'GET' && error instanceof CallError && error.status === 404;
  if (!isUnknownId && error.name !== 'AbortError') console.warn(`The call ${name} failed.`, error);
}

/** Makes a call. @returns its answer and, for a list with a next page, the query of that page */
async function sendAndRead<C extends Call>(call: C, parts: CallParts<C>, options?: SendOptions) {
  try {
    const response = await send(call, parts, options);
    return { answer: await readAnswer(call, response), next: readNextQuery(response.headers.get('Link')) };
  } catch (error) {
    if (error instanceof Error) logFailure(call, error);
    throw error;
  }
}

/** Makes a call. @throws {CallError} */
export async function request<C extends Call>(
  call: C,
  parts: CallParts<C> = {},
  options?: SendOptions,
): Promise<AnswerOf<C>> {
  return (await sendAndRead(call, parts, options)).answer;
}

/** The address that the server redirects a page to, such as a merged school's; null if it does not redirect. */
export async function findRedirect(address: string): Promise<string | null> {
  const { redirected, url } = await fetch(address, { method: 'HEAD' });
  return redirected ? url.slice(location.origin.length) : null;
}

/**
 * A read is aborted when no page shows it any more. The page before may show a read that was started for the next one:
 * aborted with that page, it would be sent again.
 */
const abortableOptions = (context: QueryFunctionContext): SendOptions =>
  context.meta?.outlivesPage ? {} : { signal: context.signal };

/** The options with which TanStack Query makes a read. The key is the call's name and its parts. */
export function callQuery<C extends Call>(call: C, parts: CallParts<C> = {}) {
  return queryOptions({
    queryKey: callKey(call, parts as AddressParts),
    queryFn: (context) => request(call, parts, abortableOptions(context)),
  });
}

/** A row of a paged list. If an answer is not a list, as that of a search, the whole answer is one row. */
type RowOf<C extends Call> = AnswerOf<C> extends readonly (infer Row)[] ? Row : AnswerOf<C>;

// Not inline: TanStack Query would call a new function, and join all rows again, at every rendering.
function joinPages<C extends Call>({ pages }: InfiniteData<{ rows: AnswerOf<C> }>): RowOf<C>[] {
  // Safe: flatMap spreads only lists, as RowOf does. Another server's list of nothing is null.
  return pages.flatMap(({ rows }) => rows as RowOf<C> | RowOf<C>[]).filter(Boolean);
}

/** A list that pages through `Link: <…>; rel="next"`, page by page. Its data are the rows of all loaded pages. */
export function pagedQuery<C extends Call>(call: C, parts: CallParts<C> = {}) {
  return infiniteQueryOptions({
    queryKey: callKey(call, parts as AddressParts),
    initialPageParam: {} as object,
    queryFn: async (context) => {
      const query = { ...(parts.query as object), ...context.pageParam } as QueryOf<C>;
      const { answer: rows, next } = await sendAndRead(call, { ...parts, query }, abortableOptions(context));
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

/** The row with this id in a cached list, such as the one whose link led to the current page. */
export function findCachedRow<Row extends { id: number }>(call: Call, id: number): Row | undefined {
  const lists = queryClient.getQueriesData<Row[]>({ queryKey: keyPrefixOf(call) });
  return lists.flatMap(([, rows]) => rows ?? []).find((row) => row.id === id);
}

/** Invalidates all reads of some calls after a change. Resolves when those on screen are refetched. */
export async function invalidateReads(...calls: readonly Call[]): Promise<void> {
  await Promise.all(calls.map((call) => queryClient.invalidateQueries({ queryKey: keyPrefixOf(call) })));
}

/** Whether a retry is useless, because the server would refuse it too. */
const isRefused = (error: Error) => error instanceof CallError && error.status > 0 && error.status < 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Without a network a read fails at once; by default it would stay pending, and its page would say "Loading".
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < 2 && !isRefused(error),
    },
    mutations: { networkMode: 'always' },
  },
});
