import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { startChild, waitForAddress } from '../support/child.ts';
import { amounts, createWorkplace, expectRefusal, runCommand } from '../support/command.ts';

const { newDataDir } = createWorkplace();

const PAGE_SIZE = 4_096;
const SCHOOLS = 4;

/** Overwrites the head of a page that holds reviews. */
function damage(path: string): void {
  using database = new DatabaseSync(path);
  const leaves = database.prepare("select pageno from dbstat where name = 'reviews' and pagetype = 'leaf'").all();
  const page = Number(leaves[Math.floor(leaves.length / 2)]?.pageno);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(8, 0xde), 0, 8, (page - 1) * PAGE_SIZE);
  closeSync(file);
}

test('a damaged page is a failure of what lies on it and of nothing else', async () => {
  const env = { DATA_DIR: newDataDir() };
  expect((await runCommand('generate', amounts(SCHOOLS, 2, 2_000), env)).code).toBe(0);
  damage(join(env.DATA_DIR, 'school-reviews.sqlite'));
  const server = startChild(env);
  const address = await waitForAddress(server);
  const entryIds = Array.from({ length: SCHOOLS * 2 * CATEGORIES.length }, (_, index) => index + 1);
  const lists = entryIds.flatMap((id) => CATEGORIES.map(({ calls }) => `/auth/${calls.reviews}/${id}`));
  const statuses = new Set<number>();
  for (const list of lists) statuses.add((await fetch(address + list)).status);
  expect(statuses).toEqual(new Set([200, 404, 500]));
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  server.process.kill('SIGTERM');
  expect(await server.exit).toBe(0);
  await expectRefusal(runCommand('check', [], env), /^The database is damaged: .* Restore a backup\.$/m);
});
