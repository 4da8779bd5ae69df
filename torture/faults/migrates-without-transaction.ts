// Makes tables with each statement committed by itself, so that dies-at-statement leaves a migration half done.
import type { migrate } from '../../src/server/database/migrate.ts';
import { committingEach } from '../committing-each.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof migrate>(
  'database/migrate.ts',
  'migrate',
  (migrateInOne) =>
    (db, ...rest) =>
      migrateInOne(committingEach(db), ...rest),
);
await import('./dies-at-statement.ts');
