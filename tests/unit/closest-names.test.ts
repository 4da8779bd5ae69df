import { describe, expect, test } from 'vitest';
import { foldSearch } from '../../src/contract/folding.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { COMMON_NAMES } from '../../src/server/data/imports/file-rows.ts';
import { findClosest, indexNames } from '../../src/server/schools/search/closest-names.ts';
import { misspell } from '../support/misspell.ts';
import { readRealUniversities } from '../support/real-names.ts';
import { indexSchools } from '../support/school-index.ts';

/** What is proposed | its country | the name that must come first, or how many names may come at most. */
const TABLE = `
Harvard University | United States | Harvard University
harvard | | Harvard University
University of Harvard | | Harvard University
The Harvard University | | Harvard University
Havard Univeristy | | Harvard University
Massachusets Institute of Tecnology | | Massachusetts Institute of Technology
MIT | | Massachusetts Institute of Technology
M.I.T. | | Massachusetts Institute of Technology
UCLA | | University of California, Los Angeles
UC Berkeley | | University of California, Berkeley
Univ. of California Berkeley | | University of California, Berkeley
TU Delft | Netherlands | Delft University of Technology
Delft Technical University | Netherlands | Delft University of Technology
ETH Zürich | Switzerland | ETHZ - ETH Zurich
IIT Bombay | India | Indian Institute of Technology, Bombay
Toronto University | Canada | University of Toronto
University of Toronto | Canada | University of Toronto
University of Toronto, Main Campus | Canada | University of Toronto
Uni Oxford | | University of Oxford
University of Oxfrod | | University of Oxford
Universidad de Chile | Chile | Universidad de Chile
Universidade de Sao Paulo | Brazil | Universidade de São Paulo
USP | Brazil | Universidade de São Paulo
USP | Fiji | University of the South Pacific
Montreal University | Canada | Université de Montréal
Universite Montreal | Canada | Université de Montréal
Beijing Normal University | China | Beijing Normal University
Northwestern | United States | Northwestern University
St Johns | Thailand | St. John's University
Stanford University School of Medicine | United States | Stanford University
Yale Law School | United States | Yale University
Lomonosov | Russian Federation | Lomonosov Moscow State University
University of Da Nang | Vietnam | University of Da Nang
National University | Philippines | National University
Zorbleville Academy of Underwater Basketry | | 0
Nowhere College | | 0
Little Owls Kindergarten | United Kingdom | 0
Lycée Victor Hugo | France | 0
Community College of Foo | | 0
Kiel Sailing School | Germany | 2
Grundschule am Park | Germany | 1
Blue Harbour College of Hope | | 1
University | | 0
College | United States | 0
Xyzzy | | 0
東京大学 | Japan | University of Tokyo
東京 | Japan | 0
МГУ имени Ломоносова | Russian Federation | Lomonosov Moscow State University
🎓 | | 0
… | | 0
`;

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]);

describe('the names closest to a proposed one among 10,251', async () => {
  const universities = await readRealUniversities();
  const index = indexSchools(universities);
  const find = (name: string, country: string) => findClosest(index, name, country).map(({ schoolName }) => schoolName);

  test.each(ROWS)('of %s (%s): %s', (name, country, expected) => {
    const found = find(name, country);
    if (/^\d$/.test(expected)) expect(found.length, found.join('; ')).toBeLessThanOrEqual(Number(expected));
    else expect(found[0]).toBe(expected);
    expect(found.length).toBeLessThanOrEqual(5);
  });

  test('begin with the name itself, and with the one that has a typo, for 98 of 100', () => {
    const random = createRandom(14);
    const missed: string[] = [];
    let asked = 0;
    while (asked < 500) {
      const { name, country } = random.pick(universities);
      const typed = misspell(name, random);
      if (typed === undefined) continue;
      asked += 1;
      for (const given of [name, typed]) {
        const [first = ''] = find(given, COMMON_NAMES[country] ?? country);
        if (foldSearch(first) !== foldSearch(name)) missed.push(`${given}: ${first}`);
      }
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(20);
  });

  test('are at most one for most of the names that nobody has', () => {
    const random = createRandom(15);
    const syllables = ['bra', 'wen', 'tol', 'quist', 'mar', 'olf', 'zim', 'peg', 'nor', 'dulk', 'fesh', 'ivo'];
    const invent = () => Array.from({ length: 3 }, () => random.pick(syllables)).join('');
    const found = Array.from({ length: 200 }, (_, index) => {
      const name = index % 2 === 0 ? `University of ${invent()}` : `${invent()} ${invent()} College`;
      return find(name, 'United States').length;
    });
    expect(found.filter((count) => count > 1).length).toBeLessThanOrEqual(20);
  });

  test('are few in a short list too, as the entries of a school are', () => {
    const entries = ['Rowing Club', 'Chess Club', 'Debating Society', 'Men’s Basketball'];
    const closest = indexNames(entries.map((name, index) => ({ id: index + 1, name })));
    const namesOf = (name: string) => closest(name).map((one) => one.name);
    expect(namesOf('Rowng')).toEqual(['Rowing Club']);
    expect(namesOf('The Debate Society')[0]).toBe('Debating Society');
    expect(namesOf('mens basketbal')).toEqual(['Men’s Basketball']);
    expect(namesOf('Astronomy')).toEqual([]);
    expect(indexNames([])('Rowing')).toEqual([]);
  });
});
