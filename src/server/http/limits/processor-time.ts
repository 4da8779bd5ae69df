import { AsyncLocalStorage } from 'node:async_hooks';
import { promiseHooks } from 'node:v8';
import type { Position } from '../../database/database.ts';
import type { RateState } from './rate-headers.ts';

/** A budget to which processor time is charged. */
export interface Payer {
  charge(milliseconds: number): void;
}

/** The work for one request, with the data for the headers of its answer. */
export class Work {
  /** The processor time that it has taken so far. */
  milliseconds = 0;
  /** The position of the last change that it has committed. */
  position: Position | undefined;
  /** The rest of each limit that has counted the request so far, by its name. */
  rates: Map<string, RateState> | undefined;
  readonly #payers: Set<Payer>;

  constructor(payers: readonly Payer[]) {
    this.#payers = new Set(payers);
  }

  add(milliseconds: number): void {
    this.milliseconds += milliseconds;
    for (const payer of this.#payers) payer.charge(milliseconds);
  }

  /** Charges another budget for all of the work, including the time used already. */
  addPayer(payer: Payer): void {
    if (this.#payers.has(payer)) return;
    payer.charge(this.milliseconds);
    this.#payers.add(payer);
  }
}

/**
 * Work up to this length is charged with its elapsed time. For longer work the clock of the thread is read, which
 * leaves out the time of other processes. Reading it takes up to 0.1 ms, which is too much for short work.
 */
const SHORT_MS = 1;
/**
 * How old a reading of the thread's clock may be when a piece of work begins. Each reading takes up to 0.1 ms: one
 * every 2 ms took 6 % of the time of posts. With an older reading more time is counted, but never more than has
 * elapsed.
 */
const READING_AGE_MAX_MS = 10;

const RESOLVED = Promise.resolve();

/** A clock of the processor time of this thread, in milliseconds. */
function createThreadClock() {
  let readAt = Number.NEGATIVE_INFINITY;
  let milliseconds = 0;

  function read(now: number): void {
    // Linux brings the time of the running thread up to date only when it is asked for that of the whole process.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    milliseconds = (user + system) / 1_000;
    readAt = now;
  }

  return {
    begin(now: number): void {
      if (now - readAt > READING_AGE_MAX_MS) read(now);
    },
    /** The processor time of a piece of work that has taken `elapsed`. Never less than 0: a counter is made of it. */
    end(now: number, elapsed: number): number {
      if (elapsed <= SHORT_MS) return elapsed;
      const before = milliseconds;
      read(now);
      return Math.max(0, Math.min(elapsed, milliseconds - before));
    },
  };
}

/** The only async context of requests: other data about a request is stored in its `Work`. */
const workStorage = new AsyncLocalStorage<Work>();

/** The work to which the running code belongs; undefined for work of the server itself. */
export const currentWork = () => workStorage.getStore();

/**
 * Measures the processor time that each request takes on the event loop. See
 * docs/decisions/023-processor-time.md.
 */
function measureProcessorTime() {
  const clock = createThreadClock();
  let running: Work | undefined;
  let since = 0;
  let isEndPlanned = false;

  function switchTo(next: Work | undefined): void {
    const now = performance.now();
    running?.add(clock.end(now, now - since));
    if (next) clock.begin(now);
    running = next;
    since = now;
  }

  /**
   * Plans the end of the running work in a tick. Ticks run when no promise continues any more: what follows belongs to
   * another event.
   */
  function planEnd(): void {
    if (isEndPlanned) return;
    isEndPlanned = true;
    process.nextTick(end);
  }

  function end(): void {
    isEndPlanned = false;
    if (running) switchTo(undefined);
  }

  promiseHooks.onBefore(() => {
    const next = currentWork();
    if (next === running) return;
    switchTo(next);
    if (next) planEnd();
  });

  return { switchTo, planEnd };
}

let measurement: ReturnType<typeof measureProcessorTime> | undefined;

/** Starts the work for a request. Whatever continues from there, now or later, is counted for it. */
export function runWork(work: Work, start: () => void): void {
  measurement ??= measureProcessorTime();
  const { switchTo, planEnd } = measurement;
  switchTo(work);
  workStorage.run(work, () => {
    start();
    // A tick planned at once would run before the promises that `start` has made.
    void RESOLVED.then(planEnd);
  });
}
