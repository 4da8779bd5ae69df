import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');

/** The cells of the rows whose first cell matches. The last cell names a test as "FILE: words of its title". */
const rowsWith = (first: RegExp) =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([cell = '']) => first.test(cell));

const requirements = rowsWith(/^\d+\.\d+\.\d+$/).map(([id = '', level, asked, , shown = '']) => ({
  id,
  level,
  asked,
  shown,
}));

test('every requirement that applies stands there once, with a test or a dated exception', () => {
  const ids = requirements.map(({ id }) => id);
  const duties = /^Duties of whoever .*: ([\d., ]+)\.$/m.exec(page)?.[1]?.split(', ') ?? [];
  expect(duties).not.toEqual([]);
  expect(new Set([...ids, ...duties]).size).toBe(ids.length + duties.length);
  const amount = (isCounted: (one: (typeof requirements)[number]) => boolean) => requirements.filter(isCounted).length;
  const exceptions = amount(({ shown }) => /^\*\*exception\*\* \d{4}-\d\d-\d\d: ./.test(shown));
  const shown = amount((one) => one.shown.startsWith('tests/'));
  expect(page).toContain(
    `${ids.length} requirements apply: ${amount(({ level }) => level === '1')} of level 1, ${amount(({ level }) => level === '2')} of level 2. ${shown} are shown by a test, ${exceptions} are dated exceptions.`,
  );
  expect(shown + exceptions).toBe(ids.length);
  expect(requirements.filter(({ asked }) => !asked)).toEqual([]);
});

test('every test that is named is there', () => {
  const named = [...page.matchAll(/ \| (tests\/[\w/-]+\.test\.ts): (.*) \|$/gm)].map(([, file = '', title = '']) => ({
    file,
    title,
  }));
  expect(named.length).toBeGreaterThan(requirements.length);
  const missing = named.filter(
    ({ file, title }) => title.length < 10 || !existsSync(file) || !readFileSync(file, 'utf8').includes(title),
  );
  expect(missing).toEqual([]);
});

test('every event that is logged is in the inventory, and no other', () => {
  const code = globSync('src/server/**/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const named = [...code.matchAll(/event: '([a-z-]+)'(?! as const)/g)].map(([, event]) => event);
  const refused = [
    ...readFileSync('src/server/http/refusals/refusals.ts', 'utf8').matchAll(/\}?,?\s'([a-z]+-?[a-z]+)',?\s*\)/g),
  ].map(([, event]) => event);
  const logs = page.slice(page.indexOf('## Logs'), page.indexOf('## Updates'));
  const listed = [...logs.matchAll(/`([a-z-]+)`/g)].map(([, event]) => event);
  expect(listed.sort()).toEqual([...new Set([...named, ...refused])].sort());
});
