import { setTimeout as wait } from 'node:timers/promises';

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

  begin(): void {
    this.#isDraining = true;
  }

  /** Begins the draining, and waits until no requests arrive any more, for `NOTICE_MAX_MS` at most. */
  async giveNotice(): Promise<void> {
    this.begin();
    const endsAt = performance.now() + NOTICE_MAX_MS;
    let requestsBefore: number;
    do {
      requestsBefore = this.#requests;
      await wait(QUIET_MS);
    } while (this.#requests > requestsBefore && performance.now() < endsAt);
  }
}

/**
 * How long a write waits for the start to end. A load balancer sends a refused read to another process, but never
 * repeats a request that may have changed something: its client would get the refusal.
 */
const WRITE_WAITS_MS = 8_000;

const isRead = (method: string | undefined) => method === 'GET' || method === 'HEAD';

/** The time in which the process does not serve yet, because its database is not ready. */
export class Starting {
  /** The current step, in the words of /readyz: "it is …". */
  step = 'migrating the database';
  #isOver = false;
  readonly #end = Promise.withResolvers<true>();

  get isOver(): boolean {
    return this.#isOver;
  }

  finish(): void {
    this.#isOver = true;
    this.#end.resolve(true);
  }

  /** Waits for the end of the start as long as a request of this method should. @returns whether the start is over */
  async wait(method: string | undefined): Promise<boolean> {
    if (isRead(method)) return this.#isOver;
    return Promise.race([this.#end.promise, wait(WRITE_WAITS_MS, false, { ref: false })]);
  }
}
