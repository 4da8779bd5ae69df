import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { hasLog } from '../../src/server/database/database-file.ts';
import { finish, spawnProduct, startChild, waitForAddress } from '../support/child.ts';
import {
  amounts,
  createWorkplace,
  expectRefusal,
  runCommand,
  runCommandProcess,
  startCommand,
} from '../support/command.ts';
import { holdStatement } from '../support/held-statement.ts';

const { folder, newDataDir } = createWorkplace();
const pathOf = ({ DATA_DIR }: { DATA_DIR: string }) => join(DATA_DIR, 'school-reviews.sqlite');

async function createSite(reviews = 200) {
  const env = { DATA_DIR: newDataDir() };
  expect((await runCommand('generate', amounts(2, 1, reviews), env)).code).toBe(0);
  return env;
}

const account = { username: 'jane', email: 'jane@example.org', password: 'plain sailing on tuesdays' };

async function signUp(address: string): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(account) };
  expect((await fetch(`${address}/auth/signup`, request)).status).toBe(201);
}

/** Damages the list of tables, and leaves the header of the file as it is. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(6, 0xff), 0, 6, 100);
  closeSync(file);
}

describe('a server', () => {
  test('ends when its file is replaced, because what it writes would be lost', async () => {
    const env = await createSite();
    const server = startChild(env);
    await waitForAddress(server);
    renameSync(pathOf(env), `${pathOf(env)}.moved`);
    expect(await server.exit).not.toBe(0);
    expect(server.output.stderr).toContain(`${pathOf(env)} was replaced or removed while it was open.`);
  });

  test.each(['-wal', '-shm'])(
    'ends when its file %s is removed, and the next one has all that was acknowledged',
    async (suffix) => {
      const env = await createSite();
      const server = startChild(env);
      const address = await waitForAddress(server);
      await signUp(address);
      rmSync(`${pathOf(env)}${suffix}`);
      expect(await server.exit).not.toBe(0);
      expect(server.output.stderr).toContain(`${pathOf(env)}${suffix} was replaced or removed while it was open.`);
      expect((await runCommand('admin', ['explain', account.email], env)).stdout).toContain('not verified');
    },
  );

  test('leaves nothing of its log to a file that is put in the place of its own', async () => {
    const env = await createSite();
    const backup = join(folder, 'in-place.sqlite');
    expect((await runCommand('backup', [backup], env)).code).toBe(0);
    const server = startChild(env);
    await signUp(await waitForAddress(server));
    renameSync(pathOf(env), `${pathOf(env)}.moved`);
    renameSync(backup, pathOf(env));
    expect(await server.exit).not.toBe(0);
    expect((await runCommand('check', [], env)).code).toBe(0);
    renameSync(`${pathOf(env)}.moved`, pathOf(env));
    expect((await runCommand('admin', ['explain', account.email], env)).stdout).toContain('not verified');
  });

  test('keeps a damaged file from being replaced while it has it open', async () => {
    const env = await createSite();
    const backup = join(folder, 'backup.sqlite');
    expect((await runCommand('backup', [backup], env)).code).toBe(0);
    const server = startChild(env);
    await waitForAddress(server);
    {
      using raw = new DatabaseSync(pathOf(env));
      raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
    damage(pathOf(env));
    await expectRefusal(runCommand('restore', [backup], env), 'Stop the server first');
    server.process.kill('SIGKILL');
    await server.exit;
    const next = startChild(env);
    expect(await next.exit).toBe(1);
    expect(next.output.stderr).toMatch(/^The database is damaged: .* Restore a backup\.\n$/);
    expect((await runCommand('restore', [backup], env)).code).toBe(0);
    expect((await runCommand('check', [], env)).code).toBe(0);
  });
});

test('a server whose disk is full stops in order, and the next one has what it has written', async () => {
  const env = await createSite();
  // A file that may not grow is a full disk: what the log holds has no place in the database.
  const kilobytes = Math.floor(statSync(pathOf(env)).size / 2 / 1024);
  const server = startChild(env, [], ['bash', '-c', `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`]);
  const address = await waitForAddress(server);
  await signUp(address);
  server.process.kill('SIGTERM');
  expect([await server.exit, server.output.stderr]).toEqual([0, '']);
  expect(hasLog(pathOf(env))).toBe(true);
  expect((await runCommand('admin', ['explain', account.email], env)).stdout).toContain('not verified');
});

test.each(['missing', 'empty'])(
  'a log whose database is %s is neither deleted nor applied to another file',
  async (state) => {
    const env = await createSite();
    const files = { backup: join(folder, `${state}.sqlite`), export: join(folder, `${state}.gz`) };
    for (const [command, file] of Object.entries(files)) expect((await runCommand(command, [file], env)).code).toBe(0);
    const server = startChild(env);
    await signUp(await waitForAddress(server));
    server.process.kill('SIGKILL');
    await server.exit;
    const log = readFileSync(`${pathOf(env)}-wal`);
    rmSync(pathOf(env));
    if (state === 'empty') writeFileSync(pathOf(env), '');
    const refusal = `${pathOf(env)} is missing or empty, but its log is there`;
    const commands = { restore: [files.backup], 'import-site': [files.export], backup: [`${files.backup}.2`] };
    for (const [command, args] of Object.entries({ ...commands, check: [], compact: [], generate: amounts(1, 1, 1) })) {
      await expectRefusal(runCommand(command, args, env), refusal);
    }
    const next = startChild(env);
    expect(await next.exit).toBe(1);
    expect(next.output.stderr).toMatch(new RegExp(`^${refusal}[^\n]*\n$`));
    expect(readFileSync(`${pathOf(env)}-wal`).equals(log)).toBe(true);
  },
);

test('backups to one name at the same time do not disturb each other', async () => {
  const env = await createSite(5_000);
  const file = join(folder, 'nightly.sqlite');
  const results = await Promise.all([1, 2, 3].map(() => runCommandProcess('backup', [file, '--force'], env)));
  expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: '' }));
  expect((await runCommand('check', [file], env)).code).toBe(0);
  expect(readdirSync(folder).filter((name) => name.startsWith('nightly'))).toEqual(['nightly.sqlite']);
});

test('a copy that a killed command has left is removed by the next one', async () => {
  const env = await createSite();
  const file = join(folder, 'daily.sqlite');
  const held = holdStatement(folder, 'VACUUM INTO');
  const backingUp = startCommand('backup', [file], { ...env, ...held.env });
  const ended = once(backingUp, 'close');
  await held.waitUntilHeld();
  const ofDay = () => readdirSync(folder).filter((name) => name.startsWith('daily'));
  expect(ofDay()).toEqual([`daily.sqlite.partial-${backingUp.pid}`]);
  backingUp.kill('SIGKILL');
  await ended;
  expect((await runCommand('backup', [file], env)).code).toBe(0);
  expect(ofDay()).toEqual(['daily.sqlite']);
});

// Only root can give files to others.
test.runIf(process.getuid?.() === 0)('commands of root leave the database to its owner', async () => {
  const NOBODY = 65_534;
  const env = await createSite();
  const backup = join(folder, 'of-root.sqlite');
  for (const path of [env.DATA_DIR, pathOf(env)]) chownSync(path, NOBODY, NOBODY);
  expect((await runCommand('backup', [backup], env)).code).toBe(0);
  for (const [command, ...args] of [['compact'], ['restore', backup]] as [string, ...string[]][]) {
    expect((await runCommand(command, args, env)).code).toBe(0);
    expect(statSync(pathOf(env)).uid).toBe(NOBODY);
  }
  expect(statSync(backup).uid).toBe(0);
});

test('what a command tells the server can be read by every user, whatever the umask', async () => {
  const env = { ...(await createSite()), TOKEN_SECRET: 'x'.repeat(32) };
  rmSync(join(env.DATA_DIR, 'commands.log'));
  const under = ['sh', '-c', 'umask 077; exec "$@"', 'sh'];
  const { code } = await finish(spawnProduct('src/server/commands/admin.ts', ['maintenance', 'read'], { env, under }));
  expect(code).toBe(0);
  for (const name of ['maintenance', 'commands.log']) {
    expect(statSync(join(env.DATA_DIR, name)).mode & 0o777).toBe(0o644);
  }
});
