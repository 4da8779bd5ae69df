import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { call } from '../support/call.ts';
import { expectRefusal, inDatabase, runCommand, startCommand } from '../support/command.ts';
import {
  fileOf,
  fillSite,
  folder,
  generated,
  hold,
  logIn,
  move,
  newDataDir,
  newSource,
  newTarget,
  publicAnswers,
  query,
  rowsOf,
  somebodyWaits,
  startOn,
  tablesIn,
} from '../support/move.ts';
import { runSql } from '../support/postgres-faults.ts';
import { createPostgresDatabase } from '../support/product.ts';
import { createEntry, PASSWORD, postReview, readPasscode } from '../support/rows.ts';

describe('a site moved from SQLite to PostgreSQL', () => {
  test('answers as before, knows its users, sessions and passcodes, and gives no id twice', async () => {
    const [source, target] = [newSource(), await newTarget()];
    const before = await startOn(source);
    const site = await fillSite(before);
    const { author, other, admin } = site;
    const answers = await publicAnswers(before, site);
    await call(before, 'POST /auth/forgotPassword', { body: { email: other.email } });
    const forgotCode = await readPasscode(before, other.email);
    for (let times = 0; times < 10; times += 1) await logIn(before, admin, 'not the password');
    await before.stop();

    const { code, stdout, stderr } = await move(source, target);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(
        `^Moved and verified in .* s: 4 schools, 11 entries, 24 reviews, 3 users; \\d+ rows in ${DATA_TABLES.length} tables compared\\.$`,
      ),
    );
    expect(readdirSync(join(source.file, '..'))).not.toContain('school-reviews.sqlite-wal');
    const moved = await rowsOf(target);
    expect(moved).toEqual(await rowsOf(source));
    expect(Object.keys(moved)).toEqual([...DATA_TABLES].sort());
    expect(Object.entries(moved).filter(([, rows]) => rows.length === 0)).toEqual([['outbox', []]]);
    // The rows of merged entries hold what gave way, and are none of the entries that there are.
    expect((await runCommand('check', [], target.env)).stdout).toMatch(
      '9 entries with 24 reviews, of which 2 are hidden',
    );

    const TOKEN_SECRET = readFileSync(join(source.env.DATA_DIR ?? '', 'token-secret'), 'utf8');
    const after = await startOn(target, { TOKEN_SECRET });
    expect(await publicAnswers(after, site)).toEqual(answers);
    const mine = `GET /auth/${CATEGORIES[0]?.calls.myReview}/${site.entries[0]}`;
    expect((await call(after, mine, { token: author.token })).body).toMatchObject({ userId: author.id, rating: 3.5 });
    const profile = await call(after, `GET /auth/getProfile/${author.id}`, { token: author.token });
    expect(profile.body).toMatchObject({ major: 'Marine biology', personal: 'Boats' });
    expect((await logIn(after, author, PASSWORD)).status).toBe(200);
    expect((await logIn(after, admin, PASSWORD)).status).toBe(429);
    const reset = { email: other.email, forgotCode, newPassword: 'a brand new secret' };
    expect((await call(after, 'POST /auth/resetPassword', { body: reset })).status).toBe(200);
    expect((await logIn(after, other, reset.newPassword)).status).toBe(200);

    const [category] = CATEGORIES;
    if (!category) throw new Error('there is no category');
    const { id } = await createEntry(after, category, site.schools[0]);
    expect(id).toBeGreaterThan(Math.max(...site.entries));
    const posted = await postReview(after, category, id, author);
    expect(posted.status).toBe(201);
    expect(posted.body.id).toBeGreaterThan(site.lastReview);
    await after.stop();
  });

  test('can be moved again, and again with what has changed, as long as nobody has used the target', async () => {
    const [source, target] = [await generated(), await newTarget()];
    expect((await move(source, target)).code).toBe(0);
    const again = await move(source, target);
    expect(again.stdout).toMatch(/^All there already, verified in .* 3,000 reviews/m);
    expect(again.code).toBe(0);

    await inDatabase(source.env, ({ write }) =>
      write(async (db) => {
        await db.deleteFrom('schools').where('id', '=', 2).execute();
        // Two swap what nobody else may have.
        await db.updateTable('users').set({ username_key: 'nobody' }).where('id', '=', 5).execute();
        await db.updateTable('users').set({ username_key: 'five' }).where('id', '=', 6).execute();
        await db.updateTable('users').set({ username_key: 'six' }).where('id', '=', 5).execute();
      }),
    );
    expect((await move(source, target)).stdout).toMatch(/^Moved and verified in .* s: 3 schools, 42 entries/m);
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
    await expect(runSql(target.url, 'truncate audit_entries')).rejects.toThrow('audit_entries is append-only');

    await inDatabase(target.env, ({ write }) =>
      write((db) => db.updateTable('schools').set({ description: 'Edited here.' }).where('id', '=', 3).execute()),
    );
    const used = await rowsOf(target);
    await expectRefusal(move(source, target), 'has been used since');
    expect(await rowsOf(target)).toEqual(used);
  });

  test('is moved wholly or not at all, at whatever row the command is killed', async () => {
    const [source, target] = [await generated(), await newTarget()];
    const empty = await rowsOf(target);
    await query(
      target.url,
      `create function wait() returns trigger language plpgsql
       as 'begin perform pg_advisory_xact_lock(1); return new; end'`,
    );
    for (const row of ['schools 1', 'entries 40', 'reviews 1', 'reviews 2999']) {
      const [table, id] = row.split(' ');
      const create = `create trigger wait before insert on ${table} for each row when (new.id = ${id})`;
      await query(target.url, `${create} execute function wait()`);
      const barrier = await hold(target.url, 'select pg_advisory_xact_lock(1)');
      const child = startCommand('move', [source.file, target.url], { DATA_DIR: newDataDir() });
      await somebodyWaits(target.url);
      child.kill('SIGKILL');
      await once(child, 'close');
      await barrier.letGo();
      // Waits for the end of the transaction too, which PostgreSQL notices a moment later.
      await query(target.url, `drop trigger wait on ${table}`);
      expect(await rowsOf(target)).toEqual(empty);
    }
    expect((await move(source, target)).code).toBe(0);
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
  });
});

describe('the move command', () => {
  test('refuses what is no closed and sound database of this version or an older one, in one line', async () => {
    const [source, target] = [await generated(100), await newTarget()];
    const bytes = readFileSync(source.file);
    const change = (name: string, statement: string) => {
      const file = join(folder, name);
      copyFileSync(source.file, file);
      const copy = new DatabaseSync(file);
      copy.exec(statement);
      copy.close();
      return file;
    };
    const foreign = fileOf('move-foreign.sqlite', '');
    new DatabaseSync(foreign).exec('create table migrations (id)');
    const cases: [string, RegExp][] = [
      [join(folder, 'nowhere.sqlite'), /There is no file/],
      [folder, /is not a file/],
      [fileOf('move-words.sqlite', 'These are words.'), /is not an SQLite database/],
      [fileOf('move-cut.sqlite', bytes.subarray(0, bytes.length - 5_000)), /cannot be used|is damaged/],
      [foreign, /not a database of this product/],
      [change('move-odd.sqlite', 'delete from migrations where number > 1'), /is not as this product makes it/],
      [change('move-newer.sqlite', "insert into migrations values (99, 'later', 0)"), /newer version/],
      [change('move-drifted.sqlite', 'update review_counts set half_stars_7 = half_stars_7 + 1'), /is not consistent/],
    ];
    for (const [file, words] of cases) await expectRefusal(move({ file }, target), words);

    const product = await startOn(source);
    await expectRefusal(move(source, target), 'stop the server first');
    await product.stop();
    expect(await tablesIn(target.url)).toEqual([]);
    expect((await move(source, target)).code).toBe(0);
  });

  test('refuses a target that is none, in one line', async () => {
    const source = await generated(100);
    const silent = createServer((socket: Socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const cases: [string, string | RegExp][] = [
      ['mysql://127.0.0.1/x', 'The target is not such an address. Allowed: postgres://'],
      ['postgres://user:secret@127.0.0.1:99999/x', 'The target is not such an address'],
      ['postgres://postgres@127.0.0.1:1/x', 'cannot be done just now: connect ECONNREFUSED'],
      [`postgres://postgres@127.0.0.1:${port}/x`, /cannot be done just now: .*timeout/],
      [`${await createPostgresDatabase()}_not`, 'does not exist'],
    ];
    for (const [url, words] of cases) await expectRefusal(move(source, { url }), words);
    silent.close();
    for (const args of [[], [source.file], [source.file, 'postgres://127.0.0.1/x', 'more']]) {
      await expectRefusal(runCommand('move', args, { DATA_DIR: newDataDir() }), 'Usage: npm run move');
    }
  });

  test('refuses a target that holds anything else, and leaves it as it was', async () => {
    const source = await generated(100);
    const other = await newTarget();
    await runCommand('generate', ['--schools', '1', '--entries', '1', '--reviews', '10'], other.env);
    const before = await rowsOf(other);
    await expectRefusal(move(source, other), 'holds other data');
    expect(await rowsOf(other)).toEqual(before);

    const newer = await newTarget();
    await inDatabase(newer.env, ({ write }) =>
      write((db) => db.insertInto('migrations').values({ number: 99, name: 'later', applied_at: 0 }).execute()),
    );
    await expectRefusal(move(source, newer), 'The target cannot be used. The database was made by a newer version');

    for (const table of ['users (name text)', 'migrations (id int)', 'migrations (number int, name text)']) {
      const foreign = await newTarget();
      await query(foreign.url, `create table ${table}`);
      await expectRefusal(move(source, foreign), 'tables of something else');
      expect(await tablesIn(foreign.url)).toEqual([{ tablename: table.split(' ')[0] }]);
    }
  });

  test('refuses a target that somebody is writing', async () => {
    const [source, target] = [await generated(100), await newTarget()];
    const empty = await rowsOf(target);
    const writer = await hold(target.url, "insert into throttles values ('x', 1, 1)");
    await expectRefusal(move(source, target), 'The target is in use');
    await writer.letGo();
    expect(await rowsOf(target)).toEqual(empty);
  });

  test('changes nothing when somebody writes the source meanwhile', async () => {
    const [source, target] = [await generated(100), await newTarget()];
    const barrier = await hold(target.url, 'create table migrations (number int)');
    const refused = expectRefusal(move(source, target), 'was opened while it was moved');
    await somebodyWaits(target.url);
    await inDatabase(source.env, ({ write }) => write((db) => db.deleteFrom('reviews').execute()));
    await barrier.letGo();
    await refused;
    expect(await tablesIn(target.url)).toEqual([]);
  });

  test('changes nothing when a row does not arrive as it was', async () => {
    const [source, target] = [await generated(100), await newTarget()];
    const empty = await rowsOf(target);
    await query(
      target.url,
      `create function bend() returns trigger language plpgsql as 'begin new.half_stars := 11 - new.half_stars; return new; end'`,
    );
    await query(
      target.url,
      'create trigger bend before insert on reviews for each row when (new.id = 50) execute function bend()',
    );
    await expectRefusal(move(source, target), 'The rows of reviews did not arrive as they were');
    expect(await rowsOf(target)).toEqual(empty);
  });
});
