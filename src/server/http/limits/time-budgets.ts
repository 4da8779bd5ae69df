import { LRUCache } from 'lru-cache';
import { type Refusal, refusals } from '../refusals/refusals.ts';
import { tiersOf } from './addresses.ts';
import { BOUNDS } from './bounds.ts';
import { currentWork, type Payer } from './processor-time.ts';

/** How much processor time somebody's uncached answers may take. */
export interface TimeBudget {
  /** The time that may be used in one go. */
  readonly maxMs: number;
  /** The time that is added every second, up to the maximum. */
  readonly perSecondMs: number;
  readonly why: string;
  /** The sentence of the 429. */
  readonly sentence: string;
}

/**
 * The budgets are counted in the memory of each process. RATE_LIMIT=off turns them off, because they are limits by
 * address and user.
 */
export const TIME_BUDGETS = {
  address: {
    maxMs: 6_000,
    perSecondMs: 100,
    why: 'a reader takes 6 ms in three minutes: five hundred behind one address take a sixth of what is added',
    sentence: 'Your network has made this site work a lot. Please wait a moment and try again.',
  },
  user: {
    maxMs: 3_000,
    perSecondMs: 50,
    why: 'somebody who is signed in has half of that, from whatever addresses they ask',
    sentence: 'Your requests have made this site work a lot. Please wait a moment and try again.',
  },
} as const satisfies Record<string, TimeBudget>;

/** A token bucket of processor time: what is left grows steadily, up to a maximum. */
export class Budget implements Payer {
  readonly #limit: TimeBudget;
  readonly #factor: number;
  /** Negative after work that took more than was left. */
  #left: number;
  #at = performance.now();

  /** @param factor that of the block of addresses */
  constructor(limit: TimeBudget, factor = 1) {
    this.#limit = limit;
    this.#factor = factor;
    this.#left = limit.maxMs * factor;
  }

  charge(milliseconds: number): void {
    this.#refill();
    this.#left -= milliseconds;
  }

  /** The 429 while nothing is left. */
  findRefusal(): Refusal | undefined {
    this.#refill();
    if (this.#left > 0) return undefined;
    const { perSecondMs, sentence, maxMs } = this.#limit;
    const policy = { name: 'processor-milliseconds', max: maxMs, windowMs: (maxMs / perSecondMs) * 1000 };
    return refusals.tooManyRequests(sentence, -this.#left / (perSecondMs * this.#factor), policy);
  }

  #refill(): void {
    const now = performance.now();
    const { maxMs, perSecondMs } = this.#limit;
    const added = ((now - this.#at) / 1_000) * perSecondMs * this.#factor;
    this.#left = Math.min(maxMs * this.#factor, this.#left + added);
    this.#at = now;
  }
}

export type TimeBudgets = ReturnType<typeof createTimeBudgets>;

/**
 * Limits the processor time of uncached answers, for each address and each user. Like the requests, it is counted in
 * the memory of this process.
 */
export function createTimeBudgets() {
  const { max } = BOUNDS.addressesCounted;
  const byBlock = new LRUCache<string, Budget, number>({
    max,
    memoMethod: (_block, _stale, { context: factor }) => new Budget(TIME_BUDGETS.address, factor),
  });
  const byUser = new LRUCache<number, Budget>({ max, memoMethod: () => new Budget(TIME_BUDGETS.user) });
  return {
    /** The budgets of an address, one for each block that contains it. */
    ofAddress: (address: string): readonly Budget[] =>
      tiersOf(address).map(({ block, factor }) => byBlock.memo(block, { context: factor })),
    /**
     * Charges the running request's processor time to the budget of its user, besides that of its address.
     * @throws a 429 while nothing is left of the user's budget
     */
    chargeUser(userId: number): void {
      const budget = byUser.memo(userId);
      const refusal = budget.findRefusal();
      if (refusal) throw refusal;
      currentWork()?.addPayer(budget);
    },
  };
}

/** The 429 of the first budget that is empty. */
export function findBudgetRefusal(budgets: readonly Budget[]): Refusal | undefined {
  for (const budget of budgets) {
    const refusal = budget.findRefusal();
    if (refusal) return refusal;
  }
  return undefined;
}
