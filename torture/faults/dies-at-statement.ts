// Kills the process before the n-th statement of a sort runs: n is DIES_AT, the sort the pattern DIES_COUNTING, or what
// makes a table, an index or a trigger.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const diesAt = Number(process.env.DIES_AT);
const counted = new RegExp(process.env.DIES_COUNTING ?? '^\\s*create ', 'i');
let made = 0;

export function countStatement(sql: unknown): void {
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
// biome-ignore lint/suspicious/noExplicitAny: one of a dozen ways to be called, handed on as it came.
pg.Client.prototype.query = function (this: pg.Client, ...args: any[]): any {
  countStatement(typeof args[0] === 'string' ? args[0] : args[0]?.text);
  return Reflect.apply(query, this, args);
};
