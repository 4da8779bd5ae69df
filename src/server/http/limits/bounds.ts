import { availableParallelism } from 'node:os';

const KB = 1024;
const MB = 1024 * KB;
const SECOND = 1_000;

/** The maximum number, duration or size of something. Limits on how often something may happen are in `limits.ts`. */
export interface Bound {
  readonly max: number;
  readonly unit:
    | 'connections'
    | 'requests'
    | 'schools'
    | 'tries'
    | 'sessions'
    | 'levels'
    | 'pieces'
    | 'addresses'
    | 'bytes'
    | 'ms';
  /** The bound applies to each of these separately. */
  readonly by: 'process' | 'address' | 'connection' | 'request' | 'user' | 'entry' | 'passcode';
  readonly why: string;
}

/**
 * Every bound on what a stranger can make the server store, do or wait for. They are counted in the memory of each
 * process.
 */
export const BOUNDS = {
  connections: {
    max: 5_000,
    unit: 'connections',
    by: 'process',
    why: 'more are refused, before they take the memory and descriptors of everyone',
  },
  connectionsOfOne: {
    max: 1_000,
    unit: 'connections',
    by: 'address',
    why: 'a campus behind one address has room, and one machine cannot keep all others out',
  },
  headersWithin: {
    max: 5 * SECOND,
    unit: 'ms',
    by: 'request',
    why: 'the default leaves a client that drips its socket for more than 40 s',
  },
  requestWithin: {
    max: 10 * SECOND,
    unit: 'ms',
    by: 'request',
    why: 'a body that drips holds a socket as well',
  },
  silence: {
    max: 30 * SECOND,
    unit: 'ms',
    by: 'connection',
    why: 'a reader has stopped reading; longer than a model may think',
  },
  unused: {
    max: 72 * SECOND,
    unit: 'ms',
    by: 'connection',
    why: 'longer than the 60 s after which proxies commonly close one themselves',
  },
  requestsAhead: {
    max: 50,
    unit: 'requests',
    by: 'connection',
    why: 'no browser or proxy sends any before the answer to the last; each is served when the system has taken that',
  },
  unread: {
    max: 128 * MB,
    unit: 'bytes',
    by: 'process',
    why: 'of responses that clients do not read; a cached body counts once. Beyond it the slowest readers are hung up on',
  },
  readEachSecond: {
    max: KB,
    unit: 'bytes',
    by: 'connection',
    why: 'the slowest line that anybody waits on; with less a client is cut after the next bound',
  },
  readSlowlyFor: {
    max: 30 * SECOND,
    unit: 'ms',
    by: 'connection',
    why: 'a client that takes a little now and then held its response for good',
  },
  addressesCounted: {
    max: 50_000,
    unit: 'addresses',
    by: 'process',
    why: 'the requests of a minute from more than these are no campus: the oldest are forgotten',
  },
  queued: {
    max: SECOND,
    unit: 'ms',
    by: 'request',
    why: 'late answers help nobody; any machine serves a few dozen who ask for pages at once within this time',
  },
  queueLong: {
    max: 64,
    unit: 'requests',
    by: 'process',
    why: 'more in the queue are no few who wait for slow answers, but too many',
  },
  queuedInLongQueue: {
    max: 250,
    unit: 'ms',
    by: 'request',
    why: 'while the queue is long',
  },
  queuedUnderOverload: {
    max: 50,
    unit: 'ms',
    by: 'request',
    why: 'while others are refused: a long queue serves nobody more (RFC 8289, CoDel)',
  },
  hashedAtOnce: {
    max: availableParallelism(),
    unit: 'requests',
    by: 'process',
    why: 'a hash is the dearest thing a stranger can ask for: no more at once than there are cores',
  },
  hashesQueued: {
    max: 500,
    unit: 'requests',
    by: 'process',
    why: 'the last of them waits for seconds; one address cannot take the room of others',
  },
  sitemapsQueued: {
    max: 8,
    unit: 'requests',
    by: 'process',
    why: 'sitemaps of large sites are written one after another',
  },
  indexWaitedFor: {
    max: SECOND,
    unit: 'ms',
    by: 'request',
    why: 'until all schools are read after a start, a recommendation compares those that are, and says so',
  },
  modelCallsAtOnce: {
    max: 8,
    unit: 'requests',
    by: 'process',
    why: 'a slow model keeps no more waiting: the built-in recommender answers the others',
  },
  modelAnswerWithin: {
    max: 15 * SECOND,
    unit: 'ms',
    by: 'request',
    why: 'since the request arrived; nobody waits longer for a recommendation: the built-in recommender answers then',
  },
  modelFailures: {
    max: 5,
    unit: 'tries',
    by: 'process',
    why: 'in a row: then the model is not asked for half a minute, so that nobody waits 15 s in vain',
  },
  body: {
    max: 64 * KB,
    unit: 'bytes',
    by: 'request',
    why: 'several times the longest review',
  },
  hints: {
    max: MB,
    unit: 'bytes',
    by: 'request',
    why: 'the hints of recommendSchool may list many schools; they are checked and not held',
  },
  bodyDepth: {
    max: 32,
    unit: 'levels',
    by: 'request',
    why: 'no call needs more than three; a million levels stopped everybody for 0.1 s',
  },
  bodyPieces: {
    max: 256,
    unit: 'pieces',
    by: 'request',
    why: 'more must bring 64 bytes each: a piece is held with some 150 bytes beside its own',
  },
  readAfterRefusal: {
    max: 64 * KB,
    unit: 'bytes',
    by: 'request',
    why: 'a short body is read to its end, so that the connection can be used again',
  },
  discardedBytes: {
    max: 16 * MB,
    unit: 'bytes',
    by: 'connection',
    why: 'read and thrown away before a connection is cut, so that its client reads the answer',
  },
  discardedFor: {
    max: 5 * SECOND,
    unit: 'ms',
    by: 'connection',
    why: 'the same, in time',
  },
  sessions: {
    max: 20,
    unit: 'sessions',
    by: 'user',
    why: 'more than anybody has devices, and too few for one account to fill the table; the oldest ends',
  },
  savedSchools: {
    max: 100,
    unit: 'schools',
    by: 'user',
    why: 'more than anybody chooses between; each is summarised when the list is read',
  },
  marksApart: {
    max: SECOND,
    unit: 'ms',
    by: 'entry',
    why: 'helpful marks are stored together if lists or documents of the entry were read since: all are made anew',
  },
  passcodeTries: {
    max: 5,
    unit: 'tries',
    by: 'passcode',
    why: 'five of a million codes: then it is void',
  },
} as const satisfies Record<string, Bound>;
