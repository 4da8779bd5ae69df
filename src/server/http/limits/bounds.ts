import { availableParallelism } from 'node:os';
import { SECOND } from '../../../contract/durations.ts';

const KB = 1024;
const MB = 1024 * KB;

/** The maximum number, duration or size of something. Limits on how often something may happen are in `limits.ts`. */
export interface Bound {
  readonly max: number;
  readonly unit: string;
  /** The bound applies to each of these separately. */
  readonly by: 'process' | 'address' | 'connection' | 'request' | 'user' | 'entry' | 'passcode';
  readonly why: string;
}

/**
 * Every bound on what a stranger can make the server store, do or wait for. Those by user and passcode are counted in
 * the database, the others in the memory of each process.
 */
export const BOUNDS = {
  connections: { max: 5_000, unit: 'connections', by: 'process', why: 'more would use up memory and descriptors' },
  connectionsOfOne: { max: 1_000, unit: 'connections', by: 'address', why: 'enough for a campus, a fifth of all' },
  headersWithin: { max: 5 * SECOND, unit: 'ms', by: 'request', why: 'ends clients that send a byte now and then' },
  requestWithin: { max: 10 * SECOND, unit: 'ms', by: 'request', why: 'the same for bodies' },
  inactivity: {
    max: 30 * SECOND,
    unit: 'ms',
    by: 'connection',
    why: 'the client has gone; longer than a model may take',
  },
  keepAlive: { max: 72 * SECOND, unit: 'ms', by: 'connection', why: 'longer than proxies keep one, commonly 60 s' },
  requestsAhead: { max: 50, unit: 'requests', by: 'connection', why: 'pipelined; browsers and proxies send none' },
  unread: { max: 128 * MB, unit: 'bytes', by: 'process', why: 'unread responses; then the slowest readers are cut' },
  repeated: {
    max: 8 * MB,
    unit: 'bytes',
    by: 'process',
    why: 'responses sent again in a second; others are put together',
  },
  pendingLog: {
    max: 16 * MB,
    unit: 'bytes',
    by: 'process',
    why: 'for a slow reader or a full disk; then lines are lost',
  },
  readEachSecond: { max: KB, unit: 'bytes', by: 'connection', why: 'slower than this for the next bound is cut' },
  readSlowlyFor: { max: 30 * SECOND, unit: 'ms', by: 'connection', why: 'else slow readers hold responses for good' },
  addressesCounted: { max: 50_000, unit: 'addresses', by: 'process', why: 'more than a campus; the oldest go' },
  queued: { max: SECOND, unit: 'ms', by: 'request', why: 'a later response helps nobody; enough for a short burst' },
  longQueue: { max: 64, unit: 'requests', by: 'process', why: 'a longer queue means overload, not a few slow answers' },
  queuedInLongQueue: { max: 250, unit: 'ms', by: 'request', why: 'while the queue is longer than that' },
  queuedUnderOverload: { max: 50, unit: 'ms', by: 'request', why: 'while requests are shed (RFC 8289, CoDel)' },
  hashedAtOnce: { max: availableParallelism(), unit: 'requests', by: 'process', why: 'password hashes; one a core' },
  hashesQueued: { max: 500, unit: 'requests', by: 'process', why: 'some seconds of work; addresses take turns' },
  sitemapsQueued: { max: 8, unit: 'requests', by: 'process', why: 'sitemaps are written one at a time' },
  indexWaitedFor: { max: SECOND, unit: 'ms', by: 'request', why: 'after a start; then uses what is read so far' },
  modelCallsAtOnce: { max: 8, unit: 'requests', by: 'process', why: 'beyond it the built-in recommender answers' },
  modelAnswerWithin: { max: 15 * SECOND, unit: 'ms', by: 'request', why: 'then the built-in recommender answers' },
  modelFailures: { max: 5, unit: 'tries', by: 'process', why: 'in a row; then it is not asked for 30 s' },
  body: { max: 64 * KB, unit: 'bytes', by: 'request', why: 'several times the longest review' },
  importFile: { max: 12 * MB, unit: 'bytes', by: 'request', why: 'of an admin: a file of 5 MB, escaped as JSON' },
  recommendBody: { max: MB, unit: 'bytes', by: 'request', why: 'of recommendSchool, which may list many schools' },
  longBodies: { max: 8, unit: 'requests', by: 'process', why: 'unfinished, over 64 kB; then the oldest ends' },
  bodyDepth: { max: 32, unit: 'levels', by: 'request', why: 'no call needs more than three; slow to parse' },
  bodyPieces: { max: 256, unit: 'pieces', by: 'request', why: 'more must have 64 bytes each, as a piece costs 150' },
  readAfterRefusal: { max: 64 * KB, unit: 'bytes', by: 'request', why: 'a short body is read, to keep the connection' },
  discardedBytes: { max: 16 * MB, unit: 'bytes', by: 'connection', why: 'so that the client reads the refusal' },
  discardedFor: { max: 5 * SECOND, unit: 'ms', by: 'connection', why: 'the same, in time' },
  sessions: { max: 20, unit: 'sessions', by: 'user', why: 'more than anybody has devices; the oldest ends' },
  savedSchools: { max: 100, unit: 'schools', by: 'user', why: 'each is summarised when the list is read' },
  markInterval: { max: SECOND, unit: 'ms', by: 'entry', why: 'groups helpful marks: each group invalidates responses' },
  passcodeTries: { max: 5, unit: 'tries', by: 'passcode', why: 'of a million codes; then it is void' },
} as const satisfies Record<string, Bound>;
