import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { call } from '../support/call.ts';
import { amounts, runCommand } from '../support/command.ts';
import { LISTENING } from '../support/postgres-faults.ts';
import { openProxy } from '../support/postgres-proxy.ts';
import { createPostgresDatabase } from '../support/product.ts';
import { createSchool } from '../support/rows.ts';
import { folderForTest, startChildForTest, startForTest } from '../support/site.ts';

/** A line like a pooler in transaction mode: LISTEN succeeds, but no notification arrives. */
async function openSilentPooler(database: string): Promise<string> {
  const line = await openProxy(database, { dropsNotifications: true });
  onTestFinished(line.close);
  return line.url;
}

describe('being notified of what other processes change', () => {
  async function expectRefusedStart(env: Record<string, string>): Promise<void> {
    const child = startChildForTest({ DATA_DIR: folderForTest(), ...env });
    expect(await child.exit).toBe(1);
    expect(child.output.stderr).toMatch(/^DATABASE_LISTEN_URL[^\n]* brings no notifications[^\n]*Allowed: [^\n]*\n$/);
  }

  test('past a pooler that delivers nothing, over DATABASE_LISTEN_URL', async () => {
    const database = await createPostgresDatabase();
    const pooled = { DATABASE_URL: await openSilentPooler(database), DATABASE_LISTEN_URL: database };
    const writer = await startForTest('postgres', pooled);
    const reader = await startForTest('postgres', pooled);
    const count = async () => (await call(reader, 'GET /auth/schools')).body.length;
    for (const expected of [1, 2, 3]) {
      await createSchool(writer);
      await vi.waitFor(async () => expect(await count()).toBe(expected), { timeout: 10_000 });
      // This answer comes from the cache, which the next change has to empty.
      expect(await count()).toBe(expected);
    }
  });

  test('again after the connection was lost', async () => {
    const product = await startForTest('postgres');
    const cachedResponses = async () => {
      await call(product, 'GET /auth/schools');
      return Number(/^cached_responses (\d+)$/m.exec((await call(product, 'GET /metrics')).text)?.[1]);
    };
    expect(await cachedResponses()).toBe(1);
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = ${LISTENING}
    `.execute(product.app.database.read);
    expect(rows).toHaveLength(1);
    await createSchool(product);
    await vi.waitFor(async () => expect(await cachedResponses()).toBe(1), { timeout: 10_000 });
  });

  test('is not what a command needs, whose changes a server hears of past such a pooler', async () => {
    const database = await createPostgresDatabase();
    const reader = await startForTest('postgres', { DATABASE_URL: database });
    const count = async () => (await call(reader, 'GET /auth/schools')).body.length;
    expect(await count()).toBe(0);
    const env = { DATA_DIR: reader.dataDir, DATABASE_URL: await openSilentPooler(database) };
    expect(await runCommand('generate', amounts(3, 1, 10), env)).toMatchObject({ code: 0 });
    expect(await runCommand('check', [], env)).toMatchObject({ code: 0 });
    await vi.waitFor(async () => expect(await count()).toBe(3), { timeout: 10_000 });
  });

  test('the start is refused when the one address is such a pooler', async () => {
    await expectRefusedStart({ DATABASE_URL: await openSilentPooler(await createPostgresDatabase()) });
  });

  test('the start is refused when DATABASE_LISTEN_URL is another database', async () => {
    const [DATABASE_URL, DATABASE_LISTEN_URL] = [await createPostgresDatabase(), await createPostgresDatabase()];
    await expectRefusedStart({ DATABASE_URL, DATABASE_LISTEN_URL });
  });
});
