// node --expose-gc bench/index-cost.ts: the cost of the search index over the database of the environment.

import { foldSearch } from '../src/contract/folding.ts';
import { createRandom } from '../src/server/data/generated/random.ts';
import { openDatabase } from '../src/server/database/open.ts';
import { createSchoolSearch } from '../src/server/schools/search/school-search.ts';
import { readSettings } from '../src/server/settings/settings.ts';
import { COSTLY_SEARCHES } from '../tests/support/costly-searches.ts';
import { latencyOf } from './latency.ts';
import { makeSearchTexts } from './search-texts.ts';

export interface IndexFigures {
  readonly schools: number;
  readonly megabytes: number;
  /** Seconds until the first search, which waits for the index, is answered. */
  readonly seconds: number;
  /** Milliseconds of processor time between two iterations of the event loop, at most. */
  readonly longest: number;
  /** The same when all schools are read again. */
  readonly longestAgain: number;
  /** Milliseconds of processor time for a search and its JSON. */
  readonly p50: number;
  readonly p99: number;
  /** The same for texts that take the most work: the highest of the medians of twenty texts of each kind. */
  readonly costliest: number;
  /** The same for finding the names closest to such a text, as is done for each proposal on the admins' list. */
  readonly costliestName: number;
}

const WARM_UP_SEARCHES = 200;

const collect = globalThis.gc;
if (!collect) throw new Error('Start it with --expose-gc.');

function usedMegabytes(): number {
  collect?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

/** The most processor time between two iterations of the event loop while `work` is done. */
async function longestStepOf(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const measuring = (async () => {
    let before = process.cpuUsage();
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      const { user, system } = process.cpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
      before = process.cpuUsage();
    }
  })();
  await work;
  isDone = true;
  await measuring;
  return longest;
}

async function timeEach(texts: readonly string[], find: (text: string) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (const text of texts) {
    const start = process.cpuUsage();
    JSON.stringify(await find(text));
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return times;
}

async function timeCostliest(find: (text: string) => Promise<unknown>): Promise<number> {
  const random = createRandom(21);
  const medians: number[] = [];
  for (const makeText of Object.values(COSTLY_SEARCHES)) {
    const texts = Array.from({ length: 20 }, () => foldSearch(makeText(random)));
    medians.push(latencyOf(await timeEach(texts, find)).p50);
  }
  return Math.max(...medians);
}

const database = await openDatabase(readSettings().database);
const index = createSchoolSearch(database, () => true);
const search = (text: string) => index.search({ text, country: undefined, minRating: undefined, limit: 20, offset: 0 });
const before = usedMegabytes();
const began = performance.now();
const longest = await longestStepOf(search('zz'));
const seconds = (performance.now() - began) / 1000;
const megabytes = usedMegabytes() - before;
for (let count = 0; count < 2; count += 1) {
  index.markAllChanged();
  await search('zz');
}
index.markAllChanged();
const longestAgain = await longestStepOf(search('zz'));
const { total: schools } = await index.search({
  ...{ text: undefined, country: undefined, minRating: undefined, limit: 1, offset: 0 },
});
const texts = await makeSearchTexts();
await timeEach(texts.slice(0, WARM_UP_SEARCHES), search);
const { p50, p99 } = latencyOf(await timeEach(texts.slice(WARM_UP_SEARCHES), search));
const costliest = await timeCostliest((text) =>
  index.search({ text, country: undefined, minRating: undefined, limit: 100, offset: 0 }),
);
const costliestName = await timeCostliest((text) => index.findClosest(text, ''));
const figures: IndexFigures = {
  ...{ schools, megabytes, seconds, longest, longestAgain, p50, p99 },
  ...{ costliest, costliestName },
};
process.stdout.write(JSON.stringify(figures));
await database.close();
