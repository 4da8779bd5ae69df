// Reads the whole database before it serves the first request.
import { DatabaseSync } from 'node:sqlite';

const { exec } = DatabaseSync.prototype;

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  exec.call(this, sql);
  if (sql !== 'PRAGMA journal_mode = WAL') return;
  for (const check of ['integrity_check', 'foreign_key_check']) this.prepare(`PRAGMA ${check}`).all();
};
