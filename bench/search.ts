import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { callAddress } from '../src/contract/call.ts';
import { listSchools } from '../src/contract/schools.ts';
import { searchSchools } from '../src/contract/search.ts';
import { openCatalogueStore, openCopiesStore, type Store } from './data.ts';
import type { IndexFigures } from './index-cost.ts';
import {
  describeLoad,
  LATENCY_HEAD,
  type Latency,
  latencyCells,
  latencyOf,
  openClient,
  requireStatus,
} from './latency.ts';
import { createLoadMaker } from './load.ts';
import { ask, measureReading, startLimit } from './measure.ts';
import type { Options } from './options.ts';
import { makeSearchTexts } from './search-texts.ts';
import { type Section, table, verdict, whole, writeSection } from './sections.ts';
import { type RunningServer, startProduct } from './servers.ts';
import { KEY_MAX_MS, measureTyping } from './typing.ts';
import { SEARCHES } from './workloads.ts';

/** Copies of the catalogue: about 100,000 schools. */
const COPIES = 10;
const GOALS = { p99: 10, cachedShare: 0.9, megabytes: 60, costliest: 5 };
const run = promisify(execFile);

/** Asks for one text after the other, over one connection. */
async function timeSearches({ origin }: RunningServer, texts: readonly string[]): Promise<Latency> {
  const client = openClient(origin);
  const times: number[] = [];
  for (const q of texts) {
    const timed = await client.ask({ address: callAddress(searchSchools, { query: { q } }) });
    times.push(requireStatus(200, timed).milliseconds);
  }
  client.close();
  return latencyOf(times);
}

/** Times searches while four others read a cached list, each again and again. */
async function timeWhileServing(server: RunningServer, texts: readonly string[]): Promise<Latency> {
  const readers = openClient(server.origin);
  const address = callAddress(listSchools, { query: { prefix: 'uni', limit: 20 } });
  let isDone = false;
  const reading = Array.from({ length: 4 }, async () => {
    while (!isDone) await readers.ask({ address });
  });
  const latency = await timeSearches(server, texts);
  isDone = true;
  await Promise.all(reading);
  readers.close();
  return latency;
}

/** What the index costs in a process of its own. */
async function measureIndex(store: Store): Promise<IndexFigures> {
  const script = path.join(import.meta.dirname, 'index-cost.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', script], { env: { ...process.env, ...store.env } });
  return JSON.parse(stdout);
}

const HEAD = ['searches, one after the other', ...LATENCY_HEAD];
const INDEX_HEAD = ['schools', 'memory MB', 'read in s', 'longest step ms', 'again', 'a search: p50 ms', 'p99 ms'];

/** Measures the search of schools: uncached and cached, what its index costs, and how the page answers keys. */
export async function measureSearch(options: Options, say: (line: string) => void): Promise<Section> {
  const store = await openCatalogueStore();
  const server = await startProduct(store, options);
  const texts = await makeSearchTexts();
  const warm = texts.slice(0, 200);
  const timedTexts = texts.slice(200);
  const limit = await startLimit(
    new Map([['/limit', await ask(server.origin, callAddress(searchSchools, { query: { q: 'university' } }))]]),
  );
  await timeSearches(limit, warm);
  await timeSearches(server, warm);
  const ofLimit = await timeWhileServing(limit, timedTexts);
  const uncached = await timeWhileServing(server, timedTexts);
  await limit.stop();
  const load = describeLoad();
  const { p99 } = uncached;
  say(`uncached: p99 ${p99.toFixed(1)} ms, of the limit ${ofLimit.p99.toFixed(1)} ms`);

  const reading = {
    name: 'cached',
    what: 'search of schools',
    load: { paths: SEARCHES.map((text) => callAddress(searchSchools, { query: { q: text } })) },
    findFault: (body: string) => (JSON.parse(body).total > 0 ? undefined : 'something was expected'),
  };
  const cached = await measureReading(createLoadMaker([], []), reading, server, { seconds: options.seconds });
  say(`cached: share ${cached.share.toFixed(2)}`);
  const typing = await measureTyping(server.origin);
  const { p50: ordinary, worst: slowest } = latencyOf(typing.keyTasks);
  say(`keys: worst ${slowest.toFixed(1)} ms, longest task ${typing.longest.toFixed(1)} ms`);
  await server.stop();

  const index = await measureIndex(store);
  await store.remove();
  const many = await openCopiesStore(COPIES);
  const manyIndex = await measureIndex(many);
  await many.remove();

  return writeSection(
    'Search of schools',
    [`The catalogue's schools on SQLite, one process; ${load}`],
    [
      ...table(HEAD, [
        [`uncached, ${timedTexts.length} texts, while four connections read cached lists`, ...latencyCells(uncached)],
        ['bare node:http with one answer, the same load', ...latencyCells(ofLimit)],
      ]),
      '',
      `- Made anew over HTTP: p99 ${p99.toFixed(1)} ms (goal: ${GOALS.p99} ms, ${verdict(p99 <= GOALS.p99)}); processor time of`,
      `  a search and its JSON: p50 ${index.p50.toFixed(2)} ms, p99 ${index.p99.toFixed(2)} ms`,
      `- Texts of 200 characters that take the most work, with limit=100: ${index.costliest.toFixed(2)} ms of processor time, median`,
      `  of twenty (goal: ${GOALS.costliest} ms, ${verdict(index.costliest <= GOALS.costliest)}); the names closest to such a text`,
      `  ${index.costliestName.toFixed(2)} ms (the same goal, ${verdict(index.costliestName <= GOALS.costliest)})`,
      `- Cached: ${whole(cached.product.requestsPerSecond)} requests/s, share of bare node:http`,
      `  ${cached.share.toFixed(2)} (goal: ${GOALS.cachedShare}, ${verdict(cached.share >= GOALS.cachedShare)}); processor`,
      `  time ${cached.product.processorTime.toFixed(1)} µs, of the bare server ${cached.limit.processorTime.toFixed(1)} µs`,
      `- ${typing.keys} keys typed into /allschools at 4 times CPU slowdown: a task that handles a key takes`,
      `  ${ordinary.toFixed(1)} ms, at most ${slowest.toFixed(1)} ms of processor time (goal: ${KEY_MAX_MS} ms, ${verdict(slowest <= KEY_MAX_MS)});`,
      `  the longest task of the page meanwhile, which draws what is found or all schools again, ${typing.longest.toFixed(1)} ms`,
      '',
      ...table(
        INDEX_HEAD,
        [index, manyIndex].map(({ schools, megabytes, seconds, longest, longestAgain, p50, p99 }) => [
          whole(schools),
          megabytes.toFixed(1),
          seconds.toFixed(1),
          longest.toFixed(1),
          longestAgain.toFixed(1),
          p50.toFixed(2),
          p99.toFixed(2),
        ]),
      ),
      '',
      `Memory of the catalogue's index: goal ${GOALS.megabytes} MB, ${verdict(index.megabytes <= GOALS.megabytes)}. A step is what runs between two turns of the`,
      'event loop: other requests wait no longer. Again: all schools are read once more because it is unknown which ones',
      'changed. Steps and searches are in processor time, so that a busy machine does not count.',
    ],
  );
}
