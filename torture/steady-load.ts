import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { type AddressParts, type Call, callAddress } from '../src/contract/call.ts';
import { reviewCalls } from '../src/contract/reviews.ts';
import { getSchool } from '../src/contract/schools.ts';
import { reviewPost } from './http.ts';
import { createLedger, type Ledger, type PostedReview, recordReview } from './ledger.ts';
import { pairsOf, REVIEWERS, takeNext } from './population.ts';
import { everySecond } from './waiting.ts';
import type { WholeSite } from './whole-site.ts';

export const POSTS_PER_SECOND = 20;
export const READS_PER_SECOND = 40;
/** A list may lack what another process has acknowledged less than this before. */
const SEEN_WITHIN_MS = 1_000;
/** How many of the latest entries are read. */
const ENTRIES_READ = 3;
/** The status of a request without an answer: its connection was refused or broken. */
const BROKEN = 0;

/** One request, when it was answered or broken. */
interface Sample {
  readonly what: 'post' | 'read';
  readonly at: number;
  readonly ms: number;
  readonly status: number;
  /** A cached response that says that it may be stale. */
  readonly isMarked: boolean;
}

export interface Load {
  readonly ledger: Ledger;
  readonly samples: readonly Sample[];
  /** Answers that no visitor should get. */
  readonly faults: readonly string[];
  /** Ends it once everything in flight is answered. */
  end(): Promise<void>;
}

export const RATE = `${POSTS_PER_SECOND} posts and ${READS_PER_SECOND} reads a second`;

/** Posts and reads through nginx at a steady rate, however long the answers take, and compares lists with the ledger. */
export function startLoad({ nginx, population }: Pick<WholeSite, 'nginx' | 'population'>): Load {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: nginx.name });
  const ledger = createLedger();
  const samples: Sample[] = [];
  const faults: string[] = [];
  const acknowledgedAt = new Map<PostedReview, number>();
  const pairs = pairsOf(population);
  let reads = 0;

  async function send(called: Call, { token, body, ...parts }: AddressParts & { token?: string; body?: object }) {
    const headers = {
      Host: nginx.name,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const path = callAddress(called, parts);
    const asking = request({ host: '127.0.0.1', port: nginx.tls, method: called.method, path, headers, agent });
    asking.end(body && JSON.stringify(body));
    try {
      const [response] = await once(asking, 'response');
      const { statusCode: status = BROKEN, headers: answered } = response;
      return { status, text: await text(response), isMarked: String(answered.warning).startsWith('110') };
    } catch {
      return { status: BROKEN, text: '', isMarked: false };
    }
  }

  /** @returns the answer if it is a success */
  async function sendAndRecord(what: Sample['what'], expected: number, ...asked: Parameters<typeof send>) {
    const began = performance.now();
    const { status, text, isMarked } = await send(...asked);
    const at = performance.now();
    samples.push({ what, at, ms: at - began, status, isMarked });
    if (status === expected) return { body: JSON.parse(text), isMarked };
    if (status !== BROKEN && status !== 503) faults.push(`a ${what} was answered ${status}: ${text.slice(0, 100)}`);
  }

  async function post(): Promise<void> {
    const pair = takeNext(pairs);
    const review: PostedReview = { ...pair, text: `Review ${performance.now()}`, rating: 4, outcome: 'unknown' };
    recordReview(ledger, review);
    const written = { username: pair.author.username, rating: 4, review: review.text };
    const answer = await sendAndRecord('post', 201, ...reviewPost(pair, written));
    if (!answer) return;
    review.outcome = 'acknowledged';
    review.id = answer.body.id;
    ledger.acknowledged += 1;
    acknowledgedAt.set(review, performance.now());
  }

  async function readList(): Promise<void> {
    const [target, reviews = new Set<PostedReview>()] = [...ledger.reviews].at(-1 - (reads % ENTRIES_READ)) ?? [];
    if (!target) return;
    const before = performance.now() - SEEN_WITHIN_MS;
    const due = [...reviews].filter((review) => (acknowledgedAt.get(review) ?? Number.POSITIVE_INFINITY) < before);
    const query = { limit: REVIEWERS };
    const answer = await sendAndRecord('read', 200, reviewCalls(target.category).list, {
      params: { id: target.id },
      query,
    });
    if (!answer) return;
    const listed = new Set(answer.body.map(({ review }: { review: string }) => review));
    const missing = due.filter(({ text }) => !listed.has(text)).length;
    if (missing > 0 && !answer.isMarked) faults.push(`a list lacked ${missing} reviews, without saying so`);
    const written = new Set([...reviews].map(({ text }) => text));
    if ([...listed].some((text) => !written.has(String(text)))) faults.push('a list had a review that nobody wrote');
  }

  async function readOwn(): Promise<void> {
    const review = [...acknowledgedAt.keys()].at(-1);
    if (!review) return;
    const { target, author, text } = review;
    const parts = { params: { id: target.id }, token: author.token };
    const answer = await sendAndRecord('read', 200, reviewCalls(target.category).mine, parts);
    if (answer && answer.body?.review !== text) faults.push('an author did not see their own review');
  }

  async function read(): Promise<void> {
    reads += 1;
    if (reads % 2 === 0) return readList();
    if (reads % 4 === 1) return readOwn();
    await sendAndRecord('read', 200, getSchool, { params: { id: 1 } });
  }

  const note = (act: () => Promise<void>) => () => act().catch((error: Error) => void faults.push(error.message));
  const end = everySecond([POSTS_PER_SECOND, note(post)], [READS_PER_SECOND, note(read)]);
  return {
    ledger,
    samples,
    faults,
    async end() {
      await end();
      agent.destroy();
    },
  };
}

/** What users saw of one kind of request between two times. */
export interface RequestSummary {
  readonly requests: number;
  /** The longest time without a success. */
  readonly gapMs: number;
  readonly slowestMs: number;
  readonly refused: number;
  readonly broken: number;
  readonly marked: number;
}

export function summarize({ samples }: Load, what: Sample['what'], from: number, to: number): RequestSummary {
  const within = samples.filter((sample) => sample.what === what && sample.at >= from && sample.at < to);
  const isSuccess = ({ status }: Sample) => status === 200 || status === 201;
  const times = [from, ...within.filter(isSuccess).map(({ at }) => at), to].sort((one, other) => one - other);
  return {
    requests: within.length,
    gapMs: Math.max(...times.map((time, index) => time - (times[index - 1] ?? time))),
    slowestMs: Math.max(0, ...within.map(({ ms }) => ms)),
    refused: within.filter(({ status }) => status === 503).length,
    broken: within.filter(({ status }) => status === BROKEN).length,
    marked: within.filter(({ isMarked }) => isMarked).length,
  };
}
