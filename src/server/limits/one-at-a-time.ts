import { setImmediate } from 'node:timers/promises';
import fastq from 'fastq';
import { refusals } from '../refusals/refusals.ts';

/**
 * Makes the function that does costly work one piece after another, letting other requests in between two pieces: a
 * packet full of requests for sitemaps, a tenth of a second each, stopped everything for over a minute.
 * @param waitingMax pieces that may wait; for more the function throws a 503
 */
export function createOneAtATime(waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue = fastq.promise(async (work: () => Promise<unknown>) => {
    await setImmediate();
    return work();
  }, 1);
  return async <T>(work: () => Promise<T>) => {
    if (queue.length() >= waitingMax) throw refusals.unavailable();
    // The queue answers what the piece of work answers; its types know only of one kind.
    return queue.push(work) as Promise<T>;
  };
}
