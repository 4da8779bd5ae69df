import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { DAY } from '../contract/durations.ts';
import { limitBlockMails, limitDecisionMails, type MoreDecisionsPurpose } from './accounts/decision-mails.ts';
import { startExpiry } from './accounts/expiry.ts';
import type { AccountMailPurpose } from './accounts/mail-quotas.ts';
import { createAccountMails } from './accounts/mails.ts';
import { serveMyAccount } from './accounts/mine/routes.ts';
import { serveAccounts } from './accounts/routes.ts';
import { createIdentify } from './accounts/sessions.ts';
import { recordMailOutcomes } from './accounts/state/mail-outcomes.ts';
import { serveUserStates } from './accounts/state/routes.ts';
import { createUserMails, type UserMailPurpose } from './accounts/users/mails.ts';
import { serveUsers } from './accounts/users/routes.ts';
import { serveAudit } from './audit/routes.ts';
import { serveImports } from './data/imports/routes.ts';
import type { Tag } from './database/change-tags.ts';
import type { Database } from './database/database.ts';
import { removeKeptDatabases } from './database/database-file.ts';
import { failureFields } from './database/failures.ts';
import { connectDatabase, migrateDatabase } from './database/open.ts';
import type { Milliseconds } from './database/tables.ts';
import { createPublicUrl, serveDocuments } from './documents/documents.ts';
import { serveLeaderboards } from './entries/leaderboard/routes.ts';
import { createTallyCache } from './entries/leaderboard/tallies.ts';
import { serveEntries } from './entries/routes.ts';
import { serveEntrySummaries } from './entries/summaries/routes.ts';
import { type Changes, createChanges } from './http/cache/changes.ts';
import { createOwnWrites } from './http/cache/own-writes.ts';
import { createResponseCache } from './http/cache/response-cache.ts';
import { FrontCounts } from './http/front-counts.ts';
import { createReadiness, serveHealth } from './http/health.ts';
import { requireInternals } from './http/internals.ts';
import { Draining, Starting } from './http/lifecycle.ts';
import { BOUNDS } from './http/limits/bounds.ts';
import { createPacing } from './http/limits/pacing.ts';
import { createThrottles } from './http/limits/throttle.ts';
import { createTimeBudgets } from './http/limits/time-budgets.ts';
import { createMaintenance } from './http/maintenance.ts';
import { serveMetrics } from './http/metrics.ts';
import { headerLines } from './http/protection.ts';
import { createRefusalPages } from './http/refusals/refusal-pages.ts';
import { createPublicReads, type PublicReads } from './http/serve/public-reads.ts';
import { createServe, type Serve } from './http/serve/serve.ts';
import { createServer } from './http/server.ts';
import { createOutbox } from './mail/outbox.ts';
import { type MailTransport, openMailTransport } from './mail/transport.ts';
import { serveDeletions } from './moderation/deletions/routes.ts';
import { serveMerging } from './moderation/merging/routes.ts';
import { serveModeration } from './moderation/routes.ts';
import { type AdminMailPurpose, createAdminMailComposers, createAdminMailWork } from './moderation/waiting/mail.ts';
import { measureOpenWork } from './moderation/waiting/queries.ts';
import { listAppMetrics } from './numbers/metrics.ts';
import { logMigrations, startMonitoring } from './numbers/monitoring.ts';
import { fillPastDays } from './numbers/queries.ts';
import { serveNumbers, updateNumbers } from './numbers/routes.ts';
import { createModelAdvice } from './profiles/model-advice.ts';
import { serveProfiles } from './profiles/routes.ts';
import { createSchoolIndex } from './profiles/school-index.ts';
import { createProposalMails, type ProposalMailPurpose } from './proposals/mails.ts';
import { serveProposals } from './proposals/routes.ts';
import { createHeldHides } from './reviews/held/complete.ts';
import { serveHelpful } from './reviews/helpful/routes.ts';
import { createReviewMails } from './reviews/mine/mails.ts';
import { serveMyReviews } from './reviews/mine/routes.ts';
import { serveRemovals } from './reviews/removals/routes.ts';
import { serveReports } from './reviews/reports/routes.ts';
import { serveReviews, serveReviewsById } from './reviews/routes.ts';
import type { ReviewMailPurpose } from './reviews/states/queries.ts';
import { serveVoices } from './reviews/voices/routes.ts';
import { serveComparison } from './schools/comparison/routes.ts';
import { serveSchools } from './schools/routes.ts';
import { serveSavedSchools } from './schools/saved/routes.ts';
import { serveSearch } from './schools/search/routes.ts';
import { createSchoolSearch } from './schools/search/school-search.ts';
import { type Keys, keyedHash, openKeys, pseudonym } from './security/secrets.ts';
import { blameAddress } from './settings/database-address.ts';
import { MAINTENANCE_FILE, type Settings } from './settings/settings.ts';

/** How often idle connections are closed while the server shuts down. */
const SWEEP_EVERY_MS = 50;

/** How long unneeded files are kept: mails written as files, and the database that a restore has replaced. */
const FILE_LIFETIMES = { mails: 7 * DAY, beforeRestore: 30 * DAY };

const CLIENT_DIR = fileURLToPath(new URL('../../dist/client', import.meta.url));

type MailPurpose =
  | AccountMailPurpose
  | ReviewMailPurpose
  | ProposalMailPurpose
  | UserMailPurpose
  | MoreDecisionsPurpose
  | AdminMailPurpose;

export type App = Awaited<ReturnType<typeof createApp>>;

/** The functions that serve the calls of each domain. */
const DOMAINS: readonly ((serve: Serve, services: Services) => void)[] = [
  serveAccounts,
  serveMyAccount,
  serveSchools,
  serveMerging,
  serveSearch,
  serveEntries,
  serveReviews,
  serveMyReviews,
  serveReviewsById,
  serveEntrySummaries,
  serveHelpful,
  serveVoices,
  serveDeletions,
  serveUsers,
  serveUserStates,
  serveLeaderboards,
  serveComparison,
  serveSavedSchools,
  serveAudit,
  serveNumbers,
  serveImports,
  serveReports,
  serveModeration,
  serveProposals,
  serveRemovals,
  serveProfiles,
];

type Services = ReturnType<typeof startServices>;

interface ServiceDependencies {
  readonly settings: Settings;
  readonly database: Database;
  readonly keys: Keys;
  readonly transport: MailTransport;
  readonly reads: PublicReads;
  readonly changes: Pick<Changes, 'follow' | 'subscription'>;
  readonly publicUrl: (path: string) => string;
  /** Whether the cache holds a response that this tag would invalidate. */
  readonly hasCached: (tag: Tag) => boolean;
  /** Aborted when the process stops. */
  readonly ending: AbortSignal;
  readonly now: () => Milliseconds;
}

/** Creates what the domains share: limits, mails, and the indexes of schools. */
function startServices({ log }: FastifyInstance, deps: ServiceDependencies) {
  const { settings, database, keys, transport, changes, publicUrl, now } = deps;
  const { siteName, supportEmail, proposals: proposalMode } = settings;
  const throttles = createThrottles((...hashed) => keyedHash(keys.throttle, ...hashed), settings.rateLimit);
  const limitedTools = { throttles, now };
  const site = { siteName, supportEmail, publicUrl };
  const composers = {
    ...recordMailOutcomes(createAccountMails({ ...site, ...limitedTools, keys, log }), now),
    ...limitDecisionMails({ ...createReviewMails(site), ...createProposalMails(site) }, { ...site, ...limitedTools }),
    ...createAdminMailComposers(site),
    ...recordMailOutcomes(limitBlockMails(createUserMails(site), limitedTools), now),
  };
  const waiting = settings.adminMail ? [createAdminMailWork({ database, now })] : [];
  const delayed = [createHeldHides({ database, now }), ...waiting];
  const outbox = createOutbox<MailPurpose>({ database, transport, composers, delayed, log, now });
  const { subscription } = changes;
  const indexes = {
    schoolIndex: createSchoolIndex(database),
    search: createSchoolSearch(database, () => subscription.isActive),
    tallies: createTallyCache(() => settings.cacheBytes > 0 && subscription.isActive),
  };
  for (const { markChanged, markAllChanged } of Object.values(indexes))
    changes.follow({ onTags: markChanged, onUnknownChange: markAllChanged });
  const adviseByModel = settings.model && createModelAdvice(settings.model, { database, ...limitedTools });
  const pace = settings.rateLimit ? createPacing(BOUNDS.markInterval.max) : undefined;
  return { ...deps, ...limitedTools, siteName, supportEmail, proposalMode, outbox, ...indexes, adviseByModel, pace };
}

interface AppOptions {
  settings: Settings;
  now?: () => Milliseconds;
  /** Where log lines are written. Default: standard output. */
  logStream?: { write(line: string): void };
  clientDir?: string;
}

/** Assembles the product: database, calls, pages, mail. The caller makes it listen and start. */
export async function createApp({ settings, now = Date.now, logStream, clientDir = CLIENT_DIR }: AppOptions) {
  const { siteName, supportEmail, publicUrl: configuredUrl, smtpUrl, mailFrom: from } = settings;
  requireInternals();
  const draining = new Draining();
  const starting = new Starting();
  const ending = new AbortController();
  const keys = openKeys(settings.tokenSecret, settings.dataDir, settings.previousTokenSecret);
  const headers = headerLines(configuredUrl, clientDir);
  const cache = createResponseCache(settings.cacheBytes, headers, settings.sharedCacheSeconds, now);
  const counts = new FrontCounts();
  const writeRefusalPage = createRefusalPages(clientDir, siteName);
  const timeBudgets = settings.rateLimit ? createTimeBudgets() : undefined;
  const ownWrites = createOwnWrites(() => database);
  const front = { cache, ownWrites, counts, draining, starting, headers, writeRefusalPage, timeBudgets };
  const maintenanceFile = `${settings.dataDir}/${MAINTENANCE_FILE}`;
  const maintenance = createMaintenance(settings.maintenance, maintenanceFile, cache.invalidateAll);
  const server = createServer(settings, logStream, front, {
    pseudonymOf: (kind, of) => pseudonym(keys, kind, of),
    maintenance,
  });
  maintenance.begin(server.log);
  const changes = createChanges(cache, server.log);
  const database = await connectDatabase(settings.database, changes.listener).catch((error: unknown) =>
    blameAddress(error, settings.database),
  );
  for (const warning of database.warnings.durability) server.log.warn({ event: 'not-durable' }, warning);
  for (const warning of database.warnings.privileges) server.log.warn({ event: 'too-powerful' }, warning);

  const mail = { smtpUrl, from, folder: `${settings.dataDir}/mail`, logsCodes: !settings.isProduction };
  const transport = openMailTransport(mail, server.log);
  const publicUrl = createPublicUrl(server, configuredUrl);
  const reads = createPublicReads(cache, database);
  const { subscription } = changes;
  const deps = { settings, database, keys, transport, reads, changes, publicUrl, hasCached: cache.hasTag, now };
  const services = startServices(server, { ...deps, ending: ending.signal });
  const { outbox, schoolIndex, search } = services;
  const watched = { server, database, outbox, subscription, draining, starting, dataDir: settings.dataDir, now };
  const findObstacle = createReadiness(database, { draining, starting, subscription });
  const metrics = listAppMetrics({ ...watched, measureOpenWork, findObstacle });
  serveMetrics(server, { cache, counts, subscription }, settings, metrics);
  const serve = createServe(server, {
    ...{ database, reads, ownWrites, timeBudgets },
    identify: createIdentify(database, keys.token, now),
  });
  for (const serveDomain of DOMAINS) serveDomain(serve, services);
  serveHealth(server, findObstacle);
  const site = { clientDir, siteName, supportEmail, proposals: settings.proposals, configuredUrl, publicUrl };
  await serveDocuments(server, { database, cache, reads, now, maintenance, ...site });

  const stops: (() => void)[] = [];
  const warnNotBuilt = (error: unknown) =>
    server.log.warn({ event: 'index-not-built', ...failureFields(error) }, 'will try again');
  // Links in mails may contain the address listened on, and a slow start listens before its database is migrated.
  const beginWork = () => {
    if (!starting.isOver || !server.server.listening) return;
    void outbox.flush();
    void search.prepare().catch(warnNotBuilt);
    void schoolIndex.build(ending.signal).catch(warnNotBuilt);
  };
  server.addHook('onListen', async () => beginWork());

  return {
    server,
    database,
    outbox,
    /**
     * Migrates the database, which may take long, and then serves. Until then a server that listens answers only health
     * checks; other requests wait or are refused.
     * @param prepare runs on the migrated database before the first request does
     */
    async start(prepare?: (database: Database, starting: Starting) => Promise<void>): Promise<void> {
      await migrateDatabase(settings.database, database, logMigrations(server.log));
      await database.follow();
      await prepare?.(database, starting);
      await fillPastDays(database, now());
      const sweepOthers = async () => {
        await updateNumbers(database, services);
        await transport.deleteMailsBefore(now() - FILE_LIFETIMES.mails);
        if ('sqlite' in settings.database)
          removeKeptDatabases(settings.database.sqlite, now() - FILE_LIFETIMES.beforeRestore);
      };
      stops.push(startExpiry(database, sweepOthers, now, server.log));
      starting.finish();
      stops.push(startMonitoring({ ...watched, log: server.log }));
      beginWork();
    },
    isServing: () => starting.isOver,
    /** Makes /readyz answer 503, and keeps serving until no requests arrive any more, for at most 3 s. */
    giveNotice: () => draining.giveNotice(),
    /** Accepts no new connections, aborts requests to the model, finishes the requests in flight, closes everything. */
    async close() {
      draining.begin();
      ending.abort();
      for (const stop of stops) stop();
      // `close` ends only the connections that are idle at that moment. Those with a request become idle later.
      const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_EVERY_MS);
      await server.close();
      clearInterval(sweep);
      await outbox.close();
      transport.close();
      await database.close();
      maintenance.stop();
    },
  };
}
