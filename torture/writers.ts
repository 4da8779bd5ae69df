import { setTimeout } from 'node:timers/promises';
import * as accounts from '../src/contract/accounts.ts';
import { reviewCalls } from '../src/contract/reviews.ts';
import type { Answer } from '../tests/support/call.ts';
import { reviewPost, send, sendPatiently } from './http.ts';
import {
  type Ledger,
  type PasswordReset,
  type PostedReview,
  type ResetAccount,
  recordReset,
  recordReview,
  recordSignUp,
} from './ledger.ts';
import { readCode } from './mails.ts';
import { type Population, pairsOf, takeNext } from './population.ts';
import { randomBetween } from './promise.ts';

/** Passcodes asked for before the writing begins: their mails would be most of a reset's time. */
const CODES_AHEAD = 8;

/** Requests of each kind in flight: passwords are hashed on all cores, and posts should not wait for that. */
const POSTS_AT_ONCE = 4;
const DELETES_AT_ONCE = 2;

const NOTHING_TO_DO_MS = 2;

interface Writers {
  /** Reads the passcodes out of the log of a server. */
  onLog(line: Record<string, unknown>): void;
  /** Asks for the passcodes that the resets of one run will use. */
  prepare(url: string): Promise<void>;
  /**
   * Four writers post reviews, delete them, sign up and reset passwords, until told to end or the server is gone.
   * @param pauseMs the pause of each writer between two requests
   */
  run(url: string, stop: AbortSignal, pauseMs?: number): Promise<void>;
}

/** @throws when the status is neither the expected one nor a 503, a refusal for the moment */
function isDone({ status, text }: Answer, expected: number): boolean {
  if (status !== expected && status !== 503) throw new Error(`A write was answered ${status}: ${text}`);
  return status === expected;
}

/** Writers who note everything they ask for in the ledger. */
export function createWriters(population: Population, ledger: Ledger): Writers {
  const unwritten = pairsOf(population);
  const forgetful = population.accounts.values();
  const run = Date.now().toString(36);
  let number = 0;
  const unique = () => `${run}-${++number}`;
  const codes = new Map<string, string>();
  const ready: { account: ResetAccount; code: string }[] = [];
  const deletable: PostedReview[] = [];

  async function postReview(url: string): Promise<void> {
    const pair = takeNext(unwritten);
    const text = `Review ${unique()}. ${'Ünd so weiter… '.repeat(randomBetween(0, 40))}`.trim();
    const rating = randomBetween(1, 10) / 2;
    const review: PostedReview = { ...pair, text, rating, outcome: 'unknown' };
    recordReview(ledger, review);
    const answer = await send(url, ...reviewPost(pair, { username: pair.author.username, rating, review: text }));
    if (!isDone(answer, 201)) return;
    review.outcome = 'acknowledged';
    review.id = answer.body.id;
    ledger.acknowledged += 1;
    if (number % 2 === 0) deletable.push(review);
  }

  async function deleteReview(url: string): Promise<void> {
    const review = deletable.shift();
    // A review that a broken product has lost cannot be deleted.
    const isThere = review && ledger.reviews.get(review.target)?.has(review);
    if (!isThere) return setTimeout(NOTHING_TO_DO_MS);
    review.deletion = 'unknown';
    ledger.fresh.targets.add(review.target);
    const { remove } = reviewCalls(review.target.category);
    const answer = await send(url, remove, { token: review.author.token, params: { id: review.id ?? 0 } });
    if (!isDone(answer, 204)) return;
    review.deletion = 'acknowledged';
    ledger.acknowledged += 1;
  }

  async function signUp(url: string): Promise<void> {
    const name = unique();
    const body = { username: `new-${name}`, email: `new-${name}@example.org`, password: `their password ${name}` };
    const account = { ...body, outcome: 'unknown' as 'unknown' | 'acknowledged' };
    recordSignUp(ledger, account);
    if (!isDone(await send(url, accounts.signup, { body }), 201)) return;
    account.outcome = 'acknowledged';
    ledger.acknowledged += 1;
  }

  async function resetPassword(url: string): Promise<void> {
    const next = ready.shift();
    if (!next) return setTimeout(NOTHING_TO_DO_MS);
    const { account, code } = next;
    const reset: PasswordReset = { account, newPassword: `after reset ${unique()}`, outcome: 'unknown' };
    recordReset(ledger, reset);
    const body = { email: account.email, forgotCode: code, newPassword: reset.newPassword };
    const answer = await send(url, accounts.resetPassword, { body });
    if (answer.status === 400) {
      ledger.lostCodes += 1;
      return;
    }
    if (!isDone(answer, 200)) return;
    reset.outcome = 'acknowledged';
    ledger.acknowledged += 1;
  }

  async function repeat(act: (url: string) => Promise<void>, url: string, stop: AbortSignal, pauseMs: number) {
    while (!stop.aborted) {
      try {
        await act(url);
        if (pauseMs > 0) await setTimeout(pauseMs);
      } catch (error) {
        // The server is gone, as it should be: fetch says no more than this.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  }

  return {
    onLog(line) {
      const mailed = readCode(line);
      if (mailed) codes.set(mailed.to, mailed.code);
    },
    async prepare(url) {
      while (ready.length < CODES_AHEAD) {
        const account = takeNext(forgetful);
        const answer = await sendPatiently(url, accounts.forgotPassword, { body: { email: account.email } });
        if (answer.status !== 200) throw new Error(`A passcode was answered ${answer.status}: ${answer.text}`);
        while (!codes.has(account.email)) await setTimeout(NOTHING_TO_DO_MS);
        ready.push({ account, code: codes.get(account.email) ?? '' });
      }
    },
    async run(url, stop, pauseMs = 0) {
      const acts = [
        ...Array.from({ length: POSTS_AT_ONCE }, () => postReview),
        ...Array.from({ length: DELETES_AT_ONCE }, () => deleteReview),
        signUp,
        resetPassword,
      ];
      await Promise.all(acts.map((act) => repeat(act, url, stop, pauseMs)));
    },
  };
}
