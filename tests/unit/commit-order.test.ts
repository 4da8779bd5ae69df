import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { type Connection, together } from '../../src/server/database/database.ts';
import { openDatabase } from '../../src/server/database/open.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';

async function openSchools() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'school-reviews-commit-'));
  const file = path.join(folder, 'school-reviews.sqlite');
  const database = await openDatabase({ sqlite: file });
  const other = new DatabaseSync(file, { readOnly: true });
  onTestFinished(async () => {
    other.close();
    await database.close();
    rmSync(folder, { recursive: true });
  });
  const insert = (db: Connection, schoolName: string) =>
    insertSchool(db, { schoolName, description: 'x', location: 'x' });
  return { database, insert, committed: other.prepare('select school_name as name from schools order by id') };
}

test('writes of one group commit are answered after the commit', async () => {
  const { database, insert, committed } = await openSchools();
  const seen: unknown[] = [];
  const answered = ['first', 'second', 'third'].map((name) =>
    database.write((db) => insert(db, name)).then(() => seen.push(committed.all().length)),
  );
  await Promise.all(answered);
  expect(seen).toEqual([3, 3, 3]);
});

test('a failed write leaves nothing in the next one', async () => {
  const { database, insert, committed } = await openSchools();
  const failing = database.write((db) => {
    const insertTwo = async () => {
      await insert(db, 'before');
      await insert(db, 'late');
    };
    return together([insertTwo(), Promise.reject(new Error('Failed.'))]);
  });
  const next = database.write((db) => insert(db, 'next'));
  await expect(failing).rejects.toThrow('Failed.');
  await next;
  expect(committed.all().map(({ name }) => name)).toEqual(['next']);
});
