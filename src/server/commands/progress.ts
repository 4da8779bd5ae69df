const INTERVAL_MS = 1_000;
const TERMINAL_INTERVAL_MS = 100;

export interface Progress {
  /** Shows how far the work is; most calls in quick succession show nothing. */
  show(line: string): void;
  /** Prints a line that stays. */
  say(line: string): void;
  /** Takes the passing line away. */
  clear(): void;
}

/** A line that rewrites itself on a terminal; elsewhere a line now and then, so that logs stay short. */
export function createProgress(stream: NodeJS.WriteStream = process.stdout): Progress {
  const interval = stream.isTTY ? TERMINAL_INTERVAL_MS : INTERVAL_MS;
  let shownAt = Number.NEGATIVE_INFINITY;
  const clear = () => {
    if (stream.isTTY) stream.write('\r\u001B[K');
  };
  return {
    show(line) {
      if (performance.now() - shownAt < interval) return;
      shownAt = performance.now();
      clear();
      stream.write(stream.isTTY ? line : `${line}\n`);
    },
    say(line) {
      clear();
      stream.write(`${line}\n`);
    },
    clear,
  };
}
