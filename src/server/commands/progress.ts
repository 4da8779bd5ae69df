const PRINT_EVERY_MS = 1_000;
const TERMINAL_PRINT_EVERY_MS = 100;

/** Rewrites one line on a terminal. Elsewhere it prints a line at intervals, so that logs stay short. */
export function createProgress() {
  const stream = process.stdout;
  const interval = stream.isTTY ? TERMINAL_PRINT_EVERY_MS : PRINT_EVERY_MS;
  let shownAt = Number.NEGATIVE_INFINITY;
  /** Removes the progress line. */
  const clear = () => {
    if (stream.isTTY) stream.write('\r\u001B[K');
  };
  return {
    /** Shows the progress. Calls in quick succession print nothing. */
    show(line: string): void {
      if (performance.now() - shownAt < interval) return;
      shownAt = performance.now();
      clear();
      stream.write(stream.isTTY ? line : `${line}\n`);
    },
    /** Prints a permanent line. */
    say(line: string): void {
      clear();
      stream.write(`${line}\n`);
    },
    clear,
  };
}
