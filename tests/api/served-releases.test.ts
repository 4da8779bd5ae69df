import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../../src/server/database/migrate.ts';
import { migratePostgres } from '../../src/server/database/postgres-migration.ts';
import { TABLES_OF_REVIEWS } from '../../src/server/database/review-tables.ts';
import { VERSION } from '../../src/server/database/served-versions.ts';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { createOld } from '../support/migrations.ts';
import { PATIENCE_MS } from '../support/postgres-faults.ts';
import { createFolder, createPostgresDatabase } from '../support/product.ts';
import { type Release, readReleases } from '../support/releases.ts';

const RELEASES = readReleases();

/**
 * What is found here and is right, with the reason: something new that refuses rows, but none of an older version; an
 * index that is built at once, because its table is small; a column that an older version has and does not use.
 */
const MEANT: Record<string, string> = {
  'trigger audit_entries_columns on audit_entries': 'fills the columns that the version before does not know',
  ...Object.fromEntries(
    [...TABLES_OF_REVIEWS, 'relation_counts'].map((table) => [
      `trigger ${table}_school on ${table}`,
      'fills the school that the version before does not know',
    ]),
  ),
  'trigger reviews_school on reviews': 'moves the rows of reviews with their school',
  'trigger entries_school on entries': 'moves the counts of entries with their school',
  'trigger users_skeleton on users': 'fills the skeletons of names that the version before adds',
  'index CREATE UNIQUE INDEX proposals_of_school ON public.proposals USING btree (id, school_id)':
    'an id is one of a kind already: rows that refer to a proposal follow it to another school',
  'trigger entries_noted on entries': 'notes where the entries are that the version before adds and deletes',
  'trigger entries_moved on entries': 'notes where the entries are that the version before moves',
  'index CREATE UNIQUE INDEX moderation_items_of_school ON public.moderation_items USING btree (review_id, school_id)':
    'a review has one item already',
  'index CREATE UNIQUE INDEX relation_counts_of_school ON public.relation_counts USING btree (entry_id, relation, school_id)':
    'an entry has one row of a relation already',
  'trigger review_events_merged on review_events': 'marks what a merge by the version before supersedes',
};

/** Everything that can refuse a row of a table, whatever the statement that writes it. */
const DEMANDS = `
  select 'column ' || table_name || '.' || column_name as demand, table_name as table from information_schema.columns
    where table_schema = 'public' and is_nullable = 'NO' and column_default is null and is_identity = 'NO'
      and is_generated = 'NEVER'
  union all
  select 'constraint ' || conrelid::regclass || ': ' || pg_get_constraintdef(oid), conrelid::regclass::text
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid <> 0
  union all
  select 'index ' || pg_get_indexdef(indexrelid), indrelid::regclass::text from pg_index
    join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace and indisunique
  union all
  select 'trigger ' || tgname || ' on ' || tgrelid::regclass, tgrelid::regclass::text from pg_trigger
    where not tgisinternal`;

const COLUMNS = `
  select table_name as table, column_name as column from information_schema.columns
  where table_schema = 'public' and table_name = any($1)`;

async function listDemands(client: pg.Client): Promise<{ demand: string; table: string }[]> {
  return (await client.query(DEMANDS)).rows;
}

/** What cannot be prepared, with the reason: at most so many. */
async function findBroken(client: pg.Client, statements: readonly string[], most: number): Promise<string[]> {
  const broken: string[] = [];
  for (const statement of statements) {
    if (broken.length === most) break;
    await client.query('savepoint one');
    try {
      await client.query(`prepare one as ${statement}`);
      await client.query('deallocate one');
    } catch (error) {
      broken.push(`${(error as Error).message}: ${statement}`);
      await client.query('rollback to one');
    }
  }
  return broken;
}

/** Changes the schema, checks what fails, and undoes the change. */
async function findBrokenBy(
  client: pg.Client,
  change: string,
  statements: readonly string[],
  most = Infinity,
): Promise<string[]> {
  await client.query(`begin; ${change}`);
  try {
    return await findBroken(client, statements, most);
  } finally {
    await client.query('rollback');
  }
}

test('the version before this one is among those whose statements are kept', () => {
  expect(RELEASES.some(({ version }) => version !== VERSION)).toBe(true);
});

describe.each(RELEASES)(
  'a process of version $version, beside one of this version',
  { timeout: PATIENCE_MS },
  (release: Release) => {
    const { migrationCount, statements } = release;
    const folder = createFolder();
    let client: pg.Client;
    let before: Awaited<ReturnType<typeof listDemands>>;
    let columns: { table: string; column: string }[];
    beforeAll(async () => {
      const env = { DATA_DIR: folder.dataDir, DATABASE_URL: await createPostgresDatabase() };
      await createOld(env, migrationCount);
      client = new pg.Client(env.DATABASE_URL);
      await client.connect();
      before = await listDemands(client);
      columns = (await client.query(COLUMNS, [DATA_TABLES])).rows;
      // A table that is written anew is locked for as long as that takes.
      await client.query(`
      create function refuse_rewrite() returns event_trigger language plpgsql as
        $$ begin raise 'it writes % anew', pg_event_trigger_table_rewrite_oid()::regclass; end $$;
      create event trigger refuse_rewrite on table_rewrite execute function refuse_rewrite()`);
      await migratePostgres(env.DATABASE_URL, { onApplied() {}, onWaiting() {} });
      await client.query('drop event trigger refuse_rewrite');
    });
    afterAll(async () => {
      await client.end();
      folder.remove();
    });

    test('every statement that it sends can still be prepared', async () => {
      expect(statements.length).toBeGreaterThan(300);
      expect(await findBrokenBy(client, 'select 1', statements)).toEqual([]);
    });

    test('no row that it writes is refused by something new', async () => {
      const tables = new Set(before.map(({ table }) => table));
      const known = new Set(before.map(({ demand }) => demand));
      const now = await listDemands(client);
      const fresh = now
        .filter(({ demand, table }) => tables.has(table) && !known.has(demand))
        .map(({ demand }) => demand);
      expect(fresh.filter((demand) => !(demand in MEANT))).toEqual([]);
    });

    test('no index of a table that it writes is built under a lock', () => {
      const building = MIGRATIONS.slice(migrationCount).flatMap(({ name, statements: ofMigration }) => {
        const types = { engine: 'postgres', id: '', integer: '', key: '', tableOptions: '' } as const;
        const indexed = (ofMigration?.(types) ?? []).map(
          (one) => /^create (?:unique )?index \w+ on (\w+)/.exec(one)?.[1],
        );
        return indexed.filter((table) => before.some((one) => one.table === table)).map((table) => `${name}: ${table}`);
      });
      expect(building.filter((one) => !(one in MEANT))).toEqual([]);
    });

    test('a column that is renamed or dropped is noticed, whichever it is', async () => {
      const unnoticed: string[] = [];
      for (const { table, column } of columns) {
        const naming = statements.filter(
          (one) => new RegExp(`\\b${table}\\b`).test(one) && new RegExp(`\\b${column}\\b`).test(one),
        );
        for (const change of [`rename column "${column}" to gone`, `drop column "${column}" cascade`]) {
          const broken = await findBrokenBy(client, `alter table ${table} ${change}`, naming, 1);
          if (broken.length === 0) unnoticed.push(`${table}.${column}`);
        }
      }
      expect(columns.length).toBeGreaterThan(100);
      expect(unnoticed.filter((one) => !(one in MEANT))).toEqual([]);
    });
  },
);
