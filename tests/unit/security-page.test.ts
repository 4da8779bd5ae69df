import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATORS, REQUIREMENTS } from '../support/security/asvs.ts';
import { ATTACKS } from '../support/security/attacks.ts';
import { writeSecurityPage } from '../support/security/page.ts';

const page = readFileSync('docs/security.md', 'utf8');

test('docs/security.md is what the tables say (npm run security writes it)', () => {
  expect(page).toBe(writeSecurityPage(page));
});

test('every requirement that applies stands there once, with a test or a dated exception', () => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(REQUIREMENTS.filter(({ level }) => level === 1)).toHaveLength(54);
  expect(REQUIREMENTS.filter(({ level }) => level === 2)).toHaveLength(104);
  expect(OPERATORS).toHaveLength(14);
  for (const { id, asked, shownBy, exception } of REQUIREMENTS) {
    expect(id).toMatch(/^\d+\.\d+\.\d+$/);
    expect(asked, id).not.toBe('');
    if (!shownBy) expect(exception, id).toMatch(/^\d{4}-\d\d-\d\d: ./);
  }
});

test('every test that is named is there', () => {
  const shown = REQUIREMENTS.flatMap(({ id, shownBy }) => (shownBy ? [{ id, ...shownBy }] : []));
  const attacked = ATTACKS.map(({ attack, shownBy }) => ({ id: attack, ...shownBy }));
  const missing = [...shown, ...attacked].filter(
    ({ file, title }) => title.length < 10 || !existsSync(file) || !readFileSync(file, 'utf8').includes(title),
  );
  expect(missing).toEqual([]);
});

test('every event that is logged is in the inventory, and no other', () => {
  const code = globSync('src/server/**/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const named = [...code.matchAll(/event: '([a-z-]+)'/g)].map(([, event]) => event);
  const refused = [
    ...readFileSync('src/server/http/refusals/refusals.ts', 'utf8').matchAll(/\}?,?\s'([a-z]+-?[a-z]+)',?\s*\)/g),
  ].map(([, event]) => event);
  const logs = page.slice(page.indexOf('## Logs'), page.indexOf('## Updates'));
  const listed = [...logs.matchAll(/`([a-z-]+)`/g)].map(([, event]) => event);
  expect(listed.sort()).toEqual([...new Set([...named, ...refused])].sort());
});
