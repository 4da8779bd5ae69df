// No fault: each lookup of an entry's counts takes 2 ms of processor time, so that few requests are an overload.
import type { findEntryTally } from '../../src/server/visibility/count-queries.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof findEntryTally>('visibility/count-queries.ts', 'findEntryTally', (find) => (...args) => {
  for (const ends = performance.now() + 2; performance.now() < ends; );
  return find(...args);
});
