import { callAddress } from '../../src/contract/call.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { leaderboardCall } from '../../src/contract/leaderboard.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { send } from '../http.ts';
import type { Reviewer, Target } from '../ledger.ts';
import { type OpenPlace, onEachEngine } from '../places.ts';
import { populate } from '../population.ts';
import { count, type Finding, type Promised, randomBetween } from '../promise.ts';
import { type Fault, type Server, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

const STEPS = 100_000;
const CONTROL_STEPS = 2_000;
/** One in five steps writes. */
const WRITE_EVERY = 5;
/** After one in ten writes the other process is asked until it shows the change. */
const LOOK_ELSEWHERE_EVERY = 10;
const ELSEWHERE_WITHIN_MS = 1_000;
const GIVE_UP_AFTER_MS = 5_000;
const TARGETS_A_LANE = 2;
/** The authors of each entry: so few that most writes correct or delete a review that is there. */
const AUTHORS = 20;

/** Several products on one database. */
interface Products {
  /** Writes and reads. */
  readonly cached: Server;
  /** Only reads, and caches as well. */
  readonly other: Server | undefined;
  /** Caches nothing. */
  readonly oracle: Server;
}

interface Tally {
  writes: number;
  reads: number;
  /** Reads answered with a 304. */
  unchanged: number;
  stale: number;
  elsewhere: number;
  slowestElsewhereMs: number;
}

const pick = <T>(values: readonly T[]): T => values[randomBetween(0, values.length - 1)] as T;

/** The addresses that show the writes of a lane: those of one category, to which nobody else writes. */
function addressesOf(targets: readonly Target[]): string[] {
  return targets.flatMap(({ category, id }) => {
    const { list, averageRating, totalReviews } = reviewCalls(category);
    const ofEntry = [list, averageRating, totalReviews].map((call) => callAddress(call, { params: { id } }));
    const first = `${ofEntry[0]}?limit=3`;
    return [...ofEntry, first, `/auth/${category.calls.details}/${id}`, leaderboardCall(category).path];
  });
}

/** Posts a review, or corrects or deletes the one that exists. @throws when it is refused */
async function write(url: string, target: Target, author: Reviewer, written: Map<string, number>): Promise<void> {
  const { post, update, remove } = reviewCalls(target.category);
  const { token } = author;
  const key = `${target.id} ${author.userId}`;
  const id = written.get(key);
  const fields = { rating: randomBetween(1, 10) / 2, review: `Written at ${process.hrtime.bigint()}` };
  if (id === undefined) {
    const answer = await send(url, post, { token, body: { ...fields, [target.category.itemKey]: { id: target.id } } });
    if (answer.status !== 201) throw new Error(`A post was answered ${answer.status}: ${answer.text}`);
    written.set(key, answer.body.id);
    return;
  }
  const isDeleted = randomBetween(0, 2) === 0;
  const answer = await (isDeleted
    ? send(url, remove, { token, params: { id } })
    : send(url, update, { token, body: { ...fields, id } }));
  if (answer.status >= 300) throw new Error(`A write was answered ${answer.status}: ${answer.text}`);
  if (isDeleted) written.delete(key);
}

const read = async (url: string, address: string) => (await fetch(url + address)).text();

/** A client with addresses to which nobody else writes, so that each answer has one right text. */
function createLane(products: Products, targets: readonly Target[], authors: readonly Reviewer[], tally: Tally) {
  const { cached, other, oracle } = products;
  const addresses = addressesOf(targets);
  const written = new Map<string, number>();
  const seen = new Map<string, { etag: string; text: string }>();

  async function readLikeBrowsers(address: string): Promise<string> {
    const before = randomBetween(0, 1) === 0 ? seen.get(address) : undefined;
    const answer = await fetch(cached.url + address, { headers: before ? { 'If-None-Match': before.etag } : {} });
    const text = await answer.text();
    if (answer.status === 304 && before) {
      tally.unchanged += 1;
      return before.text;
    }
    seen.set(address, { text, etag: answer.headers.get('etag') ?? '' });
    return text;
  }

  async function lookElsewhere(address: string): Promise<void> {
    if (!other) return;
    const right = await read(oracle.url, address);
    const isSeen = async () => (await read(other.url, address)) === right;
    const seenAfter = await timeUntil(isSeen, GIVE_UP_AFTER_MS, 1);
    tally.elsewhere += 1;
    tally.slowestElsewhereMs = Math.max(tally.slowestElsewhereMs, seenAfter);
  }

  return {
    async step(): Promise<void> {
      if (randomBetween(1, WRITE_EVERY) === 1) {
        // Reads in flight see the data before the write or after it. What they saw before it must not be cached.
        const meanwhile = [cached, other].map((server) => server && read(server.url, pick(addresses)));
        await Promise.all([write(cached.url, pick(targets), pick(authors), written), ...meanwhile]);
        tally.writes += 1;
        if (tally.writes % LOOK_ELSEWHERE_EVERY === 0) await lookElsewhere(pick(addresses));
        return;
      }
      const address = pick(addresses);
      const [text, right] = await Promise.all([readLikeBrowsers(address), read(oracle.url, address)]);
      tally.reads += 1;
      // On SQLite the oracle may read the commit of another process an iteration late, and is asked again.
      if (text !== right && text !== (await read(oracle.url, address))) tally.stale += 1;
    },
  };
}

async function compare(products: Products, population: Awaited<ReturnType<typeof populate>>, steps: number) {
  const tally: Tally = { writes: 0, reads: 0, unchanged: 0, stale: 0, elsewhere: 0, slowestElsewhereMs: 0 };
  const authors = population.reviewers.slice(0, AUTHORS);
  let left = steps;
  const lanes = CATEGORIES.map(async (category) => {
    const targets = population.targets.filter((target) => target.category === category);
    const { step } = createLane(products, targets, authors, tally);
    while (left-- > 0) await step();
  });
  await Promise.all(lanes);
  return tally;
}

async function tryOn(open: OpenPlace, steps: number, fault?: Fault): Promise<Tally> {
  using place = await open();
  const supplies = { targets: TARGETS_A_LANE * CATEGORIES.length, accounts: 1 };
  const population = await populate(place.address, supplies);
  const start = (env: Record<string, string> = {}) =>
    startServer({ env: { ...place.env, LOG_LEVEL: 'error', ...env }, fault });
  const products = {
    cached: await start(),
    other: place.env.DATABASE_URL ? await start() : undefined,
    oracle: await start({ CACHE_MB: '0' }),
  };
  const tally = await compare(products, population, steps);
  await Promise.all(Object.values(products).map((server) => server?.kill()));
  return tally;
}

function describe({ writes, reads, unchanged, stale, elsewhere, slowestElsewhereMs }: Tally): string {
  const near = `${count(writes, 'writes')}, ${count(reads, 'reads')} (${count(unchanged, 'not modified')}), ${stale} stale`;
  return elsewhere === 0
    ? near
    : `${near}; ${count(elsewhere, 'writes')} looked for in the other process, seen after at most ${slowestElsewhereMs.toFixed(0)} ms`;
}

export const cacheTruth: Promised = {
  id: 'R14',
  promise: 'a cached response is never stale',
  attempt: ({ rounds }): Promise<Finding[]> =>
    onEachEngine(async (on, open) => {
      const tally = await tryOn(open, rounds(STEPS));
      const control = await tryOn(open, Math.min(rounds(STEPS), CONTROL_STEPS), 'forgets-to-invalidate');
      const elsewhere = on === 'PostgreSQL' ? `, in another process within ${ELSEWHERE_WITHIN_MS / 1000} s` : '';
      return {
        on,
        promised: `0 stale in ${STEPS.toLocaleString('en')} interleaved reads and writes, by an oracle without a cache${elsewhere}`,
        measured: describe(tally),
        isKept: tally.stale === 0 && tally.slowestElsewhereMs <= ELSEWHERE_WITHIN_MS,
        control: `a post that invalidates nothing: ${describe(control)}`,
        isControlSeen: control.stale > 0,
      };
    }),
};
