import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../src/server/database/database.ts';
import { type ColumnTypes, MIGRATIONS, type Migration, migrate } from '../../src/server/database/migrate.ts';
import { connectDatabase } from '../../src/server/database/open.ts';
import { migratePostgres } from '../../src/server/database/postgres-migration.ts';
import { serveFrom } from '../../src/server/database/served-versions.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { createTarget, createWorkplace } from '../support/command.ts';
import { ENGINES } from '../support/product.ts';

const { newDataDir } = createWorkplace();

/**
 * The migrations that rename a column, here `ends_at` of `throttles` to `over_at`: to be imitated. In the first release
 * both names hold the same value, whoever writes it. SQLite has no processes of the version before; there the old name
 * is read by nobody but `npm run export`, whose rows are the same on both engines.
 */
const FIRST_RELEASE: Migration[] = [
  {
    name: '900-over-at',
    statements: ({ engine, integer }: ColumnTypes) =>
      engine === 'sqlite'
        ? [
            'alter table throttles rename column ends_at to over_at',
            `alter table throttles add column ends_at ${integer} generated always as (over_at) virtual`,
          ]
        : [
            `alter table throttles add column over_at ${integer}`,
            `create function throttles_over_at() returns trigger language plpgsql as $$ begin
               if tg_op = 'INSERT' then new.over_at := coalesce(new.over_at, new.ends_at);
               elsif new.over_at is not distinct from old.over_at then new.over_at := new.ends_at;
               end if;
               new.ends_at := new.over_at;
               return new;
             end $$`,
            `create trigger throttles_over_at before insert or update on throttles
               for each row execute function throttles_over_at()`,
          ],
  },
  {
    name: '901-fill-over-at',
    backfill: async (db: Connection) => {
      const { numAffectedRows } = await sql`
        update throttles set over_at = ends_at where key in
          (select key from throttles where over_at is null and ends_at is not null limit 1000)`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
  },
];
const NEXT_RELEASE: Migration[] = [
  {
    name: '902-no-ends-at',
    statements: ({ engine }) => [
      ...(engine === 'sqlite'
        ? []
        : ['drop trigger throttles_over_at on throttles', 'drop function throttles_over_at']),
      'alter table throttles drop column ends_at',
      serveFrom('0.9.0'),
    ],
  },
];

/** The statements of a version that knows the column by one of its names. */
const writing = (column: 'ends_at' | 'over_at') => ({
  insert: (db: Connection, key: string, value: number) =>
    sql`insert into throttles (key, count, ${sql.ref(column)}) values (${key}, 1, ${value})`.execute(db),
  update: (db: Connection, key: string, value: number) =>
    sql`update throttles set ${sql.ref(column)} = ${value} where key = ${key}`.execute(db),
});
const before = writing('ends_at');
const now = writing('over_at');

describe.each(ENGINES)('a column that is renamed on %s', (engine) => {
  test('has one value under both names for a release, and then one name', async () => {
    const address = readSettings(await createTarget(engine, newDataDir())).database;
    const database = await connectDatabase(address);
    onTestFinished(() => database.close());
    const upgrade = (migrations: Migration[]) =>
      'postgres' in address
        ? migratePostgres(address.postgres, { onApplied() {}, onWaiting() {} }, migrations)
        : database.write((db) => migrate(db, migrations));
    const rows = async () => {
      const { rows } = await sql<Record<string, unknown>>`select * from throttles order by key`.execute(database.read);
      return rows.map(({ count: _, ...row }) => row);
    };
    const write = (act: (db: Connection) => Promise<unknown>) => database.write(act);

    await upgrade([...MIGRATIONS]);
    await write((db) => before.insert(db, 'a: there before', 1));
    await upgrade([...MIGRATIONS, ...FIRST_RELEASE]);
    await write((db) => now.insert(db, 'b: of now', 2));
    await write((db) => now.update(db, 'a: there before', 3));
    const expected = [
      { key: 'a: there before', ends_at: 3, over_at: 3 },
      { key: 'b: of now', ends_at: 2, over_at: 2 },
    ];
    if (engine === 'postgres') {
      await write((db) => before.insert(db, 'c: of before', 4));
      await write((db) => before.update(db, 'b: of now', 5));
      expected.push({ key: 'c: of before', ends_at: 4, over_at: 4 });
      Object.assign(expected[1] ?? {}, { ends_at: 5, over_at: 5 });
    }
    expect(await rows()).toEqual(expected);

    await upgrade([...MIGRATIONS, ...FIRST_RELEASE, ...NEXT_RELEASE]);
    await write((db) => now.insert(db, 'd: later', 6));
    expect(await rows()).toEqual([
      ...expected.map(({ key, over_at }) => ({ key, over_at })),
      { key: 'd: later', over_at: 6 },
    ]);
    const { rows: served } = await sql`select oldest from served_versions`.execute(database.read);
    expect(served).toEqual([{ oldest: '0.9.0' }]);
  });
});
