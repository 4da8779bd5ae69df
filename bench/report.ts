import { execFileSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { describeMachine } from './machine.ts';
import { type Result, ROUNDS } from './measure.ts';
import type { Options } from './options.ts';

/** A figure beside the table, with the most it may be. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly max?: number;
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**');

function goalOf({ goal, p99Max, share, product }: Result): string {
  const goals = [
    ...(goal === undefined ? [] : [`share ${goal}: ${verdict(share >= goal)}`]),
    ...(p99Max === undefined ? [] : [`p99 ${p99Max.toFixed(1)} ms: ${verdict(product.p99 <= p99Max)}`]),
  ];
  return goals.join('; ');
}

function rowOf(result: Result): string[] {
  const { name, what, product, limit, share } = result;
  return [
    name,
    what,
    whole(product.requestsPerSecond),
    whole(limit.requestsPerSecond),
    share.toFixed(2),
    product.p50.toFixed(2),
    product.p99.toFixed(2),
    limit.p99.toFixed(2),
    `${product.processorTime.toFixed(1)} / ${limit.processorTime.toFixed(1)}`,
    goalOf(result),
  ];
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function describeData({ schools, entries, reviews, engine, isCacheOff, processes, seconds }: Options): string {
  const sqlite = new DatabaseSync(':memory:').prepare('select sqlite_version() as version').get()?.version;
  const database = engine === 'sqlite' ? `SQLite ${sqlite} (WAL, synchronous=FULL)` : 'PostgreSQL (durable)';
  return [
    `${whole(schools)} schools with ${entries} entries in each category and ${whole(reviews)} reviews on ${database}`,
    `${processes === 1 ? 'one process' : `${processes} processes`}, answer cache ${isCacheOff ? 'off' : 'on'}`,
    `wrk with 32 connections, bursts of ${seconds} s, the median of ${ROUNDS}`,
  ].join('; ');
}

const HEAD = [
  ...['', 'workload', 'requests/s', 'limit', 'share', 'p50 ms', 'p99 ms', 'limit’s p99', 'CPU µs / limit’s', 'goal'],
];

/** The report as Markdown. */
export function writeReport(options: Options, results: readonly Result[], figures: readonly Figure[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return [
    '# Measured speed',
    '',
    'Written by `npm run bench`. The limit is a bare `node:http` server that sends the same bytes from memory, measured',
    'before and after each burst: only shares of it can be compared between runs and machines.',
    '',
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}, Node ${process.version}. ${describeMachine()}.`,
    `${describeData(options)}.`,
    '',
    line(HEAD),
    line(HEAD.map((_, column) => (column < 2 || column === HEAD.length - 1 ? '---' : '---:'))),
    ...results.map((result) => line(rowOf(result))),
    '',
    ...figures.map(({ what, value, unit, max }) => {
      const goal = max === undefined ? '' : ` (goal: ${max} ${unit}, ${verdict(value <= max)})`;
      return `- ${what}: ${value < 10 ? value.toFixed(1) : whole(value)} ${unit}${goal}`;
    }),
    '',
  ].join('\n');
}
