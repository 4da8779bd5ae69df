import { sql } from 'kysely';
import type { Connection } from '../src/server/database/database.ts';

/** The connection, made to commit after every statement and begin again: a control works so without transaction. */
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
