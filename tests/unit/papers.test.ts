import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ALL = globSync(['*', '{bench,bin,deploy,docs,src,tests,torture}/**'], { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const PAPERS = ALL.filter((path) => path.endsWith('.md')).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
/** Those that speak of the tree as it is: changelog and decisions also name what has gone. */
const CURRENT = PAPERS.filter(({ path }) => !path.startsWith('docs/decisions') && path !== 'CHANGELOG.md');

const withoutCode = (text: string) => text.replaceAll(/^```.*?^```/gms, '');
const filesNamed = (name: string) => ALL.filter((path) => path === name || path.endsWith(`/${name}`));

/** The fragments of a paper's headings, as GitHub makes them. */
const fragmentsOf = (text: string) =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(PAPERS)('each link of $path leads to a file and a heading that are there', ({ path, text }) => {
  const links = [...withoutCode(text).matchAll(/\]\((?!https?:)([^)\s#]*)#?([^)\s]*)\)/g)];
  const dead = links.filter(([, file = '', fragment = '']) => {
    const target = file === '' ? path : join(dirname(path), file);
    if (!ALL.includes(target)) return true;
    return fragment !== '' && !fragmentsOf(readFileSync(target, 'utf8')).includes(fragment);
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test.each(PAPERS)('each row of $path stands in a table and has as many cells as its head', ({ text }) => {
  const cellsOf = (row: string) => row.replaceAll(/\\\||`[^`]*`/g, '').split('|').length;
  const tables = withoutCode(text).match(/(?:^ *\|.*\n?)+/gm) ?? [];
  const wrong = tables.flatMap((table) => {
    const [head = '', rule = '', ...rows] = table.trim().split(/\n */);
    if (!/^\|[\s:|-]+\|$/.test(rule)) return [head];
    return rows.filter((row) => !/^\|.*\|$/.test(row) || cellsOf(row) !== cellsOf(head));
  });
  expect(wrong).toEqual([]);
});

test.each(CURRENT)('each file of code that $path names is there, and has what is said to be in it', ({ text }) => {
  const named = [...withoutCode(text).matchAll(/`([\w/.-]+\.(?:tsx?|mjs|sql|sh))`/g)].map(([, name = '']) => name);
  expect(named.filter((name) => filesNamed(name).length === 0 && basename(name) !== 'VERSION.sql')).toEqual([]);
  const parts = [...text.matchAll(/`(\w+)`\s+(?:of|in)\s+`([\w/.-]+\.(?:tsx?|mjs))`/g)];
  const missing = parts.filter(([, part = '', file = '']) =>
    filesNamed(file).every((path) => !readFileSync(path, 'utf8').includes(part)),
  );
  expect(missing.map(([words]) => words)).toEqual([]);
});
