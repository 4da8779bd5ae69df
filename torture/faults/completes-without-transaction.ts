// Completes held hides with each statement committed by itself, so that dies-at-statement leaves one half completed.
import type { completeHide } from '../../src/server/reviews/states/queries.ts';
import { committingEach } from '../committing-each.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof completeHide>(
  'reviews/states/queries.ts',
  'completeHide',
  (completeInOne) =>
    (db, ...rest) =>
      completeInOne(committingEach(db), ...rest),
);
await import('./dies-at-statement.ts');
