import { expect, test } from 'vitest';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { writeInstant } from '../../src/server/database/instants.ts';

test('an instant is written as Date does it, in any year and to the millisecond', () => {
  const random = createRandom(7);
  const edges = [0, -1, 1, 86_399_999, 86_400_000, -62_198_755_200_000, 253_402_300_800_000, 8_640_000_000_000_000];
  // More days than are remembered.
  const others = Array.from({ length: 20_000 }, () => random.below(4_000_000_000_000) - 1_000_000_000_000);
  for (const time of [...edges, ...others]) expect(writeInstant(time)).toBe(new Date(time).toISOString());
  expect(() => writeInstant(8_640_000_000_000_001 + 86_400_000)).toThrow(RangeError);
});
