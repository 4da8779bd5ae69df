import type * as Type from 'typebox';
import { Value } from 'typebox/value';
import type { Call } from '../../../src/contract/call.ts';
import { problemsOf } from '../corpus/case.ts';
import type { Reply } from '../corpus/send.ts';
import type { Schema } from './arbitraries.ts';

/** Keys of an answer that its schema does not name, however deep. */
function strangeKeys(schema: Schema, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => strangeKeys(schema.items ?? {}, one));
  const properties = schema.properties ?? schema.anyOf?.find((one) => one.properties)?.properties ?? {};
  return Object.entries(value).flatMap(([key, one]) => {
    const part = properties[key];
    return part ? strangeKeys(part, one) : [key];
  });
}

/** The responses of one operation of the API document. */
export type Documented = Readonly<Record<string, { headers?: Readonly<Record<string, unknown>> }>>;

/**
 * What is wrong with an answer, whatever was asked: the API document must name its status and headers, a refusal must
 * be one sentence, and any other answer exactly what the contract says.
 * @param documented the answers that the API document gives the call, by status
 */
export function problemsOfAnswer(call: Call, documented: Documented, reply: Reply): string[] {
  const { status, headers, text } = reply;
  const response = documented[status];
  if (!response) return [`status ${status} is not in the API document`];
  const problems = ['Link', 'Retry-After'].filter(
    (name) => headers[name.toLowerCase()] !== undefined && response.headers?.[name] === undefined,
  );
  if (status >= 400) return [...problems, ...problemsOf({ method: call.method, path: call.path }, reply)];
  if (status === 204) return text === '' ? problems : [...problems, `204 with ${text}`];
  // A call that can answer text and JSON answers JSON only to requests that ask for it, and none here does.
  const { type: onlyType, anyOf = [] } = call.answer as Schema;
  const isText = onlyType === 'string' || anyOf.some((branch) => branch.type === 'string');
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  if (headers['content-type'] !== type) problems.push(`type ${headers['content-type']}`);
  const answer: unknown = isText ? text : JSON.parse(text);
  if (!Value.Check(call.answer as Type.TSchema, answer)) problems.push(`answered ${text.slice(0, 200)}`);
  return [...problems, ...strangeKeys(call.answer as Schema, answer).map((key) => `answered with ${key}`)];
}
