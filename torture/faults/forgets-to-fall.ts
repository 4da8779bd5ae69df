// A posted review leaves what was kept before it as it is.
import { replaceIn } from './replace-in.ts';

replaceIn(
  '/reviews/routes.ts',
  'commit.invalidate(...changes.reviewsChanged({ entryId: entry.id, schoolId: entry.schoolId }, category.kind));',
  '',
);
