import { openStore, type Store } from './data.ts';
import type { LoadMaker } from './load.ts';
import { checkReading, compare, type Result, WARM_UP_SECONDS } from './measure.ts';
import type { Options } from './options.ts';
import { whole } from './sections.ts';
import { type RunningServer, startProduct, startProducts, waitForRest } from './servers.ts';
import { readSubjects } from './subjects.ts';
import { GOALS, type Reading, readings, UNCACHED, uncached } from './workloads.ts';

export interface Comparing {
  options: Options;
  store: Store;
  /** The reads on the data of the store. */
  all: readonly Reading[];
  loadMaker: LoadMaker;
  isWanted(name: string): boolean;
  say(line: string): void;
}

/** A product, and the read as it is requested from this product. */
interface ComparedRead {
  server: RunningServer;
  reading: Reading;
}

async function compareSides({ loadMaker, options }: Comparing, compared: ComparedRead, before: ComparedRead) {
  for (const { reading, server } of [compared, before]) {
    await checkReading(reading, server.origin);
    await loadMaker.burst(server, reading.load, WARM_UP_SECONDS);
  }
  return compare(
    () => loadMaker.burst(compared.server, compared.reading.load, options.seconds),
    () => loadMaker.burst(before.server, before.reading.load, options.seconds),
  );
}

/** Measures each uncached read on the grown data against the same read on the data of the store. */
export async function compareGrown(comparing: Comparing): Promise<Result[]> {
  const { options, store, all, isWanted, say } = comparing;
  const { grown } = options;
  const results: Result[] = [];
  const grownStore = await openStore(options, grown);
  const grownReadings = readings(await readSubjects(grownStore), options);
  const small = await startProduct(store, options, UNCACHED);
  const large = await startProduct(grownStore, options, UNCACHED);
  await Promise.all([waitForRest(small), waitForRest(large)]);
  for (const [index, reading] of all.entries()) {
    const onGrown = grownReadings[index];
    if (!onGrown || reading.isRevalidated || !isWanted(reading.name)) continue;
    const round = await compareSides(comparing, { server: large, reading: onGrown }, { server: small, reading });
    const name = `${reading.name} grown`;
    const what = `${onGrown.what}, of ${whole(grown)} reviews, cache off; the limit is the same before`;
    results.push({ ...round, name, what, goal: GOALS.grown });
    say(`${name}: share ${round.share.toFixed(2)}`);
  }
  await Promise.all([small.stop(), large.stop()]);
  await grownStore.remove();
  return results;
}

/**
 * Measures each read on several processes against the same read on one. Nothing is pinned, and the load has no core of
 * its own: for responses that cost little more than the request, the load is what is measured.
 */
export async function compareScaled(comparing: Comparing): Promise<Result[]> {
  const { options, store, all, isWanted, say } = comparing;
  const { scaled } = options;
  const results: Result[] = [];
  const warm = all.filter(({ isRevalidated }) => !isRevalidated);
  for (const { list, env } of [
    { list: warm, env: {} },
    { list: uncached(warm), env: UNCACHED },
  ]) {
    const one = await startProduct(store, options, env, false);
    const several = await startProducts(scaled, store, options, env);
    await Promise.all([waitForRest(one), waitForRest(several)]);
    for (const reading of list.filter(({ name }) => isWanted(name))) {
      const round = await compareSides(comparing, { server: several, reading }, { server: one, reading });
      const what = `${reading.what}, by ${scaled} processes; the limit is one process`;
      results.push({ ...round, name: reading.name, what, goal: GOALS.scaled });
      say(`${reading.name}: ${round.share.toFixed(2)} times one process`);
    }
    await Promise.all([one.stop(), several.stop()]);
  }
  return results;
}
