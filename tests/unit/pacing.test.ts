import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPacing } from '../../src/server/http/limits/pacing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first has its turn at once, and those that come soon after it have theirs together', async () => {
  const pace = createPacing(1_000);
  const turns: string[] = [];
  const come = (name: string, key: number) => void pace(key).then(() => turns.push(name));
  come('first', 1);
  come('second', 1);
  await vi.advanceTimersByTimeAsync(400);
  come('third', 1);
  come('of another thing', 2);
  await vi.advanceTimersByTimeAsync(599);
  expect(turns).toEqual(['first', 'of another thing']);
  await vi.advanceTimersByTimeAsync(1);
  expect(turns).toEqual(['first', 'of another thing', 'second', 'third']);
  come('fourth', 1);
  await vi.advanceTimersByTimeAsync(999);
  expect(turns).toHaveLength(4);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(turns.at(-1)).toBe('fourth');
  come('long after', 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(turns.at(-1)).toBe('long after');
});
