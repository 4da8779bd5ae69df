import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { createWorkplace, inDatabase, runCommand } from '../support/command.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { createReviewOf, hide, moderate } from '../support/moderation.ts';
import { createUser } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const TABLES = ['audit_entries', 'review_events', 'removals'] as const;

const { newDataDir } = createWorkplace();

/** For each table, the column that says what happened. */
const ACT = { audit_entries: 'act', review_events: 'event', removals: 'act' } as const;

describeProduct('recorded rows on %s', (product, engine) => {
  beforeAll(async () => {
    const [admin, author] = [await createUser(product, { isAdmin: true }), await createUser(product)];
    const { reviewId } = await createReviewOf(product, author);
    await hide(product, admin, reviewId);
    await moderate(product, admin, reviewId, { action: 'restore' });
  });

  const readAll = (table: (typeof TABLES)[number]) =>
    product.app.database.read.selectFrom(table).selectAll().orderBy('id').execute();

  /** Every way to change a row, or to put another one in its place. */
  function changesOf(table: (typeof TABLES)[number]): string[] {
    const forged = `${ACT[table]} = 'forged'`;
    const changes = [`update ${table} set ${forged} where id = 1`, `delete from ${table} where id = 1`];
    return engine === 'sqlite'
      ? [
          ...changes,
          `insert or replace into ${table} select * from ${table} where id = 1`,
          `replace into ${table} select * from ${table} where id = 1`,
          `update or replace ${table} set id = 1 where id = 2`,
          `insert into ${table} select * from ${table} where true on conflict (id) do update set ${forged}`,
        ]
      : [
          ...changes,
          `insert into ${table} select * from ${table} on conflict (id) do update set ${forged}`,
          `merge into ${table} using (select 1 as one) as source on ${table}.id = source.one
            when matched then update set ${forged}`,
          `truncate ${table}`,
        ];
  }

  test.each(TABLES)('of %s can be neither changed nor replaced', async (table) => {
    const before = await readAll(table);
    expect(before.length).toBeGreaterThan(1);
    for (const statement of changesOf(table)) {
      const changing = product.app.database.write((db) => sql.raw(statement).execute(db));
      await expect(changing, statement).rejects.toThrow(`${table} is append-only`);
    }
    expect(await readAll(table)).toEqual(before);
  });

  // On PostgreSQL every program gets the settings of the server.
  if (engine === 'postgres') return;

  test('nor by a program that opens the file with SQLite’s default settings', async () => {
    // It waits where the thread that copies the log has the lock for a moment.
    const file = new DatabaseSync(join(product.dataDir, 'school-reviews.sqlite'), { timeout: 1_000 });
    for (const table of TABLES) {
      const before = await readAll(table);
      for (const statement of changesOf(table)) {
        expect(() => file.exec(statement), statement).toThrow(`${table} is append-only`);
      }
      expect(await readAll(table)).toEqual(before);
    }
    file.close();
  });
});

test('a backup of the version before is taken, and refuses replacing once it is opened', async () => {
  const [old, env] = [{ DATA_DIR: newDataDir() }, { DATA_DIR: newDataDir() }];
  const act = { happened_at: 1, user_id: 1, act: 'deleteSchool', subject_kind: 'school', subject_id: 1 };
  await createOld(old, migrationsBefore('no-replace'), (db) => db.insertInto('audit_entries').values(act).execute());
  expect(await runCommand('restore', [join(old.DATA_DIR, 'school-reviews.sqlite')], env)).toMatchObject({ code: 0 });
  await inDatabase(env, async ({ read, write }) => {
    const replacing = write((db) => sql`insert or replace into audit_entries select * from audit_entries`.execute(db));
    await expect(replacing).rejects.toThrow('audit_entries is append-only');
    expect(await read.selectFrom('audit_entries').select('act').execute()).toEqual([{ act: 'deleteSchool' }]);
  });
});
