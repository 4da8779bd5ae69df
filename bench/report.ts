import { DatabaseSync } from 'node:sqlite';
import { type Result, ROUNDS } from './measure.ts';
import type { Options } from './options.ts';
import { type Section, table, verdict, whole, writeSection } from './sections.ts';

/** A figure beside the table, with the most it may be. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly max?: number;
}

function goalOf({ goal, requestsMin, p99Max, share, product }: Result): string {
  const goals = [
    ...(goal === undefined ? [] : [`share ${goal}: ${verdict(share >= goal)}`]),
    ...(requestsMin === undefined
      ? []
      : [`${whole(requestsMin)}/s: ${verdict(product.requestsPerSecond >= requestsMin)}`]),
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

/** The engines as the report names them. */
export const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

function describeData({ schools, entries, reviews, engine, isCacheOff, seconds }: Options): string {
  const sqlite = new DatabaseSync(':memory:').prepare('select sqlite_version() as version').get()?.version;
  const database = engine === 'sqlite' ? `SQLite ${sqlite} (WAL, synchronous=FULL)` : 'PostgreSQL (durable)';
  return [
    `${whole(schools)} schools with ${entries} entries in each category and ${whole(reviews)} reviews on ${database}`,
    `one process, cached responses ${isCacheOff ? 'off' : 'on'}`,
    `wrk with 32 connections, bursts of ${seconds} s, the median of ${ROUNDS}`,
  ].join('; ');
}

function headingOf({ engine, grown, scaled }: Options): string {
  const database = ENGINES[engine];
  if (grown > 0) return `${database}, ${whole(grown)} reviews against fewer`;
  if (scaled > 0) return `${database}, ${scaled} processes against one`;
  return database;
}

const HEAD = [
  ...['', 'workload', 'requests/s', 'limit', 'share', 'p50 ms', 'p99 ms', 'limit’s p99', 'CPU µs / limit’s', 'goal'],
];

/** The report as Markdown. */
export function writeReport(options: Options, results: readonly Result[], figures: readonly Figure[]): Section {
  return writeSection(
    headingOf(options),
    [describeData(options)],
    [
      ...table(HEAD, results.map(rowOf), ['', 'workload', 'goal']),
      '',
      ...figures.map(({ what, value, unit, max }) => {
        const goal = max === undefined ? '' : ` (goal: ${max} ${unit}, ${verdict(value <= max)})`;
        return `- ${what}: ${value < 10 ? value.toFixed(1) : whole(value)} ${unit}${goal}`;
      }),
    ],
  );
}
