/** Resolves when the next batch of the key may begin. */
export type Pace = (key: number) => Promise<void>;

/**
 * Batches the work of each key: the first call runs at once, and all calls within the interval after it together at its
 * end.
 * @param everyMs the interval between two batches of a key
 */
export function createPacing(everyMs: number): Pace {
  /** By key, during its interval: the promise of the waiting calls; undefined while none waits. */
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
