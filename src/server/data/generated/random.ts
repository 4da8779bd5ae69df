/** Pseudo-random numbers that are the same for the same seed: sfc32, 15 lines instead of a dependency. */
export type Random = ReturnType<typeof createRandom>;

/** The standard deviation of the sum of three numbers that are uniformly distributed between 0 and 1. */
const SUM_DEVIATION = 0.5;

export function createRandom(seed: number) {
  let [a, b, c, counter] = [0x9e3779b9, seed | 0, Math.floor(seed / 2 ** 32) | 0, 1];
  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  }
  // The first numbers of similar seeds are similar, so some are skipped.
  for (let round = 0; round < 16; round += 1) next();

  /** A whole number from 0 up to but excluding `end`. */
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    /** Nearly normally distributed around the mean. */
    around: (mean: number, deviation: number) => mean + ((next() + next() + next() - 1.5) / SUM_DEVIATION) * deviation,
    // Safe: no caller passes an empty list.
    pick: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    /** Shuffles a list in place. */
    shuffle(list: Uint32Array): void {
      for (let last = list.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        const kept = list[last] as number;
        list[last] = list[other] as number;
        list[other] = kept;
      }
    },
  };
}
