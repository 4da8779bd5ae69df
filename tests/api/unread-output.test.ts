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

test('a server whose log nobody reads serves, and SIGTERM ends it in order', async () => {
  const port = await findFreePort();
  const child = startChild({ DATA_DIR: newDataDir(), PORT: String(port) });
  child.process.stdout?.destroy();
  child.process.stderr?.destroy();
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 20_000 }).toBe(true);
  child.process.kill('SIGTERM');
  expect(await child.exit).toBe(0);
});
