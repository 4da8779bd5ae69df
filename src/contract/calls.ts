import { ACCOUNT_CALLS } from './accounts.ts';
import { AUDIT_CALLS } from './audit.ts';
import type { Call } from './call.ts';
import { CATEGORIES } from './categories.ts';
import { COMPARISON_CALLS } from './comparison.ts';
import { DELETION_CALLS } from './deletions.ts';
import { entryCalls } from './entries.ts';
import { getCategorySummary, getEntrySummary } from './entry-summary.ts';
import { HELPFUL_CALLS } from './helpful.ts';
import { IMPORT_CALLS } from './imports.ts';
import { getRanking, leaderboardCall } from './leaderboard.ts';
import { MERGING_CALLS } from './merging.ts';
import { MODERATION_CALLS, REPORT_CALLS } from './moderation.ts';
import { MY_ACCOUNT_CALLS } from './my-account.ts';
import { MY_REVIEW_CALLS } from './my-reviews.ts';
import { PROFILE_CALLS } from './profiles.ts';
import { PROPOSAL_CALLS } from './proposals.ts';
import { REMOVAL_CALLS } from './removals.ts';
import { getCategoryReviews, getReview, reviewCalls } from './reviews.ts';
import { SAVED_SCHOOL_CALLS } from './saved-schools.ts';
import { SCHOOL_CALLS } from './schools.ts';
import { SEARCH_CALLS } from './search.ts';
import { NUMBERS_CALLS } from './site-numbers.ts';
import { USER_STATE_CALLS } from './user-state.ts';
import { USER_CALLS } from './users.ts';
import { VOICE_CALLS } from './voices.ts';

/** Every call of the product by domain. For the server, the API document and the tests. */
export const CALLS_BY_DOMAIN: Readonly<Record<string, readonly Call[]>> = {
  Accounts: [...ACCOUNT_CALLS, ...MY_ACCOUNT_CALLS],
  Schools: [...SCHOOL_CALLS, ...SEARCH_CALLS, ...MERGING_CALLS],
  Entries: CATEGORIES.flatMap((category) => Object.values<Call>(entryCalls(category))),
  Reviews: [
    ...CATEGORIES.flatMap((category) => Object.values<Call>(reviewCalls(category))),
    getReview,
    getCategoryReviews,
    getEntrySummary,
    getCategorySummary,
    ...HELPFUL_CALLS,
    ...VOICE_CALLS,
  ],
  Users: [...USER_CALLS, ...USER_STATE_CALLS],
  'Audit trail': AUDIT_CALLS,
  Receipts: MY_REVIEW_CALLS,
  Reports: REPORT_CALLS,
  Moderation: MODERATION_CALLS,
  Removals: REMOVAL_CALLS,
  Deletions: DELETION_CALLS,
  Proposals: PROPOSAL_CALLS,
  Profiles: PROFILE_CALLS,
  Leaderboards: [...CATEGORIES.map(leaderboardCall), getRanking],
  Comparison: COMPARISON_CALLS,
  Numbers: NUMBERS_CALLS,
  Files: IMPORT_CALLS,
  'Saved schools': SAVED_SCHOOL_CALLS,
};

/** Every call of the product. The browser imports single calls instead. */
export const CALLS: readonly Call[] = Object.values(CALLS_BY_DOMAIN).flat();
