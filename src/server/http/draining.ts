import { setTimeout } from 'node:timers/promises';

/** How long a process that is to end serves on at most: a balancer asks /readyz every second or two. */
const NOTICE_MAX_MS = 3_000;

/** When nobody has asked for anything for so long, nobody is waited for: a process without traffic ends at once. */
const QUIET_MS = 300;

/** The notice that a process gives before it closes: /readyz alone says 503, and each answer ends its connection. */
export class Draining {
  #isDraining = false;
  #requests = 0;

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** To be told of every request but those for health: whoever sends them has not heard yet. */
  countRequest(): void {
    this.#requests += 1;
  }

  /** From here on it drains. */
  begin(): void {
    this.#isDraining = true;
  }

  /** Begins, and waits. @returns once nobody asks any more, or for long enough */
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
