/**
 * RFC 8259 by example, written by hand: texts that are JSON, that are not, and that a parser may take either way.
 * What no string can hold is given in bytes.
 */
type Texts = readonly (string | Uint8Array)[];

const bytes = (...values: number[]) => Uint8Array.from(values);
/** A list of one text of these bytes. */
const quoted = (...values: number[]) => Buffer.from([0x5b, 0x22, ...values, 0x22, 0x5d]);

/** Must parse. */
export const JSON_TEXTS: Texts = [
  ...['{}', '[]', 'true', 'false', 'null', '0', '-1', '"a"', '""', ' \t\r\n{} \t\r\n', '{ "a" : [ 1 , 2 ] }'],
  ...['[[[[]]]]', '['.repeat(32) + ']'.repeat(32), `${'['.repeat(31)}${'[],'.repeat(1_000)}[]${']'.repeat(31)}`],
  ...['{"":0}', `{"${'k'.repeat(1_000)}":0}`, '{"a":1,"a":2}', '{"a\\u0000b":0}', '[-0]', '[-0.0]', '[0e1]'],
  ...['[0e+1]', '[1E22]', '[1E-2]', '[123.456e78]', '[0.000000000000000000000000000000000001]', '{"a":-123}'],
  ...['["\\"\\\\\\/\\b\\f\\n\\r\\t"]', '["\\u0041"]', '["\\uD83D\\uDE00"]', '["\\uABCD"]', '["\\\\n"]'],
  ...['["\\uFFFF"]', '["é"]', '["€"]', '["😀"]', '["\x7f"]', '["\u2028\u2029"]', '["\ufeff"]', '["\u{10ffff}"]'],
  ...['["a/*b*/c//d"]', `[${'1,'.repeat(1_000)}1]`, '[1,-1.5e3,"a",null,true,false,{},[]]'],
];

/** Must not parse. */
export const NO_JSON_TEXTS: Texts = [
  // punctuation alone, unbalanced, in the wrong place
  ...[' ', '{', '}', '[', ']', ',', ':', '"', '\\', '-', '*', '\0', '[[', '[{', '[}', '{]', '[]]', '{}}', '{}{}'],
  ...['1 2', '[1 2]', '[,1]', '[1,]', '[1,,2]', '[1],', '[,,]', '{"a":1,}', '{,"a":1}', '{"a":1,,"b":2}', '["a":1]'],
  ...['{"a"::1}', '{"a" 1}', '{"a",1}', '{"a":}', '{"a"}', '{:1}', '{a:1}', "{'a':1}", '{1:1}', '{null:1}', '{[]:1}'],
  // unfinished, followed by something, with comments
  ...['{"a', '{"a":"b', '{"a":1#}', '{}#', '{};', '{}/**/', '/**/{}', '{}//', '#{}\n{}', '{/**/}'],
  // numbers and words of other languages
  ...['[+1]', '[--1]', '[-]', '[- 1]', '[01]', '[-01]', '[00.5]', '[.5]', '[-.5]', '[1.]', '[1.e1]', '[1.2.3]'],
  ...['[1e]', '[1e+]', '[1e2e3]', '[1e1.5]', '[1e-+1]', '[e1]', '[0x1F]', '[0o17]', '[0b11]', '[1_000]', '[1a]'],
  ...['[1n]', '[１]', '[NaN]', '[-NaN]', '[Infinity]', '[-Infinity]', '[Inf]', '[undefined]', '[True]', '[TRUE]'],
  ...['[tru]', '[fals]', '[nul]', '[truee]', '[word]', "['a']", '[`a`]', '[“a”]', '["a]', '["\\"]', '["""]', '["\\'],
  ...['["\\ "]', '["\\a"]', '["\\x00"]', '["\\101"]', '["\\😀"]', '["\\\0"]', '["\\u00A"]', '["\\u"]', '["\\u00G0"]'],
  ...['["\\u{41}"]', '["\\U0041"]', '["\\uD834\\u"]', '["\0"]', '["\t"]', '["\n"]', '["\r"]', '["\x1b"]', '[\u00a0]'],
  ...['[\f]', '[\v]', '[\u2028]', '[\u2060]', '{}\ufeff', '\ufeff\ufeff{}', '<object/>', 'a=1&b=2', 'callback({})'],
  // scripts, prototypes, other encodings
  ...[")]}',\n{}", 'while(1);{}', '([])', '[...[]]', '{"__proto__":{"isAdmin":true}}'],
  ...['{"\\u005f\\u005fproto__":{"isAdmin":true}}', '{"a":[{"b":{"__proto__":null}}]}'],
  ...['{"constructor":{"prototype":{}}}', Buffer.from('{}', 'utf16le'), bytes(0, 0x7b, 0, 0x7d)],
  ...[bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0), bytes(0x5b, 0xff, 0x5d), bytes(0x5b, 0xe5, 0x5d)],
  ...[bytes(0xef, 0xbb, 0x7b, 0x7d), bytes(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0)],
];

/** Nested deeper than 32 levels, complete or cut off. */
export const DEEP_TEXTS: Texts = [
  ...['['.repeat(33) + ']'.repeat(33), `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ...['['.repeat(20_000) + ']'.repeat(20_000), '['.repeat(50_000), '{"a":'.repeat(10_000), '[{"a":'.repeat(5_000)],
];

/** May parse or not; the rest of the rules holds either way. */
export const PERHAPS_JSON_TEXTS: Texts = [
  ...['\ufeff{}', '[1e400]', '[-1e400]', '[1e-400]', `[${'9'.repeat(400)}]`, `[1e${'9'.repeat(400)}]`],
  ...['[9007199254740993]', '["\\uD83D"]', '["\\uDE00"]', '["\\uDE00\\uD83D"]', '["\\uD83Dx"]', '{"\\uD83D":0}'],
  ...[quoted(0xff), quoted(0x81), quoted(0xe5), quoted(0xc0, 0xaf), quoted(0xed, 0xa0, 0x80)],
  ...[quoted(0xf4, 0xbf, 0xbf, 0xbf), quoted(0xf8, 0x88, 0x80, 0x80, 0x80), `{${'"a":1,'.repeat(5_000)}"a":1}`],
];
