import { globSync, readFileSync } from 'node:fs';
import { IPV4_BLOCK, IPV6_TIERS } from '../../../src/server/http/limits/addresses.ts';
import { BOUNDS, type Bound } from '../../../src/server/http/limits/bounds.ts';
import { LIMITS, type ListedLimit, REQUESTS_PER_MINUTE } from '../../../src/server/http/limits/limits.ts';
import { TIME_BUDGETS, type TimeBudget } from '../../../src/server/http/limits/time-budgets.ts';
import { BOUND_TESTS, LIMIT_TESTS, TIME_BUDGET_TESTS } from './limit-tests.ts';

/** A row of a table in Markdown. */
const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const SOURCES = globSync('src/server/**/*.ts')
  .sort()
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The files that apply a limit. @throws when none does */
export function usesOf(name: string): string {
  const mention = new RegExp(`\\b${name}\\b`);
  const users = SOURCES.filter(({ path, text }) => path !== 'src/server/http/limits/limits.ts' && mention.test(text));
  if (users.length === 0) throw new Error(`Nothing applies ${name}.`);
  return users.map(({ path }) => path.replace('src/server/', '')).join(', ');
}

/** The test that a row of the tables names. */
export function testOf(test: string): { file: string; title: string } {
  const [file = '', title = ''] = test.split(' > ');
  return { file: `tests/${file}.test.ts`, title };
}

function describeTest(test: string | undefined): string {
  if (test === undefined) return 'no test of its own';
  const { file, title } = testOf(test);
  return `${file}: ${title}`;
}

function windowOf(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 60) return `${minutes} min`;
  return minutes < 24 * 60 ? `${minutes / 60} h` : `${minutes / 60 / 24} d`;
}

/** The most of a bound, in the unit that reads best. The number of cores is the machine's. */
function maximumOf(name: string, { max, unit }: Bound): string {
  if (name === 'hashedAtOnce') return 'the number of cores';
  if (unit === 'ms') return max < 1_000 ? `${max} ms` : `${max / 1_000} s`;
  if (unit === 'bytes') return max < 1024 * 1024 ? `${max / 1024} kB` : `${max / 1024 / 1024} MB`;
  return `${max.toLocaleString('en')} ${unit}`;
}

const TIERS = IPV6_TIERS.map(({ prefix, factor }) => `/${prefix}${factor === 1 ? '' : `, ${factor} times as often`}`);

const limitRows = Object.entries<ListedLimit>(LIMITS).map(([key, { name, by, max, windowMs, why }]) =>
  line([
    name,
    by,
    String(max),
    windowOf(windowMs),
    why,
    usesOf(`LIMITS.${key}`),
    describeTest(LIMIT_TESTS[key as keyof typeof LIMITS]),
  ]),
);

const timeBudgetRows = Object.entries<TimeBudget>(TIME_BUDGETS).map(([key, { maxMs, perSecondMs, why }]) =>
  line([
    key,
    `${maxMs / 1_000} s`,
    `${perSecondMs} ms`,
    why,
    usesOf(`TIME_BUDGETS.${key}`),
    describeTest(TIME_BUDGET_TESTS[key as keyof typeof TIME_BUDGETS]),
  ]),
);

const boundRows = Object.entries<Bound>(BOUNDS).map(([key, bound]) =>
  line([
    key,
    bound.by,
    maximumOf(key, bound),
    bound.why,
    usesOf(`BOUNDS.${key}`),
    describeTest(BOUND_TESTS[key as keyof typeof BOUNDS]),
  ]),
);

/** docs/limits.md, made of the tables of the product and of its tests. */
export function writeLimitsPage(): string {
  return `${[
    '# Limits',
    '',
    'Written by `npm run security` from `src/server/http/limits/limits.ts` and `bounds.ts`.',
    '',
    '## How often',
    '',
    'Counted in the database, so that processes share them; each ends in a 429 with `Retry-After`. `RATE_LIMIT=off` lifts',
    'those by address, by user and of everybody, for load tests; those by account, by mailbox and of the site stay. A mailbox',
    'counts in lower case and without `+tag`. Mails count when they are handed over. The last of an account’s mails in an',
    'hour is reserved for the notice that its password was changed; only the first reset of the hour may use it.',
    '',
    `An IPv6 address also counts for each block that contains it: ${TIERS.join(', ')};`,
    `an IPv4 address for its /${IPV4_BLOCK.prefix}, ${IPV4_BLOCK.factor} times as often. Exceptions for shared addresses:`,
    '[security.md](security.md#limits-and-shared-addresses).',
    '',
    line(['limit', 'counted by', 'at most', 'within', 'why', 'applied in src/server', 'met by']),
    line(['---', '---', '---:', '---:', '---', '---', '---']),
    ...limitRows,
    line([
      'requests',
      'address, in the memory of each process',
      String(REQUESTS_PER_MINUTE),
      '1 min',
      'more than anybody sends who reads, less than what keeps a process busy',
      usesOf('REQUESTS_PER_MINUTE'),
      describeTest(LIMIT_TESTS.requestsPerMinute),
    ]),
    '',
    '## How much processor time',
    '',
    'What uncached answers take of the event loop, counted in the memory of each process; cached ones cost nothing and are',
    'given to whoever has used up everything. A request that finds nothing left ends in a 429 with `Retry-After`. Blocks of',
    'IPv6 addresses have as many times as much as above. `RATE_LIMIT=off` lifts both. How it is measured, and how many',
    'readers an address carries: [decision 023](decisions/023-processor-time.md).',
    '',
    line(['budget of each', 'at once', 'added every second', 'why', 'applied in src/server', 'met by']),
    line(['---', '---:', '---:', '---', '---', '---']),
    ...timeBudgetRows,
    '',
    '## How much, how long, how large',
    '',
    'Counted in each process, but for sessions, saved schools and tries of a passcode, which are rows. They hold whatever',
    '`RATE_LIMIT` says, but for `connectionsOfOne` and `markInterval`, which `off` lifts. Why requests are admitted as they',
    'are: [decision 014](decisions/014-admission.md).',
    '',
    line(['bound', 'of each', 'at most', 'why', 'applied in src/server', 'met by']),
    line(['---', '---', '---:', '---', '---', '---']),
    ...boundRows,
    '',
    'Lengths of fields stand with the fields, in `src/contract`; time limits of databases, mail servers and models with',
    'what speaks to them.',
  ].join('\n')}\n`;
}
