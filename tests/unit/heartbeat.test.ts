import type pg from 'pg';
import { expect, test } from 'vitest';
import { UnusableDatabase } from '../../src/server/database/failures.ts';
import { createHeartbeat, type Heartbeat, isHeartbeat } from '../../src/server/database/heartbeat.ts';
import type { RenewablePool } from '../../src/server/database/postgres-pool.ts';

const OF_ANOTHER = 'heartbeat:another-process:1';

/** A heartbeat whose notifications the test delivers or drops, and the number of times its connections were renewed. */
function createTestHeartbeat(deliver: (heartbeat: Heartbeat, payload: string) => void) {
  const renewed = { times: 0 };
  const pool = {
    query: async ({ values: [, payload = ''] }: { values: string[] }) => deliver(heartbeat, payload),
    renew: async () => {
      renewed.times += 1;
    },
  };
  // A cast, because a heartbeat uses nothing else of a pool.
  const heartbeat = createHeartbeat(pool as unknown as RenewablePool, 1);
  return { heartbeat, renewed };
}

/** A listening connection. A cast, because nobody looks at the result. */
const listening = async () => ({ rows: [] }) as unknown as pg.QueryResult;

test('a heartbeat counts, even if that of another process follows at once', async () => {
  const { heartbeat, renewed } = createTestHeartbeat((own, payload) => {
    own.receive(payload);
    own.receive(OF_ANOTHER);
  });
  expect(isHeartbeat(OF_ANOTHER)).toBe(true);
  await heartbeat.prove(listening);
  await heartbeat.prove(listening);
  expect(renewed.times).toBe(0);
});

test('that of another process, or an earlier one of its own, does not count', async () => {
  let earlier = '';
  const { heartbeat, renewed } = createTestHeartbeat((own, payload) => {
    own.receive(earlier || payload);
    own.receive(OF_ANOTHER);
    earlier = payload;
  });
  await heartbeat.prove(listening);
  await expect(heartbeat.prove(listening)).rejects.toThrow(UnusableDatabase);
  expect(renewed.times).toBe(1);
});
