import { setTimeout } from 'node:timers/promises';

/**
 * The longest time that a process still serves after it was told to end: a load balancer asks /readyz every second or
 * two.
 */
const NOTICE_MAX_MS = 3_000;

/** After this time without a request nothing is waited for: a process without traffic ends at once. */
const QUIET_MS = 300;

/** The notice before a process closes: only /readyz answers 503, and every response ends its connection. */
export class Draining {
  #isDraining = false;
  #requests = 0;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Must be called for every request but health checks: its client does not know yet that the process is ending. */
  countRequest(): void {
    this.#requests += 1;
  }

  /** From here on it drains. */
  begin(): void {
    this.#isDraining = true;
  }

  /** Begins the notice. @returns when requests have stopped, or after the longest time */
  async giveNotice(): Promise<void> {
    this.begin();
    const endsAt = performance.now() + NOTICE_MAX_MS;
    let before: number;
    do {
      before = this.#requests;
      await setTimeout(QUIET_MS);
    } while (this.#requests > before && performance.now() < endsAt);
  }
}
