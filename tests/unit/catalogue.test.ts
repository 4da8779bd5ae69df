import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { foldSearch } from '../../src/contract/folding.ts';
import { ALIASES_MAX } from '../../src/contract/schools.ts';
import { readCsv } from '../../src/server/data/imports/csv-records.ts';
import { COMMON_NAMES } from '../../src/server/data/imports/file-rows.ts';
import { CATALOGUE_FILE } from '../../src/server/data/imports/import-file.ts';
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

test('names in own scripts are at least 15 in each of nine, Chinese ones in both forms, each with where it comes from', async () => {
  const rows = [];
  for await (const record of readCsv(join(CATALOGUE_FILE, '../own-script.csv'))) {
    if ('fields' in record) rows.push(record.fields);
  }
  const [, ...names] = rows;
  expect(
    names.filter(([name, country, script, alias, source]) => !name || !country || !script || !alias || !source),
  ).toEqual([]);
  const count = (script: string) => names.filter((row) => row[2] === script).length;
  const scripts = ['Hans', 'Hant', 'Jpan', 'Kore', 'Arab', 'Cyrl', 'Grek', 'Hebr', 'Thai', 'Deva'];
  expect(scripts.filter((script) => count(script) < 15)).toEqual([]);
  const letters = (script = '') => (script.startsWith('Han') ? 'Han' : { Jpan: 'Han', Kore: 'Hang' }[script]) ?? script;
  const written = ([, , script, alias = '']: string[]) => new RegExp(`\\p{sc=${letters(script)}}`, 'u').test(alias);
  expect(names.filter((row) => !written(row))).toEqual([]);
  const shipped = new Map(
    catalogue.map(({ name, country, aliases }) => [`${name}, ${country}`, aliases.map(foldSearch)]),
  );
  const missing = names.filter(
    ([name, country, , alias = '']) => !shipped.get(`${name}, ${country}`)?.includes(foldSearch(alias)),
  );
  expect(missing).toEqual([]);
  expect(catalogue.filter(({ aliases }) => aliases.length > ALIASES_MAX)).toEqual([]);
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
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalogue-'));
  const file = join(folder.path, 'made.csv');
  const { status, stderr } = spawnSync(process.execPath, ['bin/universities.ts', REAL_LIST, file], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(readFileSync(file, 'utf8') === readFileSync(CATALOGUE_FILE, 'utf8')).toBe(true);
});
