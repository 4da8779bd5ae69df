// Makes tables outside of the transaction, each statement by itself, and dies inside: what dies-at-statement kills, half.
import { replaceIn } from './replace-in.ts';

replaceIn(
  'src/server/database/migrate.ts',
  'for (const statement of migration.statements(types)) await sql.raw(statement).execute(db);',
  `for (const statement of migration.statements(types)) {
    await sql.raw(statement).execute(db);
    await sql.raw('commit').execute(db);
    await sql.raw(database.engine === 'sqlite' ? 'begin immediate' : 'begin').execute(db);
    if (database.engine === 'sqlite') await sql.raw('savepoint job').execute(db);
  }`,
);
await import('./dies-at-statement.ts');
