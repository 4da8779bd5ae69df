import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import pg from 'pg';
import { isHeartbeat } from '../../src/server/database/heartbeat.ts';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import type { Product } from './product.ts';

/** A statement as a driver was given it. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
  /** False for a query that was sent while its connection had still to answer another. */
  readonly isFirst?: boolean;
}

/** Only these statements have a plan. */
const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;
/** Statements that read or trim the log of changes, notify other processes of it, or compare the clocks. */
const OF_THE_PROCESS = /pg_snapshot_xm|pg_current_snapshot|pg_notify|clock_timestamp/;

/** A driver's own method, whatever its overloads. */
type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Records the calls of a driver's method. @returns a function that ends the recording */
function recordCalls<Name extends string>(
  prototype: { [name in Name]: Method },
  name: Name,
  note: (self: unknown, values: unknown[]) => void,
): () => void {
  const original = prototype[name];
  const recording: Method = function (...values) {
    note(this, values);
    return original.apply(this, values);
  };
  prototype[name] = recording as (typeof prototype)[Name];
  return () => {
    prototype[name] = original;
  };
}

/** Every statement that this process sends to either engine while `act` runs, taken from the drivers. */
export async function captureQueries(act: () => Promise<unknown>): Promise<Query[]> {
  const queries: Query[] = [];
  const add = (text: unknown, given: unknown, isFirst = true) => {
    const values = (given ?? []) as unknown[];
    if (typeof text !== 'string' || !PLANNED.test(text)) return;
    // Every two seconds a process sends itself a heartbeat and compares its clock, and it reads the log of changes,
    // whatever else it does.
    const isHeartbeatWrite = values.some((value) => typeof value === 'string' && isHeartbeat(value));
    if (!isHeartbeatWrite && !OF_THE_PROCESS.test(text)) queries.push({ text, values, isFirst });
  };
  // Casts, because the overloads of the methods do not matter here.
  const statement = StatementSync.prototype as unknown as Record<'all' | 'get' | 'run' | 'iterate', Method>;
  const client = pg.Client.prototype as unknown as Record<'query', Method>;
  const undos = [
    ...(['all', 'get', 'run', 'iterate'] as const).map((name) =>
      recordCalls(statement, name, (self, values) => add((self as StatementSync).sourceSQL, values)),
    ),
    recordCalls(client, 'query', (self, [query, values]) => {
      const { text = query, values: own = values } = (query ?? {}) as { text?: unknown; values?: unknown };
      // A field of the driver, which its types omit.
      add(text, own, (self as { readyForQuery?: boolean }).readyForQuery);
    }),
  ];
  try {
    await act();
  } finally {
    for (const undo of undos) undo();
  }
  return queries;
}

/** The product's tables that a statement names, in the order in which it first does. */
export function tablesOf({ text }: Query): string[] {
  const places = new Map(DATA_TABLES.map((table) => [table as string, text.search(new RegExp(`\\b${table}\\b`))]));
  const named = [...places].filter(([, place]) => place >= 0);
  return named.sort(([, one], [, other]) => one - other).map(([table]) => table);
}

/**
 * Lists what a statement reads completely: `reviews` is a table, `schools by schools_by_name` an index, `sort`
 * everything that is sorted before a limit applies. Reading the first rows of an index does not count.
 */
export interface Planner {
  /** Whether it reads a whole table only when no index serves, however small the table is. */
  readonly isForced: boolean;
  explain(query: Query): Promise<string[]>;
  /** The indexes that a statement is served by. */
  listUsedIndexes(query: Query): Promise<string[]>;
  /** The indexes that only serve reads: those that are not unique. */
  listPlainIndexes(): Promise<string[]>;
  close(): Promise<void>;
}

const isTable = (name: unknown) => DATA_TABLES.some((table) => table === name);

const hasLimit = (text: string) => /\blimit\b/i.test(text);

/** What one step of a plan reads as a whole: https://www.sqlite.org/eqp.html */
function wholeReadsInSqlite(detail: string, text: string): string[] {
  if (detail.startsWith('USE TEMP B-TREE FOR ORDER BY')) return hasLimit(text) ? ['sort'] : [];
  const [, how, table = '', index] =
    /^(SCAN|SEARCH) (\w+)(?: USING (?:AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
  if (how === undefined || detail.endsWith('CONSTANT ROW')) return [];
  // An automatic index is made by reading the whole table, and a skip-scan (`ANY`) reads every value of a column.
  if (how === 'SEARCH' && !/ AUTOMATIC |ANY\(/.test(detail)) return [];
  if (index === undefined) return [table];
  return hasLimit(text) && !/\b(where|group by)\b/i.test(text) ? [] : [`${table} by ${index}`];
}

function openSqlitePlanner(path: string): Planner {
  const database = new DatabaseSync(path);
  const planOf = ({ text, values }: Query) =>
    database.prepare(`explain query plan ${text}`).all(...(values as SQLInputValue[])) as { detail: string }[];
  return {
    isForced: false,
    async explain(query) {
      const read = planOf(query).flatMap(({ detail }) => wholeReadsInSqlite(detail, query.text));
      // A table that may be read once, up to a limit, may not be read a second time.
      return read.map((one, index) =>
        isTable(one.split(' ')[0]) && read.indexOf(one) !== index ? `${one} again` : one,
      );
    },
    async listUsedIndexes(query) {
      return planOf(query).flatMap(({ detail }) => / INDEX (\w+)/.exec(detail)?.[1] ?? []);
    },
    async listPlainIndexes() {
      const rows = database.prepare(`select name from sqlite_schema where sql like 'create index%'`).all();
      return rows.map(({ name }) => String(name));
    },
    close: async () => database.close(),
  };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  'Parent Relationship'?: string;
  Plans?: PlanNode[];
}

/** Nodes that pass rows on one by one, so that a limit above ends the reading below. */
const PASSES_ON = new Set(['Limit', 'LockRows', 'Result']);

/** The first column of each index: a condition on a later column alone scans the whole index. */
async function readFirstColumns(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ index: string; column: string }>(
    `select relname as index, pg_get_indexdef(oid, 1, true) as column from pg_class
     where relkind = 'i' and relnamespace = 'public'::regnamespace`,
  );
  return new Map(rows.map(({ index, column }) => [index, column]));
}

/** What a plan reads as a whole: https://www.postgresql.org/docs/current/using-explain.html */
function wholeReadsInPostgres(root: PlanNode, text: string, firstColumns: ReadonlyMap<string, string>): string[] {
  function walk(node: PlanNode, relation: string | undefined, isLimited: boolean): string[] {
    const { 'Node Type': type, 'Relation Name': table = relation, 'Index Name': index, 'Index Cond': condition } = node;
    const isLimitedBelow = (plan: PlanNode) =>
      type === 'Limit' ||
      (isLimited && PASSES_ON.has(type)) ||
      // A nested loop reads its inner side again for each row of the outer.
      (isLimited && type === 'Nested Loop' && plan['Parent Relationship'] === 'Outer');
    const below = (node.Plans ?? []).flatMap((plan) => walk(plan, table, isLimitedBelow(plan)));
    if (type === 'Seq Scan' && isTable(table)) return [String(table), ...below];
    if (type === 'Sort' && hasLimit(text)) return ['sort', ...below];
    if (index === undefined || new RegExp(`\\b${firstColumns.get(index)}\\b`).test(condition ?? '')) return below;
    return isLimited && node.Filter === undefined ? below : [`${table} by ${index}`, ...below];
  }
  return walk(root, undefined, false);
}

const indexesOf = ({ 'Index Name': index, Plans: plans = [] }: PlanNode): string[] => [
  ...(index === undefined ? [] : [index]),
  ...plans.flatMap(indexesOf),
];

async function openPostgresPlanner(url: string, isForced: boolean): Promise<Planner> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('analyze');
  // PostgreSQL reads small tables whole because that is cheaper, also to join them. If it still does so when that is
  // made expensive, no index serves the query.
  const expensive = ['seqscan', 'sort', 'mergejoin', 'hashjoin', 'material'];
  if (isForced) await client.query(expensive.map((step) => `set enable_${step} = off`).join(';'));
  const firstColumns = await readFirstColumns(client);
  async function planOf({ text, values }: Query): Promise<PlanNode> {
    const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
    return rows[0]['QUERY PLAN'][0].Plan;
  }
  return {
    isForced,
    async explain(query) {
      return wholeReadsInPostgres(await planOf(query), query.text, firstColumns);
    },
    listUsedIndexes: async (query) => indexesOf(await planOf(query)),
    async listPlainIndexes() {
      const { rows } = await client.query<{ name: string }>(
        `select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
         where relnamespace = 'public'::regnamespace and not indisunique`,
      );
      return rows.map(({ name }) => name);
    },
    close: () => client.end(),
  };
}

/** Plans statements on each engine, over the data of a running product. */
export async function openPlanners({ databaseUrl, dataDir }: Product): Promise<Planner[]> {
  if (databaseUrl) return [await openPostgresPlanner(databaseUrl, true), await openPostgresPlanner(databaseUrl, false)];
  // The product never runs ANALYZE on SQLite; a plan must be good with statistics too, in case somebody does.
  const path = join(dataDir, 'school-reviews.sqlite');
  const counted = `${path}.counted`;
  const source = new DatabaseSync(path);
  source.prepare('vacuum into ?').run(counted);
  source.close();
  const copy = new DatabaseSync(counted);
  copy.exec('analyze');
  copy.close();
  return [openSqlitePlanner(path), openSqlitePlanner(counted)];
}
