import type { ServerResponse } from 'node:http';
import { Histogram } from 'prom-client';

/** One in this many cached responses is timed: timing all of them would make each 2 % slower. */
const TIMED_EVERY = 16;

/**
 * Counts for /metrics: cache hits by route and status, requests that are refused because of an overload or a limit of
 * their address, and refused connections and bodies.
 */
export class FrontCounts {
  shedRequests = 0;
  limitedRequests = 0;
  refusedConnections = 0;
  /**
   * By the status of the refusal. The usual statuses are there from the start, because rate() of Prometheus does not
   * see a series begin.
   */
  readonly refusedBodies = new Map<number, number>([400, 413].map((status) => [status, 0]));
  readonly hitsByRoute = new Map<string, { 200: number; 304: number }>();
  readonly cachedSeconds = new Histogram({
    name: 'cached_response_seconds',
    help: `Time to the end of a cached response, of one in ${TIMED_EVERY}`,
    buckets: [0.0001, 0.0005, 0.002, 0.01, 0.05, 0.2, 1],
    registers: [],
  });
  readonly queueSeconds = new Histogram({
    name: 'http_queue_seconds',
    help: 'How long requests that no cached response answered were queued before they were served',
    buckets: [0.001, 0.01, 0.05, 0.25, 1],
    registers: [],
  });
  #hits = 0;

  /** Times the response if it is one of the sample. */
  timeHit(response: ServerResponse): void {
    this.#hits += 1;
    if (this.#hits % TIMED_EVERY !== 1) return;
    const since = performance.now();
    response.once('close', () => this.cachedSeconds.observe((performance.now() - since) / 1000));
  }

  countRefusedBody(status: number): void {
    this.refusedBodies.set(status, (this.refusedBodies.get(status) ?? 0) + 1);
  }

  countHit(route: string, status: 200 | 304): void {
    let counts = this.hitsByRoute.get(route);
    if (!counts) {
      counts = { 200: 0, 304: 0 };
      this.hitsByRoute.set(route, counts);
    }
    counts[status] += 1;
  }
}
