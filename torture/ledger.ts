import type { Category } from '../src/contract/categories.ts';

/** The outcome of a request: acknowledged, or unknown because no answer came. */
type Outcome = 'acknowledged' | 'unknown';

export interface Reviewer {
  readonly userId: number;
  readonly username: string;
  readonly token: string;
}

export interface Target {
  readonly id: number;
  readonly category: Category;
}

export interface PostedReview {
  readonly target: Target;
  readonly author: Reviewer;
  readonly text: string;
  readonly rating: number;
  outcome: Outcome;
  /** Known once the write is acknowledged or has been read back. */
  id?: number;
  deletion?: Outcome;
}

export interface SignUp {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  outcome: Outcome;
}

/** Somebody who can log in, and is signed in with one session that a reset ends. */
export interface ResetAccount extends Reviewer {
  readonly email: string;
  readonly password: string;
}

export interface PasswordReset {
  readonly account: ResetAccount;
  readonly newPassword: string;
  outcome: Outcome;
}

/** Every write that was requested and not yet found missing, with its answer. */
export interface Ledger {
  readonly reviews: Map<Target, Set<PostedReview>>;
  readonly signUps: Set<SignUp>;
  readonly resets: Set<PasswordReset>;
  /** What was changed since it was last read back. */
  readonly fresh: { targets: Set<Target>; signUps: Set<SignUp>; resets: Set<PasswordReset> };
  acknowledged: number;
  /** Passcodes that were mailed, and that the server then did not know. */
  lostCodes: number;
}

export function createLedger(): Ledger {
  return {
    reviews: new Map(),
    signUps: new Set(),
    resets: new Set(),
    fresh: { targets: new Set(), signUps: new Set(), resets: new Set() },
    acknowledged: 0,
    lostCodes: 0,
  };
}

/** Records a review. This is done before it is sent: a write without an answer may have succeeded. */
export function recordReview({ reviews, fresh }: Ledger, review: PostedReview): void {
  const ofTarget = reviews.get(review.target) ?? new Set();
  reviews.set(review.target, ofTarget.add(review));
  fresh.targets.add(review.target);
}

export function recordSignUp({ signUps, fresh }: Ledger, signUp: SignUp): void {
  signUps.add(signUp);
  fresh.signUps.add(signUp);
}

export function recordReset({ resets, fresh }: Ledger, reset: PasswordReset): void {
  resets.add(reset);
  fresh.resets.add(reset);
}
