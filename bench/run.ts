import { type Comparing, compareGrown, compareScaled } from './comparisons.ts';
import { openStore, type Store } from './data.ts';
import { measureInstalled } from './footprint.ts';
import { latencyOf, openClient, requireStatus } from './latency.ts';
import { createLoadMaker } from './load.ts';
import { measureReading, type Result } from './measure.ts';
import type { Options } from './options.ts';
import type { Figure } from './report.ts';
import { type RunningServer, startProduct, waitForRest } from './servers.ts';
import { readSubjects } from './subjects.ts';
import { GOALS, type Reading, readings, UNCACHED, uncached, workloadOf } from './workloads.ts';
import { measureFirstAnswers, measureMixed, measurePosts, type Writing } from './writing.ts';

const STARTS = 3;
const ASKED_ALONE = 300;

/** The number of addresses that send requests: no address reaches its limit in a burst. */
const CLIENTS = 4_000;
const LIMITED = { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' };

interface Measured {
  readonly results: readonly Result[];
  readonly figures: readonly Figure[];
}

/** Runs what the options ask for, workload by workload, and says how far it has come. */
export async function runLoad(options: Options, say: (line: string) => void): Promise<Measured> {
  const { seconds, only, isCacheOff, grown, scaled } = options;
  const results: Result[] = [];
  const figures: Figure[] = [];
  const isWanted = (name: string) => only.length === 0 || only.includes(workloadOf(name));
  async function measureIfWanted(name: string, measure: () => Promise<Result>): Promise<void> {
    if (!isWanted(name)) return;
    const result = await measure();
    results.push(result);
    say(`${name}: ${Math.round(result.product.requestsPerSecond)} requests/s, share ${result.share.toFixed(2)}`);
  }

  const store = await openStore(options);
  const subjects = await readSubjects(store);
  const loadMaker = createLoadMaker(subjects.writers, subjects.targets, options.isLimited ? CLIENTS : 0);
  const all = readings(subjects, options);
  if (grown > 0 || scaled > 0) {
    const comparing: Comparing = { options, store, all, loadMaker, isWanted, say };
    if (grown > 0) results.push(...(await compareGrown(comparing)));
    if (scaled > 0) results.push(...(await compareScaled(comparing)));
    await store.remove();
    return { results, figures };
  }
  // The first start of changed code compiles it, which leaves up to 25 MB behind that later starts do not need.
  await (await startProduct(store, options)).stop();
  const server = await startProduct(store, options, {
    ...(isCacheOff && UNCACHED),
    ...(options.isLimited && LIMITED),
  });
  await waitForRest(server);
  figures.push({ what: 'Memory at rest', value: server.memory(), unit: 'MB', max: 110 });

  if (!isCacheOff) {
    const { p99OfLimit } = GOALS;
    for (const one of all) {
      await measureIfWanted(one.name, () => measureReading(loadMaker, one, server, { seconds, p99OfLimit }));
    }
  }
  const withoutCache = uncached(all).filter(({ name }) => isWanted(name));
  if (withoutCache.length > 0 && !options.isLimited) {
    const other = await startProduct(store, options, UNCACHED);
    await waitForRest(other);
    for (const one of withoutCache) {
      await measureIfWanted(one.name, () => measureReading(loadMaker, one, other, { seconds }));
      if (one.aloneMax !== undefined) {
        const max = options.engine === 'sqlite' ? { max: one.aloneMax } : {};
        figures.push({ ...(await measureAlone(one, other)), ...max });
      }
    }
    await other.stop();
  }

  const writing: Writing = { server, store, subjects, loadMaker, seconds, engine: options.engine };
  if (isWanted('W4')) {
    const { p50, worst } = await measureFirstAnswers(writing);
    const max = GOALS.firstAnswerAfterWrite;
    figures.push({ what: 'First leaderboard after a write, median', value: p50, unit: 'ms', max });
    figures.push({ what: 'First leaderboard after a write, worst', value: worst, unit: 'ms' });
  }
  await measureIfWanted('W5', () => measurePosts(writing));
  await measureIfWanted('mixed', () => measureMixed(writing));
  figures.push({ what: 'Memory after all of it', value: server.memory(), unit: 'MB', max: 220 });
  await server.stop();

  figures.push({
    what: 'A further start to its first answer',
    value: await measureStart(store, options),
    unit: 'ms',
    max: 1_000,
  });
  figures.push({ what: 'Installed for production, Node aside', value: await measureInstalled(), unit: 'MB', max: 120 });
  await store.remove();
  return { results, figures };
}

/** The median of a reading that waits for no other request. */
async function measureAlone({ name, load }: Reading, { origin }: RunningServer): Promise<Figure> {
  const client = openClient(origin);
  const times: number[] = [];
  for (let count = 0; count < ASKED_ALONE; count += 1) {
    const address = load.paths[count % load.paths.length] ?? '';
    times.push(requireStatus(200, await client.ask({ address })).milliseconds);
  }
  client.close();
  return { what: `${name}, one request after the other, median`, value: latencyOf(times).p50, unit: 'ms' };
}

async function measureStart(store: Store, options: Options): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < STARTS; count += 1) {
    const server = await startProduct(store, options);
    times.push(server.startedIn);
    await server.stop();
  }
  return latencyOf(times).p50;
}
