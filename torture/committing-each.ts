import { sql } from 'kysely';
import { type Connection, isPostgres } from '../src/server/database/database.ts';

/** A connection that commits after every statement and begins anew: a control without a transaction. */
export function committingEach(db: Connection): Connection {
  const again = isPostgres(db) ? ['commit', 'begin'] : ['commit', 'begin immediate', 'savepoint job'];
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const statement of again) await sql.raw(statement).execute(db);
      return result;
    },
  });
}
