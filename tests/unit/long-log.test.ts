import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../src/server/database/sqlite.ts';

const MB = 1024 * 1024;
const PAGE = 4_096;
/** How many pages each write changes. */
const PAGES = 1_000;

/** A database whose every write changes 1,000 pages, which 4 MB of the log then hold. */
async function openFilled() {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-log-'));
  const path = join(folder, 'filled.sqlite');
  const database = openSqlite(path);
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  await database.write(async (db) => {
    await sql`create table pages (id integer primary key, filling blob not null)`.execute(db);
    await sql`
      with recursive numbers (number) as (select 1 union all select number + 1 from numbers limit ${PAGES})
      insert into pages select number, zeroblob(${PAGE - 500}) from numbers
    `.execute(db);
  });
  const change = (times: number) =>
    database.write((db) => sql`update pages set filling = randomblob(${PAGE - 500 - times})`.execute(db));
  return { path, database, change, logSize: () => statSync(`${path}-wal`).size };
}

test('the log stays short while writes go on', async () => {
  const { change, logSize } = await openFilled();
  for (let times = 0; times < 32; times += 1) await change(times);
  expect(logSize()).toBeLessThan(80 * MB);
});

test('a log is copied once a snapshot that another process has open is closed', async () => {
  const { path, change, logSize } = await openFilled();
  const reader = new DatabaseSync(path);
  reader.exec('begin; select count(*) from pages');
  for (let times = 0; times < 6; times += 1) await change(times);
  const uncopied = () => {
    const { log, checkpointed } = reader.prepare('pragma wal_checkpoint(noop)').get() as Record<string, number>;
    return (log ?? 0) - (checkpointed ?? 0);
  };
  expect(logSize()).toBeGreaterThan(5 * PAGES * PAGE);
  reader.exec('commit');
  await expect.poll(uncopied, { timeout: 20_000 }).toBeLessThan(4 * PAGES);
  reader.close();
});

/** How many bytes of a file this process has mapped. */
function readMapped(path: string): number {
  const lines = readFileSync('/proc/self/maps', 'utf8').split('\n');
  const ranges = lines.filter((line) => line.endsWith(path)).map((line) => line.split(' ', 1)[0]?.split('-') ?? []);
  return ranges.reduce((sum, [from, to]) => sum + Number(`0x${to}`) - Number(`0x${from}`), 0);
}

// Only Linux tells what a process has mapped.
test.runIf(process.platform === 'linux')('reads map the pages by which this process makes the file grow', async () => {
  const { path, database } = await openFilled();
  const numbers = sql`with recursive numbers (number) as (select 1 union all select number + 1 from numbers limit 5000)`;
  const grow = sql`${numbers} insert into pages (filling) select zeroblob(${PAGE - 500}) from numbers`;
  for (const size of [20, 40, 60]) {
    await database.write((db) => grow.execute(db));
    const readMappedAfterRead = async () => {
      await sql`select count(filling) from pages`.execute(database.read);
      return readMapped(path);
    };
    await expect.poll(readMappedAfterRead, { timeout: 20_000 }).toBeGreaterThan(size * MB);
  }
});
