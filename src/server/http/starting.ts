/**
 * How long a write waits. A balancer sends a read that is refused to another process, but never sends again what may
 * have been written: its sender would be told of the refusal.
 */
const WRITE_WAITS_MS = 8_000;

const isRead = (method: string | undefined) => method === 'GET' || method === 'HEAD';

/** The time in which the process does not serve yet, because its database is not ready. */
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
  async wait(method: string | undefined): Promise<boolean> {
    if (isRead(method)) return this.#isOver;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), WRITE_WAITS_MS);
    void this.#end.promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
    return promise;
  }
}
