import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { checkCounts } from '../../src/server/commands/count-checks/check.ts';
import { HALF_STAR_COLUMNS } from '../../src/server/visibility/count-queries.ts';
import { createTarget, createWorkplace, inDatabase, runCommand } from '../support/command.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { ENGINES } from '../support/product.ts';

/** How many migrations there were before reviews were counted for each half-star. */
const BEFORE = migrationsBefore('review-counts');

/** Half-stars of the reviews of the entries 1 and 2; entry 3 has none. */
const REVIEWS: Record<number, number[]> = { 1: [1, 10, 10, 7], 2: [3] };

/** The id of a review that is deleted before the migration: the id must never be given again. */
const DELETED_ID = 900;

const [{ kind }] = CATEGORIES as [(typeof CATEGORIES)[number]];

const { folder, newDataDir } = createWorkplace();

/** Fills a database as a version with this number of migrations has it; default: the version before. */
async function fillOld(env: Record<string, string>, migrations = BEFORE): Promise<void> {
  await createOld(env, migrations, async (db) => {
    await sql`insert into schools (school_name, name_key, prefix_key, description, location)
      values ('One', 'one', 'one', 'x', 'y')`.execute(db);
    for (const name of ['a', 'b', 'c']) {
      await sql`insert into entries (kind, school_id, name, name_key, description)
        values (${kind}, 1, ${name}, ${name}, 'x')`.execute(db);
    }
    for (const [entry, halfStars] of Object.entries(REVIEWS)) {
      for (const rating of halfStars) {
        await sql`insert into reviews (entry_id, school_id, rating, review, created_at)
          values (${Number(entry)}, 1, ${rating}, ${`review ${rating}`}, 5)`.execute(db);
      }
    }
    if (env.DATABASE_URL === undefined) {
      await sql`insert into reviews (id, entry_id, school_id, rating, review, created_at)
        values (${DELETED_ID}, 1, 1, 5, 'x', 5)`.execute(db);
      await sql`delete from reviews where id = ${DELETED_ID}`.execute(db);
    } else {
      await sql`select setval(pg_get_serial_sequence('reviews', 'id'), ${DELETED_ID})`.execute(db);
    }
  });
}

describe.each(ENGINES)('reviews of the version before on %s', (engine) => {
  test('are migrated and counted, no id is assigned twice, and schools have no aliases yet', async () => {
    const env = await createTarget(engine, newDataDir());
    await fillOld(env);
    await inDatabase(env, async ({ read, write }) => {
      expect(await checkCounts(read)).toEqual({ entries: 3, reviews: 5, faultCount: 0, faults: [] });
      const schools = await read.selectFrom('schools').select('aliases').execute();
      expect(schools).toEqual([{ aliases: '[]' }]);
      const counts = await read.selectFrom('review_counts').selectAll().orderBy('entry_id').execute();
      const rows = await read.selectFrom('reviews').selectAll().orderBy('id').execute();
      expect(counts.map(({ review_count, half_star_sum }) => [review_count, half_star_sum])).toEqual([
        [4, 28],
        [1, 3],
        [0, 0],
      ]);
      expect(HALF_STAR_COLUMNS.map((column) => counts[0]?.[column])).toEqual([1, 0, 0, 0, 0, 0, 1, 0, 0, 2]);
      expect(rows.map(({ entry_id, half_stars, review }) => [entry_id, half_stars, review])).toEqual(
        Object.entries(REVIEWS).flatMap(([entry, all]) => all.map((one) => [Number(entry), one, `review ${one}`])),
      );
      const values = { entry_id: 3, school_id: 1, half_stars: 5, review: 'x', created_at: 6 };
      const { id } = await write((db) =>
        db.insertInto('reviews').values(values).returning('id').executeTakeFirstOrThrow(),
      );
      expect(id).toBe(DELETED_ID + 1);
    });
  });
});

test('a backup of the version before is restored with counts, and a copy of it can be made', async () => {
  const old = { DATA_DIR: newDataDir() };
  await fillOld(old);
  const file = join(folder, 'old.sqlite');
  expect((await runCommand('backup', [file], old)).stdout).toMatch(/ 3 entries, 5 reviews/);
  const env = { DATA_DIR: newDataDir() };
  expect((await runCommand('restore', [file], env)).stdout).toMatch(/ 3 entries, 5 reviews/);
  expect((await runCommand('check', [], env)).stdout).toMatch('3 entries with 5 reviews');
});
