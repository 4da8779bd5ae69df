// Answers writes up to 50 ms before they are committed: COMMIT does nothing, and a timer commits.
import { DatabaseSync } from 'node:sqlite';

const COMMIT_EVERY_MS = 50;

const waiting = new WeakSet<DatabaseSync>();

const prepare = DatabaseSync.prototype.prepare;

DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
  const statement = prepare.apply(this, args);
  const run = statement.run.bind(statement);
  if (args[0] === 'COMMIT') {
    statement.run = () => {
      if (!waiting.has(this)) {
        waiting.add(this);
        setTimeout(() => {
          waiting.delete(this);
          if (this.isTransaction) run();
        }, COMMIT_EVERY_MS);
      }
      return { changes: 0, lastInsertRowid: 0 };
    };
  }
  if (args[0] === 'BEGIN IMMEDIATE') {
    statement.run = () => (this.isTransaction ? { changes: 0, lastInsertRowid: 0 } : run());
  }
  return statement;
};
