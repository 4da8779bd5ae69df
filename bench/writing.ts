import { callAddress } from '../src/contract/call.ts';
import { leaderboardCall } from '../src/contract/leaderboard.ts';
import { reviewCalls } from '../src/contract/reviews.ts';
import type { Store } from './data.ts';
import { type Latency, latencyOf } from './latency.ts';
import type { Burst, Load, LoadMaker } from './load.ts';
import { ask, compare, medianBy, type Result, ROUNDS, startLimit, WARM_UP_SECONDS } from './measure.ts';
import type { Options } from './options.ts';
import type { RunningServer } from './servers.ts';
import { countReviews, type Entry, type Subjects } from './subjects.ts';
import { type Answer, GOALS, readsOfAllEntries } from './workloads.ts';

/** What is needed to measure writing. */
export interface Writing {
  server: RunningServer;
  store: Store;
  subjects: Subjects;
  loadMaker: LoadMaker;
  seconds: number;
  engine: Options['engine'];
}

const POSTS_ONLY: Load = { paths: [], postEvery: 1 };
const POST_EVERY = 10;
const WRITES_BEFORE_ANSWERS = 30;

const TEXT = 'A review posted by itself, to see that it is stored before it is answered. '.repeat(4);

/** Posts one review. @throws when it is not answered as the contract says or not read back at once */
async function postOne({ server, subjects }: Writing, { id, category }: Entry): Promise<Answer> {
  const { token, userId, username } = subjects.tester;
  const calls = reviewCalls(category);
  const response = await fetch(server.origin + calls.post.path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ [category.itemKey]: { id }, userId, username, rating: 4.5, review: TEXT }),
  });
  const body = Buffer.from(await response.arrayBuffer());
  const text = body.toString();
  if (response.status !== 201) throw new Error(`A review was answered ${response.status}: ${text}`);
  const posted = JSON.parse(text);
  const newest = await ask(server.origin, callAddress(calls.list, { params: { id }, query: { limit: 1 } }));
  const [read] = JSON.parse(newest.body.toString());
  if (posted.review !== TEXT.trim() || read?.id !== posted.id) throw new Error(`A review was not read back: ${text}`);
  return { status: 201, type: response.headers.get('content-type') ?? '', etag: null, body };
}

/** Runs bursts that post. @throws when fewer reviews are stored than were answered */
async function checkStored<T>({ store, server, loadMaker }: Writing, run: (burst: LoadMaker['burst']) => Promise<T>) {
  const before = await countReviews(store);
  let answered = 0;
  const result = await run(async (target, load, seconds) => {
    const burst = await loadMaker.burst(target, load, seconds);
    if (target === server && load.postEvery) answered += Math.floor(burst.requests / load.postEvery);
    return burst;
  });
  const stored = (await countReviews(store)) - before;
  if (stored < answered) throw new Error(`${answered} reviews were answered, ${stored} are stored.`);
  return result;
}

/** W5: reviews posted by many users to many entries, each answered once it is durable. */
export async function measurePosts(writing: Writing): Promise<Result> {
  const { server, subjects, seconds } = writing;
  const entry = subjects.entries[0];
  if (!entry) throw new Error('There is no entry to post to.');
  const bare = await startLimit(new Map([['', await postOne(writing, entry)]]));
  try {
    return await checkStored(writing, async (burst) => {
      await burst(server, POSTS_ONLY, WARM_UP_SECONDS);
      await burst(bare, POSTS_ONLY, WARM_UP_SECONDS);
      const round = await compare(
        () => burst(server, POSTS_ONLY, seconds),
        () => burst(bare, POSTS_ONLY, seconds),
      );
      // A write to PostgreSQL goes to another server and back. It has no share: it does not depend on one process.
      const goal = writing.engine === 'sqlite' ? { goal: GOALS.post } : { requestsMin: GOALS.postsOnPostgres };
      return { ...round, name: 'W5', what: 'post a review, durable', ...goal, p99Max: GOALS.postP99 };
    });
  } finally {
    await bare.stop();
  }
}

/** The limit of reads and posts at once: the harmonic mean of their speeds, weighted by their shares. */
function harmonicMean(reads: Burst, posts: Burst): Burst {
  const postShare = 1 / POST_EVERY;
  const mean = (key: 'p50' | 'p99' | 'processorTime') => (1 - postShare) * reads[key] + postShare * posts[key];
  return {
    requestsPerSecond: 1 / ((1 - postShare) / reads.requestsPerSecond + postShare / posts.requestsPerSecond),
    p50: mean('p50'),
    p99: mean('p99'),
    processorTime: mean('processorTime'),
    requests: reads.requests + posts.requests,
  };
}

/** 90 % reads over all entries and 10 % posts, against the same reads and the posts alone. */
export async function measureMixed(writing: Writing): Promise<Result> {
  const { server, subjects, seconds } = writing;
  const paths = readsOfAllEntries(subjects);
  return checkStored(writing, async (burst) => {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const reads = await burst(server, { paths }, seconds);
      const product = await burst(server, { paths, postEvery: POST_EVERY }, seconds);
      const posts = await burst(server, POSTS_ONLY, seconds);
      const limit = harmonicMean(reads, posts);
      rounds.push({ product, limit, share: product.requestsPerSecond / limit.requestsPerSecond });
    }
    const what = `${100 - 100 / POST_EVERY} % reads over all entries, the rest posts; the limit is the mean of the two`;
    return { ...medianBy(rounds, ({ share }) => share), name: 'mixed', what, goal: GOALS.mixed };
  });
}

/** Milliseconds from asking for a leaderboard to its answer, each time after a write that invalidated it. */
export async function measureFirstAnswers(writing: Writing): Promise<Latency> {
  const { server, subjects } = writing;
  const [{ category } = subjects.ordinary] = subjects.entries;
  const entries = subjects.entries.filter((entry) => entry.category === category).slice(1, WRITES_BEFORE_ANSWERS + 1);
  const times: number[] = [];
  for (const entry of entries) {
    await postOne(writing, entry);
    const began = performance.now();
    const { status } = await ask(server.origin, leaderboardCall(category).path);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(`The leaderboard answered ${status} after a write.`);
  }
  return latencyOf(times);
}
