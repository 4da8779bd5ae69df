const read = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** How often a property is checked; undefined in `npm test`, where each test says it. */
export const FUZZ_RUNS = read(process.env.FUZZ_RUNS);

/** fast-check prints the seed of a failure; given here, it makes the same inputs. */
export const FUZZ_SEED = read(process.env.FUZZ_SEED);
