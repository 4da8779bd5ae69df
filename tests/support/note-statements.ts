// Loaded before every process of a run of `npm run statements`: notes each statement that the product sends to
// PostgreSQL, once a process.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

const PLANNED = /^\s*(select|insert|update|delete|with)\b/i;
const MIGRATION = /src\/server\/database\/[\w-]*migrat/;
const DOMAIN = /src\/server\/(?!database\/)/;
/** Enough for the frames of the driver, of Kysely and of the product. */
const FRAMES = 100;

const folder = process.env.STATEMENTS_DIR ?? '';
/** Whether tests run in this process: they also send statements over the connections of the product. */
const isTest = process.env.VITEST !== undefined;
const noted = new Set<string>();

function isOfProduct(): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack = '' } = new Error('Where is this sent from?');
  Error.stackTraceLimit = stackTraceLimit;
  // A migration runs once, on the schema that it finds.
  return !MIGRATION.test(stack) && (!isTest || DOMAIN.test(stack));
}

const { query } = pg.Client.prototype;
// There are a dozen ways to call this method: the arguments are passed on as they are.
pg.Client.prototype.query = function (this: pg.Client, ...args: [query: string | { text?: string }, ...unknown[]]) {
  const [given] = args;
  const text = typeof given === 'string' ? given : given.text;
  if (text !== undefined && PLANNED.test(text) && !noted.has(text) && isOfProduct()) {
    noted.add(text);
    appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(text)}\n`);
  }
  return Reflect.apply(query, this, args);
} as typeof query;
