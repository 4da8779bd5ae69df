// Merges schools with each statement committed by itself, so that dies-at-statement leaves a merge half done.
import type { mergeSchools } from '../../src/server/moderation/merging/queries.ts';
import { committingEach } from '../committing-each.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof mergeSchools>(
  'moderation/merging/queries.ts',
  'mergeSchools',
  (mergeInOne) =>
    (db, ...rest) =>
      mergeInOne(committingEach(db), ...rest),
);
await import('./dies-at-statement.ts');
