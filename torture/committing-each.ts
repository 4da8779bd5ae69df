import { sql } from 'kysely';
import type { Connection } from '../src/server/database/database.ts';

/** The same connection, which commits after every statement and begins again: what a control does without transaction. */
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
