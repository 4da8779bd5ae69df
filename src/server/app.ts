import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { startExpiry } from './accounts/expiry.ts';
import type { Database } from './database/database.ts';
import { connectDatabase, migrateDatabase } from './database/open.ts';
import type { MigrationProgress } from './database/postgres-migration.ts';
import type { Milliseconds } from './database/tables.ts';
import { serveDocuments } from './documents/documents.ts';
import { createPublicUrl } from './documents/public-url.ts';
import { type MailPurpose, serveDomains } from './domains.ts';
import { createChanges } from './http/cache/changes.ts';
import { createResponseCache } from './http/cache/response-cache.ts';
import { FrontCounts } from './http/cache/send.ts';
import { Draining } from './http/draining.ts';
import { serveHealth } from './http/health.ts';
import { createProcessorTime } from './http/limits/processor-time.ts';
import { createChargeUser, createTimeBudgets } from './http/limits/time-budgets.ts';
import { serveMetrics } from './http/metrics.ts';
import { headerLines } from './http/protection.ts';
import { createRefusalPages } from './http/refusals/refusal-pages.ts';
import { createPublicReads } from './http/serve/public-reads.ts';
import { createServer } from './http/server.ts';
import { Starting } from './http/starting.ts';
import type { Outbox } from './mail/outbox.ts';
import { openMailTransport } from './mail/transport.ts';
import { openKeys } from './security/secrets.ts';
import type { Settings } from './settings/settings.ts';

/** How often idle connections are closed while the server shuts down. */
const SWEEP_EVERY_MS = 50;

const CLIENT_DIR = fileURLToPath(new URL('../../dist/client', import.meta.url));

export interface App {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly outbox: Outbox<MailPurpose>;
  /**
   * Migrates the database, which may take long, and then serves. Until then a server that listens answers health checks
   * alone.
   * @param prepare runs on the migrated database before the first request does
   */
  start(prepare?: (database: Database, starting: Starting) => Promise<void>): Promise<void>;
  isServing(): boolean;
  /** Makes /readyz answer 503, and keeps serving until no requests arrive any more, for at most 3 s. */
  giveNotice(): Promise<void>;
  /** Accepts no new connections, aborts requests to the model, finishes the requests in flight, closes everything. */
  close(): Promise<void>;
}

/** Says what the process is doing all the time in which it does not serve. */
function logMigrations(log: FastifyBaseLogger): MigrationProgress {
  return {
    onApplied(migration, seconds) {
      log.info({ event: 'migrated', migration, seconds: Number(seconds.toFixed(3)) }, 'a migration is done');
    },
    onWaiting(reason) {
      log.warn({ event: 'migration-waits', reason }, 'somebody holds a lock: the migration is tried again');
    },
  };
}

interface AppOptions {
  settings: Settings;
  now?: () => Milliseconds;
  /** Where log lines are written. Default: standard output. */
  logStream?: { write(line: string): void };
  clientDir?: string;
}

/** Assembles the product: database, calls, pages, mail. The caller makes it listen and start. */
export async function createApp({
  settings,
  now = Date.now,
  logStream,
  clientDir = CLIENT_DIR,
}: AppOptions): Promise<App> {
  const { siteName, supportEmail, publicUrl: configuredUrl, smtpUrl, mailFrom: from } = settings;
  const draining = new Draining();
  const starting = new Starting();
  const ending = new AbortController();
  const keys = openKeys(settings.tokenSecret, settings.dataDir, settings.previousTokenSecret);
  const headers = headerLines(configuredUrl);
  const cache = createResponseCache(settings.cacheBytes, headers, settings.sharedCacheSeconds, now);
  const counts = new FrontCounts();
  const writeRefusalPage = createRefusalPages(clientDir, siteName);
  const processorTime = createProcessorTime();
  const timeBudgets = settings.rateLimit ? createTimeBudgets() : undefined;
  const server = createServer(settings, logStream, {
    ...{ cache, counts, draining, starting },
    ...{ headers, writeRefusalPage, processorTime, timeBudgets },
  });
  const changes = createChanges(cache, server.log);
  const database = await connectDatabase(settings.database, changes.listener);
  for (const warning of database.warnings.durability) server.log.warn({ event: 'not-durable' }, warning);
  for (const warning of database.warnings.privileges) server.log.warn({ event: 'too-powerful' }, warning);

  const mail = { smtpUrl, from, folder: `${settings.dataDir}/mail`, logsCodes: !settings.isProduction };
  const transport = openMailTransport(mail, server.log);
  const publicUrl = createPublicUrl(server, configuredUrl);
  const reads = createPublicReads(cache, database.readShared);
  const { subscription } = changes;

  serveMetrics(server, { cache, counts, subscription, processorTime }, settings);
  const chargeUser = createChargeUser(processorTime, timeBudgets);
  const domainTools = { settings, database, keys, transport, reads, changes, publicUrl, chargeUser, now };
  const outbox = serveDomains(server, { ...domainTools, hasCached: cache.hasTag, ending: ending.signal });
  serveHealth(server, database, { draining, starting, subscription });
  const site = { clientDir, siteName, supportEmail, proposals: settings.proposals, configuredUrl, publicUrl };
  await serveDocuments(server, { database, cache, reads, now, ...site });

  let stopExpiry = () => {};
  // Not before the server listens: links in mails may contain its address.
  server.addHook('onListen', async () => {
    if (starting.isOver) void outbox.flush();
  });

  return {
    server,
    database,
    outbox,
    async start(prepare = async () => {}) {
      await migrateDatabase(settings.database, database, logMigrations(server.log));
      await prepare(database, starting);
      stopExpiry = startExpiry(database, now, server.log);
      starting.finish();
      if (server.server.listening) void outbox.flush();
    },
    isServing: () => starting.isOver,
    giveNotice: () => draining.giveNotice(),
    async close() {
      draining.begin();
      ending.abort();
      stopExpiry();
      // `close` ends only the connections that are idle at that moment. Those with a request in flight become idle
      // later.
      const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_EVERY_MS);
      await server.close();
      clearInterval(sweep);
      await outbox.close();
      transport.close();
      await database.close();
      processorTime.stop();
    },
  };
}
