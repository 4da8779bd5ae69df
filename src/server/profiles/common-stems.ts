import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { stemsOf } from './preferences.ts';
import { readReviewsBelow } from './queries.ts';
import { Steps } from './steps.ts';

/** From this number of reviews on, the most frequent stems are too common to be evidence for a preference. */
const REVIEWS_MIN = 200;
const COMMON_MAX = 100;
/** The maximum number of reviews that are counted, newest first. */
const COUNTED_MAX = 20_000;
const BATCH_SIZE = 500;
/** How many characters are read in one step: some milliseconds. */
const STEP_CHARACTERS = 30_000;
const AGE_MAX_MS = 60 * 60_000;

/**
 * Makes the function that reads the hundred stems that are in most of the visible reviews; none while there are few
 * reviews. They are counted again when the result is older than an hour. Other requests are served between two steps.
 */
export function createCommonStems(database: Database): () => Promise<ReadonlySet<string>> {
  let counted: Promise<ReadonlySet<string>> | undefined;
  let countedAt = 0;

  async function count(): Promise<ReadonlySet<string>> {
    const counts = new Map<string, number>();
    let reviews = 0;
    let before: number | undefined;
    const steps = new Steps(STEP_CHARACTERS);
    do {
      const rows = await readReviewsBelow(database.read, before, BATCH_SIZE);
      for (const { review } of rows) {
        for (const stem of stemsOf(review).keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
        if (steps.add(review.length)) await setImmediate();
      }
      reviews += rows.length;
      before = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.id;
      await setImmediate();
    } while (before !== undefined && reviews < COUNTED_MAX);
    if (reviews < REVIEWS_MIN) return new Set();
    const commonest = [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
    return new Set(commonest.slice(0, COMMON_MAX).map(([stem]) => stem));
  }

  return () => {
    if (counted && performance.now() - countedAt < AGE_MAX_MS) return counted;
    countedAt = performance.now();
    counted = count();
    counted.catch(() => {
      counted = undefined;
    });
    return counted;
  };
}
