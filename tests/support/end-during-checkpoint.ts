// Run by tests/unit/sqlite-checkpoints.test.ts in a process of its own, which ends when nothing keeps it alive: closes
// databases at about the time when their first checkpoint ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { openSqlite } from '../../src/server/database/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'school-reviews-end-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

for (let waitMs = 20; waitMs < 100; waitMs += 4) {
  const database = openSqlite(join(folder, `${waitMs}.sqlite`));
  await database.write(async (db) => {
    await sql`create table pages (id integer primary key, filling blob not null)`.execute(db);
    await sql`
      with recursive numbers (number) as (select 1 union all select number + 1 from numbers limit 5000)
      insert into pages select number, zeroblob(3500) from numbers
    `.execute(db);
  });
  // Before this transaction the log is found to be long, and a checkpoint starts.
  await database.write((db) => sql`delete from pages where id = 1`.execute(db));
  await setTimeout(waitMs);
  await database.close();
}
