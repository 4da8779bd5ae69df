import { setTimeout } from 'node:timers/promises';

/** Asks until something is so. @returns after how many milliseconds it was; infinite when it was not for `maxMs` */
export async function timeUntil(isSo: () => unknown, maxMs: number, askEveryMs: number): Promise<number> {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > maxMs) return Number.POSITIVE_INFINITY;
    await setTimeout(askEveryMs);
  }
  return performance.now() - began;
}

/** Does each of these so many times a second, however long it takes. @returns what ends it once nothing is in flight */
export function everySecond(...acts: readonly (readonly [times: number, act: () => Promise<void>])[]) {
  const open = new Set<Promise<void>>();
  const timers = acts.map(([times, act]) =>
    setInterval(() => {
      const acting = act().finally(() => open.delete(acting));
      open.add(acting);
    }, 1_000 / times),
  );
  return async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(open);
  };
}
