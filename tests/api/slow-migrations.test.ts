import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Connection, Database } from '../../src/server/database/database.ts';
import { MIGRATIONS, type Migration, migrate } from '../../src/server/database/migrate.ts';
import { connectDatabase } from '../../src/server/database/open.ts';
import { migratePostgres } from '../../src/server/database/postgres-migration.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { createTarget, createWorkplace } from '../support/command.ts';
import { holdLock, PATIENCE_MS, runSql } from '../support/postgres-faults.ts';
import { ENGINES, type Engine } from '../support/product.ts';

const { newDataDir } = createWorkplace();

const INDEX: Migration = {
  name: '900-index',
  indexes: ['create index reviews_by_edit on reviews (edited_at)'],
};

/** Doubles a few counts in each batch. */
const backfill = async (db: Connection): Promise<number> => {
  const { numAffectedRows } = await sql`
    update throttles set count = 2 * count, ends_at = 1
    where key in (select key from throttles where ends_at = 0 order by key limit 2)`.execute(db);
  return Number(numAffectedRows ?? 0);
};
const COUNTS = 5;

/** A database of this version with some rows, and what migrates it as a start does. */
async function openFilled(engine: Engine) {
  const address = readSettings(await createTarget(engine, newDataDir())).database;
  const database = await connectDatabase(address);
  onTestFinished(() => database.close());
  await database.write((db) => migrate(db));
  await database.write(async (db) => {
    const rows = Array.from({ length: COUNTS }, (_, index) => ({ key: `count ${index}`, count: 1, ends_at: 0 }));
    await db.insertInto('throttles').values(rows).execute();
  });
  const run = (migration: Migration, onWaiting = (_reason: string) => {}) =>
    'postgres' in address
      ? migratePostgres(address.postgres, { onApplied() {}, onWaiting }, [...MIGRATIONS, migration])
      : database.write((db) => migrate(db, [...MIGRATIONS, migration]));
  return { database, run, url: 'postgres' in address ? address.postgres : '' };
}

const countDoubled = ({ read }: Pick<Database, 'read'>) =>
  read
    .selectFrom('throttles')
    .select((select) => select.fn.countAll<number>().as('amount'))
    .where('count', '=', 2)
    .executeTakeFirstOrThrow();

const isListed = async ({ read }: Pick<Database, 'read'>) =>
  (await read.selectFrom('migrations').select('number').execute()).length > MIGRATIONS.length;

describe.each(ENGINES)('a migration that takes its time on %s', (engine) => {
  test('builds an index', async () => {
    const { database, run } = await openFilled(engine);
    await run(INDEX);
    expect(await isListed(database)).toBe(true);
    const indexes =
      engine === 'sqlite' ? sql.raw('sqlite_schema') : sql.raw('(select indexname as name from pg_indexes)');
    const { rows } = await sql`select 1 from ${indexes} as i where name = 'reviews_by_edit'`.execute(database.read);
    expect(rows).toHaveLength(1);
  });

  test('changes every row once, batch by batch', async () => {
    const { database, run } = await openFilled(engine);
    const changed: number[] = [];
    const noted = async (db: Connection) => {
      changed.push(await backfill(db));
      return changed.at(-1) ?? 0;
    };
    await run({ name: '900-backfill', backfill: noted });
    expect(changed).toEqual([2, 2, 1, 0]);
    expect(await countDoubled(database)).toEqual({ amount: COUNTS });
    expect(await isListed(database)).toBe(true);
  });
});

describe('concurrent with other transactions on postgres', { timeout: PATIENCE_MS }, () => {
  test('an index is built while others go on writing', async () => {
    const { database, run, url } = await openFilled('postgres');
    const { commit } = await holdLock(url, 'lock table reviews in row exclusive mode');
    const built = run(INDEX);
    const isWaiting = () =>
      runSql(
        url,
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'create index concurrently%'`,
      );
    await expect.poll(isWaiting, { timeout: PATIENCE_MS }).toHaveLength(1);
    await runSql(url, `set local statement_timeout = '5s'`, 'delete from reviews where id = 0');
    await commit();
    await built;
    expect(await isListed(database)).toBe(true);
  });

  test('what an interrupted build has left is built anew', async () => {
    const { run, url } = await openFilled('postgres');
    await runSql(
      url,
      'create index reviews_by_edit on reviews (edited_at)',
      `update pg_index set indisvalid = false where indexrelid = 'reviews_by_edit'::regclass`,
    );
    await run(INDEX);
    const valid = `select indisvalid as is_valid from pg_index where indexrelid = 'reviews_by_edit'::regclass`;
    expect(await runSql(url, valid)).toEqual([{ is_valid: true }]);
  });

  test('an interrupted backfill keeps its batches, and is continued', async () => {
    const { database, run } = await openFilled('postgres');
    let calls = 0;
    const interrupted = async (db: Connection) => {
      calls += 1;
      if (calls === 3) throw new Error('the power is gone');
      return backfill(db);
    };
    await expect(run({ name: '900-backfill', backfill: interrupted })).rejects.toThrow(
      'Migration 900-backfill: the power is gone',
    );
    expect(await countDoubled(database)).toEqual({ amount: 4 });
    expect(await isListed(database)).toBe(false);
    await run({ name: '900-backfill', backfill });
    expect(await countDoubled(database)).toEqual({ amount: COUNTS });
    expect(await isListed(database)).toBe(true);
  });

  test('a batch that finds a row locked is tried again', async () => {
    const { database, run, url } = await openFilled('postgres');
    const { commit } = await holdLock(url, `select * from throttles where key = 'count 3' for update`);
    const reasons: string[] = [];
    await run({ name: '900-backfill', backfill }, (reason) => {
      reasons.push(reason);
      void commit();
    });
    expect(reasons[0]).toMatch(/^Migration 900-backfill: .*lock timeout/);
    expect(await countDoubled(database)).toEqual({ amount: COUNTS });
  });
});
