import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ResponseCache } from './cache/response-cache.ts';
import type { FrontCounts } from './cache/send.ts';
import type { Subscription } from './health.ts';
import type { ProcessorTime } from './limits/processor-time.ts';
import { refusals } from './refusals/refusals.ts';
import { whenAnswered } from './request-log.ts';

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10];

interface MetricsSources {
  cache: ResponseCache;
  counts: FrontCounts;
  subscription: Subscription;
  processorTime: ProcessorTime;
}

type Labels = Readonly<Record<string, string>>;

/** One value of a metric, with its labels. */
type Sample = readonly [value: number, labels: Labels];

/**
 * Makes the function that adds a metric which is read when the metrics are requested: updating a counter with each
 * response takes a microsecond. A name that ends in `_total` is a counter.
 */
function createReport(registry: Registry) {
  return (name: string, help: string, read: () => number | Iterable<Sample>, labelNames: readonly string[] = []) => {
    const common = { name, help, labelNames: [...labelNames], registers: [registry] };
    function collect(this: Counter | Gauge): void {
      this.reset();
      const found = read();
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

  const report = createReport(registry);
  report(
    'http_answer_processor_seconds_total',
    'Processor time on the event loop for answers that were not cached',
    () => [...processorSeconds].map(([route, seconds]): Sample => [seconds, { route }]),
    ['route'],
  );
  report('cached_responses_sent_total', 'Cached responses sent', () => listSent(counts), ['route', 'status']);
  report('cached_response_hits_total', 'Requests that found a cached response', () => cache.statistics().hits);
  report('cached_response_misses_total', 'Requests that found none', () => cache.statistics().misses);
  report('cached_responses', 'Responses in the cache', () => cache.statistics().entries);
  report('cached_response_bytes', 'Memory of the cached responses', () => cache.statistics().bytes);
  report('shed_requests_total', 'Requests refused because the process was overloaded', () => counts.refused);
  report(
    'limited_requests_total',
    'Requests refused because their address had sent too many, or had used up its processor time',
    () => counts.limited,
  );
  report('database_subscribed', 'Whether the changes of other processes arrive: 1 or 0', () =>
    Number(subscription.isActive),
  );
  report(
    'database_subscription_losses_total',
    'How often the changes of other processes have ceased to arrive',
    () => subscription.losses,
  );

  const requireAccess = createAccessCheck(metricsToken);
  app.get('/metrics', async ({ raw }, reply) => {
    requireAccess(raw);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
  if (isProduction && metricsToken === undefined) {
    app.log.warn({ event: 'open-metrics' }, 'everybody may read /metrics: set METRICS_TOKEN, or deny it in the proxy');
  }
}

function* listSent({ byRoute }: FrontCounts): Generator<Sample> {
  for (const [route, counts] of byRoute) {
    for (const [status, count] of Object.entries(counts)) yield [count, { route, status }];
  }
}

function isLoopback(address = ''): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** A request through a proxy on this machine also comes from loopback, but it has one of these headers. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Makes the function that decides who may read the metrics: clients on this machine, and clients with the token.
 * @param token undefined: everybody may
 * @returns a function that throws a 401 for other clients
 */
function createAccessCheck(token: string | undefined): (request: IncomingMessage) => void {
  if (token === undefined) return () => {};
  const expected = digest(`Bearer ${token}`);
  return ({ headers, socket }) => {
    const isLocal = isLoopback(socket.remoteAddress) && !PASSED_ON.some((name) => headers[name] !== undefined);
    if (isLocal || timingSafeEqual(digest(headers.authorization ?? ''), expected)) return;
    throw refusals.noMetricsToken();
  };
}
