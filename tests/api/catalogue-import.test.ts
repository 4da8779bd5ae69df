import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { COMMON_NAMES } from '../../src/server/data/imports/file-rows.ts';
import { findSameSchool, findSchool } from '../../src/server/schools/queries.ts';
import { createTarget, createWorkplace, expectRefusal, inDatabase, runCommand } from '../support/command.ts';
import { createOld, migrationsBefore, openOld } from '../support/migrations.ts';
import { ENGINES } from '../support/product.ts';
import { readRealUniversities } from '../support/real-names.ts';

const { newDataDir, fileOf } = createWorkplace();

/** The facts of the catalogue in the shape of the public list. */
async function readListed(): Promise<object[]> {
  const universities = await readRealUniversities();
  return universities.map(({ name, country, state, page }) => {
    return { name, country, 'state-province': state || null, web_pages: [page] };
  });
}

describe('the import of the catalogue', { timeout: 60_000 }, () => {
  const schoolsOf = (env: Record<string, string>) =>
    inDatabase(env, ({ read }) =>
      read.selectFrom('schools').select(['school_name', 'location', 'description', 'import_key', 'aliases']).execute(),
    );

  test('fills a site with the universities of the world once, by the common names of their countries', async () => {
    const env = { DATA_DIR: newDataDir() };
    expect((await runCommand('import', ['universities'], env)).stdout).toMatch(
      '10,251 rows, 10,251 added, 0 already there, 0 skipped',
    );
    expect((await runCommand('import', ['universities'], env)).stdout).toMatch(' 0 added, 10,251 already there');
    const schools = await schoolsOf(env);
    expect(schools.find(({ school_name }) => school_name.startsWith('Korea Advanced'))).toMatchObject({
      location: 'South Korea',
      description: 'University in South Korea. Website: http://www.kaist.ac.kr/',
      aliases: '["KAIST","카이스트","한국과학기술원"]',
    });
    const find = (name: string) =>
      inDatabase(env, async ({ read }) => findSchool(read, (await findSameSchool(read, name, 'South Korea')) ?? 0));
    expect(await find('kaist')).toMatchObject({ schoolName: 'Korea Advanced Institute of Science & Technology' });
    const common = new Set(Object.values(COMMON_NAMES));
    expect(schools.filter(({ location }) => common.has(location.split(', ').at(-1) ?? ''))).toHaveLength(515);
    expect(schools.filter(({ location }) => /Viet ?Nam$/.test(location))).toEqual([]);
    expect(schools.filter(({ location }) => /Vietnam$/.test(location))).toHaveLength(58);
    // The list says "null" as their state.
    expect(schools.filter(({ location, description }) => /null/.test(location + description))).toEqual([]);
    expect(schools.find(({ school_name }) => school_name === 'Hochschule Hannover')).toMatchObject({
      location: 'Germany',
      description: 'University in Germany. Website: https://www.hs-hannover.de/',
    });
  });

  test.each([
    ['universities', 'list.json'],
    ['list.json', 'universities'],
  ])('of %s and %s the second adds nothing', async (one, other) => {
    const list = fileOf('list.json', JSON.stringify(await readListed()));
    const pathOf = (name: string) => (name === 'list.json' ? list : name);
    const env = { DATA_DIR: newDataDir() };
    expect((await runCommand('import', [pathOf(one)], env)).stdout).toMatch(' 10,251 added');
    const before = await schoolsOf(env);
    expect((await runCommand('import', [pathOf(other)], env)).stdout).toMatch(' 0 added, 10,251 already there');
    const withoutAliases = (schools: typeof before) => schools.map(({ aliases: _aliases, ...facts }) => facts);
    expect(withoutAliases(await schoolsOf(env))).toEqual(withoutAliases(before));
  });

  test('adds new aliases of the catalogue to schools that it made and corrects locations, unless an admin changed them', async () => {
    const env = { DATA_DIR: newDataDir() };
    const list = fileOf('old-list.json', JSON.stringify(await readListed()));
    await runCommand('import', [list], env);
    const find = async (name: string) => (await schoolsOf(env)).find(({ school_name }) => school_name === name);
    const kept = { location: 'null, Germany', description: 'University in null, Germany.' };
    await inDatabase(env, ({ write }) =>
      write(async (db) => {
        await db
          .updateTable('schools')
          .set(kept)
          .where('school_name', 'in', ['Hochschule Hannover', 'Staatliche Studienakademie Bautzen'])
          .execute();
        const changed = await db
          .selectFrom('schools')
          .select('id')
          .where('school_name', 'in', ['University of Tokyo', 'Staatliche Studienakademie Bautzen'])
          .execute();
        for (const { id } of changed) {
          const act = { user_id: 1, act: 'updateSchool', subject_kind: 'school', subject_id: id } as const;
          await db
            .insertInto('audit_entries')
            .values({ ...act, happened_at: 1, reason: null })
            .execute();
        }
      }),
    );
    expect((await runCommand('import', ['universities'], env)).stdout).toMatch(
      / 0 added, 10,251 already there, 0 skipped\. 2,7\d\d schools got what the catalogue has gained\./,
    );
    expect((await find('University of Tokyo'))?.aliases).toBe('[]');
    expect(JSON.parse((await find('Peking University'))?.aliases ?? '[]')).toContain('北京大学');
    expect(await find('Hochschule Hannover')).toMatchObject({
      location: 'Germany',
      description: 'University in Germany. Website: https://www.hs-hannover.de/',
    });
    expect(await find('Staatliche Studienakademie Bautzen')).toMatchObject(kept);
    expect((await runCommand('import', ['universities'], env)).stdout).toMatch(/0 skipped\.\s*$/);
  });

  test('is not a file of that name', async () => {
    const env = { DATA_DIR: newDataDir() };
    await expectRefusal(runCommand('import', ['./universities'], env), 'There is no file');
  });
});

describe.each(ENGINES)('merged schools of the version before on %s', (engine) => {
  test('have the common name of their country too', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('vietnam'), (db) =>
      sql`insert into merged_schools (id, prefix_key, location, import_key)
        values (7, 'hue', 'Hue, Viet Nam', 'site:a'), (8, 'da lat', 'Viet Nam', null)`.execute(db),
    );
    const rows = await inDatabase(env, ({ read }) =>
      read.selectFrom('merged_schools').select('location').orderBy('id').execute(),
    );
    expect(rows).toEqual([{ location: 'Hue, Vietnam' }, { location: 'Viet Nam' }]);
  });
});

describe.each(ENGINES)('universities imported by the version before on %s', (engine) => {
  test('have the common names of their countries now, and importing them again adds nothing', async () => {
    const env = await createTarget(engine, newDataDir());
    const database = await openOld(env, migrationsBefore('country-names'));
    const page = 'https://kaist.example';
    const before: [name: string, location: string, importKey: string | null][] = [
      // The version before made these keys of name, location and page.
      ['Kaist', 'Daejeon, Korea, Republic of', 'site:FeIS3XZFF3zlQ1dAJjAdrgE5_DDP6TZ-6oLXfyrmaIc'],
      ['Pyongyang', "Korea, Democratic People's Republic of", 'site:b'],
      ['Seoul', 'Korea, Republic of', 'plain:c'],
      ['By hand', 'Korea, Republic of', null],
      ['Not quite', 'North Korea, Republic of', 'site:d'],
      ['Da Lat', 'Viet Nam', 'site:e'],
      ['Hue', 'Hue, Viet Nam', 'site:f'],
      ['By hand too', 'Hue, Viet Nam', null],
      ['Nha Trang', 'Khanh Hoa, Vietnam', 'site:g'],
    ];
    await database.write(async (db) => {
      for (const [name, location, key] of before) {
        await sql`insert into schools (school_name, name_key, prefix_key, description, location, import_key)
          values (${name}, ${name.toLowerCase()}, ${name.toLowerCase()}, ${`University in ${location}. Website: x`},
            ${location}, ${key})`.execute(db);
      }
    });
    await database.close();
    const list = [{ name: 'Kaist', country: 'Korea, Republic of', 'state-province': 'Daejeon', web_pages: [page] }];
    const { stdout } = await runCommand('import', [fileOf(`again-${engine}.json`, JSON.stringify(list))], env);
    expect(stdout).toMatch('1 row, 0 added, 1 already there');
    const rows = await inDatabase(env, ({ read }) =>
      read.selectFrom('schools').select(['school_name', 'location', 'description']).orderBy('id').execute(),
    );
    expect(rows.map(({ school_name, location }) => [school_name, location])).toEqual([
      ['Kaist', 'Daejeon, South Korea'],
      ['Pyongyang', 'North Korea'],
      ['Seoul', 'Korea, Republic of'],
      ['By hand', 'Korea, Republic of'],
      ['Not quite', 'North Korea, Republic of'],
      ['Da Lat', 'Vietnam'],
      ['Hue', 'Hue, Vietnam'],
      ['By hand too', 'Hue, Viet Nam'],
      ['Nha Trang', 'Khanh Hoa, Vietnam'],
    ]);
    expect(rows[0]?.description).toBe('University in Daejeon, South Korea. Website: x');
  });
});

describe.each(ENGINES)(
  'universities whose names have control characters in place of quotation marks, on %s',
  (engine) => {
    const NAME = 'Academy \u0093Ludwik\u0094 in Lodz';
    const PAGE = 'http://www.academy.example/';
    const LIST = JSON.stringify([{ name: NAME, country: 'Poland', web_pages: [PAGE] }]);
    const namesIn = (env: Record<string, string>) =>
      inDatabase(env, async ({ read }) => {
        const rows = await read.selectFrom('schools').select('school_name').execute();
        return rows.map((row) => row.school_name);
      });

    test('are imported without them, once', async () => {
      const env = await createTarget(engine, newDataDir());
      const list = fileOf(`controls-${engine}.json`, LIST);
      expect((await runCommand('import', [list], env)).stdout).toMatch('1 row, 1 added');
      expect((await runCommand('import', [list], env)).stdout).toMatch('1 row, 0 added, 1 already there');
      expect(await namesIn(env)).toEqual(['Academy Ludwik in Lodz']);
    });

    test('are recognised where an earlier version imported them under the names of the list', async () => {
      const env = await createTarget(engine, newDataDir());
      const parts = [NAME.toLowerCase(), 'poland', 'http://www.academy.example'];
      const key = `site:${hash('sha256', JSON.stringify(parts), 'base64url')}`;
      await inDatabase(env, ({ write }) =>
        write((db) =>
          sql`insert into schools (school_name, name_key, prefix_key, description, location, import_key)
          values (${NAME}, ${NAME.toLowerCase()}, ${NAME.toLowerCase()}, 'x', 'Poland', ${key})`.execute(db),
        ),
      );
      const list = fileOf(`again-controls-${engine}.json`, LIST);
      expect((await runCommand('import', [list], env)).stdout).toMatch('1 row, 0 added, 1 already there');
      expect(await namesIn(env)).toEqual([NAME]);
    });
  },
);

test('the migrations and the import have the same common names', () => {
  const migration = readFileSync('src/server/database/migrations/017-country-names.ts', 'utf8');
  const pairs = [...migration.matchAll(/^ {2}\[(['"])(.+)\1, '(.+)'\],$/gm)].map(([, , listed, common]) => [
    listed,
    common,
  ]);
  const vietnam = readFileSync('src/server/database/migrations/001-to-022-short.ts', 'utf8');
  const [, listed, common] = /replace\(location, '(.+?)', '(.+?)'\)/.exec(vietnam) ?? [];
  expect(Object.fromEntries([...pairs, [listed, common]])).toEqual(COMMON_NAMES);
});
