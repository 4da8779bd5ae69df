// Makes tables outside of the transaction, each statement by itself, and dies inside: what dies-at-statement kills, half.
import type { migrate } from '../../src/server/database/migrate.ts';
import { committingEach } from '../committing-each.ts';
import { wrapFunction } from './wrap-function.ts';

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
