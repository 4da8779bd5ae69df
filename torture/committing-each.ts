import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { type Connection, isPostgres } from '../src/server/database/database.ts';

let sqlite: DatabaseSync | undefined;

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
  if (args[0] === 'BEGIN IMMEDIATE') sqlite = this;
  return prepare.apply(this, args);
};

/** A connection that commits after every statement and begins anew: a control without a transaction. */
export function committingEach(db: Connection): Connection {
  async function commitAndBegin(): Promise<void> {
    if (isPostgres(db)) for (const text of ['commit', 'begin']) await sql.raw(text).execute(db);
    // Not over the product's connection, which sends SQLite nothing between two transactions.
    else sqlite?.exec('commit; begin immediate; savepoint job');
  }
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await commitAndBegin();
      return result;
    },
  });
}
