/** Runs pieces of work one after another. */
export function createQueue(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/** Work that may already be running when it is asked for: that call waits for that run and for one more. */
export function createRerun(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  return function run(): Promise<void> {
    if (!running) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
