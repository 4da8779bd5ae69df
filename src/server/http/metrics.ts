import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ResponseCache } from './cache/response-cache.ts';
import type { FrontCounts } from './cache/send.ts';
import type { Subscription } from './health.ts';
import type { ProcessorTime } from './limits/processor-time.ts';
import { createMetricsAccess } from './metrics-access.ts';
import { whenAnswered } from './request-log.ts';

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

interface MetricsSources {
  cache: ResponseCache;
  counts: FrontCounts;
  subscription: Subscription;
  processorTime: ProcessorTime;
}

/**
 * Counts answers by route and status, and serves `GET /metrics` (Prometheus text). No label contains data of a person.
 */
export function serveMetrics(
  app: FastifyInstance,
  { cache, counts, subscription, processorTime }: MetricsSources,
  { metricsToken, isProduction }: { metricsToken: string | undefined; isProduction: boolean },
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'];
  const answers = new Counter({ name: 'http_answers_total', help: 'Answers sent', labelNames, registers: [registry] });
  const duration = new Histogram({
    name: 'http_answer_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['route'],
    buckets: SECONDS,
    registers: [registry],
  });
  const processorSeconds = new Map<string, number>();
  whenAnswered(app, (request, reply) => {
    const work = processorTime.current();
    return (status) => {
      const route = request.routeOptions.url ?? 'unknown';
      answers.inc({ method: request.method, route, status: String(status) });
      duration.observe({ route }, reply.elapsedTime / 1000);
      const spent = (work?.milliseconds ?? 0) / 1000;
      processorSeconds.set(route, (processorSeconds.get(route) ?? 0) + spent);
    };
  });
  // Not a counter: updating one takes a microsecond.
  new Gauge({
    name: 'http_answer_processor_seconds_total',
    help: 'Processor time on the event loop for answers that were not cached',
    labelNames: ['route'],
    registers: [registry],
    collect() {
      for (const [route, seconds] of processorSeconds) this.set({ route }, seconds);
    },
  });
  reportCache(registry, cache, counts);
  new Gauge({
    name: 'shed_requests_total',
    help: 'Requests refused because the process was overloaded',
    registers: [registry],
    collect() {
      this.set(counts.refused);
    },
  });
  new Gauge({
    name: 'limited_requests_total',
    help: 'Requests refused because their address had sent too many, or had used up its processor time',
    registers: [registry],
    collect() {
      this.set(counts.limited);
    },
  });
  new Gauge({
    name: 'database_subscribed',
    help: 'Whether the changes of other processes arrive: 1 or 0',
    registers: [registry],
    collect() {
      this.set(Number(subscription.isActive));
    },
  });
  new Gauge({
    name: 'database_subscription_losses_total',
    help: 'How often the changes of other processes have ceased to arrive',
    registers: [registry],
    collect() {
      this.set(subscription.losses);
    },
  });
  const requireAccess = createMetricsAccess(metricsToken);
  app.get('/metrics', async ({ raw }, reply) => {
    requireAccess(raw);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  if (isProduction && metricsToken === undefined) {
    app.log.warn({ event: 'open-metrics' }, 'everybody may read /metrics: set METRICS_TOKEN, or deny it in the proxy');
  }
}

/** Collected when the metrics are requested: updating a counter with each cached response would slow it down. */
function reportCache(registry: Registry, cache: ResponseCache, counts: FrontCounts): void {
  new Gauge({
    name: 'ready_answers_total',
    help: 'Answers and documents sent before routing',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      for (const [route, { ok, notModified }] of counts.byRoute) {
        this.set({ route, status: '200' }, ok);
        this.set({ route, status: '304' }, notModified);
      }
    },
  });
  const statistics = ['bytes', 'entries', 'hits', 'misses'] as const;
  for (const name of statistics) {
    new Gauge({
      name: `answer_cache_${name}`,
      help: `Cached responses: ${name}`,
      registers: [registry],
      collect() {
        this.set(cache.statistics()[name]);
      },
    });
  }
}
