import { LRUCache } from 'lru-cache';
import { type Refusal, refusals } from '../refusals/refusals.ts';
import { tiersOf } from './addresses.ts';
import { BOUNDS } from './bounds.ts';
import { TIME_BUDGETS, type TimeBudget } from './limits.ts';
import type { Payer, ProcessorTime } from './processor-time.ts';

/** What is left of somebody's processor time. It is refilled all the time, up to a maximum. */
export class Budget implements Payer {
  readonly #limit: TimeBudget;
  readonly #times: number;
  /** Negative after work that took more than was left. */
  #left: number;
  #at = performance.now();

  /** @param times the factor for a block of addresses */
  constructor(limit: TimeBudget, times = 1) {
    this.#limit = limit;
    this.#times = times;
    this.#left = limit.maxMs * times;
  }

  charge(milliseconds: number): void {
    this.#refill();
    this.#left -= milliseconds;
  }

  /** The 429 while nothing is left. */
  findRefusal(): Refusal | undefined {
    this.#refill();
    if (this.#left > 0) return undefined;
    const { perSecondMs, sentence } = this.#limit;
    return refusals.tooManyRequests(sentence, -this.#left / (perSecondMs * this.#times));
  }

  #refill(): void {
    const now = performance.now();
    const { maxMs, perSecondMs } = this.#limit;
    const added = ((now - this.#at) / 1_000) * perSecondMs * this.#times;
    this.#left = Math.min(maxMs * this.#times, this.#left + added);
    this.#at = now;
  }
}

export interface TimeBudgets {
  /** The budgets of an address: an IPv6 address has one for each of its blocks. */
  ofAddress(address: string): readonly Budget[];
  ofUser(userId: number): Budget;
}

/**
 * Limits the processor time of uncached answers, for each address and each user. Like the requests, it is counted in
 * the memory of this process.
 */
export function createTimeBudgets(): TimeBudgets {
  const { max } = BOUNDS.addressesCounted;
  const byBlock = new LRUCache<string, Budget, number>({
    max,
    memoMethod: (_block, _stale, { context: times }) => new Budget(TIME_BUDGETS.address, times),
  });
  const byUser = new LRUCache<number, Budget>({ max, memoMethod: () => new Budget(TIME_BUDGETS.user) });
  return {
    ofAddress: (address) => tiersOf(address).map(({ block, times }) => byBlock.memo(block, { context: times })),
    ofUser: (userId) => byUser.memo(userId),
  };
}

/**
 * Lets a signed-in user pay, beside the address, for the answer that is being made.
 * @throws a 429 while nothing is left
 */
export type ChargeUser = (userId: number) => void;

/** @param budgets undefined: processor time is not limited */
export function createChargeUser(processorTime: ProcessorTime, budgets: TimeBudgets | undefined): ChargeUser {
  return (userId) => {
    const budget = budgets?.ofUser(userId);
    const refusal = budget?.findRefusal();
    if (refusal) throw refusal;
    if (budget) processorTime.current()?.addPayer(budget);
  };
}

/** The 429 of the first budget that is empty. */
export function findEmpty(budgets: readonly Budget[]): Refusal | undefined {
  for (const budget of budgets) {
    const refusal = budget.findRefusal();
    if (refusal) return refusal;
  }
  return undefined;
}
