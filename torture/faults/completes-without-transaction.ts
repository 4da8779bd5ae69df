// Completes held hides with each statement committed by itself, so that dies-at-statement leaves one half completed.
import type { completeHide } from '../../src/server/reviews/states/queries.ts';
import { committingEach } from '../committing-each.ts';
import { wrapFunction } from './wrap-function.ts';

const engine = process.env.DATABASE_URL ? 'postgres' : 'sqlite';

wrapFunction<typeof completeHide>(
  'reviews/states/queries.ts',
  'completeHide',
  (completeInOne) =>
    (db, ...rest) =>
      completeInOne(committingEach(db, engine), ...rest),
);
await import('./dies-at-statement.ts');
