import type { Encoding } from './compression.ts';

const SECOND_MS = 1_000;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

const STATUS_LINES = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' };

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

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
    if (!NAME.test(name) || !VALUE.test(value)) throw new TypeError(`The header "${name}" cannot be sent.`);
    text += `${name}: ${value}\r\n`;
  }
  return text;
}

/** The form of a response: of a call, a document, one with a form, the API description, or a sitemap. */
export type Form = 'json' | 'html' | 'htmlWithForm' | 'openapi' | 'xml';

/** The header lines of every response to a call and of every document, with a form or without, as a flat list: name, value, name, value. */
export interface HeaderLines {
  readonly calls: readonly string[];
  readonly documents: readonly string[];
  readonly documentsWithForm: readonly string[];
}

interface FormRules {
  readonly type: string;
  /** The encodings of a body that is large enough, best first. */
  readonly encodings: readonly Encoding[];
  /** The common header lines of the form: those of calls or those of documents. */
  readonly headersOf: keyof HeaderLines;
}

const FORMS: Readonly<Record<Form, FormRules>> = {
  json: { type: 'application/json; charset=utf-8', headersOf: 'calls', encodings: ['br'] },
  // Both, because browsers accept brotli only over TLS.
  html: { type: 'text/html; charset=utf-8', headersOf: 'documents', encodings: ['br', 'gzip'] },
  htmlWithForm: { type: 'text/html; charset=utf-8', headersOf: 'documentsWithForm', encodings: ['br', 'gzip'] },
  openapi: { type: 'application/json; charset=utf-8', headersOf: 'documents', encodings: ['br', 'gzip'] },
  xml: { type: 'application/xml; charset=utf-8', headersOf: 'documents', encodings: ['gzip'] },
};

/** What all responses of a form have in common. */
export interface ResponseForm extends Pick<FormRules, 'encodings'> {
  /** Whether the first response is compressed already. Otherwise the body is when it is requested again. */
  readonly isCompressedAtOnce: boolean;
  /** The beginnings of their heads, which change with the clock. */
  heads: Readonly<Record<keyof typeof STATUS_LINES, string>>;
}

/**
 * Browsers must ask again every time (`max-age=0`). With `no-cache`, shared caches would have to ask too, even with
 * s-maxage (RFC 9111 §5.2.2.4).
 * @param secondsLeft until the end of the day: what is true today must not be used tomorrow, even while this server
 * fails
 */
function cacheControl(sharedSeconds: number, secondsLeft: number): string {
  if (sharedSeconds === 0) return 'no-cache';
  const fresh = Math.min(sharedSeconds, secondsLeft);
  return `max-age=0, s-maxage=${fresh}, stale-if-error=${secondsLeft - fresh}`;
}

/** @param sharedSeconds for how long a shared cache may answer a call without asking the server */
export function createResponseForms(headers: HeaderLines, sharedSeconds: number, time: number) {
  let second = Math.floor(time / SECOND_MS);
  const day = () => Math.floor(second / DAY_SECONDS);
  const minute = () => Math.floor(second / MINUTE_SECONDS);

  function compose(form: Form): ResponseForm['heads'] {
    const { type, headersOf } = FORMS[form];
    // The whole seconds until the end of the day, without the current one.
    const secondsLeft = (day() + 1) * DAY_SECONDS - second - 1;
    const control = cacheControl(form === 'json' ? sharedSeconds : 0, secondsLeft);
    const lines = composeLines([...headers[headersOf], 'Cache-Control', control]);
    return { 200: STATUS_LINES[200] + lines + composeLines(['Content-Type', type]), 304: STATUS_LINES[304] + lines };
  }

  const formOf = (form: Form): ResponseForm => {
    const { encodings, headersOf } = FORMS[form];
    return { encodings, isCompressedAtOnce: headersOf !== 'calls', heads: compose(form) };
  };
  const of = {
    ...{ json: formOf('json'), html: formOf('html'), htmlWithForm: formOf('htmlWithForm') },
    ...{ openapi: formOf('openapi'), xml: formOf('xml') },
  };

  return {
    of,
    /**
     * Updates the cache headers for shared caches to the current time.
     * @returns what has begun in UTC since the last time, the longest of it
     */
    setTime(now: number): 'day' | 'minute' | undefined {
      const nowSecond = Math.floor(now / SECOND_MS);
      if (nowSecond === second) return undefined;
      const [dayBefore, minuteBefore] = [day(), minute()];
      second = nowSecond;
      if (sharedSeconds > 0) of.json.heads = compose('json');
      if (day() !== dayBefore) return 'day';
      return minute() === minuteBefore ? undefined : 'minute';
    },
  };
}
