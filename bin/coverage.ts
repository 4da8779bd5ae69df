// npm run coverage: runs the suites and writes which test covers which page and call into docs/coverage.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CALLS } from '../src/contract/calls.ts';
import { ALL_PAGES } from '../src/contract/pages.ts';
import type { Covered } from '../tests/support/coverage.ts';

const ROOT = path.dirname(import.meta.dirname);

function runSuites(): Covered[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-coverage-'));
  const runners = [
    ['vitest/vitest.mjs', ['run', '--project', 'api']],
    ['playwright/cli.js', ['test']],
  ] as const;
  for (const [runner, args] of runners) {
    const { status } = spawnSync(process.execPath, [path.join(ROOT, 'node_modules', runner), ...args], {
      cwd: ROOT,
      env: { ...process.env, COVERAGE_DIR: folder },
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`${runner} failed: what it covers would not be true.`);
  }
  const lines = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n'));
  rmSync(folder, { recursive: true });
  return lines.map((line) => JSON.parse(line));
}

/** The tests that asked for what a pattern names; those of fewest other things first, since they are about it. */
function testsOf(covered: readonly Covered[], pattern: RegExp, prefix: string): Covered[] {
  const found = new Map<string, Covered>();
  for (const one of covered) {
    if (one.what.startsWith(prefix) && pattern.test(one.what.slice(prefix.length)))
      found.set(`${one.file} ${one.title}`, one);
  }
  const breadth = (one: Covered) =>
    new Set(covered.filter(({ title, file }) => title === one.title && file === one.file).map(({ what }) => what)).size;
  return [...found.values()].sort((one, other) => breadth(one) - breadth(other));
}

function row(name: string, tests: readonly Covered[]): string {
  const [first] = tests;
  if (!first) throw new Error(`No test covers ${name}.`);
  const title = first.title.replaceAll('|', '\\|');
  return `| \`${name}\` | ${path.basename(first.file)}: ${title} | ${tests.length} |`;
}

const toPattern = (address: string) => new RegExp(`^${address.replaceAll(/:\w+/g, '[^/?]+')}(\\?.*)?$`);

const covered = runSuites();
const HEAD = '| | a test that covers it | tests in all |\n|---|---|---|';
writeFileSync(
  path.join(ROOT, 'docs/coverage.md'),
  [
    '# What covers what',
    '',
    'Written by `npm run coverage` from a run of the suites: every page and call of the contract, a test that asks for it, and how many do.',
    '',
    '## Pages (real Chromium)',
    HEAD,
    ...ALL_PAGES.map(({ path: address }) => row(address, testsOf(covered, toPattern(address), 'page '))),
    '',
    '## Calls (HTTP; on SQLite and PostgreSQL)',
    HEAD,
    ...CALLS.map(({ method, path: address }) =>
      row(`${method} ${address}`, testsOf(covered, toPattern(address), `${method} `)),
    ),
    '',
  ].join('\n'),
);
console.log(`docs/coverage.md: ${ALL_PAGES.length} pages and ${CALLS.length} calls, each covered.`);
