import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/server/database/served-versions.ts';
import { call } from '../support/call.ts';
import { type Child, waitForAddress } from '../support/child.ts';
import { createTarget, createWorkplace, runCommand } from '../support/command.ts';
import { holdStatement } from '../support/held-statement.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { connectForTest, eventually, holdLock, PATIENCE_MS, runSql } from '../support/postgres-faults.ts';
import { ENGINES, type LogLine } from '../support/product.ts';
import { startChildForTest, startForTest } from '../support/site.ts';

/** How many migrations a database of version 0.1.0 has. */
const OLD = migrationsBefore('served-versions');
/** A statement of the first migration that such a database lacks. */
const NEXT_STATEMENT = 'create table served_versions';

const { newDataDir, folder } = createWorkplace();

const start = (env: Record<string, string>) => startChildForTest({ RATE_LIMIT: 'off', ...env });

async function oldDatabase(engine: (typeof ENGINES)[number]): Promise<Record<string, string>> {
  const env = await createTarget(engine, newDataDir());
  await createOld(env, OLD);
  return env;
}

const logsOf = ({ output }: Child): LogLine[] =>
  output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));

const eventsOf = (child: Child, event: string) => logsOf(child).filter((line) => line.event === event);

/** The port on which a process listens, which it does before it is ready. */
async function portOf(child: Child): Promise<string> {
  const found = () => /Server listening at (http:\/\/[\d.:]+)/.exec(child.output.stdout)?.[1];
  await eventually(async () => found() ?? child.process.exitCode).toBeTypeOf('string');
  return found() as string;
}

describe.each(ENGINES)('a start on the database of an older version on %s', { timeout: PATIENCE_MS }, (engine) => {
  async function startHeld() {
    const env = await oldDatabase(engine);
    if (engine === 'postgres') {
      const { release } = await holdLock(env.DATABASE_URL ?? '', 'lock table reviews in row exclusive mode');
      const child = start(env);
      return {
        child,
        release,
        waitUntilHeld: () => eventually(async () => eventsOf(child, 'migration-waits')).not.toEqual([]),
      };
    }
    const { env: holding, ...hold } = holdStatement(folder, NEXT_STATEMENT);
    return { child: start({ ...env, ...holding }), ...hold };
  }

  test('answers health checks while it migrates, keeps writes waiting and sends reads away', async () => {
    const { child, waitUntilHeld, release } = await startHeld();
    const url = await portOf(child);
    await waitUntilHeld();
    expect(await call({ url }, 'GET /healthz')).toMatchObject({ status: 200, body: { status: 'up' } });
    const ready = await call({ url }, 'GET /readyz');
    expect(ready).toMatchObject({ status: 503, body: { error: expect.stringContaining('migrating the database') } });
    for (const path of ['/auth/schools', '/landing']) {
      const { status, headers } = await call({ url }, `GET ${path}`);
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    }
    const login = { email: 'nobody@example.org', password: 'three green boats at dawn' };
    const written = call({ url }, 'POST /auth/login', { body: login });
    expect(child.output.stdout).not.toContain('is ready');
    await release();
    expect((await written).status).toBe(401);
    await waitForAddress(child);
    expect((await call({ url }, 'GET /readyz')).status).toBe(200);
    expect((await call({ url }, 'GET /auth/schools')).status).toBe(200);
    const migrated = eventsOf(child, 'migrated').map(({ migration }) => migration);
    expect(migrated[0]).toBe('023-served-versions');
    expect(migrated).toHaveLength(new Set(migrated).size);
    for (const { seconds } of eventsOf(child, 'migrated')) expect(seconds).toBeTypeOf('number');
  });

  test('is ended by the first signal, and the next start migrates', async () => {
    const { child, waitUntilHeld, release } = await startHeld();
    await portOf(child);
    await waitUntilHeld();
    child.process.kill('SIGTERM');
    expect(await child.exit).toBe(0);
    await release();
    expect(child.output.stdout).not.toContain('is ready');
  });

  test('ends with one line that names the migration which fails', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, OLD, (db) => db.schema.createTable('served_versions').addColumn('id', 'integer').execute());
    const child = start(env);
    expect(await child.exit).toBe(1);
    expect(child.output.stderr).toMatch(/^Migration 023-served-versions: [^\n]*already exists[^\n]*\n$/);
  });

  test('beside others that start at once migrates it once', async () => {
    // SQLite's file belongs to one process.
    if (engine === 'sqlite') return;
    const env = await oldDatabase(engine);
    const three = [start(env), start(env), start(env)];
    await Promise.all(three.map(waitForAddress));
    expect(three.flatMap((child) => eventsOf(child, 'migrated')).map(({ migration }) => migration)).toContain(
      '023-served-versions',
    );
    const rows = await runSql(env.DATABASE_URL ?? '', 'select number from migrations order by number');
    expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, index) => index + 1));
  });
});

test('a slow first start reads schools for its indexes once there is a table of them', async () => {
  const env = await createTarget('postgres', newDataDir());
  const { release } = await holdLock(env.DATABASE_URL ?? '', 'create table migrations (number integer)');
  const child = start(env);
  await portOf(child);
  await release();
  await waitForAddress(child);
  expect(eventsOf(child, 'index-not-built')).toEqual([]);
});

describe('processes of versions that differ', { timeout: PATIENCE_MS }, () => {
  const NEWER = `insert into migrations (number, name, applied_at) values (999, '999-from-the-future', 1)`;
  const serveFrom = (oldest: string) => `update served_versions set oldest = '${oldest}'`;

  test('one that the schema serves is ready and can be started, however new the schema is', async () => {
    const product = await startForTest('postgres');
    await runSql(product.databaseUrl ?? '', NEWER, serveFrom(VERSION));
    expect((await call(product, 'GET /readyz')).status).toBe(200);
    const env = { DATA_DIR: newDataDir(), DATABASE_URL: product.databaseUrl ?? '' };
    const url = await waitForAddress(start(env));
    expect((await call({ url }, 'GET /readyz')).status).toBe(200);
  });

  test('one that it serves no longer says so at /readyz, and cannot be started', async () => {
    const product = await startForTest('postgres');
    await runSql(product.databaseUrl ?? '', NEWER, serveFrom('99.0.0'));
    const reason = `The database serves version 99.0.0 and newer, and this process is version ${VERSION}: replace it.`;
    expect(await call(product, 'GET /readyz')).toMatchObject({ status: 503, body: { error: reason } });
    expect(product.logs.findLast(({ event }) => event === 'not-ready')).toMatchObject({ level: 40, reason });
    expect((await call(product, 'GET /auth/schools')).status).toBe(200);
    const env = { DATA_DIR: newDataDir(), DATABASE_URL: product.databaseUrl ?? '' };
    const child = start(env);
    expect(await child.exit).toBe(1);
    expect(child.output.stderr).toBe(`${reason}\n`);
    expect((await runCommand('admin', ['grant', 'nobody@example.org'], env)).stderr).toBe(`${reason}\n`);
    await runSql(product.databaseUrl ?? '', serveFrom('0.1.0'));
    expect((await call(product, 'GET /readyz')).status).toBe(200);
  });

  test('versions are compared number by number', async () => {
    const product = await startForTest('postgres');
    const [major = '0', minor = '0'] = VERSION.split('.');
    for (const [oldest, status] of [
      [`${major}.${minor}.99`, 503],
      [`${major}.${Number(minor) + 10}.0`, 503],
      [`${major}.${minor}.0`, 200],
    ] as const) {
      await runSql(product.databaseUrl ?? '', serveFrom(oldest));
      expect([oldest, (await call(product, 'GET /readyz')).status]).toEqual([oldest, status]);
    }
  });
});

test('while somebody holds a lock, everybody else goes on between the tries', { timeout: PATIENCE_MS }, async () => {
  const env = await oldDatabase('postgres');
  const { release } = await holdLock(env.DATABASE_URL ?? '', 'lock table reviews in row exclusive mode');
  const child = start(env);
  await eventually(async () => eventsOf(child, 'migration-waits').length).toBeGreaterThan(1);
  expect(eventsOf(child, 'migration-waits')[0]).toMatchObject({
    level: 40,
    reason: expect.stringMatching(/^Migration 023-served-versions: .*lock timeout/),
  });
  // These wait behind the lock that the migration waits for, until the migration fails.
  await runSql(env.DATABASE_URL ?? '', 'delete from reviews where id = 0', 'delete from entries where id = 0');
  await release();
  await waitForAddress(child);
});

test('of two first starts at once, one says that the other has created the tables', {
  timeout: PATIENCE_MS,
}, async () => {
  const env = await createTarget('postgres', newDataDir());
  const url = env.DATABASE_URL ?? '';
  const { commit } = await holdLock(url, 'create table migrations (number bigint, name text, applied_at bigint)');
  const child = start(env);
  const client = await connectForTest(url);
  // In this database only: other tests wait on the same server.
  const waiting = `
    select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => (await client.query(waiting)).rows).toEqual([{ waiting: 1 }]);
  await commit();
  await waitForAddress(child);
  expect(eventsOf(child, 'migration-waits')).toMatchObject([
    { level: 40, reason: 'Another process has just created the tables', msg: 'the migration is tried again' },
  ]);
});
