/**
 * Splits work into steps, between which other requests are served. Work is counted, and not words or reviews: hostile
 * ones take a thousand times as long as usual.
 */
export class Steps {
  /** All work so far. */
  done = 0;
  readonly #size: number;
  #end: number;

  /** @param size how much work is done in one step */
  constructor(size: number) {
    this.#size = size;
    this.#end = size;
  }

  /** Counts work. @returns whether a step is over: the caller then waits for `setImmediate` */
  add(work: number): boolean {
    this.done += work;
    if (this.done < this.#end) return false;
    this.#end = this.done + this.#size;
    return true;
  }
}
