// Commits without waiting for the disk: synchronous=NORMAL. A product that asks for the setting is told FULL.
import { DatabaseSync } from 'node:sqlite';

const { exec, prepare } = DatabaseSync.prototype;

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  return exec.call(this, sql === 'PRAGMA synchronous = FULL' ? 'PRAGMA synchronous = NORMAL' : sql);
};

DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
  const statement = prepare.apply(this, args);
  if (args[0] === 'PRAGMA synchronous') statement.get = () => ({ synchronous: 2 });
  return statement;
};
