import { setImmediate } from 'node:timers/promises';
import { createQueue } from '../../database/in-order.ts';
import { refusals } from '../refusals/refusals.ts';

/**
 * Makes a function that runs expensive jobs one after another and serves other requests in between: a burst of requests
 * for sitemaps, 0.1 s each, blocked the process for over a minute.
 * @param waitingMax how many jobs may wait for the one that runs; beyond it, the function throws a 503
 */
export function createOneAtATime(waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const inOrder = createQueue();
  let unfinished = 0;
  return async (work) => {
    if (unfinished > waitingMax) throw refusals.unavailable();
    unfinished += 1;
    try {
      return await inOrder(async () => {
        await setImmediate();
        return work();
      });
    } finally {
      unfinished -= 1;
    }
  };
}
