/** Numbers that look random and are the same for the same seed: sfc32, 15 lines instead of a dependency. */
export interface Random {
  /** From 0 up to but without `end`. */
  below(end: number): number;
  /** Around the mean, nearly normally distributed. */
  around(mean: number, deviation: number): number;
  pick<T>(choices: readonly T[]): T;
  /** Puts a list into an order of chance, in place. */
  shuffle(list: Uint32Array): void;
}

/** Standard deviation of the sum of three numbers that are even between 0 and 1. */
const SUM_DEVIATION = 0.5;

export function createRandom(seed: number): Random {
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
  // Seeds that are close together give numbers that are not, after some rounds.
  for (let round = 0; round < 16; round += 1) next();

  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    around: (mean, deviation) => mean + ((next() + next() + next() - 1.5) / SUM_DEVIATION) * deviation,
    // Every caller's list has something in it.
    pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
    shuffle(list) {
      for (let last = list.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        const kept = list[last] as number;
        list[last] = list[other] as number;
        list[other] = kept;
      }
    },
  };
}
