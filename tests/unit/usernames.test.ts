import { expect, test } from 'vitest';
import { isUsername } from '../../src/contract/usernames.ts';
import { skeletonOf } from '../../src/server/database/skeletons.ts';

test.each([
  'ann',
  'José',
  'Ñandú',
  'a_b-c.',
  '007',
  'علي99',
  'Пётр',
  'Νίκος',
  'ひらカナ漢字',
  'ラーメン',
  '漢字한글',
  '漢ㄅㄆ',
])('%s is a username', (name) => expect(isUsername(name)).toBe(true));

test.each(['नमस्ते', 'สวัสดี', 'ქართული', 'ᏣᎳᎩ', '学生', '학생', 'a\u0301\u0302bc'.normalize('NFC'), 'x'.repeat(32)])(
  '%s is a username too',
  (name) => expect(isUsername(name)).toBe(true),
);

test.each([
  ['too short', 'ab'],
  ['too short in Han', '学'],
  ['too short in Latin with an accent', 'éb'],
  ['too long', 'x'.repeat(33)],
  ['Latin with Cyrillic', 'Ivаn'],
  ['Greek with Latin', 'Ωmega'],
  ['Kana with Hangul', 'ひらは한'],
  ['Bopomofo with Kana', 'ㄅㄆひ'],
  ['letters of mathematics', '𝐣𝐨𝐡𝐧'],
  ['digits of another script', '١٢٣'],
  ['three marks on a letter', 'x\u0323\u0307\u0301bc'],
  ['a mark without a letter', '1\u0301bc'],
  ['letters that nobody sees', '\u3164\u3164\u3164'],
  ['a blank', 'ann b'],
  ['an emoji', 'ann🎓'],
  ['a beginning that is no letter', '_ann'],
])('%s: %s is none', (_why, name) => expect(isUsername(name)).toBe(false));

test.each([
  ['Ann', 'aNN'],
  ['Jose', 'José'],
  ['anne.b', 'an_ne-b'],
  ['oliver', '0liver'],
  ['lili', '1iIl'],
  // Alike by UTS 39: names in one writing system each, and names that mix two.
  ['cope', 'соре'],
  ['modern', 'modem'],
  ['тот', 'TOT'],
  ['Ивaн'.replace('a', 'а'), 'ИВАН'],
  ['ωοο', 'ωoo'.replaceAll('o', 'о')],
])('%s and %s can be taken for each other', (one, other) => expect(skeletonOf(one)).toBe(skeletonOf(other)));

test.each([
  ['ann', 'anna'],
  ['かき', 'がき'],
  ['user2', 'user3'],
  ['学生', '学校'],
  ['nan', 'van'],
])('%s and %s cannot', (one, other) => expect(skeletonOf(one)).not.toBe(skeletonOf(other)));
