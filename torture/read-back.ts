import * as accounts from '../src/contract/accounts.ts';
import * as profiles from '../src/contract/profiles.ts';
import { reviewCalls } from '../src/contract/reviews.ts';
import { sendPatiently as send } from './http.ts';
import type { Ledger, PasswordReset, PostedReview, SignUp, Target } from './ledger.ts';
import { REVIEWERS } from './population.ts';

/** What reading back has shown. */
interface ReadBack {
  /** Acknowledged writes that are missing. */
  lost: number;
  /** Data that must not exist: half a write, data that nobody wrote, counters that differ from their rows. */
  readonly faults: string[];
}

interface Listed {
  id: number;
  review: string;
  rating: number;
  username?: string;
}

async function readTarget(url: string, { id, category }: Target) {
  const calls = reviewCalls(category);
  const params = { id };
  const list = await send(url, calls.list, { params, query: { limit: REVIEWERS } });
  const total = await send(url, calls.totalReviews, { params });
  const average = await send(url, calls.averageRating, { params });
  const failed = [list, total, average].find(({ status }) => status !== 200);
  if (failed) throw new Error(`Reading entry ${id} back was answered ${failed.status}: ${failed.text}`);
  const listed: Listed[] = list.body;
  return { listed, total: Number(total.body.totalReviews), average: Number(average.body.averageRating) };
}

/** Compares one review with what was listed, and corrects the ledger to it. */
function settleReview(review: PostedReview, found: Listed | undefined, result: ReadBack): 'there' | 'gone' {
  const { author, text, rating, outcome, deletion, id } = review;
  if (found) {
    const isWhole = found.rating === rating && found.username === author.username && found.id === (id ?? found.id);
    if (!isWhole) result.faults.push(`review "${text.slice(0, 30)}" is there in part: ${JSON.stringify(found)}`);
    if (deletion === 'acknowledged') result.lost += 1;
    review.outcome = 'acknowledged';
    review.id = found.id;
    delete review.deletion;
    return 'there';
  }
  if (outcome === 'acknowledged' && deletion === undefined) result.lost += 1;
  return 'gone';
}

async function readReviews(url: string, target: Target, ledger: Ledger, result: ReadBack): Promise<void> {
  const { listed, total, average } = await readTarget(url, target);
  const byText = new Map(listed.map((review) => [review.review, review]));
  const written = ledger.reviews.get(target) ?? new Set();
  for (const review of written) {
    const found = byText.get(review.text);
    byText.delete(review.text);
    if (settleReview(review, found, result) === 'gone') written.delete(review);
  }
  for (const { review } of byText.values()) result.faults.push(`nobody wrote the review "${review.slice(0, 30)}"`);
  const sum = listed.reduce((total, { rating }) => total + rating, 0);
  const mean = listed.length === 0 ? 0 : sum / listed.length;
  if (total !== listed.length || Math.abs(average - mean) > 1e-9) {
    result.faults.push(`entry ${target.id} says ${total} reviews of ${average}; they are ${listed.length} of ${mean}`);
  }
}

/** Logging in tells what is there: 403 for an account that waits for its passcode, 401 for none. */
async function logIn(url: string, email: string, password: string): Promise<number> {
  const { status, text } = await send(url, accounts.login, { body: { email, password } });
  if (![200, 401, 403].includes(status)) throw new Error(`A login was answered ${status}: ${text}`);
  return status;
}

async function readSignUp(url: string, signUp: SignUp, ledger: Ledger, result: ReadBack): Promise<void> {
  const isThere = (await logIn(url, signUp.email, signUp.password)) === 403;
  if (signUp.outcome === 'acknowledged' && !isThere) result.lost += 1;
  signUp.outcome = 'acknowledged';
  if (!isThere) ledger.signUps.delete(signUp);
}

async function readReset(url: string, reset: PasswordReset, ledger: Ledger, result: ReadBack): Promise<void> {
  const { account, newPassword, outcome } = reset;
  const isDone = (await logIn(url, account.email, newPassword)) === 200;
  if (outcome === 'acknowledged' && !isDone) result.lost += 1;
  if (!isDone && (await logIn(url, account.email, account.password)) !== 200) {
    result.faults.push(`${account.email} can log in with neither password`);
  }
  const params = { userId: account.userId };
  const { status } = await send(url, profiles.getProfile, { params, token: account.token });
  if ((status === 401) !== isDone) {
    result.faults.push(`${account.email}: the reset is ${isDone ? '' : 'not '}there, its session answers ${status}`);
  }
  reset.outcome = 'acknowledged';
  if (!isDone) ledger.resets.delete(reset);
}

/** Reads over HTTP what is written in the ledger, all of it or what is new, and corrects the ledger to what is there. */
export async function readBack(url: string, ledger: Ledger, extent: 'all' | 'fresh'): Promise<ReadBack> {
  const { fresh } = ledger;
  const result: ReadBack = { lost: 0, faults: [] };
  for (const target of extent === 'all' ? ledger.reviews.keys() : fresh.targets) {
    await readReviews(url, target, ledger, result);
  }
  for (const signUp of extent === 'all' ? ledger.signUps : fresh.signUps) await readSignUp(url, signUp, ledger, result);
  for (const reset of extent === 'all' ? ledger.resets : fresh.resets) await readReset(url, reset, ledger, result);
  for (const set of Object.values(fresh)) set.clear();
  return result;
}
