import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createOneAtATime } from '../../src/server/http/limits/one-at-a-time.ts';
import { runWork, Work } from '../../src/server/http/limits/processor-time.ts';

/** Kept from test to test, because the clock must not go back between two of them. */
let now = 1_000_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Processor time that passes only when told to, in milliseconds. */
function createClock() {
  now += 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({ user: now * 1_000, system: 0 }));
  return (milliseconds: number) => {
    now += milliseconds;
  };
}

/** Runs a piece of work to its end. @returns its time */
async function measure(work: () => Promise<unknown>): Promise<Work> {
  const counted = new Work([]);
  await new Promise<void>((resolve, reject) => {
    runWork(counted, () => void work().then(() => resolve(), reject));
  });
  await setImmediate();
  return counted;
}

test('what a request spends before and after it waits counts, and what others spend meanwhile does not', async () => {
  const spend = createClock();
  const { milliseconds } = await measure(async () => {
    spend(1);
    await Promise.resolve();
    spend(20);
    const others = new Promise<void>((resolve) => {
      globalThis.setImmediate(() => {
        spend(400);
        resolve();
      });
    });
    await others;
    spend(3);
    await Promise.resolve().then(() => spend(5));
  });
  expect(milliseconds).toBe(29);
});

test('of two requests that wait for each other, each counts its own', async () => {
  const spend = createClock();
  const first = measure(async () => {
    for (let step = 0; step < 3; step += 1) {
      spend(10);
      await setImmediate();
    }
  });
  const second = measure(async () => {
    for (let step = 0; step < 3; step += 1) {
      await setImmediate();
      spend(7);
      await Promise.resolve();
      spend(7);
    }
  });
  expect([(await first).milliseconds, (await second).milliseconds]).toEqual([30, 42]);
});

test('work in a queue counts for the request that queued it', async () => {
  const spend = createClock();
  const inTurn = createOneAtATime(2);
  const queued = [30, 50].map((milliseconds) =>
    measure(() =>
      inTurn(async () => {
        spend(milliseconds);
        await Promise.resolve();
        spend(milliseconds);
      }),
    ),
  );
  expect((await Promise.all(queued)).map(({ milliseconds }) => milliseconds)).toEqual([60, 100]);
});

test('time in which another process had the processor does not count', async () => {
  const spend = createClock();
  let lost = 0;
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({
    user: (performance.now() - lost) * 1_000,
    system: 0,
  }));
  const { milliseconds } = await measure(async () => {
    spend(40);
    lost += 25;
  });
  expect(milliseconds).toBe(15);
});

test('a budget that is added to a request is charged for the time used before', async () => {
  const spend = createClock();
  const charged: number[] = [];
  const address = { charge: (milliseconds: number) => void charged.push(milliseconds) };
  let paidByUser = 0;
  const user = {
    charge(milliseconds: number) {
      paidByUser += milliseconds;
    },
  };
  const work = new Work([address]);
  runWork(work, () => void spend(6));
  await setImmediate();
  work.addPayer(user);
  work.addPayer(user);
  work.add(2);
  expect(charged).toEqual([6, 2]);
  expect(paidByUser).toBe(8);
});
