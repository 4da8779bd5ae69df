import { setImmediate } from 'node:timers/promises';
import { categoryOf } from '../../contract/categories.ts';
import {
  decideProposal,
  getProposals,
  type Proposal,
  type ProposalMode,
  proposeEntry,
  proposeSchool,
} from '../../contract/proposals.ts';
import { findYearProblem } from '../../contract/reviews.ts';
import { recordAdmin } from '../audit/queries.ts';
import type { Commit, Connection } from '../database/database.ts';
import { lockCallsOf } from '../database/lock-row.ts';
import { Page } from '../database/paging.ts';
import { findSameEntry, listEntryNames } from '../entries/queries.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { type LimitedTools, lockCount, requireRowLimit, spend } from '../http/limits/throttle.ts';
import { refusals, requireFound } from '../http/refusals/refusals.ts';
import type { Caller, Serve } from '../http/serve/serve.ts';
import type { Outbox } from '../mail/outbox.ts';
import { countryOf, findSameSchool, findSchool } from '../schools/queries.ts';
import { indexNames, type NamedItem } from '../schools/search/closest-names.ts';
import { isAloneInCategory } from '../visibility/count-queries.ts';
import { accept, lockSubject } from './accept.ts';
import type { ProposalMailPurpose } from './mails.ts';
import { requireOpen, serveMyProposals } from './my-proposals.ts';
import { insertProposal, type Proposed } from './proposed-queries.ts';
import * as queries from './queries.ts';
import { joinProposal, listLaterReviews } from './review-queries.ts';

interface ProposalTools extends LimitedTools {
  readonly proposalMode: ProposalMode;
  readonly supportEmail: string;
  readonly outbox: Outbox<ProposalMailPurpose>;
  readonly search: {
    /** Finds the schools with the closest names. Among equally close ones, those of the country come first. */
    findClosest(name: string, country: string): Promise<readonly NamedItem[]>;
  };
}

/** Serves proposals of new schools and entries, and the admins' decisions about them. */
export function serveProposals(serve: Serve, tools: ProposalTools): void {
  serveProposing(serve, tools);
  serveMyProposals(serve, tools, requireNew);
  serveDeciding(serve, tools);
}

function serveProposing(serve: Serve, tools: ProposalTools): void {
  serve.write(
    proposeSchool,
    async ({ db, commit, body, caller }) => {
      requireProposals(tools);
      const { schoolName, location, description = '' } = body;
      return propose(db, commit, tools, caller, { kind: 'school', name: schoolName, location, description });
    },
    { onVanished: async () => refusals.invalidToken() },
  );

  serve.write(
    proposeEntry,
    async ({ db, commit, body, caller }) => {
      requireProposals(tools);
      const { schoolId, category, name, review, description = '' } = body;
      const problem = review && findYearProblem(review, new Date(tools.now()).getUTCFullYear());
      if (problem) throw refusals.badInput(problem.sentence, `review.${problem.field}`);
      requireFound(await findSchool(db, schoolId), 'school');
      return propose(db, commit, tools, caller, { kind: 'entry', schoolId, category, name, description, review });
    },
    {
      // On PostgreSQL the school or the caller may be deleted between the query and the insert.
      onVanished: async ({ db, body }) =>
        (await findSchool(db, body.schoolId)) ? refusals.invalidToken() : refusals.notFound('school'),
    },
  );
}

function requireProposals({ proposalMode, supportEmail }: ProposalTools): void {
  if (proposalMode !== 'off') return;
  throw refusals.forbidden(`Nothing can be proposed here. If something is missing, write to ${supportEmail}.`);
}

/** Adds a proposal. With PROPOSALS=open it is carried out at once. */
async function propose(
  db: Connection,
  commit: Commit,
  { proposalMode, now, throttles }: ProposalTools,
  caller: Caller,
  proposed: Proposed,
) {
  const at = now();
  // Locked first, so that concurrent proposals of one person are counted one after the other.
  await lockCallsOf(db, caller.userId);
  const added = await insertProposal(db, caller.userId, proposed, at);
  // Checked after the insert, which may have waited until an equal proposal was accepted.
  await requireNew(db, proposed);
  if ('equalId' in added) await join(db, added.equalId, caller, proposed, at);
  // Withdrawn proposals, which leave no row, count against the limit too.
  const [withdrawals] = throttles.on(LIMITS.proposalWithdrawals, caller.userId);
  const { count = 0 } = (withdrawals && (await lockCount(db, withdrawals, at))) ?? {};
  const limit = { ...LIMITS.proposals, max: LIMITS.proposals.max - count };
  await requireRowLimit(db, ['proposals', 'proposal_reviews'], limit, caller.userId, at);
  if ('equalId' in added) return { id: added.equalId, state: 'open' as const };
  let isFirst: boolean | undefined;
  if (proposalMode === 'open') {
    const proposal = await queries.lockProposal(db, added.id);
    if (!proposal) throw new Error('The proposal just made is not there.');
    await lockSubject(db, proposal);
    const accepted = await accept(db, commit, proposal, at);
    await queries.closeProposal(db, added.id, { state: 'accepted', ...accepted }, at);
    if (proposed.kind === 'entry' && proposed.review && !accepted.obstacle) {
      const entry = { id: accepted.madeId, schoolId: proposed.schoolId };
      isFirst = await isAloneInCategory(db, proposed.category, entry);
    }
  }
  const { id, state, schoolId, entryId } = await queries.readProposal(db, added.id);
  if (state === 'open') return { id, state };
  if (entryId === undefined) return { id, state, schoolId };
  return { id, state, schoolId, entryId, ...(isFirst !== undefined && { isFirst }) };
}

/** Adds a review to an equal open proposal of somebody else. @throws a 409 when no review can be added */
async function join(db: Connection, id: number, caller: Caller, proposed: Proposed, now: number): Promise<void> {
  const proposal = await queries.lockProposal(db, id);
  const review = proposed.kind === 'entry' ? proposed.review : undefined;
  const isJoined =
    review &&
    proposal?.state === 'open' &&
    proposal.user_id !== caller.userId &&
    (await joinProposal(db, proposal, caller.userId, review, now));
  if (!isJoined) {
    throw refusals.alreadyExists('This is proposed already. An admin will look at it.', { proposalId: id });
  }
}

/** @throws a 409 with the id of the school or entry when it exists */
async function requireNew(db: Connection, proposed: Proposed): Promise<void> {
  if (proposed.kind === 'school') {
    const id = await findSameSchool(db, proposed.name, countryOf(proposed.location));
    if (id !== undefined) throw refusals.alreadyExists('This school is there already.', { id });
  } else {
    const id = await findSameEntry(db, categoryOf(proposed.category), proposed.schoolId, proposed.name);
    if (id !== undefined) throw refusals.alreadyExists('This is there already. You can review it.', { id });
  }
}

function serveDeciding(serve: Serve, tools: ProposalTools): void {
  const { throttles, now, outbox } = tools;

  serve.read(getProposals, async ({ db, query }) => {
    const { rows, next } = await queries.listProposals(db, query.state ?? 'open', query);
    return new Page(await withSimilar(db, rows, tools), next);
  });

  serve.write(decideProposal, async ({ db, commit, params: { id }, body, caller }) => {
    const { action, reason = '', ...corrections } = body;
    if (action === 'refuse' && reason === '') {
      throw refusals.badInput('The reason for refusing the proposal is missing.', 'reason');
    }
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    const found = requireFound(await queries.findProposal(db, id), 'proposal');
    // Authors and the subject are locked in the same order as when users and schools are deleted; the proposal is
    // locked last.
    const authors = await listAuthors(db, found);
    for (const userId of authors) await lockCallsOf(db, userId);
    await lockSubject(db, found);
    const proposal = requireFound(await queries.lockProposal(db, id), 'proposal');
    // The school may have been merged into another one meanwhile.
    if (proposal.school_id !== found.school_id) await lockSubject(db, proposal);
    requireOpen(proposal);
    if (String(await listAuthors(db, proposal)) !== String(authors)) {
      throw refusals.conflict('Somebody has added or withdrawn a review of it meanwhile. Load the page again.');
    }

    const decision: queries.Decision =
      action === 'refuse'
        ? { state: 'refused', reason }
        : { state: 'accepted', ...(await accept(db, commit, proposal, now(), corrections)) };
    await queries.closeProposal(db, id, decision, now());
    const auditReason = decision.state === 'refused' ? reason : `${proposal.kind} ${decision.madeId}`;
    await recordAdmin(db, caller, decideProposal, { kind: 'proposal', id }, now(), { action, reason: auditReason });
    const purpose = `proposal-${decision.state}` as const;
    for (const userId of authors) await outbox.queue(db, commit, { purpose, userId, subjectId: id });
    return toAdminView(await queries.readProposal(db, id), []);
  });
}

/** Everybody who has a part in a proposal, in the order in which they are locked. */
async function listAuthors(db: Connection, proposal: queries.StoredProposal): Promise<number[]> {
  const authors = [proposal, ...(await listLaterReviews(db, [proposal]))].flatMap(({ user_id }) => user_id ?? []);
  return authors.sort((one, other) => one - other);
}

/**
 * A proposal as admins see it: without the reason for which its review was not posted. An admin who blocked or deleted
 * an account and then accepted open proposals could tell from it which anonymous reviews are by that person.
 */
function toAdminView(
  { reviewNotPosted, ...proposal }: queries.SharedProposal,
  similar: readonly NamedItem[],
): Proposal {
  return {
    ...proposal,
    ...(reviewNotPosted !== undefined && { reviewNotPosted: true }),
    similar: similar.map(({ id, name }) => ({ id, name })),
  };
}

/** Adds to open proposals the existing names that they may duplicate. */
async function withSimilar(
  db: Connection,
  rows: readonly queries.SharedProposal[],
  { search }: Pick<ProposalTools, 'search'>,
): Promise<Proposal[]> {
  const isOpenEntry = ({ kind, state }: queries.SharedProposal) => kind === 'entry' && state === 'open';
  const schoolIds = [...new Set(rows.filter(isOpenEntry).map(({ schoolId = 0 }) => schoolId))];
  const entries = schoolIds.length > 0 ? await listEntryNames(db, schoolIds) : [];
  const finders = new Map<string, (name: string) => readonly NamedItem[]>();
  const findClosestEntries = ({ schoolId, category, name = '' }: queries.SharedProposal) => {
    const key = `${category} ${schoolId}`;
    const find =
      finders.get(key) ?? indexNames(entries.filter((one) => one.schoolId === schoolId && one.kind === category));
    finders.set(key, find);
    return find(name);
  };
  const items: Proposal[] = [];
  for (const row of rows) {
    let similar: readonly NamedItem[] = [];
    if (isOpenEntry(row)) similar = findClosestEntries(row);
    else if (row.state === 'open') similar = await search.findClosest(row.schoolName, countryOf(row.location ?? ''));
    // Comparing a name with thousands takes up to milliseconds: other requests are served between two proposals.
    await setImmediate();
    items.push(toAdminView(row, similar));
  }
  return items;
}
