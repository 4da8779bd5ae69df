import type { IncomingMessage, ServerResponse } from 'node:http';
import { BOUNDS } from './bounds.ts';

/**
 * How long one iteration of the event loop serves requests. A new connection is accepted once in each iteration, so
 * iterations must be short.
 */
const ITERATION_MS = 2;

/** An overload has ended when no request was refused for this time. */
const CALM_AFTER_MS = 1_000;

/** A request that is to be served. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Waiting<A> {
  readonly arrival: A;
  readonly since: number;
}

interface AdmissionOptions<A> {
  /** @param waitedMs how long the request was queued */
  serve(arrival: A, waitedMs: number): void;
  refuse(arrival: A): void;
  /** Called when an overload begins. */
  onOverload(): void;
}

/**
 * Admits requests in the order of their arrival. Without it, all requests that arrive in one iteration of the event
 * loop would be served in it, however long it takes, while new connections and cached responses wait.
 */
export function createAdmission<A extends Arrival>({ serve, refuse, onOverload }: AdmissionOptions<A>) {
  const waiting: Waiting<A>[] = [];
  let iterationEndsAt = 0;
  let isIterationOpen = false;
  let lastRefusedAt = Number.NEGATIVE_INFINITY;

  const isOverloaded = (now: number): boolean => now - lastRefusedAt < CALM_AFTER_MS;

  function maxWait(now: number): number {
    if (isOverloaded(now)) return BOUNDS.queuedUnderOverload.max;
    return waiting.length > BOUNDS.longQueue.max ? BOUNDS.queuedInLongQueue.max : BOUNDS.queued.max;
  }

  const isLate = ({ since }: Waiting<A>, now: number): boolean => now - since > maxWait(now);

  function refuseLate(arrival: A, now: number): void {
    if (!isOverloaded(now)) onOverload();
    lastRefusedAt = now;
    refuse(arrival);
  }

  const closeIteration = () => {
    isIterationOpen = false;
  };

  /** Whether there is time for one more request in this iteration. */
  function hasTime(now: number): boolean {
    if (!isIterationOpen) {
      isIterationOpen = true;
      iterationEndsAt = now + ITERATION_MS;
      setImmediate(closeIteration);
    }
    return now < iterationEndsAt;
  }

  /** Scheduled once for each queued request, so that Node completes the work of one before the next is served. */
  function serveNext(): void {
    const now = performance.now();
    if (!hasTime(now)) {
      setImmediate(serveNext);
      return;
    }
    const next = waiting.shift();
    if (next && !next.arrival.response.destroyed) {
      if (isLate(next, now)) refuseLate(next.arrival, now);
      else serve(next.arrival, now - next.since);
    }
  }

  return {
    /** Serves a request, queues it, or refuses it if the oldest one in the queue has waited too long already. */
    admit(arrival: A): void {
      const now = performance.now();
      const oldest = waiting[0];
      if (!oldest && hasTime(now)) {
        serve(arrival, 0);
      } else if (oldest && isLate(oldest, now)) {
        refuseLate(arrival, now);
      } else {
        waiting.push({ arrival, since: now });
        setImmediate(serveNext);
      }
    },
  };
}
