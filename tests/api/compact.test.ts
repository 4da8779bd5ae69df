import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startChild, waitForAddress } from '../support/child.ts';
import { amounts, createWorkplace, expectRefusal, inDatabase, runCommand, startCommand } from '../support/command.ts';
import { holdStatement } from '../support/held-statement.ts';

const { folder, newDataDir } = createWorkplace();

/** A database in which more pages are free than used. */
async function createLoose() {
  const env = { DATA_DIR: newDataDir() };
  await runCommand('generate', amounts(3, 1, 4_000), env);
  await inDatabase(env, ({ write }) => write((db) => db.deleteFrom('reviews').where('id', '>', 1_000).execute()));
  // The counts go with the schools, so that none counts a deleted review.
  await inDatabase(env, ({ write }) => write((db) => db.deleteFrom('schools').execute()));
  return { env, file: join(env.DATA_DIR, 'school-reviews.sqlite') };
}

const rowsOf = (env: Record<string, string>) =>
  inDatabase(env, async ({ read }) => [
    await read.selectFrom('users').selectAll().orderBy('id').execute(),
    await read.selectFrom('migrations').selectAll().execute(),
  ]);

const start = (env: Record<string, string>) => startCommand('compact', [], env);

test('gives free pages back to the disk, and keeps every row', async () => {
  const { env, file } = await createLoose();
  const [size, rows] = [statSync(file).size, await rowsOf(env)];
  const { code, stdout } = await runCommand('compact', [], env);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Compacted and verified in [\d.]+ s: \d+ MB before, \d+ MB now; 0 schools, .*\.\n$/);
  expect(statSync(file).size).toBeLessThan(size / 2);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(env.DATA_DIR).filter((name) => name.startsWith('school-reviews'))).toEqual([
    'school-reviews.sqlite',
  ]);
  expect(await rowsOf(env)).toEqual(rows);
});

test('refuses while a server runs, idle as it may be', async () => {
  const { env, file } = await createLoose();
  const server = startChild(env);
  await waitForAddress(server);
  const before = readFileSync(file);
  await expectRefusal(runCommand('compact', [], env), 'Stop the server first');
  expect(readFileSync(file).equals(before)).toBe(true);
  server.process.kill('SIGTERM');
  expect(await server.exit).toBe(0);
  expect((await runCommand('compact', [], env)).code).toBe(0);
});

test('locks the database while it copies, so that no write is lost', async () => {
  const { env, file } = await createLoose();
  const held = holdStatement(folder, 'VACUUM INTO');
  const compacting = start({ ...env, ...held.env });
  const ended = once(compacting, 'close');
  await held.waitUntilHeld();
  const other = new DatabaseSync(file);
  expect(() => other.exec('insert into throttles values (1, 1, 1)')).toThrow('locked');
  expect(() => other.prepare('select * from users').all()).toThrow('locked');
  other.close();
  const server = startChild(env);
  expect(await server.exit).toBe(1);
  expect(server.output.stderr).toMatch(/^[^\n]*locked[^\n]*\n$/);
  await held.release();
  expect(await ended).toEqual([0, null]);
});

test('killed in the middle, it leaves the database as it was', async () => {
  const { env, file } = await createLoose();
  const rows = await rowsOf(env);
  const held = holdStatement(folder, 'VACUUM INTO');
  const compacting = start({ ...env, ...held.env });
  const ended = once(compacting, 'close');
  await held.waitUntilHeld();
  compacting.kill('SIGKILL');
  await ended;
  expect(await rowsOf(env)).toEqual(rows);
  expect((await runCommand('compact', [], env)).code).toBe(0);
  expect(existsSync(`${file}.compacting`)).toBe(false);
});

test('refuses what it cannot compact', async () => {
  const env = { DATA_DIR: newDataDir() };
  await expectRefusal(runCommand('compact', [], env), 'There is no database');
  await expectRefusal(runCommand('compact', [], { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x' }), 'VACUUM');
});
