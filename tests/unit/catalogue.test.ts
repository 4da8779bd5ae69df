import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { foldAccents, foldSearch } from '../../src/contract/folding.ts';
import { MATCHES } from '../../src/contract/search.ts';
import { COMMON_NAMES } from '../../src/server/data/imports/school-row.ts';
import { CATALOGUE_FILE } from '../../src/server/data/imports/universities.ts';
import { createSchoolTerms } from '../../src/server/schools/search/school-terms.ts';
import { HAS_REAL_LIST, REAL_LIST, readRealUniversities } from '../support/real-names.ts';

const catalogue = await readRealUniversities();

test('the catalogue is at most 1 MB, with its licence beside it, and has at least 300 aliases', () => {
  expect(statSync(CATALOGUE_FILE).size).toBeLessThanOrEqual(1_000_000);
  expect(readFileSync(join(CATALOGUE_FILE, '../LICENSE'), 'utf8')).toContain('The MIT License (MIT)');
  expect(catalogue.length).toBe(10_251);
  expect(catalogue.flatMap(({ aliases }) => aliases).length).toBeGreaterThanOrEqual(300);
});

test('the catalogue is in the image, with the sources that the image is made of', () => {
  expect(relative(process.cwd(), CATALOGUE_FILE)).toMatch(/^src\/server\//);
  expect(readFileSync('Dockerfile', 'utf8')).toContain('\nCOPY src/server src/server\n');
  expect(readFileSync('.dockerignore', 'utf8').trim().split('\n')).toContain('!src');
});

test('no alias is the name of another school, or of its own, or there twice', () => {
  const names = new Set(catalogue.map(({ name }) => foldSearch(name)));
  for (const { name, aliases } of catalogue) {
    const folded = aliases.map(foldSearch);
    expect(
      folded.filter((alias) => names.has(alias) || alias === ''),
      name,
    ).toEqual([]);
    expect(new Set(folded).size, name).toBe(folded.length);
  }
});

test('no alias is of a school that the search finds first without it', () => {
  const terms = createSchoolTerms();
  for (const [index, { name, country }] of catalogue.entries()) {
    const school = { id: index + 1, schoolName: name, nameKey: foldAccents(name), location: country };
    terms.put({ ...school, aliases: '[]' });
  }
  const findFirst = (text: string) => {
    const found: Record<string, string[]> = Object.fromEntries(MATCHES.map((match) => [match, []]));
    const { schools } = terms.layout();
    terms.find(foldSearch(text)).forEach((rank, match) => {
      found[match]?.push(`${schools[rank]?.schoolName}, ${schools[rank]?.location}`);
    });
    return MATCHES.flatMap((match) => found[match] ?? [])[0];
  };
  const idle = catalogue.flatMap(({ name, country, aliases }) =>
    aliases.filter((alias) => findFirst(alias) === `${name}, ${country}`),
  );
  expect(idle).toEqual([]);
});

test('every country has one name without a comma, and nothing else has a common name', () => {
  const listed = new Set(catalogue.map(({ country }) => country));
  expect(Object.keys(COMMON_NAMES).filter((name) => !listed.has(name))).toEqual([]);
  const stored = [...new Set([...listed].map((name) => COMMON_NAMES[name] ?? name))];
  expect(stored.filter((name) => name.includes(','))).toEqual([]);
  const letters = stored.map((name) => foldSearch(name).replaceAll(' ', ''));
  expect(letters.filter((name, index) => letters.indexOf(name) !== index)).toEqual([]);
  expect(stored).toHaveLength(200);
});

test.runIf(HAS_REAL_LIST)('the catalogue is what its command makes of the list and the aliases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'made.csv');
  const { status, stderr } = spawnSync(process.execPath, ['bin/universities.ts', REAL_LIST, file], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(readFileSync(file, 'utf8') === readFileSync(CATALOGUE_FILE, 'utf8')).toBe(true);
});
