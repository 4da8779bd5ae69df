// Kills the process before the n-th statement of a sort runs. DIES_AT says n. DIES_COUNTING is the pattern of the sort;
// by default it is what makes a table, an index or a trigger.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const diesAt = Number(process.env.DIES_AT);
const counted = new RegExp(process.env.DIES_COUNTING ?? '^\\s*create ', 'i');
let made = 0;

function countStatement(sql: unknown): void {
  if (typeof sql !== 'string' || !counted.test(sql)) return;
  made += 1;
  if (made === diesAt) process.kill(process.pid, 'SIGKILL');
}

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
  countStatement(args[0]);
  return prepare.apply(this, args);
};

const { query } = pg.Client.prototype;
// `query` may be called in a dozen ways: its arguments are passed on as they are.
pg.Client.prototype.query = function (this: pg.Client, ...args: [query: string | { text?: string }, ...unknown[]]) {
  const [given] = args;
  countStatement(typeof given === 'string' ? given : given.text);
  return Reflect.apply(query, this, args);
} as typeof query;
