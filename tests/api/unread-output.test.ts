import { expect, test } from 'vitest';
import { createWorkplace, inDatabase, startCommand } from '../support/command.ts';
import { finish } from '../support/child.ts';

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
