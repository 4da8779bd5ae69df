import { setTimeout } from 'node:timers/promises';

/**
 * The longest time that a process still serves after it was told to stop: a load balancer asks /readyz every second or
 * two.
 */
const NOTICE_MAX_MS = 3_000;

/** After this time without a request the notice ends early, so that a process without traffic stops at once. */
const QUIET_MS = 300;

/**
 * The notice before a process closes: /readyz answers 503, everything else is still served, and every response closes
 * its connection.
 */
export class Draining {
  #isDraining = false;
  #requests = 0;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Call it for every request except health checks: a request shows that its client does not know yet that the process
   * is stopping.
   */
  countRequest(): void {
    this.#requests += 1;
  }

  /** Starts the draining. */
  begin(): void {
    this.#isDraining = true;
  }

  /** Starts the notice. @returns when requests have stopped, or after the longest time */
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
