import { sql } from 'kysely';
import type { Connection } from '../src/server/database/database.ts';

/** A connection that commits after every statement and begins anew: a control without a transaction. */
export function committingEach(db: Connection, engine: 'sqlite' | 'postgres'): Connection {
  const again = engine === 'sqlite' ? ['commit', 'begin immediate', 'savepoint job'] : ['commit', 'begin'];
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const statement of again) await sql.raw(statement).execute(db);
      return result;
    },
  });
}
