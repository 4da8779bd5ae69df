import type pg from 'pg';
import { expect, test } from 'vitest';
import { UnusableDatabase } from '../../src/server/database/failures.ts';
import { createHeartbeat, type Heartbeat, isHeartbeat } from '../../src/server/database/heartbeat.ts';
import type { RenewablePool } from '../../src/server/database/postgres-pool.ts';

const OF_ANOTHER = 'heartbeat:another-process:1';

/** A heartbeat whose notifications the test delivers or drops, and the number of times its connections were renewed. */
function open(deliver: (heartbeat: Heartbeat, payload: string) => void) {
  const renewed = { times: 0 };
  const pool = {
    query: async ({ values: [, payload = ''] }: { values: string[] }) => deliver(heartbeat, payload),
    renew: async () => {
      renewed.times += 1;
    },
  };
  const heartbeat = createHeartbeat(pool as unknown as RenewablePool, 1);
  return { heartbeat, renewed };
}

const listening = async () => ({ rows: [] }) as unknown as pg.QueryResult;

test('a heartbeat is proof, also when that of another process comes right after it', async () => {
  const { heartbeat, renewed } = open((own, payload) => {
    own.receive(payload);
    own.receive(OF_ANOTHER);
  });
  expect(isHeartbeat(OF_ANOTHER)).toBe(true);
  await heartbeat.prove(listening);
  await heartbeat.prove(listening);
  expect(renewed.times).toBe(0);
});

test('that of another process, or an earlier one of its own, is none', async () => {
  let earlier = '';
  const { heartbeat, renewed } = open((own, payload) => {
    own.receive(earlier || payload);
    own.receive(OF_ANOTHER);
    earlier = payload;
  });
  await heartbeat.prove(listening);
  await expect(heartbeat.prove(listening)).rejects.toThrow(UnusableDatabase);
  expect(renewed.times).toBe(1);
});
