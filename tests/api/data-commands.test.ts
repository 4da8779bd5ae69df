import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { spreadReviews } from '../../src/server/data/generated/spread.ts';
import { call } from '../support/call.ts';
import { startChild, waitForAddress } from '../support/child.ts';
import {
  amounts,
  createTarget,
  createWorkplace,
  expectRefusal,
  inDatabase,
  runCommand,
  runCommandProcess,
  startCommand,
} from '../support/command.ts';
import { ENGINES, startProduct } from '../support/product.ts';
import { createEntry, createUser, PASSWORD, postReview, readMails, readPasscode } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const { folder, newDataDir, fileOf } = createWorkplace();

const TABLES = ['schools', 'entries', 'users', 'reviews'] as const;

/** Every row there is, as one number. */
function fingerprint(env: Record<string, string>): Promise<string> {
  return inDatabase(env, async ({ read }) => {
    const hash = createHash('sha256');
    for (const table of TABLES) {
      const rows = await read.selectFrom(table).selectAll().orderBy('id').execute();
      for (const row of rows) hash.update(JSON.stringify(Object.entries(row).sort()));
    }
    return hash.digest('hex');
  });
}

describe('the generate command', () => {
  test('makes the same data from the same numbers on both engines, with correct counters', async () => {
    const prints = new Set<string>();
    for (const engine of [...ENGINES, 'sqlite'] as const) {
      const env = await createTarget(engine, newDataDir());
      const { stdout } = await runCommandProcess('generate', amounts(4, 2, 3_000), env);
      const entries = `${4 * 2 * CATEGORIES.length} entries`;
      expect(stdout).toMatch(new RegExp(`Generated in .* s: 4 schools, ${entries}, 3,000 reviews, \\d+ users\\.`));
      expect((await runCommand('check', [], env)).stdout).toMatch(`${entries} with 3,000 reviews`);
      prints.add(await fingerprint(env));
    }
    expect(prints.size).toBe(1);
    const env = { DATA_DIR: newDataDir() };
    await runCommand('generate', [...amounts(4, 2, 3_000), '--seed', '2'], env);
    expect(prints).not.toContain(await fingerprint(env));
    const alumni = await inDatabase(env, ({ read }) =>
      read.selectFrom('reviews').select(['since', 'until']).where('relation', '=', 'alumnus').execute(),
    );
    expect(alumni.filter(({ since }) => since !== null).length).toBeGreaterThan(10);
    expect(alumni.filter(({ since, until }) => since !== null && until === null)).toEqual([]);
  });

  test('gives a few entries thousands of reviews and every entry its share', () => {
    const counts = spreadReviews(400_000, 42_000, createRandom(1)).sort();
    expect(counts.at(-1)).toBe(10_639);
    expect(counts.reduce((sum, count) => sum + count)).toBe(400_000);
    expect(counts[0]).toBeGreaterThan(0);
  });

  test('refuses a database with schools, and invalid numbers', async () => {
    const env = { DATA_DIR: newDataDir() };
    expect((await runCommand('generate', amounts(1, 0, 0), env)).code).toBe(0);
    await expectRefusal(runCommand('generate', amounts(1, 1, 1), env), 'holds schools already');
    await expectRefusal(runCommand('generate', ['--schools', '5'], env), 'Usage: npm run generate');
    await expectRefusal(runCommand('generate', amounts(1, 1, -1), env), '--reviews');
    await expectRefusal(runCommand('generate', amounts(1, 0, 1), { DATA_DIR: newDataDir() }), 'Reviews need');
  });
});

describe('the backup command', () => {
  test('copies a database that is written to, with all that was answered before it began', async () => {
    const product = await startProduct('sqlite');
    const [category] = CATEGORIES;
    if (!category) throw new Error('there is no category');
    const entry = await createEntry(product, category);
    let answered = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) {
        await postReview(product, category, entry.id, await createUser(product));
        answered += 1;
      }
    })();
    const file = join(folder, 'running.sqlite');
    for (let round = 0; round < 3; round += 1) {
      const before = answered;
      const { code, stdout } = await runCommandProcess('backup', [file, '--force'], { DATA_DIR: product.dataDir });
      expect(code).toBe(0);
      const copied = Number(/([\d,]+) reviews?,/.exec(stdout)?.[1]?.replace(',', ''));
      expect(copied).toBeGreaterThanOrEqual(before);
    }
    isDone = true;
    await writing;
    await product.stop();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('running'))).toEqual(['running.sqlite']);
  });

  test('replaces a backup when it is told to, and nothing else', async () => {
    const env = { DATA_DIR: newDataDir() };
    await expectRefusal(runCommand('backup', [join(folder, 'x')], env), 'There is no database');
    await runCommand('generate', amounts(1, 1, 10), env);
    const earlier = join(folder, 'earlier.sqlite');
    expect((await runCommand('backup', [earlier], env)).code).toBe(0);
    const before = readFileSync(earlier);
    await expectRefusal(runCommand('backup', [earlier], env), '--force');
    expect(readFileSync(earlier).equals(before)).toBe(true);
    expect((await runCommand('backup', ['--force', earlier], env)).code).toBe(0);
    const letter = fileOf('letter.txt', 'Dear all,');
    await expectRefusal(runCommand('backup', [letter, '--force'], env), 'is no backup');
    expect(readFileSync(letter, 'utf8')).toBe('Dear all,');
    await expectRefusal(
      runCommand('backup', [join(env.DATA_DIR, 'school-reviews.sqlite')], env),
      'the database itself',
    );
    await expectRefusal(runCommand('backup', [join(folder, 'no/folder')], env), 'There is no folder');
    await expectRefusal(runCommand('backup', [folder], env), 'is not a file');
    const postgres = { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    await expectRefusal(runCommand('backup', [join(folder, 'x')], postgres), 'pg_dump');
    await expectRefusal(runCommand('restore', [letter], postgres), 'pg_restore');
  });
});

describe('the restore command', () => {
  async function backedUp() {
    const env = { DATA_DIR: newDataDir() };
    await runCommand('generate', amounts(3, 1, 500), env);
    const file = join(folder, `backup-of-${env.DATA_DIR.split('-').at(-1)}.sqlite`);
    expect((await runCommand('backup', [file], env)).code).toBe(0);
    return { env, file, database: join(env.DATA_DIR, 'school-reviews.sqlite') };
  }

  test('restores the backup and keeps the replaced database', async () => {
    const { env, file, database } = await backedUp();
    const before = await fingerprint(env);
    await inDatabase(env, ({ write }) => write((db) => db.deleteFrom('schools').execute()));
    const after = await fingerprint(env);
    const { code, stdout } = await runCommandProcess('restore', [file], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(`: 3 schools, ${3 * CATEGORIES.length} entries, 500 reviews`);
    expect(await fingerprint(env)).toBe(before);
    expect((await runCommand('restore', [`${database}.before-restore`], env)).code).toBe(0);
    expect(await fingerprint(env)).toBe(after);
  });

  test('fills an empty data folder', async () => {
    const { file } = await backedUp();
    const env = { DATA_DIR: newDataDir() };
    expect((await runCommand('restore', [file], env)).code).toBe(0);
    expect((await runCommand('check', [], env)).stdout).toMatch(`${3 * CATEGORIES.length} entries with 500 reviews`);
  });

  test('refuses while a server runs, idle as it may be', async () => {
    const { env, file } = await backedUp();
    const server = startChild(env);
    await waitForAddress(server);
    await expectRefusal(runCommand('restore', [file], env), 'Stop the server first');
    server.process.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    expect((await runCommand('restore', [file], env)).code).toBe(0);
  });

  test('brings back no session, passcode, pending mail or demoted admin’s token', async () => {
    const product = await startProduct('sqlite');
    const secret = readFileSync(join(product.dataDir, 'token-secret'));
    const boss = await createUser(product, { isAdmin: true });
    const demoted = await createUser(product, { isAdmin: true });
    await call(product, 'POST /auth/forgotPassword', { body: { email: demoted.email } });
    const code = await readPasscode(product, demoted.email);
    await product.app.database.write((db) =>
      db.insertInto('outbox').values({ purpose: 'reset', user_id: boss.id, created_at: 0, due_at: 9e15 }).execute(),
    );
    const file = join(folder, 'with-sessions.sqlite');
    expect((await runCommand('backup', [file], { DATA_DIR: product.dataDir })).code).toBe(0);
    await product.stop();

    const dataDir = newDataDir();
    expect((await runCommand('restore', [file], { DATA_DIR: dataDir })).stdout).toContain(
      '\nIts sessions, passcodes and pending mails are dropped: everybody logs in again.\n',
    );
    // The secret is the old one, as it should be: under another secret no token would be valid anyway.
    writeFileSync(join(dataDir, 'token-secret'), secret, { mode: 0o600 });
    const restored = await startForTest('sqlite', { DATA_DIR: dataDir });
    for (const { token } of [boss, demoted]) {
      expect((await call(restored, 'GET /auth/getUsers', { token })).status).toBe(401);
    }
    const reset = { email: demoted.email, forgotCode: code, newPassword: 'plain sailing on fridays' };
    expect((await call(restored, 'POST /auth/resetPassword', { body: reset })).status).toBe(400);
    const login = { email: boss.email, password: PASSWORD };
    expect((await call(restored, 'POST /auth/login', { body: login })).status).toBe(200);
    expect(await readMails(restored)).toEqual([]);
  });

  test('takes a backup that somebody has run ANALYZE on', async () => {
    const { file } = await backedUp();
    const copy = new DatabaseSync(file);
    copy.exec('analyze');
    copy.close();
    expect((await runCommand('restore', [file], { DATA_DIR: newDataDir() })).code).toBe(0);
  });

  test('refuses a damaged or foreign file and leaves the database as it was', async () => {
    const { env, file, database } = await backedUp();
    const change = (name: string, statement: string) => {
      const path = join(folder, name);
      copyFileSync(file, path);
      const copy = new DatabaseSync(path, { defensive: false });
      copy.exec(statement);
      copy.close();
      return path;
    };
    const bytes = readFileSync(file);
    const overwritten = Buffer.from(bytes);
    overwritten.fill(0xff, bytes.length / 2, bytes.length / 2 + 3_000);
    const foreign = join(folder, 'foreign.sqlite');
    new DatabaseSync(foreign).exec('create table migrations (id)');
    const open = fileOf('open.sqlite', bytes);
    writeFileSync(`${open}-wal`, 'commits');
    const cases: [string, RegExp][] = [
      [fileOf('cut.sqlite', bytes.subarray(0, bytes.length - 5_000)), /cannot be used|is damaged/],
      [fileOf('cut-short.sqlite', bytes.subarray(0, 100)), /cannot be used|is damaged/],
      [fileOf('overwritten.sqlite', overwritten), /cannot be used|is damaged/],
      [fileOf('empty.sqlite', ''), /is no backup/],
      [fileOf('words.sqlite', 'These are words.'), /is no backup/],
      [foreign, /not a database of this product/],
      [open, /was not closed/],
      [change('newer.sqlite', "insert into migrations values (99, 'later', 0)"), /newer version/],
      [change('drifted.sqlite', 'update review_counts set half_stars_7 = half_stars_7 + 1'), /is not consistent/],
      [
        change('obeying.sqlite', 'create trigger x after update on sessions begin update users set is_admin = 1; end'),
        /its trigger x is none of this product/,
      ],
      [
        change(
          'hiding.sqlite',
          `pragma writable_schema = on; insert into sqlite_schema values ('trigger', 'sqlite_x', 'sessions', 0,
            'CREATE TRIGGER sqlite_x after insert on sessions begin update users set is_admin = 1; end')`,
        ),
        /its trigger sqlite_x is none of this product/,
      ],
      [
        change(
          'tame-trail.sqlite',
          `drop trigger audit_entries_no_update;
            create trigger audit_entries_no_update before update on audit_entries begin select 1; end`,
        ),
        /its trigger audit_entries_no_update is missing or another/,
      ],
      [change('seen.sqlite', 'create view x as select 1'), /its view x is none of this product/],
      [
        change('masked.sqlite', 'alter table profiles rename to x; create view profiles as select * from x'),
        /its table profiles is missing or another/,
      ],
      [change('slow.sqlite', 'drop index reviews_newest_of_entry'), /its index reviews_newest_of_entry is missing/],
      [change('more.sqlite', 'create table more (x)'), /its table more is none of this product/],
      [
        change('open-trail.sqlite', 'drop trigger audit_entries_no_delete'),
        /its trigger audit_entries_no_delete is missing/,
      ],
      [change('orphaned.sqlite', 'pragma foreign_keys = off; delete from entries where id = 1'), /refers to a row/],
      [join(folder, 'nowhere.sqlite'), /There is no file/],
      [database, /the database itself/],
    ];
    const before = readFileSync(database);
    for (const [path, words] of cases) await expectRefusal(runCommand('restore', [path], env), words);
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(readdirSync(env.DATA_DIR)).toEqual(['commands.log', 'last-backup', 'school-reviews.sqlite']);
  });

  test('killed at any moment, it leaves a whole database', async () => {
    const { env, file, database } = await backedUp();
    const before = await fingerprint(env);
    for (const delay of [150, 200, 250, 300]) {
      const child = startCommand('restore', [file], env);
      const killing = setTimeout(() => child.kill('SIGKILL'), delay);
      await new Promise((resolve) => child.once('close', resolve));
      clearTimeout(killing);
      expect(existsSync(database)).toBe(true);
      expect(await fingerprint(env)).toBe(before);
    }
  });
});
