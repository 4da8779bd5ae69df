// Waits for locks inside SQLite for up to 5 s, with the event loop standing still.
import { DatabaseSync } from 'node:sqlite';

const { exec } = DatabaseSync.prototype;

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  exec.call(this, sql === 'PRAGMA busy_timeout = 0' ? 'PRAGMA busy_timeout = 5000' : sql);
};
