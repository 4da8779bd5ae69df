import type { FastifyInstance } from 'fastify';
import { limitBlockMails, limitDecisionMails, type MoreDecisionsPurpose } from './accounts/decision-mails.ts';
import type { AccountMailPurpose } from './accounts/mail-quotas.ts';
import { createAccountMails } from './accounts/mails.ts';
import { serveAccounts } from './accounts/routes.ts';
import { createIdentify } from './accounts/sessions.ts';
import { createUserMails, type UserMailPurpose } from './accounts/users/mails.ts';
import { serveUsers } from './accounts/users/routes.ts';
import { serveAudit } from './audit/routes.ts';
import type { Tag } from './database/change-tags.ts';
import type { Database } from './database/database.ts';
import { failureFields } from './database/failures.ts';
import type { Milliseconds } from './database/tables.ts';
import { serveLeaderboards } from './entries/leaderboard/routes.ts';
import { serveEntries } from './entries/routes.ts';
import { serveEntrySummaries } from './entries/summaries/routes.ts';
import type { Changes } from './http/cache/changes.ts';
import { BOUNDS } from './http/limits/bounds.ts';
import { createPacing, unpaced } from './http/limits/pacing.ts';
import { createThrottles } from './http/limits/throttle.ts';
import type { ChargeUser } from './http/limits/time-budgets.ts';
import type { PublicReads } from './http/serve/public-reads.ts';
import { createServe } from './http/serve/serve.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import type { MailTransport } from './mail/transport.ts';
import { serveDeletions } from './moderation/deletions/routes.ts';
import { serveMerging } from './moderation/merging/routes.ts';
import { serveModeration } from './moderation/routes.ts';
import { createModelAdvice } from './profiles/model-advice.ts';
import { serveProfiles } from './profiles/routes.ts';
import { createSchoolIndex } from './profiles/school-index.ts';
import { createProposalMails, type ProposalMailPurpose } from './proposals/mails.ts';
import { serveProposals } from './proposals/routes.ts';
import { serveReviewsById } from './reviews/by-id.ts';
import { serveHelpful } from './reviews/helpful/routes.ts';
import { createReviewMails } from './reviews/mine/mails.ts';
import { serveMyReviews } from './reviews/mine/routes.ts';
import { serveRemovals } from './reviews/removals/routes.ts';
import { serveReports } from './reviews/reports/routes.ts';
import { serveReviews } from './reviews/routes.ts';
import type { ReviewMailPurpose } from './reviews/states/queries.ts';
import { serveComparison } from './schools/comparison/routes.ts';
import { serveSchools } from './schools/routes.ts';
import { serveSavedSchools } from './schools/saved/routes.ts';
import { indexNames } from './schools/search/closest-names.ts';
import { serveSearch } from './schools/search/routes.ts';
import { createSchoolSearch } from './schools/search/school-search.ts';
import { type Keys, keyedHash } from './security/secrets.ts';
import type { Settings } from './settings/settings.ts';

/** The purpose of a mail: a union of the purposes of all domains. */
export type MailPurpose =
  | AccountMailPurpose
  | ReviewMailPurpose
  | ProposalMailPurpose
  | UserMailPurpose
  | MoreDecisionsPurpose;

interface DomainTools {
  readonly settings: Settings;
  readonly database: Database;
  readonly keys: Keys;
  readonly transport: MailTransport;
  readonly reads: PublicReads;
  readonly changes: Pick<Changes, 'follow' | 'subscription'>;
  readonly publicUrl: (path: string) => string;
  readonly chargeUser: ChargeUser;
  /** Whether a response is cached that a tag would invalidate. */
  readonly hasCached: (tag: Tag) => boolean;
  /** Aborted when the process stops. */
  readonly ending: AbortSignal;
  readonly now: () => Milliseconds;
}

/** Serves the calls of every domain. @returns the outbox, which can send the mails of every domain */
export function serveDomains(server: FastifyInstance, tools: DomainTools): Outbox<MailPurpose> {
  const { settings, database, keys, transport, publicUrl, ending, now } = tools;
  const { siteName, supportEmail } = settings;
  const { log } = server;
  const throttles = createThrottles((...parts) => keyedHash(keys.throttle, ...parts), settings.rateLimit);
  const limited = { throttles, now };
  const site = { siteName, supportEmail, publicUrl };
  const composers = {
    ...createAccountMails({ ...site, ...limited, keys, log }),
    ...limitDecisionMails({ ...createReviewMails(site), ...createProposalMails(site) }, { ...site, ...limited }),
    ...limitBlockMails(createUserMails(site), limited),
  };
  const outbox = createOutbox<MailPurpose>({ database, transport, composers, log, now });
  const index = createSchoolIndex(database);
  tools.changes.follow({ onTags: index.markChanged, onUnknownChange: index.markAllChanged });
  const search = createSchoolSearch(database, () => tools.changes.subscription.isActive);
  tools.changes.follow({ onTags: search.markChanged, onUnknownChange: search.markAllChanged });
  // Not before the server listens, so that the start waits for nothing.
  server.addHook('onListen', async () => {
    const failed = (error: unknown) =>
      log.warn({ event: 'index-not-built', ...failureFields(error) }, 'will try again');
    void search.prepare().catch(failed);
    void index.build(ending).catch(failed);
  });
  const adviseByModel = settings.model && createModelAdvice(settings.model, { database, ...limited });

  const identify = createIdentify(database, keys.token, now);
  const serve = createServe(server, { database, identify, chargeUser: tools.chargeUser, reads: tools.reads });
  serveAccounts(serve, { database, keys, outbox, siteName, supportEmail, ...limited });
  serveSchools(serve, limited);
  serveMerging(serve, limited);
  serveSearch(serve, search);
  serveEntries(serve, limited);
  serveReviews(serve, { outbox, supportEmail, ...limited });
  serveMyReviews(serve, { now, supportEmail });
  serveReviewsById(serve);
  serveEntrySummaries(serve, now);
  const pace = settings.rateLimit ? createPacing(BOUNDS.marksApart.max) : unpaced;
  serveHelpful(serve, { pace, hasCached: tools.hasCached, ...limited });
  serveDeletions(serve, limited);
  serveUsers(serve, { outbox, ...limited });
  serveLeaderboards(serve);
  serveComparison(serve, limited);
  serveSavedSchools(serve, { reads: tools.reads, ...limited });
  serveAudit(serve);
  serveReports(serve, { now });
  serveModeration(serve, { outbox, ...limited });
  serveProposals(serve, {
    ...{ outbox, supportEmail, indexNames, findClosestSchools: search.findClosest, mode: settings.proposals },
    ...limited,
  });
  serveRemovals(serve);
  serveProfiles(serve, { database, index, adviseByModel, ending, ...limited });
  return outbox;
}
