import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { findSameSchool } from '../../src/server/schools/queries.ts';
import { createTarget, createWorkplace, inDatabase } from '../support/command.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { ENGINES } from '../support/product.ts';

const NAMES = ['St. Élodie’s College', 'Al-Azhar University', 'Plain College', '???'];

const { newDataDir } = createWorkplace();

describe.each(ENGINES)('schools of the version before on %s', (engine) => {
  test('are known to be there, whatever the case, accents and punctuation of who proposes them', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('proposals'), async (db) => {
      for (const name of NAMES) {
        const key = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
        await sql`insert into schools (school_name, name_key, prefix_key, description, location)
          values (${name}, ${key}, ${name.toLowerCase()}, 'x', 'Lyon, France')`.execute(db);
      }
    });
    await inDatabase(env, async ({ read }) => {
      const typed = ['ST ELODIES COLLEGE', 'al azhar university', 'plain college', '???', 'al azharuniversity'];
      const found = await Promise.all(typed.map((name) => findSameSchool(read, name, 'FRANCE')));
      expect(found).toEqual([1, 2, 3, 4, undefined]);
      expect(await findSameSchool(read, 'plain college', 'Belgium')).toBeUndefined();
    });
  });
});

describe.each(ENGINES)('aliases of the version before on %s', (engine) => {
  test('are known to be there too', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('alias-keys'), (db) =>
      sql`insert into schools (school_name, name_key, prefix_key, match_key, description, location, aliases)
        values ('One', 'one', 'one', 'one', 'x', 'Lyon, France', '["É.N.S.","E.N.S.","Normale"]'),
          ('Two', 'two', 'two', 'two', 'x', 'Lyon, France', '[]')`.execute(db),
    );
    await inDatabase(env, async ({ read }) => {
      const found = await Promise.all(
        ['ens', 'NORMALE', 'two', 'three'].map((name) => findSameSchool(read, name, 'France')),
      );
      expect(found).toEqual([1, 1, 2, undefined]);
    });
  });
});
