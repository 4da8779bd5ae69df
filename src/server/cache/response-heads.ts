import type { Encoding } from './compression.ts';
import { composeHead, composeLines, type SentStatus } from './head-block.ts';

const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;

/** What a response is: of a call, a document, the description of the API, or a sitemap. */
export type Form = 'json' | 'html' | 'openapi' | 'xml';

/** The header lines of every response to a call and of every document, in the flat form: name, value, name, value. */
export interface HeaderLines {
  readonly calls: readonly string[];
  readonly documents: readonly string[];
}

interface FormRules {
  readonly type: string;
  /** Which common header lines it carries: those of calls or those of documents. */
  readonly headersOf: keyof HeaderLines;
  /** Whether SHARED_CACHE_SECONDS is meant for it. */
  readonly isShared: boolean;
}

const FORMS: Readonly<Record<Form, FormRules>> = {
  json: { type: 'application/json; charset=utf-8', headersOf: 'calls', isShared: true },
  html: { type: 'text/html; charset=utf-8', headersOf: 'documents', isShared: false },
  openapi: { type: 'application/json; charset=utf-8', headersOf: 'documents', isShared: false },
  xml: { type: 'application/xml; charset=utf-8', headersOf: 'documents', isShared: false },
};

/** Encodings made with the response; JSON gets brotli with its second hit instead. */
export const ENCODINGS: Readonly<Record<Form, readonly Encoding[]>> = {
  json: [],
  // A document is the first thing a visitor waits for; browsers take brotli only over TLS.
  html: ['br', 'gzip'],
  openapi: ['br', 'gzip'],
  xml: ['gzip'],
};

/** The beginning of the heads of all responses of a form, which they share. */
export type Heads = Readonly<Record<SentStatus, string>>;

interface ResponseHeads {
  /** The same object as long as the cache lives: what it says follows the clock. */
  readonly of: Readonly<Record<Form, Heads>>;
  /** Lets what shared caches are told follow the clock. @returns whether another day has begun in UTC */
  setTime(time: number): boolean;
}

/**
 * Browsers ask again every time. Shared caches too by `no-cache`, which s-maxage could not lift (RFC 9111 §5.2.2.4).
 * @param secondsLeft of this day: what is true today is not used tomorrow, even while this server fails
 */
function cacheControl(sharedSeconds: number, secondsLeft: number): string {
  if (sharedSeconds === 0) return 'no-cache';
  const fresh = Math.min(sharedSeconds, secondsLeft);
  return `max-age=0, s-maxage=${fresh}, stale-if-error=${secondsLeft - fresh}`;
}

/** @param sharedSeconds how long a shared cache may answer for a call without asking */
export function createResponseHeads(headers: HeaderLines, sharedSeconds: number, time: number): ResponseHeads {
  let second = Math.floor(time / SECOND_MS);
  const day = () => Math.floor(second / DAY_SECONDS);

  function compose(form: Form): Heads {
    const { type, headersOf, isShared } = FORMS[form];
    // Whole seconds that are left to the end of this one.
    const secondsLeft = (day() + 1) * DAY_SECONDS - second - 1;
    const control = cacheControl(isShared ? sharedSeconds : 0, secondsLeft);
    const lines = composeLines([...headers[headersOf], 'Cache-Control', control]);
    return { 200: composeHead(200, lines + composeLines(['Content-Type', type])), 304: composeHead(304, lines) };
  }

  const of = { json: compose('json'), html: compose('html'), openapi: compose('openapi'), xml: compose('xml') };

  return {
    of,
    setTime(now) {
      const nowSecond = Math.floor(now / SECOND_MS);
      if (nowSecond === second) return false;
      const before = day();
      second = nowSecond;
      if (sharedSeconds > 0) Object.assign(of.json, compose('json'));
      return day() !== before;
    },
  };
}
