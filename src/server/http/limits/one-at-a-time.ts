import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import fastq from 'fastq';
import { refusals } from '../refusals/refusals.ts';

/**
 * Makes a function that runs expensive jobs one after another and serves other requests in between: a burst of requests
 * for sitemaps, 0.1 s each, blocked the process for over a minute.
 * @param waitingMax the length of the queue; when it is full, the function throws a 503
 */
export function createOneAtATime(waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue = fastq.promise((work: () => Promise<unknown>) => work(), 1);
  return async <T>(work: () => Promise<T>) => {
    if (queue.length() >= waitingMax) throw refusals.unavailable();
    // Bound, so that its processor time is counted for the request that asked for it.
    const inTurn = AsyncLocalStorage.bind(async () => {
      await setImmediate();
      return work();
    });
    // Safe: the queue resolves with the result of the work, but its types allow only one type of result.
    return queue.push(inTurn) as Promise<T>;
  };
}
