import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { finish, startChild } from '../support/child.ts';
import { createWorkplace, inDatabase, startCommand } from '../support/command.ts';
import { findFreePort } from '../support/free-port.ts';

const { newDataDir, fileOf } = createWorkplace();

test('an import whose output nobody reads, as with | head -1, adds every row all the same', async () => {
  const env = { DATA_DIR: newDataDir() };
  const rows = Array.from({ length: 2_000 }, (_, index) => `School ${index},Text,Town\n,no name,Town`);
  const file = fileOf('unread.csv', `schoolName,description,location\n${rows.join('\n')}`);
  const child = startCommand('import', [file], env);
  child.stdout.destroy();
  child.stderr.destroy();
  expect((await finish(child)).code).toBe(2);
  const schools = await inDatabase(env, ({ read }) => read.selectFrom('schools').select('id').execute());
  expect(schools).toHaveLength(2_000);
});

/** Starts a server whose output the given program disturbs, and waits until it serves. */
async function startServer(under: readonly string[] = []) {
  const port = await findFreePort();
  const child = startChild({ DATA_DIR: newDataDir(), PORT: String(port) }, [], under);
  const statusOf = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, init).then(
      ({ status }) => status,
      () => undefined,
    );
  return { child, statusOf, whenReady: () => expect.poll(() => statusOf('/readyz'), { timeout: 20_000 }).toBe(200) };
}

test('a server whose log nobody reads serves, and SIGTERM ends it in order', async () => {
  const { child, whenReady } = await startServer();
  child.process.stdout?.destroy();
  child.process.stderr?.destroy();
  await whenReady();
  child.process.kill('SIGTERM');
  expect(await child.exit).toBe(0);
});

test.runIf(existsSync('/dev/full'))('so does one whose log is on a full disk', async () => {
  const { child, statusOf, whenReady } = await startServer(['sh', '-c', 'exec "$@" >/dev/full 2>&1', 'sh']);
  await whenReady();
  const refused = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
  for (const _ of Array(3)) expect(await statusOf('/auth/login', refused)).toBe(400);
  child.process.kill('SIGTERM');
  expect(await child.exit).toBe(0);
});
