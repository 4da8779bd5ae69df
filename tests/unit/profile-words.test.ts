import { expect, test } from 'vitest';
import { COMMON_NAMES } from '../../src/server/data/imports/file-rows.ts';
import { countryWords, createRatePlace } from '../../src/server/profiles/places.ts';
import { parsePreference, stemsOf } from '../../src/server/profiles/preferences.ts';
import { editDistance, splitWords } from '../../src/server/profiles/words.ts';
import { readRealUniversities } from '../support/real-names.ts';

const wordsOf = (text: string) => {
  const { wanted, unwanted } = parsePreference('personal', text);
  return [wanted, unwanted].map((words) => words.map(({ word }) => word));
};

test('a preference is searched by its first twenty distinct words: each is compared with every word of every school', () => {
  const many = Array.from({ length: 300 }, (_, index) => `w${index}`);
  expect(wordsOf(many.join(' '))).toEqual([many.slice(0, 20), []]);
  expect(wordsOf('Fjord fjörd FJORD '.repeat(300))).toEqual([['fjord'], []]);
});

test.each([
  ['I hate rain', [], ['rain']],
  ['quiet, no cats. Ferries', ['quiet', 'ferries'], ['cats']],
  ['no rain or snow, please', ['please'], ['rain', 'snow']],
  ['no cats but dogs', ['dogs'], ['cats']],
  ['without noise and crowds', ['crowds'], ['noise']],
  ['afraid of the very large, hairy dogs', ['hairy', 'dogs'], ['very', 'large']],
  ['avoid one two three four', ['four'], ['one', 'two', 'three']],
  ['don’t want noise', [], ['noise']],
  ["can't stand noise", [], ['stand', 'noise']],
  ["can't wait for skiing", ['skiing'], []],
  ['no preference', [], []],
  ['no problem with rain', ['rain'], []],
  ['Not only skiing', ['skiing'], []],
  ['dogs, but no dogs', [], ['dogs']],
  ['nothing notable', ['nothing', 'notable'], []],
])('%s wishes for %j and not for %j', (text, wanted, unwanted) => {
  expect(wordsOf(text)).toEqual([wanted, unwanted]);
});

test.each([
  ['USA', ['united', 'states']],
  ['the U.S. or the U.K.', ['united', 'kingdom', 'united', 'states']],
  ['Great Britain', ['united', 'kingdom']],
  ['a great city', []],
  ['no place in America', []],
  ['भारत, 日本', ['india', 'japan']],
  ['United States', []],
  ['Northern Ireland', ['united', 'kingdom']],
  ['New England', ['united', 'states']],
  ['South America', []],
])('the location %s means the countries %j by other names', (location, words) => {
  expect(countryWords(parsePreference('location', location))).toEqual(words);
});

test.each([
  [
    'Cambridge, UK',
    [
      ['University of Cambridge', 'United Kingdom'],
      ['Fen College', 'Ely, United Kingdom'],
      ['Cambridge College', 'United States'],
    ],
  ],
  [
    'Boston, Massachusetts, USA',
    [
      ['Charles River School', 'Boston, Massachusetts, United States'],
      ['Amherst School', 'Massachusetts, United States'],
      ['Prairie School', 'United States'],
      ['United School', 'United Kingdom'],
    ],
  ],
  [
    'Norway',
    [
      ['Fjord School', 'Bergen, Norway'],
      ['Norway School', 'Iowa, United States'],
      ['Prairie School', 'Iowa, United States'],
    ],
  ],
  [
    'Mexico',
    [
      ['Desert School', 'Sonora, Mexico'],
      ['Desert School', 'New Mexico, United States'],
    ],
  ],
  [
    'Northern Ireland',
    [
      ['Lagan School', 'Belfast, Northern Ireland, United Kingdom'],
      ['Lagan School', 'Belfast, United Kingdom'],
      ['Liffey School', 'Dublin, Ireland'],
    ],
  ],
  [
    'Macedonia',
    [
      ['Vardar School', 'Skopje, North Macedonia'],
      ['Fjord School', 'Bergen, Norway'],
    ],
  ],
  [
    'new mexico',
    [
      ['University of New Mexico', 'United States'],
      ['Prairie School', 'Iowa, United States'],
      ['New School', 'Sonora, Mexico'],
    ],
  ],
  [
    'Northern Ireland, or Ireland',
    [
      ['Northern Ireland School', 'Ireland'],
      ['Liffey School', 'Dublin, Ireland'],
      ['Fjord School', 'Bergen, Norway'],
    ],
  ],
  [
    'somewhere warm in Spain, not in Wales',
    [
      ['Playa School', 'Spain'],
      ['Warm School', 'United Kingdom'],
    ],
  ],
] as const)('for the location %s, schools follow each other as they lie nearer', (location, schools) => {
  const ratePlace = createRatePlace([parsePreference('location', location)]);
  const rates = schools.map(([name, place]) => ratePlace(place, [stemsOf(name)]));
  expect(rates).toEqual([...new Set(rates)].sort((one, other) => other - one));
  expect(rates.at(-1)).toBe(0);
});

test('no country of the catalogue is named by another one', async () => {
  const universities = await readRealUniversities();
  const places = universities.map(({ state, country }) => [state, COMMON_NAMES[country] ?? country]);
  const locations = new Set(places.map((place) => place.filter(Boolean).join(', ')));
  const named = [...new Set(places.map(([, country = '']) => country))].flatMap((country) => {
    const ratePlace = createRatePlace([parsePreference('location', country)]);
    return [...locations]
      .filter((location) => country.split(' ').some((word) => location.includes(word)))
      .filter((location) => location.split(', ').at(-1) !== country && ratePlace(location, []) > 0)
      .map((location) => `${country}: ${location}`);
  });
  expect(named.sort()).toEqual([
    'Congo: Democratic Republic of the Congo',
    'Democratic Republic of the Congo: Congo',
    'Georgia: Georgia, United States',
  ]);
});

test.each([
  ['marine', 'marine', 1, 0],
  ['marine', 'marina', 1, 1],
  ['marine', 'marin', 1, 1],
  ['marine', 'xmarine', 1, 1],
  ['marine', 'moraine', 2, 2],
  ['marine', 'moraine', 1, undefined],
  ['marine', 'mar', 2, undefined],
  ['', 'ab', 2, 2],
  ['marine biology', 'biology marine', 14, 14],
  ['a'.repeat(300), `${'a'.repeat(299)}b`, 6, 1],
  ['a'.repeat(262), 'b'.repeat(262), 6, undefined],
  [`${'ab'.repeat(20)}xyz`, `xyz${'ab'.repeat(20)}`, 6, 6],
  [`${'ab'.repeat(20)}xyz`, `xyz${'ab'.repeat(20)}`, 5, undefined],
])('%s and %s differ by at most %i letters: %s', (one, other, max, distance) => {
  expect(editDistance(one, other, max)).toBe(distance);
  expect(editDistance(other, one, max)).toBe(distance);
});

test('words are separated by every kind of white space, as in a text from a spreadsheet', () => {
  expect(splitWords('quiet\thalls\u2028by\u3000the\r\nwater')).toEqual(['quiet', 'halls', 'by', 'the', 'water']);
});
