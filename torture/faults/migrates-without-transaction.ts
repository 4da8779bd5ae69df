// Makes tables outside of the transaction, each statement by itself, and dies inside: what dies-at-statement kills, half.
import { sql } from 'kysely';
import type { Connection, Database } from '../../src/server/database/database.ts';
import type { migrate } from '../../src/server/database/migrate.ts';
import { wrapFunction } from './wrap-function.ts';

/** The same connection, which commits after every statement and begins again. */
function committingEach(db: Connection, engine: Database['engine']): Connection {
  const again = engine === 'sqlite' ? ['commit', 'begin immediate', 'savepoint job'] : ['commit', 'begin'];
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const statement of again) await sql.raw(statement).execute(db);
      return result;
    },
  });
}

wrapFunction<typeof migrate>(
  'database/migrate.ts',
  'migrate',
  (migrateInOne) =>
    ({ engine, write }, ...rest) =>
      migrateInOne(
        { engine, write: (body) => write((db, commit) => body(committingEach(db, engine), commit)) },
        ...rest,
      ),
);
await import('./dies-at-statement.ts');
