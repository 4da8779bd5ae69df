import { describe, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { addAliases, mergeSchools, retireSchool } from '../../src/server/moderation/merging/queries.ts';
import { insertSchool, type StoredSchool } from '../../src/server/schools/queries.ts';
import { deleteSchool } from '../../src/server/visibility/deletion-queries.ts';
import { call } from '../support/call.ts';
import { createTarget, createWorkplace, expectRefusal, inDatabase, runCommand } from '../support/command.ts';
import { ENGINES, startProduct } from '../support/product.ts';

const { newDataDir, fileOf } = createWorkplace();
const [first, second] = CATEGORIES as [Category, Category];

const createSchool = (env: Record<string, string>, schoolName: string, location: string) =>
  inDatabase(env, (database) =>
    database.write((db) => insertSchool(db, { schoolName, location, description: 'A school.' })),
  );

const listEntries = (env: Record<string, string>) =>
  inDatabase(env, ({ read }) =>
    read
      .selectFrom('entries')
      .innerJoin('schools', 'schools.id', 'entries.school_id')
      .select(['schools.location', 'kind', 'name', 'entries.description'])
      .orderBy('entries.id')
      .execute(),
  );

const HEADER = 'school,category,name,description\n';

describe.each(ENGINES)('the import of entries on %s', (engine) => {
  test('adds each entry of a file once, with counts of its own, and a running server shows it', async () => {
    const env = await createTarget(engine, newDataDir());
    const school = await createSchool(env, 'École du Lac', 'Geneva');
    const product = await startProduct(engine, env);
    const list = () => call(product, `GET /auth/${first.calls.list}/${school.id}`);
    expect((await list()).body).toEqual([]);
    const file = fileOf(
      `entries-${engine}.csv`,
      `${HEADER}école du lac,${first.label.toUpperCase()},Rowing,"Eights, fours"\nÉcole du Lac,${second.kind},Chess,d\nÉcole du Lac,${first.kind},ROWING,Again.\n`,
    );
    const { code, stdout } = await runCommand('import', [file], env);
    expect(stdout).toMatch('3 rows, 2 added, 1 already there, 0 skipped');
    expect(code).toBe(0);
    await expect
      .poll(async () => (await list()).body)
      .toMatchObject([{ [first.nameField]: 'Rowing', description: 'Eights, fours' }]);
    await product.stop();
    expect((await runCommand('import', [file], env)).stdout).toMatch('3 rows, 0 added, 3 already there, 0 skipped');
    expect(await listEntries(env)).toMatchObject([
      { kind: first.kind, name: 'Rowing' },
      { kind: second.kind, name: 'Chess' },
    ]);
    expect((await runCommand('check', [], env)).stdout).toMatch('2 entries with 0 reviews');
  });

  test('says of each row that it skips what is wrong with it, and adds the others', async () => {
    const env = await createTarget(engine, newDataDir());
    await createSchool(env, 'Fjord', 'Oslo, Norway');
    for (const location of ['Texas', 'Ohio']) await createSchool(env, 'Plain', location);
    const rows = [
      'Fjord,Clubs,Chess,d,',
      'Nowhere,Clubs,Chess,d,',
      'Fjord,Sports,Chess,d,',
      'Fjord,Clubs,,d,',
      'Plain,Clubs,Chess,d,',
      'Plain,Clubs,Chess,d,ohio',
      'Fjord,Clubs,Go,d,Bergen',
      'Fjord,Clubs,Go',
      `Fjord,Clubs,${'x'.repeat(121)},d,`,
    ];
    const file = fileOf(`bad-entries-${engine}.csv`, `school,category,name,description,location\n${rows.join('\n')}\n`);
    const { stdout } = await runCommand('import', [file], env);
    const skipped = [...stdout.matchAll(/^Row (\d+) skipped: (.*)$/gm)].map(([, number, reason]) => [
      Number(number),
      reason,
    ]);
    expect(skipped.sort(([one], [other]) => Number(one) - Number(other))).toEqual([
      [2, 'There is no school Nowhere.'],
      [3, `The category must be one of ${CATEGORIES.map(({ label }) => label).join(', ')}.`],
      [4, 'The name must not be empty.'],
      [5, '2 schools are called Plain: the column location must say which one.'],
      [7, 'There is no school Fjord in Bergen.'],
      [8, 'The row has not as many fields as the header: 3 instead of 5.'],
      [9, 'The name must have at most 120 characters.'],
    ]);
    expect(stdout).toMatch('9 rows, 2 added, 0 already there, 7 skipped');
    expect(await listEntries(env)).toEqual([
      { location: 'Oslo, Norway', kind: 'clubs', name: 'Chess', description: 'd' },
      { location: 'Ohio', kind: 'clubs', name: 'Chess', description: 'd' },
    ]);
  });
});

describe.each(ENGINES)('the import of schools on %s', (engine) => {
  test('uses up no ids for those that are there, or named twice', async () => {
    const env = await createTarget(engine, newDataDir());
    const listed = (name: string, page = name) => ({
      ...{ name, country: 'Norway' },
      web_pages: [`https://${page}.example`],
    });
    const rows = [
      ...[listed('Fjord'), listed('Harbour'), listed('Fjord')],
      // Of one name and location, two with web pages are two schools, and one without is one of these.
      ...[listed('Fjord', 'other'), { schoolName: 'HARBOUR', location: 'Norway', description: '' }],
    ];
    const file = fileOf(`ids-${engine}.json`, JSON.stringify(rows));
    for (const outcome of ['3 added, 2 already there', '0 added, 5 already there'])
      expect((await runCommand('import', [file], env)).stdout).toMatch(`5 rows, ${outcome}`);
    expect((await createSchool(env, 'Next', 'Oslo')).id).toBe(4);
  });
});

describe.each(ENGINES)('the import of entries of merged schools on %s', (engine) => {
  const mergeIn = (
    env: Record<string, string>,
    pairs: readonly (readonly [from: StoredSchool, into: StoredSchool])[],
  ) =>
    inDatabase(env, async (database) => {
      for (const [from, into] of pairs) {
        await database.write(async (db) => {
          const pair = { from: from.id, into: into.id };
          await mergeSchools(db, pair, Date.now());
          await addAliases(db, into, from);
          await retireSchool(db, pair);
        });
      }
    });
  const namesAt = async (env: Record<string, string>, location: string) =>
    (await listEntries(env)).filter((entry) => entry.location === location).map(({ name }) => name);

  test('adds them to the school that theirs was merged into, along a chain, and the second time nothing', async () => {
    const env = await createTarget(engine, newDataDir());
    const [a, b, c] = [
      await createSchool(env, 'Fjord', 'Oslo'),
      await createSchool(env, 'Fjord College', 'Bergen'),
      await createSchool(env, 'Fjord University', 'Bodø'),
    ];
    const file = fileOf(
      `merged-entries-${engine}.csv`,
      `${HEADER}FJORD,Clubs,Chess,d\nFjord,Clubs,Go,d\nFjord College,Clubs,Chess,d\nFjord University,Clubs,Go,d\n`,
    );
    const first = fileOf(`first-entries-${engine}.csv`, `${HEADER}Fjord,Clubs,Chess,d\n`);
    expect((await runCommand('import', [first], env)).stdout).toMatch('1 row, 1 added');
    await mergeIn(env, [
      [a, b],
      [b, c],
    ]);
    expect((await runCommand('import', [file], env)).stdout).toMatch('4 rows, 1 added, 3 already there, 0 skipped');
    expect(await namesAt(env, 'Bodø')).toEqual(['Chess', 'Go']);
    expect((await runCommand('import', [file], env)).stdout).toMatch('4 rows, 0 added, 4 already there, 0 skipped');
    expect((await runCommand('check', [], env)).stdout).toMatch('2 entries with 0 reviews');
  });

  test('finds it by its location, takes one that is there first, and skips one whose other school is deleted', async () => {
    const env = await createTarget(engine, newDataDir());
    const [texas, ohio, iowa, kansas] = [
      await createSchool(env, 'Plain', 'Texas'),
      await createSchool(env, 'Plain', 'Ohio'),
      await createSchool(env, 'Plain State', 'Iowa'),
      await createSchool(env, 'Plain Tech', 'Kansas'),
    ];
    const lost = await createSchool(env, 'Prairie', 'Utah');
    await mergeIn(env, [
      [texas, iowa],
      [lost, kansas],
    ]);
    await inDatabase(env, (database) =>
      database.write((db) => deleteSchool(db, kansas.id, { userId: 1, now: Date.now() })),
    );
    const rows = ['Plain,Clubs,Chess,d,texas', 'Plain,Clubs,Go,d,', 'Plain,Clubs,Go,d,Utah', 'Prairie,Clubs,Go,d,'];
    const file = fileOf(`located-${engine}.csv`, `school,category,name,description,location\n${rows.join('\n')}\n`);
    const { stdout } = await runCommand('import', [file], env);
    expect(stdout).toMatch('4 rows, 2 added, 0 already there, 2 skipped');
    expect(stdout).toMatch('Row 3 skipped: There is no school Plain in Utah.');
    expect(stdout).toMatch('Row 4 skipped: There is no school Prairie.');
    expect(await namesAt(env, 'Iowa')).toEqual(['Chess']);
    expect(await namesAt(env, ohio.location)).toEqual(['Go']);

    await mergeIn(env, [[ohio, iowa]]);
    const again = fileOf(`unlocated-${engine}.csv`, `${HEADER}Plain,Clubs,Judo,d\n`);
    expect((await runCommand('import', [again], env)).stdout).toMatch('1 row, 1 added');
    expect(await namesAt(env, 'Iowa')).toEqual(['Chess', 'Go', 'Judo']);
  });
});

describe('the import of entries', () => {
  test('takes JSON, also beside schools, and refuses a file none of whose schools is there', async () => {
    const env = { DATA_DIR: newDataDir() };
    const school = { schoolName: 'Fjord', description: 'd', location: 'Oslo' };
    const entry = { school: 'Fjord', category: 'Majors', name: 'Law', description: 'd' };
    const file = fileOf('mixed.json', JSON.stringify([school, entry, { ...entry, name: 'Art' }]));
    expect((await runCommand('import', [file], env)).stdout).toMatch('3 rows, 3 added, 0 already there, 0 skipped');
    const lost = fileOf('lost.csv', `${HEADER}Nowhere,Majors,Law,d\n`);
    const { code, stderr } = await runCommand('import', [lost], env);
    expect(stderr).toBe('lost.csv has no usable row: 1 row skipped.\n');
    expect(code).toBe(2);
    await expectRefusal(
      runCommand('import', [fileOf('short.csv', 'school,category,name\na,b,c\n')], env),
      'missing: description',
    );
  });
});
