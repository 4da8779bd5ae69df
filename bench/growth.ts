import { openStore, type Store } from './data.ts';
import type { LoadMaker } from './load.ts';
import { checkReading, compare, type Result, WARM_UP_SECONDS } from './measure.ts';
import type { Options } from './options.ts';
import { startProduct } from './servers.ts';
import { readSubjects } from './subjects.ts';
import { GOALS, type Reading, readings, UNCACHED } from './workloads.ts';

interface Growth {
  options: Options;
  store: Store;
  /** The reads on the data before they grew. */
  all: readonly Reading[];
  loadMaker: LoadMaker;
  isWanted(name: string): boolean;
  say(line: string): void;
}

/** Measures each read, made anew each time, on the grown data against the same read on the data before. */
export async function compareGrown({ options, store, all, loadMaker, isWanted, say }: Growth): Promise<Result[]> {
  const { grown, seconds } = options;
  const results: Result[] = [];
  const grownStore = await openStore(options, grown);
  const grownReadings = readings(await readSubjects(grownStore), options);
  const small = await startProduct(store, options, UNCACHED);
  const large = await startProduct(grownStore, options, UNCACHED);
  for (const [index, reading] of all.entries()) {
    const onGrown = grownReadings[index];
    if (!onGrown || reading.isRevalidated || !isWanted(reading.name)) continue;
    await checkReading(reading, small.origin);
    await checkReading(onGrown, large.origin);
    await loadMaker.burst(small, reading.load, WARM_UP_SECONDS);
    await loadMaker.burst(large, onGrown.load, WARM_UP_SECONDS);
    const round = await compare(
      () => loadMaker.burst(large, onGrown.load, seconds),
      () => loadMaker.burst(small, reading.load, seconds),
    );
    const name = `${reading.name} grown`;
    const what = `${onGrown.what}, of ${grown.toLocaleString('en')} reviews, cache off; the limit is the same before`;
    results.push({ ...round, name, what, goal: GOALS.grown });
    say(`${name}: share ${round.share.toFixed(2)}`);
  }
  await Promise.all([small.stop(), large.stop()]);
  await grownStore.remove();
  return results;
}
