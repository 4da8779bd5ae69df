import { existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
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
import { eventually } from '../support/postgres-faults.ts';
import { ENGINES, startProduct } from '../support/product.ts';
import { createUser } from '../support/rows.ts';

const { folder, newDataDir, fileOf } = createWorkplace();

const listSchools = (env: Record<string, string>) =>
  inDatabase(env, ({ read }) => read.selectFrom('schools').selectAll().orderBy('id').execute());

const ADMIN_PASSWORD = 'three green boats at dawn';

describe.each(ENGINES)('the admin command on %s', (engine) => {
  test('makes a verified admin who can log in with the password that it prints', async () => {
    const env = await createTarget(engine, newDataDir());
    const { code, stdout } = await runCommandProcess('admin', ['create', 'root@example.com', 'root'], env);
    expect(code).toBe(0);
    const password = /^Password: (\S{22,})$/m.exec(stdout)?.[1];

    const product = await startProduct(engine, env);
    const login = await call(product, 'POST /auth/login', { body: { email: 'root@example.com', password } });
    const users = await call(product, 'GET /auth/getUsers', { token: login.body.token });
    await product.stop();
    expect(users.body).toEqual([{ id: expect.any(Number), username: 'root', isAdmin: true, isBlocked: false }]);
  });

  test('grants and revokes, but never takes the last admin away', async () => {
    const env = await createTarget(engine, newDataDir());
    await inDatabase(env, (database) =>
      database.write(async (db) => {
        const passwordHash = 'none';
        await insertUser(db, { username: 'anna', email: 'anna@example.com', passwordHash, verifiedAt: 1 }, 1);
        await insertUser(db, { username: 'ben', email: 'ben@example.com', passwordHash, verifiedAt: 1 }, 1);
        await insertUser(db, { username: 'carl', email: 'carl@example.com', passwordHash, verifiedAt: null }, 1);
      }),
    );
    const run = (...args: string[]) => runCommand('admin', args, env);
    expect((await run('grant', 'ANNA@example.com')).stdout).toMatch('anna <ANNA@example.com> is an admin now.');
    await expectRefusal(run('revoke', 'anna@example.com'), 'the last admin');
    await expectRefusal(run('grant', 'carl@example.com'), 'not verified');
    await expectRefusal(run('grant', 'nobody@example.com'), 'no such account');
    expect((await run('grant', 'ben@example.com')).code).toBe(0);
    expect((await run('revoke', 'anna@example.com')).stdout).toMatch('no longer an admin');
  });
});

describe('the admin command', () => {
  test.each([
    ['a short password', ['create', 'a@example.com', 'anna'], 'seven c', /8 to 256 characters, this one has 7/],
    ['a common password', ['create', 'a@example.com', 'anna'], '1qaz2wsx3edc4rfv', /most commonly used/],
    ['a password made of the name', ['create', 'a@example.com', 'annabella-maria'], 'annabella-maria!', /too close/],
    ['an email that is none', ['create', 'x<a@example.com>', 'anna'], ADMIN_PASSWORD, /valid email address/],
    ['a username that is none', ['create', 'a@example.com', 'a b'], ADMIN_PASSWORD, /The username must be/],
    ['a missing username', ['create', 'a@example.com'], ADMIN_PASSWORD, /^Usage: npm run admin/],
    ['a verb nobody knows', ['constructor', 'a@example.com'], ADMIN_PASSWORD, /^Usage: npm run admin/],
    ['no days', ['numbers', '--days', '0'], ADMIN_PASSWORD, /^--days is "0"\. Allowed: .* 1 to 366\.$/m],
    ['more days than a year has', ['numbers', '--days', '367'], ADMIN_PASSWORD, /^--days is "367"\. Allowed: /],
  ])('refuses %s in one line', async (_, args, password, words) => {
    const env = { DATA_DIR: newDataDir(), ADMIN_PASSWORD: password };
    await expectRefusal(runCommand('admin', args, env), words);
  });

  test('refuses a taken email, and takes one that nobody has verified', async () => {
    const env = { DATA_DIR: newDataDir(), ADMIN_PASSWORD };
    const squatter = { username: 'squatter', email: 'root@example.com', passwordHash: 'none', verifiedAt: null };
    await inDatabase(env, (database) => database.write((db) => insertUser(db, squatter, Date.now())));
    expect((await runCommandProcess('admin', ['create', 'root@example.com', 'root'], env)).code).toBe(0);
    await expectRefusal(runCommand('admin', ['create', 'Root@example.com', 'other'], env), 'already an account');
    await expectRefusal(runCommand('admin', ['create', 'other@example.com', 'ROOT'], env), 'already taken');
  });
});

/** 2,000 rows in the shape of public lists, every tenth with the name of the row before it but another site. */
const universities = Array.from({ length: 2_000 }, (_, index) => ({
  name: `Universität ${index - (index % 10 === 9 ? 1 : 0)}`,
  country: 'Brazil',
  'state-province': index % 2 ? null : 'São Paulo',
  alpha_two_code: 'BR',
  web_pages: [`https://www.u${index}.example/`],
  domains: [`u${index}.example`],
}));

describe.each(ENGINES)('the import command on %s', (engine) => {
  test('adds every university of a list once, however often it runs', async () => {
    const env = await createTarget(engine, newDataDir());
    const file = fileOf(`universities-${engine}.json`, JSON.stringify(universities));
    const first = await runCommand('import', [file], env);
    expect(first.stdout).toMatch('2,000 rows, 2,000 added, 0 already there, 0 skipped');
    expect(first.stdout).toMatch(/Importing universities-\w+\.json: \d+ %/);
    const second = await runCommand('import', [file], env);
    expect(second.stdout).toMatch('2,000 rows, 0 added, 2,000 already there, 0 skipped');

    const [school, other] = await listSchools(env);
    expect(school).toMatchObject({
      school_name: 'Universität 0',
      location: 'São Paulo, Brazil',
      description: 'University in São Paulo, Brazil. Website: https://www.u0.example/',
    });
    expect(other).toMatchObject({ location: 'Brazil', description: /^University in Brazil\. Website/ });
  });

  test('does not add a school that somebody has made by hand', async () => {
    const env = await createTarget(engine, newDataDir());
    const byHand = { schoolName: 'École du Lac', description: 'By hand.', location: 'Geneva' };
    await inDatabase(env, (database) => database.write((db) => insertSchool(db, byHand)));
    const list = [
      { schoolName: 'ÉCOLE DU LAC', description: 'Again.', location: 'geneva' },
      { schoolName: 'École du Lac', description: 'Another one.', location: 'Lyon' },
      { name: 'École du lac', country: 'Geneva', web_pages: ['https://lac.example'] },
    ];
    const file = fileOf(`hand-${engine}.json`, JSON.stringify(list));
    const { stdout } = await runCommand('import', [file], env);
    expect(stdout).toMatch('3 rows, 1 added, 2 already there');
  });

  test('is noticed by a running server, which continues to write', async () => {
    const env = await createTarget(engine, newDataDir());
    const product = await startProduct(engine, env);
    const { token } = await createUser({ ...product, dataDir: env.DATA_DIR ?? '' }, { isAdmin: true });
    const before = await call(product, 'GET /auth/schools');
    const file = fileOf(`beside-${engine}.json`, JSON.stringify(universities));
    const importing = runCommandProcess('import', [file], env);
    let isDone = false;
    const statuses: number[] = [];
    const writing = (async () => {
      for (let number = 1; !isDone; number += 1) {
        const body = { schoolName: `Beside ${number}`, description: 'While importing.', location: 'Here' };
        statuses.push((await call(product, 'POST /auth/postSchool', { token, body })).status);
      }
    })();
    expect((await importing).code).toBe(0);
    isDone = true;
    await writing;
    await eventually(async () => (await call(product, 'GET /auth/schools')).body.length).toBe(
      before.body.length + universities.length + statuses.length,
    );
    await product.stop();
    expect(new Set(statuses)).toEqual(new Set([201]));
  });
});

describe('the import command', () => {
  test('reads CSV as spreadsheets write it', async () => {
    const env = { DATA_DIR: newDataDir() };
    const csv =
      '\uFEFFLocation,School Name,Fax,DESCRIPTION\r\n"Oslo, Norway",Fjord,1,"A ""good""\r\none"\r\n\r\n Rome , Tiber ,2, Old \r\n';
    expect((await runCommand('import', [fileOf('sheet.csv', csv)], env)).code).toBe(0);
    expect(await listSchools(env)).toMatchObject([
      { school_name: 'Fjord', location: 'Oslo, Norway', description: 'A "good"\none' },
      { school_name: 'Tiber', location: 'Rome', description: 'Old' },
    ]);
  });

  test('takes aliases from a column of CSV and from JSON', async () => {
    const env = { DATA_DIR: newDataDir() };
    const csv = 'Aliases,schoolName,description,location\nFC | Fjord C ||,Fjord,d,Oslo\n,Tiber,d,Rome\n';
    const file = fileOf('aliases.csv', `${csv}${'x|'.repeat(21)},Crowd,d,l\n`);
    const { stdout } = await runCommand('import', [file], env);
    expect(stdout).toMatch('Row 3 skipped: The aliases must have at most 20 items.');
    const json = [{ schoolName: 'Delta', description: 'd', location: 'Delft', aliases: ['TU'] }];
    expect((await runCommand('import', [fileOf('aliases.json', JSON.stringify(json))], env)).code).toBe(0);
    expect((await listSchools(env)).map(({ school_name, aliases }) => [school_name, JSON.parse(aliases)])).toEqual([
      ['Fjord', ['FC', 'Fjord C']],
      ['Tiber', []],
      ['Delta', ['TU']],
    ]);
    expect((await runCommand('import', [file], env)).stdout).toMatch('3 rows, 0 added, 2 already there, 1 skipped');
  });

  test('reports each bad row with its number and keeps the others', async () => {
    const env = { DATA_DIR: newDataDir() };
    const rows = [
      'Good one,d,l',
      'Too few,d',
      '"Odd"quote,d,l',
      '"Never closed,d,l',
      'Good two,"d",l',
      ',d,l',
      'Nul\0,d,l',
      `Long,${'x'.repeat(5_001)},l`,
      `Endless,${'x'.repeat(300_000)},l`,
      'good ONE,d,L',
      'Last,"open,l',
    ];
    const file = fileOf('bad.csv', `schoolName,description,location\n${rows.join('\n')}`);
    const { code, stdout } = await runCommand('import', [file], env);
    expect(code).toBe(2);
    const skipped = [...stdout.matchAll(/^Row (\d+) skipped: \S/gm)].map((match) => Number(match[1]));
    expect(skipped).toEqual([2, 3, 4, 6, 7, 8, 9, 11]);
    expect(stdout).toMatch('11 rows, 2 added, 1 already there, 8 skipped');
    expect((await listSchools(env)).map((school) => school.school_name)).toEqual(['Good one', 'Good two']);
  });

  const HEADER = 'schoolName,description,location\n';
  test.each([
    ['empty.csv', '', /is empty/],
    ['header.csv', HEADER, /has no rows/],
    ['headless.csv', 'a,b,c\n1,2,3\n', /missing: schoolName, description, location/],
    ['twice.csv', 'schoolName,description,location,School Name\na,b,c,d\n', /names the column schoolName twice/],
    ['utf-16.csv', Buffer.from(`${HEADER}a,b,c\n`, 'utf16le'), /is not UTF-8/],
    ['empty.json', '', /is empty/],
    ['cut.json', JSON.stringify(universities).slice(0, -5), /is not valid JSON/],
    ['object.json', '{}', /must be a list/],
    ['none.json', '[]', /has no rows/],
    ['latin.json', Buffer.from('["Universität"]', 'latin1'), /not UTF-8/],
    ['text.txt', HEADER, /must end in \.csv or \.json/],
  ])('refuses %s in one line', async (name, content, words) => {
    await expectRefusal(runCommand('import', [fileOf(name, content)], { DATA_DIR: newDataDir() }), words);
  });

  test.each([
    ['all-bad.csv', `${HEADER}a\nb\n`, /no usable row: 2 rows skipped/],
    ['all-bad.json', '[null, 5, {"name": 1, "country": "X"}, {"schoolName": "a"}]', /no usable row: 4 rows/],
  ])('ends with 2 for %s, of which every row is refused', async (name, content, words) => {
    const { code, stderr } = await runCommandProcess('import', [fileOf(name, content)], { DATA_DIR: newDataDir() });
    expect(stderr).toMatch(words);
    expect(code).toBe(2);
  });

  test('refuses a missing file, and a JSON file too large to read at once', async () => {
    const env = { DATA_DIR: newDataDir() };
    await expectRefusal(runCommandProcess('import', [join(folder, 'nowhere.csv')], env), 'There is no file');
    await expectRefusal(runCommand('import', [folder], env), 'is not a file');
    const huge = fileOf('huge.json', '[');
    truncateSync(huge, 2 ** 30);
    await expectRefusal(runCommand('import', [huge], env), 'larger than 200 MB');
  });

  test('reads half a gigabyte of nonsense in little memory', async () => {
    const huge = fileOf('huge.csv', `${HEADER}Good,d,l\n`);
    truncateSync(huge, 2 ** 29);
    const env = { DATA_DIR: newDataDir(), NODE_OPTIONS: '--max-old-space-size=64' };
    const { code, stdout } = await runCommandProcess('import', [huge], env);
    expect(stdout).toMatch('2 rows, 1 added, 0 already there, 1 skipped');
    expect(code).toBe(2);
  });

  test('killed during the import, it leaves complete schools and adds the rest the next time', async () => {
    const env = { DATA_DIR: newDataDir() };
    await listSchools(env);
    const rows = Array.from({ length: 30_000 }, (_, index) => `School ${index},"Number ${index}",Town`);
    const file = fileOf('killed.csv', `${HEADER}${rows.join('\n')}`);
    const child = startCommand('import', [file], env);
    while ((await listSchools(env)).length === 0) await setTimeout(20);
    child.kill('SIGKILL');
    const kept = (await listSchools(env)).length;
    expect(kept).toBeLessThan(30_000);
    const { stdout } = await runCommand('import', [file], env);
    expect(stdout).toMatch(`${(30_000 - kept).toLocaleString('en')} added`);
    expect(new Set((await listSchools(env)).map((school) => school.school_name)).size).toBe(30_000);
  });
});

test('commands about people need the server’s database, and create no other one', async () => {
  const DATA_DIR = newDataDir();
  for (const args of [
    ['explain', 'jane@example.org'],
    ['key', 'jane@example.org'],
    ['outbox'],
    ['maintenance', 'read'],
  ]) {
    await expectRefusal(runCommand('admin', args, { DATA_DIR }), `There is no database in ${DATA_DIR}.`);
  }
  expect(existsSync(join(DATA_DIR, 'school-reviews.sqlite'))).toBe(false);
  expect(existsSync(join(DATA_DIR, 'token-secret'))).toBe(false);
});

test('commands about people need the server’s secret, and make no other one', async () => {
  const DATA_DIR = newDataDir();
  await runCommand('generate', amounts(1, 1, 10), { DATA_DIR });
  const unlock = (env = {}) => runCommand('admin', ['unlock', 'jane@example.org'], { DATA_DIR, ...env });
  await expectRefusal(unlock(), 'TOKEN_SECRET');
  expect(existsSync(join(DATA_DIR, 'token-secret'))).toBe(false);
  const withSecret = { DATA_DIR, TOKEN_SECRET: 'x'.repeat(40) };
  await expectRefusal(unlock(withSecret), 'There is no such account');
  await expectRefusal(runCommand('admin', ['key', '1.2.3'], withSecret), 'neither an email nor an address');
});
