import { STATUS_CODES } from 'node:http';
import { CALLS } from '../../../src/contract/calls.ts';
import type { Reply, Request } from './send.ts';

/** One bad request. Its name does not depend on the other cases. */
export interface Case extends Request {
  readonly name: string;
  /** The one status it must have, where the table names one; else any of 4xx. */
  readonly status?: number;
  /** What the sentence must say, so that it cannot be refused for another reason than the one meant. */
  readonly says?: RegExp;
  /** The field that the refusal must name: this one, or one within it. */
  readonly names?: string;
  /** Refused with a page, as addresses are that people open in a browser. */
  readonly isPage?: boolean;
}

const REFUSAL_MAX = 2_048;
const SENTENCE_MIN = 10;
const SENTENCE_MAX = 200;

/** The headers of every refusal, whichever part of the server refused. */
const REFUSAL_HEADERS: Record<string, string> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/** What no answer may give away: stacks, paths, SQL, names and versions of what the product is made of, secrets. */
const LEAK =
  /\bat \S+ \(|node_modules|node:|\.(?:ts|js|mjs|sqlite)\b|sqlite|postgres|kysely|fastify|typebox|ajv|\bselect\b.*\bfrom\b|\binsert into\b|constraint|\b\d+\.\d+\.\d+\b|undefined|\[object|\$argon2/i;

/** Case-sensitive, because every refusal contains `"error"`. */
const CASE_SENSITIVE_LEAK = /Error\b|eyJ/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports it: a body that is not JSON has no `error`.
    return undefined;
  }
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Whether a schema has a property, or one within another as in "review.rating". */
function hasProperty(schema: Schema | undefined, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true;
  const property = schema?.properties?.[name];
  return property !== undefined && hasProperty(property.items ?? property, rest);
}

function problemsOfField({ method, path, names }: RefusedCase, field: unknown): string[] {
  if (names !== undefined && field !== names && !String(field).startsWith(`${names}.`)) {
    return [`names ${field}, not ${names}`];
  }
  if (field === undefined) return [];
  const wordOf = (address: string) => /^\/auth\/(\w+)/.exec(address)?.[1];
  const called = CALLS.find((call) => call.method === method && wordOf(call.path) === wordOf(path ?? ''));
  const parts = [called?.params, called?.query, called?.body] as (Schema | undefined)[];
  const isField = typeof field === 'string' && parts.some((part) => hasProperty(part, field.split('.')));
  return isField ? [] : [`names ${field}, which is no field of ${called?.name}`];
}

type RefusedCase = Omit<Case, 'name' | keyof Request> & Partial<Pick<Request, 'method' | 'path'>>;

/** The problems of an answer that had to be a refusal; none when it is like every other refusal. */
export function problemsOf(one: RefusedCase, reply: Reply): string[] {
  const { status, says, isPage } = one;
  const problems: string[] = [];
  if (reply.status < 400 || reply.status > 499) problems.push(`status ${reply.status}`);
  else if (status !== undefined && reply.status !== status) problems.push(`status ${reply.status}, not ${status}`);
  const type = reply.headers['content-type'];
  if (type !== `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`) problems.push(`type ${type}`);
  for (const [header, value] of Object.entries(REFUSAL_HEADERS)) {
    // The page for an unknown address may be cached and revalidated with a 304.
    const isRevalidated = isPage && reply.status === 404 && header === 'cache-control';
    if (!reply.headers[header]?.includes(isRevalidated ? 'no-cache' : value))
      problems.push(`${header}: ${reply.headers[header]}`);
  }
  if (Buffer.byteLength(reply.text) >= REFUSAL_MAX) problems.push(`${reply.text.length} characters`);
  if (LEAK.test(reply.text) || CASE_SENSITIVE_LEAK.test(reply.text))
    problems.push(`gives away: ${reply.text.slice(0, 200)}`);
  if (isPage) return /<h1>[A-Z]/.test(reply.text) ? problems : [...problems, `body ${reply.text.slice(0, 200)}`];
  const body = parse(reply.text) as { error?: unknown; field?: unknown } | null | undefined;
  const { error, field, ...more } = body ?? {};
  if (Object.keys(more).length > 0 || typeof error !== 'string') {
    return [...problems, `body ${reply.text.slice(0, 200)}`];
  }
  problems.push(...problemsOfField(one, field));
  if (error.length < SENTENCE_MIN || error.length > SENTENCE_MAX) problems.push(`${error.length} characters said`);
  if (!/^[A-Z].*\.$/s.test(error) || error.replace(/\.$/, '') === STATUS_CODES[reply.status]) {
    problems.push(`no sentence: ${error}`);
  }
  if (says && !says.test(error)) problems.push(`said: ${error}`);
  return problems;
}
