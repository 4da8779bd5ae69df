import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createAdmission } from '../../src/server/http/admission.ts';

const SERVING_MS = 2;

afterEach(() => vi.restoreAllMocks());

/** A server on which time passes only while it serves. */
function createServer() {
  let now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const came = new Map<ServerResponse, number>();
  const outcomes: { outcome: 'served' | 'refused'; waited: number; at: number }[] = [];
  const note = (outcome: 'served' | 'refused', response: ServerResponse) => {
    outcomes.push({ outcome, waited: now - (came.get(response) ?? 0), at: now });
  };
  const admission = createAdmission({
    serve(_request, response) {
      note('served', response);
      now += SERVING_MS;
    },
    refuse: (_request, response) => note('refused', response),
    onOverload() {},
  });
  return {
    outcomes,
    now: () => now,
    arrive(count: number) {
      for (let i = 0; i < count; i += 1) {
        const response = { destroyed: false } as ServerResponse;
        came.set(response, now);
        admission.admit({} as IncomingMessage, response);
      }
    },
  };
}

test('a burst that can be worked off in time is served whole', async () => {
  const server = createServer();
  server.arrive(100);
  while (server.outcomes.length < 100) await setImmediate();
  expect(server.outcomes.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
});

test('once requests keep coming faster than they are served, nobody waits long', async () => {
  const server = createServer();
  const began = server.now();
  while (server.now() < began + 2_000) {
    // Three for each that is served.
    server.arrive(3);
    await setImmediate();
  }
  const settled = server.outcomes.filter(({ at }) => at > began + 500);
  const served = settled.filter(({ outcome }) => outcome === 'served');
  const waits = settled.map(({ waited }) => waited);
  expect(Math.max(...waits)).toBeLessThan(60);
  expect(settled.length).toBeGreaterThan(2.9 * served.length);
});
