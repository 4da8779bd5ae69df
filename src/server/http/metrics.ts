import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ResponseCache } from './cache/response-cache.ts';
import type { FrontCounts } from './front-counts.ts';
import type { Subscription } from './health.ts';
import { currentWork } from './limits/processor-time.ts';
import { refusals } from './refusals/refusals.ts';
import { whenAnswered } from './request-log.ts';

/** Who may read the metrics. `loopback`: clients on this machine; `token`: those too, and clients with the token. */
export type MetricsMode = 'public' | 'token' | 'loopback' | 'off';

interface MetricsSettings {
  readonly metrics: MetricsMode;
  readonly metricsToken: string | undefined;
  readonly isProduction: boolean;
}

/** Gauges of the library that are named like counters. Each is the sum of the gauge whose name lacks `_total`. */
const MISNAMED_GAUGES = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

const DURATION_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

type Labels = Readonly<Record<string, string>>;

/** One value of a metric, with its labels. */
export type Sample = readonly [value: number, labels: Labels];

/** A metric that is read when the metrics are requested. */
export interface Metric {
  /** A metric whose name ends in `_total` is a counter. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** An empty list means that there is no value now. */
  readonly read: () => number | Iterable<Sample> | Promise<number | Iterable<Sample>>;
}

/**
 * Makes the function that adds a metric. The metric is read only when the metrics are requested, because updating a
 * counter with each response takes a microsecond.
 */
function createAddMetric(registry: Registry) {
  return ({ name, help, read, labelNames = [] }: Metric) => {
    const common = { name, help, labelNames: [...labelNames], registers: [registry] };
    async function collect(this: Counter | Gauge): Promise<void> {
      const found = await read();
      this.reset();
      // Without this, a missing value would be reported as 0.
      if (labelNames.length === 0) this.remove();
      for (const [value, labels] of typeof found === 'number' ? [[found, {}] as const] : found) this.inc(labels, value);
    }
    if (name.endsWith('_total')) new Counter({ ...common, collect });
    else new Gauge({ ...common, collect });
  };
}

/**
 * Counts answers by route and status, and serves `GET /metrics` (Prometheus text). No label contains data of a person.
 */
export function serveMetrics(
  app: FastifyInstance,
  { cache, counts, subscription }: { cache: ResponseCache; counts: FrontCounts; subscription: Subscription },
  { metrics: mode, metricsToken, isProduction }: MetricsSettings,
  appMetrics: readonly Metric[],
): void {
  if (mode === 'off') return;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED_GAUGES) registry.removeSingleMetric(name);
  const labelNames = ['method', 'route', 'status'];
  const answers = new Counter({ name: 'http_answers_total', help: 'Answers sent', labelNames, registers: [registry] });
  const duration = new Histogram({
    name: 'http_answer_seconds',
    help: 'Time from the routing of a request to the end of its answer',
    labelNames: ['route'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const processorSeconds = new Map<string, number>();
  whenAnswered(app, (request, reply) => {
    const work = currentWork();
    return (status) => {
      const route = request.routeOptions.url ?? 'unknown';
      answers.inc({ method: request.method, route, status: String(status) });
      duration.observe({ route }, reply.elapsedTime / 1000);
      const spent = (work?.milliseconds ?? 0) / 1000;
      processorSeconds.set(route, (processorSeconds.get(route) ?? 0) + spent);
    };
  });

  const addMetric = createAddMetric(registry);
  const own: Metric[] = [
    {
      name: 'http_answer_processor_seconds_total',
      help: 'Processor time on the event loop for answers that were not cached',
      labelNames: ['route'],
      read: () => [...processorSeconds].map(([route, seconds]): Sample => [seconds, { route }]),
    },
    {
      name: 'cached_responses_sent_total',
      help: 'Cached responses sent',
      labelNames: ['route', 'status'],
      read: () => listSent(counts),
    },
    {
      name: 'cached_response_hits_total',
      help: 'Requests that found a cached response',
      read: () => cache.statistics().hits,
    },
    { name: 'cached_response_misses_total', help: 'Requests that found none', read: () => cache.statistics().misses },
    { name: 'cached_responses', help: 'Responses in the cache', read: () => cache.statistics().entries },
    { name: 'cached_response_bytes', help: 'Memory of the cached responses', read: () => cache.statistics().bytes },
    {
      name: 'shed_requests_total',
      help: 'Requests refused because the process was overloaded',
      read: () => counts.shedRequests,
    },
    {
      name: 'limited_requests_total',
      help: 'Requests refused because their address had sent too many, or had used up its processor time',
      read: () => counts.limitedRequests,
    },
    {
      name: 'refused_connections_total',
      help: 'Connections closed because their address, or all clients, had too many',
      read: () => counts.refusedConnections,
    },
    {
      name: 'refused_bodies_total',
      help: 'Bodies that were too large, unfinished or no JSON',
      labelNames: ['status'],
      read: () => [...counts.refusedBodies].map(([status, count]): Sample => [count, { status: String(status) }]),
    },
    {
      name: 'database_subscribed',
      help: 'Whether the changes of other processes arrive: 1 or 0',
      read: () => Number(subscription.isActive),
    },
    {
      name: 'database_subscription_losses_total',
      help: 'How often the changes of other processes have ceased to arrive',
      read: () => subscription.losses,
    },
  ];
  for (const metric of [...own, ...appMetrics]) addMetric(metric);
  for (const histogram of [counts.cachedSeconds, counts.queueSeconds]) registry.registerMetric(histogram);

  const requireAccess = createAccessCheck(mode, metricsToken);
  app.get('/metrics', async ({ raw }, reply) => {
    requireAccess(raw);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  if (isProduction && mode === 'public') {
    app.log.warn(
      { event: 'open-metrics' },
      'everybody may read /metrics: set METRICS or METRICS_TOKEN, or deny it in the proxy',
    );
  }
}

function* listSent({ hitsByRoute }: FrontCounts): Generator<Sample> {
  for (const [route, counts] of hitsByRoute) {
    for (const [status, count] of Object.entries(counts)) yield [count, { route, status }];
  }
}

function isLoopback(address = ''): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** A request through a proxy on this machine also comes from loopback, but it has one of these headers. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * @returns a function that refuses a request for the metrics which the mode does not allow: with a 401, or with a 404
 * if no token would help
 */
function createAccessCheck(mode: MetricsMode, token: string | undefined): (request: IncomingMessage) => void {
  if (mode === 'public') return () => {};
  const expected = token === undefined || mode === 'loopback' ? undefined : digest(`Bearer ${token}`);
  return ({ headers, socket }) => {
    const isLocal = isLoopback(socket.remoteAddress) && !PROXY_HEADERS.some((name) => headers[name] !== undefined);
    if (isLocal) return;
    if (!expected) throw refusals.notFound('address');
    if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) throw refusals.noMetricsToken();
  };
}
