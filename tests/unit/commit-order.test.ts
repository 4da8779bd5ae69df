import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/server/database/open.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';

test('of writes that are committed together none is answered before the commit', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-commit-'));
  const file = path.join(folder, 'school-reviews.sqlite');
  const database = await openDatabase({ sqlite: file });
  const other = new DatabaseSync(file, { readOnly: true });
  const count = other.prepare('select count(*) as count from schools');
  const seen: unknown[] = [];
  const write = (schoolName: string) =>
    database.write((db) => insertSchool(db, { schoolName, description: 'x', location: 'x' }));
  const answered = ['first', 'second', 'third'].map((name) => write(name).then(() => seen.push(count.get()?.count)));
  await Promise.all(answered);
  other.close();
  await database.close();
  rmSync(folder, { recursive: true });
  expect(seen).toEqual([3, 3, 3]);
});
