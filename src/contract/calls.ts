import { ACCOUNT_CALLS } from './accounts.ts';
import { AUDIT_CALLS } from './audit.ts';
import type { Call } from './call.ts';
import { CATEGORIES } from './categories.ts';
import { entryCalls } from './entries.ts';
import { leaderboardCall } from './leaderboard.ts';
import { MODERATION_CALLS } from './moderation.ts';
import { PROFILE_CALLS } from './profiles.ts';
import { reviewCalls } from './reviews.ts';
import { SCHOOL_CALLS } from './schools.ts';
import { USER_CALLS } from './users.ts';

/** Every call of the product. For the server, the API document and the tests; the browser imports single calls. */
export const CALLS: readonly Call[] = [
  ...ACCOUNT_CALLS,
  ...SCHOOL_CALLS,
  ...CATEGORIES.flatMap((category) => Object.values<Call>(entryCalls(category))),
  ...CATEGORIES.flatMap((category) => Object.values<Call>(reviewCalls(category))),
  ...USER_CALLS,
  ...AUDIT_CALLS,
  ...MODERATION_CALLS,
  ...PROFILE_CALLS,
  ...CATEGORIES.map(leaderboardCall),
];
