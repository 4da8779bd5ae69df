// No fault: each lookup of an entry's counts takes 2 ms of processor time, so that few requests are many.
import { replaceIn } from './replace-in.ts';

replaceIn(
  '/review-counts/queries.ts',
  'const [row] = await queryEntry',
  'for (const ends = performance.now() + 2; performance.now() < ends; );\n  const [row] = await queryEntry',
);
