// Kills the process before the n-th statement that matches a pattern. DIES_AT is n, DIES_COUNTING the pattern; by default
// it matches what makes tables, indexes and triggers.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const diesAt = Number(process.env.DIES_AT);
const counted = new RegExp(process.env.DIES_COUNTING ?? '^\\s*create ', 'i');
let countedSoFar = 0;

function countStatement(sql: unknown): void {
  if (typeof sql !== 'string' || !counted.test(sql)) return;
  countedSoFar += 1;
  if (countedSoFar === diesAt) process.kill(process.pid, 'SIGKILL');
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
