import type { ServerResponse } from 'node:http';
import type { Encoding } from './compression.ts';

const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

const STATUS_LINES = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' };

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Header lines as one text, which can be sent any number of times.
 * @param lines name, value, name, value, …
 * @throws when a name or value contains a line break
 */
export function composeLines(lines: readonly string[]): string {
  let text = '';
  for (let index = 0; index < lines.length; index += 2) {
    const name = lines[index] ?? '';
    const value = lines[index + 1] ?? '';
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value))
      throw new TypeError(`The header "${name}" cannot be sent.`);
    text += `${name}: ${value}\r\n`;
  }
  return text;
}

/** @param lines alternating name and value */
export function setLines(response: ServerResponse, lines: readonly string[]): void {
  for (let index = 0; index < lines.length; index += 2) {
    response.setHeader(lines[index] as string, lines[index + 1] as string);
  }
}

/**
 * An answer to a call, a document, a document with an HTML form, a document about one person, the API description, a
 * sitemap, a feed or a badge.
 */
export type Format = 'json' | 'html' | 'htmlWithForm' | 'personalHtml' | 'openapi' | 'xml' | 'atom' | 'svg';

/** The header lines of every response of a sort, as flat lists: name, value, name, value. */
export interface HeaderLines {
  /** The lines of what pages of other sites may read: public reads, feeds, badges, the API description. */
  readonly open: readonly string[];
  readonly calls: readonly string[];
  readonly documents: readonly string[];
  readonly documentsWithForm: readonly string[];
}

interface FormatRules {
  readonly type: string;
  /** The encodings of a body that is large enough, best first. */
  readonly encodings: readonly Encoding[];
  /** The common header lines of the format: those of calls or those of documents. */
  readonly headersOf: keyof HeaderLines;
  /** Whether the first response is compressed already. Otherwise the body is compressed when it is requested again. */
  readonly isCompressedAtOnce: boolean;
  /** The value of Cache-Control. Default: that of the function `cacheControl`. */
  readonly cacheControl?: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

const documentRules = (type: string, headersOf: keyof HeaderLines, encodings: readonly Encoding[]): FormatRules => ({
  type,
  headersOf,
  encodings,
  isCompressedAtOnce: true,
});

const FORMATS: Readonly<Record<Format, FormatRules>> = {
  json: { type: JSON_TYPE, headersOf: 'open', encodings: ['br'], isCompressedAtOnce: false },
  // Documents have both encodings, because browsers accept brotli only over TLS.
  html: documentRules('text/html; charset=utf-8', 'documents', ['br', 'gzip']),
  htmlWithForm: documentRules('text/html; charset=utf-8', 'documentsWithForm', ['br', 'gzip']),
  personalHtml: { ...documentRules('text/html; charset=utf-8', 'documents', []), cacheControl: 'no-store' },
  openapi: documentRules(JSON_TYPE, 'open', ['br', 'gzip']),
  xml: documentRules('application/xml; charset=utf-8', 'documents', ['gzip']),
  atom: documentRules('application/atom+xml; charset=utf-8', 'open', ['br', 'gzip']),
  svg: { ...documentRules('image/svg+xml; charset=utf-8', 'open', []), cacheControl: 'max-age=300' },
};

/** The common part of all responses of a format. */
export interface ResponseFormat extends Pick<FormatRules, 'encodings' | 'isCompressedAtOnce'> {
  /** The first lines of their heads, by status. Those for shared caches change with the clock. */
  heads: Readonly<Record<keyof typeof STATUS_LINES, string>>;
}

/**
 * Browsers must ask again every time (`max-age=0`). With `no-cache`, shared caches would have to ask too, even with
 * s-maxage (RFC 9111 §5.2.2.4).
 * @param secondsLeft until the end of the day, after which the response must not be used, even while this server fails
 */
function cacheControl(sharedSeconds: number, secondsLeft: number): string {
  if (sharedSeconds === 0) return 'no-cache';
  const fresh = Math.min(sharedSeconds, secondsLeft);
  return `max-age=0, s-maxage=${fresh}, stale-if-error=${secondsLeft - fresh}`;
}

/** @param sharedSeconds for how long a shared cache may answer a call without asking the server */
export function createResponseFormats(headers: HeaderLines, sharedSeconds: number, time: number) {
  let second = Math.floor(time / SECOND_MS);
  const day = () => Math.floor(second / DAY_SECONDS);
  const minute = () => Math.floor(second / MINUTE_SECONDS);

  function compose(format: Format): ResponseFormat['heads'] {
    const { type, headersOf, cacheControl: ownControl } = FORMATS[format];
    // The whole seconds until the end of the day, without the current one.
    const secondsLeft = (day() + 1) * DAY_SECONDS - second - 1;
    const control = ownControl ?? cacheControl(format === 'json' ? sharedSeconds : 0, secondsLeft);
    const lines = composeLines([...headers[headersOf], 'Cache-Control', control]);
    return { 200: STATUS_LINES[200] + lines + composeLines(['Content-Type', type]), 304: STATUS_LINES[304] + lines };
  }

  const formatOf = (format: Format): ResponseFormat => {
    const { encodings, isCompressedAtOnce } = FORMATS[format];
    return { encodings, isCompressedAtOnce, heads: compose(format) };
  };
  const formats = (Object.keys(FORMATS) as Format[]).map((format) => [format, formatOf(format)] as const);
  // Safe: every format is there.
  const byFormat = Object.fromEntries(formats) as Readonly<Record<Format, ResponseFormat>>;

  return {
    byFormat,
    /**
     * Updates the cache headers for shared caches to the current time.
     * @returns the longest period that has begun in UTC since the last call
     */
    setTime(now: number): 'day' | 'minute' | 'second' | undefined {
      const nowSecond = Math.floor(now / SECOND_MS);
      if (nowSecond === second) return undefined;
      const [dayBefore, minuteBefore] = [day(), minute()];
      second = nowSecond;
      if (sharedSeconds > 0) byFormat.json.heads = compose('json');
      if (day() !== dayBefore) return 'day';
      return minute() === minuteBefore ? 'second' : 'minute';
    },
  };
}
