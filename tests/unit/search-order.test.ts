import { describe, expect, test } from 'vitest';
import { placeWords } from '../../src/server/schools/search/search-words.ts';
import { indexSchools, searchIndex } from '../support/school-index.ts';

const SCHOOLS = [
  ['University of Tokyo', 'Japan', 'UTokyo|東京大学'],
  ['Tokyo University of Agriculture', 'Japan', ''],
  ['Tokyo University of Foreign Studies', 'Japan', ''],
  ['Ohio State University', 'United States', ''],
  ['Saint Andrews College', 'United States', ''],
  ['University of St. Andrews', 'United Kingdom', ''],
  ['Texas A&M University', 'United States', ''],
  ['Georgia Institute of Technology', 'United States', 'Georgia Tech'],
  ['University of Toronto', 'Canada', 'U of T'],
  ['Toronto Film School', 'Canada', ''],
  ['Universidad de Guadalajara', 'Mexico', 'University of Guadalajara'],
  ['Technical College of Lund', 'Sweden', ''],
  ['Berkeley College', 'United States', ''],
  ['University of California, Berkeley', 'United States', 'UC Berkeley'],
  ['Stanford University', 'United States', ''],
  ['Tel Aviv University', 'Israel', 'אוניברסיטת תל אביב'],
  ['Cairo University', 'Egypt', 'جامعة القاهرة'],
  ['Delhi University', 'India', 'दिल्ली विश्वविद्यालय'],
  ['Doli College', 'India', 'दोली कॉलेज'],
  ['Peking University', 'China', '北京大学|北京大學'],
  ['Beijing Normal University', 'China', '北京师范大学'],
  ['Universidad de las Artes', 'Chile', 'UNI'],
  ['The And School', 'Chile', ''],
  ['Universidad del Norte', 'Colombia', ''],
  ['Universidad Autónoma del Norte', 'Bolivia', 'UAN'],
  ['Northern Institute of Arts', 'Norway', ''],
  ['Academy of Tainan', 'Taiwan', ''],
  ['Academy of Taiwen', 'Vietnam', ''],
].map(([name = '', country = '', aliases = '']) => ({ name, country, aliases: aliases.split('|').filter(Boolean) }));

/** What is typed | what is found, in order: each with its class. Written from the rules, not from the results. */
const TABLE = `
university of tokyo | prefix University of Tokyo; word Tokyo University of Agriculture; word Tokyo University of Foreign Studies
tokyo university | prefix Tokyo University of Agriculture; prefix Tokyo University of Foreign Studies; word University of Tokyo
tokyo | prefix Tokyo University of Agriculture; prefix Tokyo University of Foreign Studies; word University of Tokyo
univ of tokyo | word University of Tokyo; word Tokyo University of Agriculture; word Tokyo University of Foreign Studies
u tokyo | word University of Tokyo; word Tokyo University of Agriculture; word Tokyo University of Foreign Studies
utokyo | alias University of Tokyo; typo Tokyo University of Agriculture; typo Tokyo University of Foreign Studies
the ohio state university | word Ohio State University
ohio state at university | word Ohio State University
saint andrews | prefix Saint Andrews College; word University of St. Andrews
st andrews | word Saint Andrews College; word University of St. Andrews; close Stanford University; close Ohio State University; close Tokyo University of Foreign Studies
university of saint andrews | word University of St. Andrews; close Saint Andrews College
texas a and m | prefix Texas A&M University
texas a & m university | prefix Texas A&M University
texas a&m | prefix Texas A&M University
georgia technology | alias Georgia Institute of Technology
georgia technical | alias Georgia Institute of Technology
georgia inst tech | word Georgia Institute of Technology
lund tech | word Technical College of Lund
university of toronto canada | word University of Toronto; close Toronto Film School
toronto canada | word University of Toronto; word Toronto Film School
ohio usa | word Ohio State University
stanford us | word Stanford University
stanford england | close Stanford University
andrews england | word University of St. Andrews
academy taiwan | word Academy of Tainan; typo Academy of Taiwen
academy of tainen taiwan | typo Academy of Tainan; typo Academy of Taiwen
tainan taiwan | word Academy of Tainan
taiwan | typo Academy of Tainan; typo Academy of Taiwen
canada |
canade toronto |
university of guadalajara | alias Universidad de Guadalajara
university of the norte | typo Universidad del Norte; typo Universidad Autónoma del Norte; close Northern Institute of Arts
norte | word Universidad del Norte; word Universidad Autónoma del Norte; typo Northern Institute of Arts
guadalajara mexico | word Universidad de Guadalajara
universidad guadalajara | word Universidad de Guadalajara
berkley | typo Berkeley College; typo University of California, Berkeley
standford university | typo Stanford University
standfrod | typo Stanford University
stanford university palo alto |
oxfordshire polytechnic |
the and | prefix The And School; close Saint Andrews College; close University of St. Andrews
the | prefix The And School
of | word Academy of Tainan; word Academy of Taiwen; word Universidad de Guadalajara; word University of Tokyo; word University of Toronto; word Georgia Institute of Technology; word Northern Institute of Arts; word Technical College of Lund; word Tokyo University of Agriculture; word University of California, Berkeley; word University of St. Andrews; word Tokyo University of Foreign Studies
inst arts | word Northern Institute of Arts; close Universidad de las Artes
北京大学 | alias Peking University
北京大學 | alias Peking University
北京 | word Beijing Normal University; word Peking University
北京犬学 |
東京大学 | alias University of Tokyo
דל אביב | close Tel Aviv University
אוניברסיטת תל אביב | alias Tel Aviv University
אוניברסיטה תל אביב | typo Tel Aviv University
جَامِعَة القاهرة | alias Cairo University
القاهرة | word Cairo University
दिल्ली | word Delhi University
दोली | word Doli College
दली |
`;

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string]);

describe('a search', () => {
  const index = indexSchools(SCHOOLS);

  test.each(ROWS)('for %s finds, in order: %s', (typed, expected) => {
    const found = searchIndex(index, typed).map(({ match, schoolName }) => `${match} ${schoolName}`);
    expect(found).toEqual(expected.split('; ').filter(Boolean));
  });
});

test('equal matches are sorted by code point, as the databases sort names', () => {
  const index = indexSchools(['𠮷田 School', 'ﬁne School', '吉田 School'].map((name) => ({ name, country: 'Japan' })));
  expect(searchIndex(index, 'school').map(({ id }) => id)).toEqual([3, 2, 1]);
});

test('a country may have a name that every object has a property of', () => {
  expect(placeWords('constructor', 'constructor')).toEqual(['constructor']);
});

test('a school is found by words that nobody had when they were searched for before', () => {
  const index = indexSchools([{ name: 'Zuffenhausen School', country: 'Germany' }]);
  const row = { id: 1, schoolName: 'Zuffenhausen School', nameKey: 'zuffenhausen school', location: '', aliases: '[]' };
  index.drop(1);
  expect(searchIndex(index, 'zuffenhausen')).toEqual([]);
  index.put(row);
  expect(searchIndex(index, 'zuffenhausen')).toMatchObject([{ id: 1 }]);
});
