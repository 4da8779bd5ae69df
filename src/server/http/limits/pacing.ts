/** Resolves when it is a thing's turn. */
export type Pace = (key: number) => Promise<void>;

/** Lets everything happen at once. */
export const unpaced: Pace = () => Promise.resolve();

/**
 * Spaces what happens to one thing: the first at once, and whatever comes before the time is over together at its end.
 * @param everyMs the least time between two turns of a thing
 */
export function createPacing(everyMs: number): Pace {
  /** The things whose last turn was less than that ago, with those who wait for the next. */
  const waiting = new Map<number, PromiseWithResolvers<void> | undefined>();

  function begin(key: number): void {
    waiting.set(key, undefined);
    setTimeout(() => {
      const next = waiting.get(key);
      waiting.delete(key);
      if (!next) return;
      begin(key);
      next.resolve();
    }, everyMs).unref();
  }

  return (key) => {
    if (!waiting.has(key)) {
      begin(key);
      return Promise.resolve();
    }
    const next = waiting.get(key) ?? Promise.withResolvers<void>();
    waiting.set(key, next);
    return next.promise;
  };
}
