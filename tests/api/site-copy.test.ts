import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { call } from '../support/call.ts';
import { startChild, waitForAddress } from '../support/child.ts';
import { expectRefusal, runCommand, runCommandProcess, startCommand } from '../support/command.ts';
import { ENGINES } from '../support/product.ts';
import {
  category,
  createEntry,
  createUser,
  PASSWORD,
  postReview,
  readPasscode,
  type TestUser,
} from '../support/rows.ts';
import {
  exportSite,
  fileOf,
  fillSite,
  folder,
  generateSource,
  holdLocks,
  importSite,
  logIn,
  newPlace,
  newSource,
  newTarget,
  publicAnswers,
  query,
  rowsOf,
  startOn,
  waitForLock,
} from '../support/site-copy.ts';

const HAS_POSTGRES = ENGINES.includes('postgres');
const PAIRS = ENGINES.flatMap((from) => ENGINES.map((to) => [from, to] as const));
const linesOf = (file: string) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');

describe('a site taken to another place', () => {
  test.each(PAIRS)('from %s to %s answers as before, and gives no id twice', async (from, to) => {
    const [source, target] = [await newPlace(from), await newPlace(to)];
    const before = await startOn(source);
    const site = await fillSite(before);
    const { author, other, admin } = site;
    const answers = await publicAnswers(before, site);
    await call(before, 'POST /auth/forgotPassword', { body: { email: other.email } });
    const forgotCode = await readPasscode(before, other.email);
    for (let times = 0; times < 10; times += 1) await logIn(before, admin, 'not the password');
    await before.stop();

    // As an operator runs them, once for each engine: a process must also end.
    const run = from === to ? runCommand : runCommandProcess;
    const { file, secret } = await exportSite(source, run);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).toString('latin1')).not.toContain(secret.TOKEN_SECRET);
    const { code, stdout, stderr } = await importSite(target, file, secret, run);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [entries, reviews] = [CATEGORIES.length + 4, 3 * CATEGORIES.length + 3];
    const rows = `4 schools, ${entries} entries, ${reviews} reviews, 3 users`;
    expect(stdout).toMatch(new RegExp(`^Imported and verified in .* s: ${rows}\\.$`, 'm'));
    const copied = await rowsOf(target);
    expect(copied).toEqual(await rowsOf(source));
    expect(Object.keys(copied)).toEqual([...DATA_TABLES].sort());
    expect((await run('check', [], target.env)).code).toBe(0);

    const after = await startOn(target, secret);
    expect(await publicAnswers(after, site)).toEqual(answers);
    const mine = `GET /auth/${category.calls.myReview}/${site.entries[0]}`;
    expect((await call(after, mine, { token: author.token })).body).toMatchObject({ userId: author.id, rating: 3.5 });
    expect((await logIn(after, author, PASSWORD)).status).toBe(200);
    expect((await logIn(after, admin, PASSWORD)).status).toBe(429);
    const reset = { email: other.email, forgotCode, newPassword: 'a brand new secret' };
    expect((await call(after, 'POST /auth/resetPassword', { body: reset })).status).toBe(200);
    const { id } = await createEntry(after, category, site.schools[0]);
    expect(id).toBeGreaterThan(Math.max(...site.entries));
    expect((await postReview(after, category, id, author)).body.id).toBeGreaterThan(site.lastReview);
    await after.stop();
  });

  test('needs its secret only where it keys the names that people gave up', async () => {
    const source = newSource();
    const before = await startOn(source);
    const user = await createUser(before);
    const { file } = await exportSite(source);
    const body = { password: PASSWORD, username: `${user.username}-new` };
    expect((await call(before, 'PUT /auth/updateMyAccount', { token: user.token, body })).status).toBe(200);
    await before.stop();
    const target = newSource();
    expect(await importSite(target, file)).toMatchObject({ code: 0, stderr: '' });
    const after = await startOn(target);
    expect((await logIn(after, user, PASSWORD)).status).toBe(200);
    await after.stop();
    const { file: renamed } = await exportSite(source);
    await expectRefusal(importSite(newSource(), renamed), 'TOKEN_SECRET is not that of the exported site');
  });

  test.runIf(HAS_POSTGRES)('arrives wholly or not at all, at whatever row the command is killed', async () => {
    const [source, target] = [await generateSource(), await newTarget()];
    const { file } = await exportSite(source);
    const empty = await rowsOf(target);
    await query(
      target.url,
      `create function wait() returns trigger language plpgsql
       as 'begin perform pg_advisory_xact_lock(1); return new; end'`,
    );
    for (const row of ['schools 1', 'reviews 2999']) {
      const [table, id] = row.split(' ');
      const create = `create trigger wait before insert on ${table} for each row when (new.id = ${id})`;
      await query(target.url, `${create} execute function wait()`);
      const barrier = await holdLocks(target.url, 'select pg_advisory_xact_lock(1)');
      const child = startCommand('import-site', [file], target.env);
      await waitForLock(target.url);
      child.kill('SIGKILL');
      await once(child, 'close');
      await barrier.letGo();
      // This waits for the killed transaction too, which PostgreSQL ends a moment later.
      await query(target.url, `drop trigger wait on ${table}`);
      expect(await rowsOf(target)).toEqual(empty);
    }
    expect((await importSite(target, file)).code).toBe(0);
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
    const writer = await holdLocks(target.url, "insert into throttles values ('x', 1, 1)");
    await expectRefusal(importSite(target, file), 'The database is in use');
    await writer.letGo();
  });

  test.runIf(HAS_POSTGRES)('is refused when a row does not arrive as it was', async () => {
    const [source, target] = [await generateSource(100), await newTarget()];
    const empty = await rowsOf(target);
    await query(
      target.url,
      `create function bend() returns trigger language plpgsql as 'begin new.half_stars := 11 - new.half_stars; return new; end'`,
    );
    await query(
      target.url,
      'create trigger bend before insert on reviews for each row when (new.id = 50) execute function bend()',
    );
    const { file } = await exportSite(source);
    await expectRefusal(importSite(target, file), 'The rows of reviews did not arrive as they were');
    expect(await rowsOf(target)).toEqual(empty);
  });

  test.each(ENGINES)('goes into a %s database that a killed server has created', async (engine) => {
    const [source, target] = [await generateSource(100), await newPlace(engine)];
    const { file } = await exportSite(source);
    const server = startChild(target.env);
    await waitForAddress(server);
    while ((await rowsOf(target)).site_days?.length === 0) await setTimeout(5);
    if (engine === 'sqlite') await expectRefusal(importSite(target, file), 'Stop the server first');
    server.process.kill('SIGKILL');
    await server.exit;
    expect(await importSite(target, file)).toMatchObject({ code: 0, stderr: '' });
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
  });

  test('goes into a SQLite file without tables, and not into one of another version', async () => {
    const [source, target] = [await generateSource(100), newSource()];
    const path = join(target.env.DATA_DIR ?? '', 'school-reviews.sqlite');
    const { file } = await exportSite(source);
    mkdirSync(target.env.DATA_DIR ?? '');
    new DatabaseSync(path).exec('create table schools (id integer primary key)');
    await expectRefusal(importSite(target, file), 'of another version or another product');
    writeFileSync(path, '');
    expect(await importSite(target, file)).toMatchObject({ code: 0, stderr: '' });
    expect(await rowsOf(target)).toEqual(await rowsOf(source));
  });

  test.each(ENGINES)('is refused on %s when the file is not whole, not ours or of another secret', async (engine) => {
    const [source, target] = [await generateSource(100), await newPlace(engine)];
    const { file } = await exportSite(source);
    const bytes = readFileSync(file);
    const lines = linesOf(file);
    const written = (name: string, changed: readonly string[]) => fileOf(name, gzipSync(`${changed.join('\n')}\n`));
    const header = (changes: object) => JSON.stringify({ ...JSON.parse(lines[0] ?? ''), ...changes });
    // What the command finds before it opens a database.
    const unread: [string, RegExp][] = [
      [join(folder, 'nowhere'), /There is no file/],
      [fileOf('words', 'These are words.'), /is cut off or damaged/],
      [written('version', [header({ version: 2 })]), /has version 2 of the format/],
      [written('schema', [header({ schema: '001-first' })]), /an export of another version/],
      [written('secret', [header({ secret: 'of another' })]), /TOKEN_SECRET is not that of the exported site/],
    ];
    const cases: [string, RegExp][] = [
      ...(engine === 'sqlite' ? unread : []),
      [fileOf('cut', bytes.subarray(0, bytes.length - 50)), /is cut off or damaged/],
      [written('short', lines.slice(0, -1)), /is cut off or damaged/],
      [written('no-rows', [...lines.slice(0, 1), 'null', ...lines.slice(1)]), /is cut off or damaged/],
      [
        written(
          'changed',
          lines.map((line) => line.replace('"half_stars":', '"half_stars": ')),
        ),
        /is cut off or damaged/,
      ],
    ];
    for (const [path, words] of cases) await expectRefusal(importSite(target, path), words);
    if (engine === 'sqlite') expect(existsSync(join(target.env.DATA_DIR ?? '', 'school-reviews.sqlite'))).toBe(false);
    expect((await importSite(target, file)).code).toBe(0);
    const rows = await rowsOf(target);
    await expectRefusal(importSite(target, file), 'holds data already');
    expect(await rowsOf(target)).toEqual(rows);
    if (engine === 'postgres') return;
    await expectRefusal(runCommand('export', [file], source.env), 'is there already');
    for (const command of ['export', 'import-site', 'dump']) {
      await expectRefusal(runCommand(command, [], target.env), `Usage: npm run ${command}`);
    }
  });
});

/** Finds what a dump must not hold: emails, usernames and ids of users, and words that nobody sees. */
function findPersonal(lines: readonly string[], people: readonly TestUser[]): string[] {
  const text = lines.join('\n');
  const words = people.flatMap(({ email, username }) => [email, `"${username}"`]);
  const hidden = ['user_id', 'userId', 'Joined and waiting.', 'Missing so far.', 'I was there.'];
  return [...words, ...hidden].filter((word) => text.includes(word));
}

describe.each(ENGINES)('a dump on %s', (engine) => {
  test('holds what everybody sees and nothing that is personal', async () => {
    const place = await newPlace(engine);
    const product = await startOn(place);
    const { author, other, admin, entries } = await fillSite(product);
    const leaky = await createUser(product);
    const leak = { review: `Write to ${leaky.email}`, username: null };
    await postReview(product, category, entries[0] ?? 0, leaky, leak);
    const listed = CATEGORIES.map(({ calls: { reviews } }, index) =>
      call(product, `GET /auth/${reviews}/${entries[index]}`),
    );
    const reviews = (await Promise.all(listed)).flatMap(({ body }) => body);
    await product.stop();
    const dump = async (name: string, args: readonly string[] = [], env = {}, run = runCommand) => {
      const file = join(folder, `${engine}-${name}`);
      const { code, stdout, stderr } = await run('dump', [file, ...args], { ...place.env, ...env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return { stdout, lines: linesOf(file) };
    };
    const plain = await dump('plain', [], {}, runCommandProcess);
    expect(plain.stdout).toContain('It states no licence: set DUMP_LICENCE');
    const [first = '', ...documents] = plain.lines;
    expect(JSON.parse(first)).toMatchObject({ format: 'school-reviews dump', licence: null, withUsernames: false });
    const dumped = documents.map((line) => JSON.parse(line)).filter(({ type }) => type === 'review');
    for (const { username: _, ...review } of reviews) expect(dumped).toContainEqual(expect.objectContaining(review));
    const people = [author, other, admin];
    expect(findPersonal(documents, people)).toEqual([]);
    const open = await dump('signed', ['--with-usernames'], { DUMP_LICENCE: 'CC BY 4.0' });
    expect(open.stdout).not.toContain('It states no licence');
    const [licensed = '', ...signed] = open.lines;
    expect(JSON.parse(licensed)).toMatchObject({ licence: 'CC BY 4.0', withUsernames: true });
    // All reviews of the others are anonymous or gone.
    expect(findPersonal(signed, people)).toEqual([`"${author.username}"`]);
    // The control: `findPersonal` finds an email that its owner has written into a review, which the dump holds.
    expect(findPersonal(documents, [...people, leaky])).toEqual([leaky.email]);
  });
});
