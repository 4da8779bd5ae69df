import { expect, test } from 'vitest';
import { createOneAtATime } from '../../src/server/http/limits/one-at-a-time.ts';

test('pieces of work run one after another, and more than may wait are refused', async () => {
  const run = createOneAtATime(8);
  let running = 0;
  const piece = async () => {
    running += 1;
    await Promise.resolve();
    expect(running).toBe(1);
    running -= 1;
  };
  const results = await Promise.allSettled(Array.from({ length: 11 }, () => run(piece)));
  expect(results.map(({ status }) => status)).toEqual([...Array(9).fill('fulfilled'), ...Array(2).fill('rejected')]);
  expect(results[10]).toMatchObject({ reason: { status: 503 } });
});

test('work that fails rejects its caller and delays no other', async () => {
  const run = createOneAtATime(8);
  const failing = run(() => Promise.reject(new Error('no database')));
  const next = run(async () => 'done');
  await expect(failing).rejects.toThrow('no database');
  expect(await next).toBe('done');
});
