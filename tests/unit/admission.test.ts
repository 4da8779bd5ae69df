import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { createAdmission } from '../../src/server/http/limits/admission.ts';

afterEach(() => vi.restoreAllMocks());

interface Outcome {
  outcome: 'served' | 'refused';
  waited: number;
  at: number;
}

/** A server on which time passes only while it serves. */
function createServer(servingMs: number, onServed = () => {}) {
  let now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const arrivedAt = new WeakMap<ServerResponse, number>();
  const outcomes: Outcome[] = [];
  const record = (outcome: Outcome['outcome'], response: ServerResponse) => {
    outcomes.push({ outcome, waited: now - (arrivedAt.get(response) ?? 0), at: now });
  };
  const admission = createAdmission({
    serve({ response }) {
      record('served', response);
      now += servingMs;
      onServed();
    },
    refuse: ({ response }) => record('refused', response),
    onOverload() {},
  });
  const admit = (response: ServerResponse) => {
    arrivedAt.set(response, now);
    admission.admit({ request: {} as IncomingMessage, response });
  };
  return {
    outcomes,
    now: () => now,
    admit,
    arrive(count: number) {
      for (let i = 0; i < count; i += 1) admit({ destroyed: false } as ServerResponse);
    },
  };
}

const refusedOf = (outcomes: readonly Outcome[]) => outcomes.filter(({ outcome }) => outcome === 'refused');
const servedOf = (outcomes: readonly Outcome[]) => outcomes.filter(({ outcome }) => outcome === 'served');

/** The wait that a share of the requests does not exceed. */
function waitOf(outcomes: readonly Outcome[], share: number): number {
  const waits = outcomes.map(({ waited }) => waited).sort((one, other) => one - other);
  return waits[Math.ceil(waits.length * share) - 1] ?? Number.NaN;
}

test.each([
  [100, 2],
  [32, 30],
  [8, 110],
])('a burst of %i that take %i ms each, and so within a second all, is served whole', async (count, servingMs) => {
  const server = createServer(servingMs);
  server.arrive(count);
  while (server.outcomes.length < count) await setImmediate();
  expect(refusedOf(server.outcomes)).toEqual([]);
});

test.each([
  [8, 110],
  [32, 30],
  [60, 16],
])(
  '%i clients who ask again as soon as they are answered, after %i ms each, are all served',
  async (clients, servingMs) => {
    let idle = clients;
    const server = createServer(servingMs, () => {
      idle += 1;
    });
    while (server.now() < 6_000) {
      server.arrive(idle);
      idle = 0;
      await setImmediate();
    }
    expect(refusedOf(server.outcomes)).toEqual([]);
  },
);

test('visitors who come slowly at first and wait long for the first pages are all served', async () => {
  let servingMs = 150;
  const outcomes: string[] = [];
  let now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const admission = createAdmission({
    serve() {
      outcomes.push('served');
      now += servingMs;
      servingMs = Math.max(5, servingMs * 0.7);
    },
    refuse: () => outcomes.push('refused'),
    onOverload() {},
  });
  for (let i = 0; i < 40; i += 1) {
    admission.admit({ request: {} as IncomingMessage, response: { destroyed: false } as ServerResponse });
    now += 10;
    await setImmediate();
  }
  while (outcomes.length < 40) await setImmediate();
  expect(new Set(outcomes)).toEqual(new Set(['served']));
});

test('three times what can be served, for 30 s, is served as far as it goes, soon, and else refused at once', async () => {
  const server = createServer(2);
  const began = server.now();
  while (server.now() < began + 30_000) {
    // Three requests arrive for each that is served.
    server.arrive(3);
    await setImmediate();
  }
  const served = servedOf(server.outcomes);
  // The promise R7, here without a network.
  expect(waitOf(served, 0.99)).toBeLessThanOrEqual(250);
  expect(waitOf(refusedOf(server.outcomes), 0.5)).toBeLessThanOrEqual(60);
  expect(served.length * 2).toBeGreaterThan(0.9 * 30_000);
  // After the first second of the overload nobody waits long.
  const settled = server.outcomes.filter(({ at }) => at > began + 1_000);
  expect(waitOf(settled, 1)).toBeLessThan(60);
  expect(settled.length).toBeGreaterThan(2.9 * servedOf(settled).length);
});

test('a little more than can be served is refused once it would wait for more than a second', async () => {
  const server = createServer(20);
  const began = server.now();
  for (let round = 0; server.now() < began + 30_000; round += 1) {
    server.arrive(round % 5 === 0 ? 2 : 1);
    await setImmediate();
  }
  expect(refusedOf(server.outcomes).length).toBeGreaterThan(0);
  expect(waitOf(server.outcomes, 1)).toBeLessThanOrEqual(1_020);
});

test('served requests are garbage collected even while others are queued', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const server = createServer(1);
  server.arrive(3);
  const early = Array.from({ length: 10 }, () => {
    const response = { destroyed: false } as ServerResponse;
    server.admit(response);
    return new WeakRef(response);
  });
  while (server.outcomes.length < 40) {
    server.arrive(2);
    await setImmediate();
  }
  collectGarbage();
  expect(early.filter((response) => response.deref())).toEqual([]);
});
