import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { checkCounts } from '../../src/server/commands/count-checks/check.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { createTarget, createWorkplace, inDatabase } from '../support/command.ts';
import { createOld, insertOldSchool, migrationsBefore } from '../support/migrations.ts';
import { ENGINES } from '../support/product.ts';

const { newDataDir } = createWorkplace();

/** A school, an entry and a review, with further rows that lack the school, as the version before writes them. */
async function insertOld(db: Connection, id: number): Promise<void> {
  await insertOldSchool(db, id);
  const name = `User ${id}`;
  for (const statement of [
    sql`update review_counts set half_stars_5 = 1 where entry_id = ${id}`,
    sql`insert into relation_counts (entry_id, relation, half_stars_5) values (${id}, 'student', 1)`,
    sql`insert into users (id, username, username_key, email, email_key, password_hash, created_at)
      values (${id}, ${name}, ${name}, ${name}, ${name}, 'x', 1)`,
    sql`insert into reviews (id, entry_id, school_id, user_id, half_stars, relation, review, created_at, helpful)
      values (${id}, ${id}, ${id}, 1, 5, 'student', 'Good.', 1, 1)`,
    sql`insert into helpful_marks (review_id, user_id) values (${id}, ${id})`,
    sql`insert into moderation_items (review_id, decided_at) values (${id}, 1)`,
    sql`insert into reports (review_id, user_id, reason, created_at) values (${id}, ${id}, 'spam', 1)`,
    sql`insert into appeals (review_id, body, created_at) values (${id}, 'x', 1)`,
    sql`insert into review_events (review_id, happened_at, event) values (${id}, 1, 'edited')`,
  ]) {
    await statement.execute(db);
  }
}

/** Merges the entry 1 into the entry 2, of which the same person has a newer review, as the version before did. */
async function supersedeOld(db: Connection): Promise<void> {
  for (const statement of [
    sql`insert into review_events (review_id, happened_at, event) values (1, 2, 'merged')`,
    sql`update entries set merged_into = 2 where id = 1`,
    sql`update reviews set withdrawn_at = 2 where id = 1`,
    sql`delete from relation_counts where entry_id = 1`,
    sql`delete from review_counts where entry_id = 1`,
    sql`update reviews set school_id = 2 where id = 1`,
    sql`update entries set school_id = 2 where id = 1`,
  ]) {
    await statement.execute(db);
  }
}

const schoolsOf = async (db: Connection) =>
  (await sql`select entry_id as id, school_id as school from relation_counts order by 1`.execute(db)).rows;
const supersededOf = async (db: Connection) =>
  (await sql`select id, superseded_by as newer from reviews order by 1`.execute(db)).rows;

describe.each(ENGINES)('rows of reviews of the version before on %s', (engine) => {
  test('name their school, and a review that a merge superseded names the newer one', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('recorded-state'), async (db) => {
      for (const id of [1, 2]) await insertOld(db, id);
      await supersedeOld(db);
      await sql`insert into review_events (review_id, happened_at, event) values (99, 1, 'edited')`.execute(db);
    });
    await inDatabase(env, async ({ read }) => {
      expect((await checkCounts(read)).faults).toEqual([]);
      expect(await schoolsOf(read)).toEqual([{ id: 2, school: 2 }]);
      expect(await supersededOf(read)).toEqual([
        { id: 1, newer: 2 },
        { id: 2, newer: null },
      ]);
    });
  });
});

describe.runIf(ENGINES.includes('postgres'))('a process of the version before, beside one of this version', () => {
  test('adds rows with their school, and merges schools with their rows', async () => {
    await inDatabase(await createTarget('postgres', newDataDir()), async ({ read, write }) => {
      await write(async (db) => {
        for (const id of [1, 2]) await insertOld(db, id);
      });
      expect((await checkCounts(read)).faults).toEqual([]);
      expect(await schoolsOf(read)).toEqual([
        { id: 1, school: 1 },
        { id: 2, school: 2 },
      ]);
      await write(supersedeOld);
      expect((await checkCounts(read)).faults).toEqual([]);
      expect(await supersededOf(read)).toEqual([
        { id: 1, newer: 1 },
        { id: 2, newer: null },
      ]);
    });
  });
});
