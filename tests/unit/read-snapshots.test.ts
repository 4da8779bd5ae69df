import { mkdtempDisposableSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Connection, together } from '../../src/server/database/database.ts';
import { openSqlite } from '../../src/server/database/sqlite.ts';

/** The error of SQLite while another process opens the file. That moment is too short to be caught in a test. */
const BUSY = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 261 });

async function openNumbers() {
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-snapshots-'));
  const path = join(folder, 'numbers.sqlite');
  const listener = { onUnknownChange() {} };
  const database = openSqlite(path, { onUnknownChange: () => listener.onUnknownChange() });
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  const run = (query: RawBuilder<unknown>) => database.write((db) => query.execute(db));
  await run(sql`create table numbers (number integer not null, filling blob)`);
  await run(sql`insert into numbers (number) values (1)`);
  return { path, database, run, listener, read: () => readNumber(database.read) };
}

async function readNumber(db: Connection): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`select number from numbers`.execute(db);
  return rows[0]?.number;
}

test('a read during a write sees the state before it, and a read afterwards what was written', async () => {
  const { database, read } = await openNumbers();
  const during = await database.write(async (db) => {
    await sql`update numbers set number = 2`.execute(db);
    return read();
  });
  expect([during, await read()]).toEqual([1, 2]);
});

test('a read changes nothing, also by a statement that returns rows', async () => {
  const { database, read } = await openNumbers();
  for (const statement of ['update numbers set number = 2', 'update numbers set number = 2 returning number']) {
    await expect(sql.raw(statement).execute(database.read)).rejects.toThrow('readonly database');
  }
  expect(await read()).toBe(1);
});

test('the reads of a transaction see one state, whatever is written meanwhile', async () => {
  const { database, run, read } = await openNumbers();
  const seen = await database.read.transaction().execute(async (db) => {
    const before = await readNumber(db);
    await run(sql`update numbers set number = 2`);
    return [before, await readNumber(db)];
  });
  expect([...seen, await read()]).toEqual([1, 1, 2]);
});

test('a write that waits for another process waits for no read', async () => {
  const { path, run, read } = await openNumbers();
  const other = new DatabaseSync(path);
  other.exec('begin immediate');
  const writing = run(sql`update numbers set number = 2`);
  const seen: unknown[] = [];
  // Each lasts until the write is due to try again, which it then does before this iteration ends.
  const reading = setInterval(async () => {
    seen.push(await read());
    for (const began = performance.now(); performance.now() < began + 10; );
    if (seen.length === 5) other.exec('commit');
  }, 1);
  await writing;
  clearInterval(reading);
  expect([seen.slice(0, 5), await read()]).toEqual([[1, 1, 1, 1, 1], 2]);
  other.close();
});

test('a write on a full disk fails with its error, also if a read follows at once', async () => {
  const { database, run, read } = await openNumbers();
  await run(sql`pragma max_page_count = 1`);
  const refused = database.write(() => Promise.reject(new Error('refused')));
  const reading = refused.catch(async () => {
    const seen = new Set<unknown>();
    for (let times = 0; times < 50; times += 1) seen.add(await read());
    return seen;
  });
  // One that adds a single row makes SQLite roll back the whole transaction.
  const writing = run(sql`insert into numbers values (2, zeroblob(1000000))`);
  await expect(writing).rejects.toThrow('database or disk is full');
  expect(await reading).toEqual(new Set([1]));
  await run(sql`pragma max_page_count = 1000000`);
  await run(sql`update numbers set number = 2`);
  expect(await read()).toBe(2);
});

test('of queries sent together none is stored when a full disk makes one of them fail', async () => {
  const { database, run, read } = await openNumbers();
  await run(sql`pragma max_page_count = 1`);
  const writing = database.write((db) =>
    together([
      sql`insert into numbers values (2, zeroblob(1000000))`.execute(db),
      sql`update numbers set number = 3`.execute(db),
    ]),
  );
  await expect(writing).rejects.toThrow('database or disk is full');
  expect(await read()).toBe(1);
});

test('a read that finds the file locked is answered', async () => {
  const { read } = await openNumbers();
  const all = vi.spyOn(StatementSync.prototype, 'all').mockImplementationOnce(() => {
    throw BUSY;
  });
  onTestFinished(() => all.mockRestore());
  expect(await read()).toBe(1);
  expect(all.mock.results.map(({ type }) => type)).toEqual(['throw', 'return']);
});

test('what another process has written is read in the next iteration of the event loop', async () => {
  const { path, read } = await openNumbers();
  const other = new DatabaseSync(path);
  expect(await read()).toBe(1);
  other.exec('update numbers set number = 2');
  await setImmediate();
  expect(await read()).toBe(2);
  other.close();
});

test('what another process writes is noticed even if SQLite was busy when it was asked', async () => {
  const { path, listener } = await openNumbers();
  const noticed = vi.fn();
  listener.onUnknownChange = noticed;
  const get = vi.spyOn(StatementSync.prototype, 'get').mockImplementationOnce(() => {
    throw BUSY;
  });
  onTestFinished(() => get.mockRestore());
  await expect.poll(() => get.mock.results[0]?.type).toBe('throw');
  const other = new DatabaseSync(path);
  other.exec('update numbers set number = 2');
  await expect.poll(() => noticed.mock.calls.length).toBe(1);
  other.close();
});

test('a listener that is notified of a change by another process reads it at once', async () => {
  const { path, listener, read } = await openNumbers();
  const other = new DatabaseSync(path);
  const reads: Promise<void>[] = [];
  let written = 1;
  listener.onUnknownChange = () => {
    const expected = written;
    reads.push(read().then((number) => expect(number).toBe(expected)));
  };
  // Long enough for the timer that checks for changes to be due, which then runs before this iteration ends.
  const isDue = (since: number) => performance.now() > since + 110;
  const writing = setInterval(async () => {
    await read();
    for (const began = performance.now(); !isDue(began); );
    written += 1;
    other.exec(`update numbers set number = ${written}`);
  }, 1);
  await expect.poll(() => reads.length, { timeout: 20_000 }).toBeGreaterThan(5);
  clearInterval(writing);
  await Promise.all(reads);
  other.close();
});

test('the log is restarted while reads go on', async () => {
  const { path, run, read } = await openNumbers();
  const filling = 'update numbers set filling = randomblob(4000000)';
  for (let times = 0; times < 32; times += 1) {
    const writing = run(sql.raw(filling));
    for (let reads = 0; reads < 50; reads += 1) {
      await read();
      await setImmediate();
    }
    await writing;
  }
  expect(statSync(`${path}-wal`).size).toBeLessThan(80_000_000);
});

test('a write after the database was closed is rejected, and the process goes on', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'closed-'));
  const database = openSqlite(join(folder.path, 'numbers.sqlite'));
  await database.close();
  const late = () => database.write((db) => sql`select 1`.execute(db));
  await expect(Promise.all([late(), late()])).rejects.toThrow('database is not open');
  await expect(late()).rejects.toThrow('database is not open');
});
