import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { AccountTools } from './accounts/account-tools.ts';
import { startExpiry } from './accounts/expiry.ts';
import type { AccountMailPurpose } from './accounts/mail-quotas.ts';
import { createAccountMails } from './accounts/mails.ts';
import { serveAccounts } from './accounts/routes.ts';
import { createIdentify } from './accounts/sessions.ts';
import { serveAudit } from './audit/routes.ts';
import { createResponseCache } from './cache/response-cache.ts';
import { FrontCounts } from './cache/send.ts';
import type { Database, TagListener } from './database/database.ts';
import { openDatabase } from './database/open.ts';
import type { Milliseconds } from './database/tables.ts';
import { serveDocs } from './documents/docs.ts';
import { createFrames } from './documents/frames.ts';
import { createHeads } from './documents/heads.ts';
import { servePages } from './documents/pages.ts';
import { createPublicUrl } from './documents/public-url.ts';
import { serveSitemap } from './documents/sitemap.ts';
import { serveWellKnown } from './documents/well-known.ts';
import { serveEntries } from './entries/routes.ts';
import { Draining } from './http/draining.ts';
import { failureOptions, handleFailures } from './http/failures.ts';
import { createFrontServer, type FrontOptions } from './http/front.ts';
import { type Subscription, serveHealth } from './http/health.ts';
import { serveMetrics } from './http/metrics.ts';
import { headerLines, protect } from './http/protection.ts';
import { logAnswers, loggerOptions } from './http/request-log.ts';
import { serveLeaderboards } from './leaderboard/routes.ts';
import { BOUNDS } from './limits/bounds.ts';
import { createThrottles } from './limits/throttle.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import { openMailTransport } from './mail/transport.ts';
import { serveModeration } from './moderation/routes.ts';
import { createModelAdvice } from './profiles/model-advice.ts';
import { serveProfiles } from './profiles/routes.ts';
import { createSchoolIndex } from './profiles/school-index.ts';
import { createRefusalPages } from './refusals/refusal-pages.ts';
import { refusals } from './refusals/refusals.ts';
import { findSchoolRating } from './review-counts/queries.ts';
import { serveReviews } from './reviews/routes.ts';
import { serveSchools } from './schools/routes.ts';
import { openKeys } from './security/secrets.ts';
import { readJsonBodies } from './serve/json-body.ts';
import { createPublicReads } from './serve/public-reads.ts';
import { createServe } from './serve/serve.ts';
import type { Settings } from './settings.ts';
import { serveUsers } from './users/routes.ts';

/** How often connections that have become idle are looked for while the server closes. */
const SWEEP_EVERY_MS = 50;

const CLIENT_DIR = fileURLToPath(new URL('../../dist/client', import.meta.url));
/** Beside the folder of the pages. */
const FRAME_FILE = '../frame/frame.js';

export interface App {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly outbox: Outbox<AccountMailPurpose>;
  /** Says on /readyz that it is about to end, and serves on for a while: until nobody asks any more, or for 3 s. */
  giveNotice(): Promise<void>;
  /** Takes no new connections and waits for no model, finishes what is in flight, closes everything. */
  close(): Promise<void>;
}

interface AppOptions {
  settings: Settings;
  now?: () => Milliseconds;
  /** Where log lines go; standard output unless told. */
  logStream?: { write(line: string): void };
  clientDir?: string;
}

function createServer(
  settings: Settings,
  logStream: AppOptions['logStream'],
  front: Omit<FrontOptions, 'onOverload'>,
): FastifyInstance {
  const onOverload = () => server.log.warn({ event: 'shedding' }, 'overloaded: refusing what has waited too long');
  const server: FastifyInstance = Fastify({
    ...failureOptions(front.headers, front.writeRefusalPage),
    logger: loggerOptions(settings.logLevel, logStream),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy,
    bodyLimit: BOUNDS.body.max,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    serverFactory: (handler) => createFrontServer(handler, { ...front, onOverload }),
  });
  handleFailures(server, front.writeRefusalPage);
  logAnswers(server);
  // Before every hook that may refuse: a refusal carries the headers too.
  protect(server, settings.publicUrl);
  server.addHook('onRequest', async ({ headers: { 'content-encoding': encoding = 'identity' } }) => {
    // Nothing is unpacked here: what says it is packed would be read as what it is not (RFC 9110 §15.5.16).
    if (encoding.toLowerCase() !== 'identity') throw refusals.encoded();
  });
  readJsonBodies(server);
  return server;
}

/** Assembles the product: database, calls, pages, mail. Listening is the caller's. */
export async function createApp({
  settings,
  now = Date.now,
  logStream,
  clientDir = CLIENT_DIR,
}: AppOptions): Promise<App> {
  const draining = new Draining();
  const ending = new AbortController();
  const keys = openKeys(settings.tokenSecret, settings.dataDir, settings.previousTokenSecret);
  const headers = headerLines(settings.publicUrl);
  const cache = createResponseCache(settings.cacheBytes, headers, settings.sharedCacheSeconds);
  const tagListeners: TagListener[] = [cache.invalidate];
  const unknownListeners = [cache.invalidateAll];
  const counts = new FrontCounts();
  const server = createServer(settings, logStream, {
    ...settings,
    cache,
    counts,
    draining,
    headers,
    writeRefusalPage: createRefusalPages(clientDir, settings.siteName),
  });
  const subscription: Subscription = { isActive: true, losses: 0 };
  const database = await openDatabase(settings.database, {
    onTags(tags) {
      for (const listen of tagListeners) listen(tags);
    },
    onUnknownChange() {
      for (const listen of unknownListeners) listen();
    },
    onSubscribed() {
      cache.setSubscribed(true);
      for (const listen of unknownListeners) listen();
      if (!subscription.isActive) server.log.info({ event: 'subscribed' }, 'changes of other processes arrive again');
      subscription.isActive = true;
    },
    onUnsubscribed(reason) {
      subscription.isActive = false;
      subscription.losses += 1;
      cache.setSubscribed(false);
      server.log.warn({ event: 'unsubscribed', reason }, 'changes of other processes do not arrive: caching is off');
    },
  });
  for (const warning of database.warnings.durability) server.log.warn({ event: 'not-durable' }, warning);
  for (const warning of database.warnings.privileges) server.log.warn({ event: 'too-powerful' }, warning);
  const { siteName, supportEmail } = settings;

  const { smtpUrl, mailFrom: from } = settings;
  const mail = { smtpUrl, from, folder: `${settings.dataDir}/mail`, logsCodes: !settings.isProduction };
  const transport = openMailTransport(mail, server.log);
  const throttles = createThrottles(keys.throttle, settings.rateLimit);
  const publicUrl = createPublicUrl(server, settings.publicUrl);
  const mailTools = { keys, throttles, siteName, supportEmail, publicUrl, log: server.log, now };
  const composers = { ...createAccountMails(mailTools) };
  const outbox = createOutbox({ database, transport, composers, log: server.log, now });
  const accounts: AccountTools = { database, keys, throttles, outbox, siteName, now };

  serveMetrics(server, { cache, counts, subscription }, settings);
  const reads = createPublicReads(cache, database.readShared);
  const serve = createServe(server, database, createIdentify(database, keys.token, now), reads);
  serveAccounts(serve, accounts);
  serveSchools(serve, { throttles, now });
  serveEntries(serve, { throttles, now });
  serveReviews(serve, { throttles, now });
  serveUsers(serve, { throttles, now });
  serveLeaderboards(serve);
  serveAudit(serve);
  serveModeration(serve);
  const index = createSchoolIndex(database);
  tagListeners.push(index.markChanged);
  unknownListeners.push(index.markAllChanged);
  const adviseByModel = settings.model && createModelAdvice(settings.model, { database, throttles, now });
  serveProfiles(serve, { database, throttles, index, adviseByModel, ending: ending.signal, now });
  serveHealth(server, database, { draining, subscription });
  serveWellKnown(server, { supportEmail, publicUrl: settings.publicUrl, now });
  serveDocs(server, siteName, cache);
  serveSitemap(server, database, { publicUrl, cache });
  const file = join(clientDir, FRAME_FILE);
  const drawFrame = createFrames({ file, siteName, supportEmail });
  const headOf = createHeads(reads, {
    siteName,
    publicUrl,
    drawFrame,
    rateSchool: (id) => findSchoolRating(database.readShared(), id),
  });
  await servePages(server, { clientDir, siteName, supportEmail, cache, headOf });

  const stopExpiry = startExpiry(database, now, server.log);
  // Not before: links in mails may need the address listened on.
  server.addHook('onListen', async () => void outbox.flush());

  return {
    server,
    database,
    outbox,
    giveNotice: () => draining.giveNotice(),
    async close() {
      draining.begin();
      ending.abort();
      stopExpiry();
      // Closing a server ends the connections that are idle then; those with an answer still to come are idle later.
      const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_EVERY_MS);
      await server.close();
      clearInterval(sweep);
      await outbox.close();
      transport.close();
      await database.close();
    },
  };
}
