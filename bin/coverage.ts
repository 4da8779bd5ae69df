// bin/coverage.ts FOLDER PASSED [REASON…]: writes into test-results/coverage.md which test covers which page and call,
// from what the tests of a whole run noted in the folder. There is a reason for each test that was not run.
// npm run coverage starts it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CALLS } from '../src/contract/calls.ts';
import { ALL_PAGES } from '../src/contract/pages.ts';
import type { Covered } from '../tests/support/coverage.ts';

const ROOT = path.dirname(import.meta.dirname);

/** The requests that the tests have noted. Requests before the first test of a file are left out. */
function readCovered(folder: string): Covered[] {
  const lines = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n'));
  return [...new Set(lines)].map((line): Covered => JSON.parse(line)).filter(({ title }) => title !== '');
}

const keyOf = ({ file, title }: Covered) => `${file} ${title}`;

/** The tests whose requests match a pattern. Those with the fewest other requests come first: they are about it. */
function testsOf(covered: readonly Covered[], pattern: RegExp, prefix: string): Covered[] {
  const found = new Map<string, Covered>();
  for (const one of covered) {
    if (one.what.startsWith(prefix) && pattern.test(one.what.slice(prefix.length))) found.set(keyOf(one), one);
  }
  const requestCount = (one: Covered) => requestCounts.get(keyOf(one)) ?? 0;
  return [...found.values()].sort((one, other) => requestCount(one) - requestCount(other));
}

function row(name: string, tests: readonly Covered[]): string {
  const [first] = tests;
  if (!first) throw new Error(`No test covers ${name}.`);
  const title = first.title.replaceAll('|', '\\|');
  return `| \`${name}\` | ${path.basename(first.file)}: ${title} | ${tests.length} |`;
}

const toPattern = (address: string) => new RegExp(`^${address.replaceAll(/:\w+/g, '[^/?]+')}(\\?.*)?$`);

const REPORT = 'test-results/coverage.md';

const [folder = '', passed = '', ...notRun] = process.argv.slice(2);
const covered = readCovered(folder);
/** How many different things a test asked for. */
const requestCounts = new Map([...Map.groupBy(covered, keyOf)].map(([key, asked]) => [key, asked.length]));
const HEAD = '| | a test that covers it | tests in all |\n|---|---|---|';
writeFileSync(
  path.join(ROOT, REPORT),
  [
    '# What covers what',
    '',
    'Written by `npm run coverage` from a whole run: every page and call of the contract, a test that asks for it, and how many do.',
    `${new Date().toISOString().slice(0, 10)}: ${Number(passed).toLocaleString('en')} tests passed, none failed.`,
    ...notRun.map((reason) => `Not run: ${reason}`),
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
console.log(`${REPORT}: ${ALL_PAGES.length} pages and ${CALLS.length} calls, each covered.`);
