/** How long a read waits, so that nobody notices a start that has nothing to do. */
const READ_WAITS_MS = 250;

/**
 * How long a write waits. A balancer sends a read that is refused to another process, but never sends again what may
 * have been written: its sender would be told of the refusal.
 */
const WRITE_WAITS_MS = 8_000;

const waitsMs = (method: string | undefined) =>
  method === 'GET' || method === 'HEAD' ? READ_WAITS_MS : WRITE_WAITS_MS;

/** The time in which the process listens and does not serve yet, because its database is not ready. */
export class Starting {
  /** What the process is doing. */
  step = 'migrating the database';
  #isOver = false;
  readonly #end = Promise.withResolvers<void>();

  get isOver(): boolean {
    return this.#isOver;
  }

  finish(): void {
    this.#isOver = true;
    this.#end.resolve();
  }

  /** Waits for the end of the start, for as long as a request of this method should. @returns whether it is over */
  wait(method: string | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), waitsMs(method));
    void this.#end.promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
    return promise;
  }
}
