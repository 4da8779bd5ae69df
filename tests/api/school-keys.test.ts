import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { generateData } from '../../src/server/data/generated/generate.ts';
import { call } from '../support/call.ts';
import { createTarget, createWorkplace } from '../support/command.ts';
import { findFaults } from '../support/moderation.ts';
import { TABLES_OF_SCHOOLS } from '../support/next-school-keys.ts';
import { ENGINES } from '../support/product.ts';
import { createUser, postReview } from '../support/rows.ts';
import { applySchoolKeys } from '../support/school-keys.ts';
import { startForTest } from '../support/site.ts';

const { newDataDir } = createWorkplace();

interface Key {
  table: string;
  name: string;
  columns: string[];
  /** The table that a foreign key refers to. */
  refers: string | null;
  isDeferrable: boolean;
}

/** Every primary key, unique index and foreign key of the tables of schools. */
async function listKeys(client: pg.Client): Promise<Key[]> {
  const { rows } = await client.query<Key>(
    `with keys as (
       select conrelid as relation, conname as name, conkey::int[] as attributes, confrelid, condeferrable as "isDeferrable"
       from pg_constraint where contype = 'f'
       union all
       select indrelid, relname, indkey::int[], 0, not indimmediate
       from pg_index join pg_class on pg_class.oid = indexrelid where indisunique)
     select relation::regclass::text as "table", name, "isDeferrable",
       nullif(confrelid, 0)::regclass::text as refers,
       array(select attname::text from pg_attribute
         where attrelid = relation and attnum = any (attributes) order by attname) as columns
     from keys where relation = any ($1::regclass[]) order by 1, 2`,
    [TABLES_OF_SCHOOLS],
  );
  return rows;
}

/** Tables that are copied to every node of a distributed database, so that rows of any school can refer to them. */
const REFERENCES = ['users', 'schools'];

const isOfSchool = ({ columns, refers, isDeferrable }: Key) =>
  !isDeferrable && (columns.includes('school_id') || REFERENCES.includes(refers ?? ''));

describe.runIf(ENGINES.includes('postgres'))('the keys of the next release', () => {
  test('name the school in a filled database, on which the product works', async () => {
    const env = await createTarget('postgres', newDataDir());
    const product = await startForTest('postgres', { ...env, CACHE_MB: '0' });
    const { database } = product.app;
    await generateData(database, { schools: 20, entries: 2, reviews: 400, seed: 1 }, () => {});
    const client = new pg.Client(env.DATABASE_URL);
    await client.connect();
    const before = await listKeys(client);
    expect(before.filter((key) => !isOfSchool(key)).length).toBeGreaterThan(TABLES_OF_SCHOOLS.length);

    await applySchoolKeys(env.DATABASE_URL as string);

    const keys = await listKeys(client);
    expect(keys.filter((key) => !isOfSchool(key))).toEqual([]);
    expect(new Set(keys.map(({ table }) => table))).toEqual(new Set(TABLES_OF_SCHOOLS));
    expect(
      keys.map(({ table, name, refers, columns }) => `${table}: ${name} (${columns.join(', ')}) ${refers ?? ''}`),
    ).toMatchSnapshot();
    await client.end();

    // The process that ran before the change goes on working.
    const entry = await database.read.selectFrom('entries').selectAll().orderBy('id').executeTakeFirstOrThrow();
    const category = CATEGORIES.find(({ kind }) => kind === entry.kind);
    if (!category) throw new Error('There is no category.');
    const author = await createUser(product);
    expect((await postReview(product, category, entry.id, author)).status).toBe(201);
    const admin = await createUser(product, { isAdmin: true });
    const other = await database.read
      .selectFrom('schools')
      .select('id')
      .where('id', '!=', entry.school_id)
      .executeTakeFirstOrThrow();
    const merged = await call(product, 'POST /auth/mergeSchools', {
      token: admin.token,
      body: { from: entry.school_id, into: other.id },
    });
    expect(merged.status, merged.text).toBe(200);
    expect(await findFaults(product)).toEqual([]);
    const left = await database.read
      .selectFrom('reviews')
      .select('id')
      .where('school_id', '=', entry.school_id)
      .execute();
    expect(left).toEqual([]);
  });
});
