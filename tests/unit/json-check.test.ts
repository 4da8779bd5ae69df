import { expect, test } from 'vitest';
import { JsonCheck } from '../../src/server/http/serve/json-check.ts';
import { DEEP_TEXTS, JSON_TEXTS, NO_JSON_TEXTS, PERHAPS_JSON_TEXTS } from '../support/corpus/json-grammar.ts';

/** Nobody knows where the network cuts a body. */
const PIECES = [1, 2, 7, Number.POSITIVE_INFINITY];

/** What is said of a text that comes in pieces of each size: one thing, or it would depend on the network. */
function check(text: string | Uint8Array): string[] {
  const bytes = Buffer.from(text as string);
  const verdicts = PIECES.map((size) => {
    const json = new JsonCheck();
    try {
      for (let at = 0; at < bytes.length; at += size) json.push(bytes.subarray(at, at + size));
      json.end();
      return json.isObject ? 'an object' : 'a value';
    } catch (error) {
      return (error as Error).message;
    }
  });
  return [...new Set(verdicts)];
}

const isObject = (text: string | Uint8Array) =>
  JSON.parse(Buffer.from(text as string).toString())?.constructor === Object;

test.each(Object.entries(JSON_TEXTS))('%s is JSON, however it is cut', (_name, text) => {
  expect(check(text)).toEqual([isObject(text) ? 'an object' : 'a value']);
});

test.each(Object.entries(PERHAPS_JSON_TEXTS))('%s is taken, however it is cut', (_name, text) => {
  expect(check(text)).toHaveLength(1);
  expect(check(text)[0]).toMatch(/^an? /);
});

test.each(Object.entries(NO_JSON_TEXTS))('%s is none, however it is cut', (_name, text) => {
  expect(check(text)).toEqual(['The body is not valid JSON.']);
});

test.each(Object.entries(DEEP_TEXTS))('%s is nested too deep, however it is cut', (_name, text) => {
  expect(check(text)).toEqual(['The body must not be nested more than 32 levels deep.']);
});

test.each([
  ['__proto__ in a list', '[{"__proto__":1}]'],
  ['__proto__ written in escapes', '{"\\u005f_pr\\u006Fto_\\u005F":1}'],
  ['__proto__ in escapes alone', `{"${'\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f'}":1}`],
  ['constructor.prototype', '{"a":{"constructor" : { "b":[{}], "prototype":1}}}'],
])('%s is refused, however it is cut', (_name, text) => {
  expect(check(text)).toEqual(['The body is not valid JSON.']);
});

test.each([
  ['a text that says __proto__', '{"a":"__proto__"}'],
  ['a key that begins like it', '{"__proto__s":1}'],
  ['a key that goes on for long', `{"${'_'.repeat(500)}__proto__":1}`],
  ['prototype by itself', '{"prototype":{"constructor":1}}'],
  ['constructor of no object', '{"constructor":"prototype","prototype":{"a":1}}'],
  ['a list under constructor', '{"constructor":[{"prototype":1}]}'],
  ['prototype beside constructor', '{"constructor":{"a":1},"b":{"prototype":1}}'],
])('%s is taken, however it is cut', (_name, text) => {
  expect(check(text)).toEqual(['an object']);
});
