import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { checkCounts } from '../../src/server/commands/count-checks/check.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { rememberSchool } from '../../src/server/visibility/location-queries.ts';
import { call } from '../support/call.ts';
import { createTarget, createWorkplace, inDatabase } from '../support/command.ts';
import { createOld, insertOldSchool, migrationsBefore } from '../support/migrations.ts';
import { ENGINES } from '../support/product.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const { newDataDir } = createWorkplace();
const { calls } = category;

const listed = async (db: Connection) =>
  (await db.selectFrom('entry_schools').selectAll().orderBy('entry_id').execute()).map(Object.values);

describe.each(ENGINES)('the directory of entries on %s', (engine) => {
  test('has those of the version before after an upgrade, and check-data finds a missing one', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('entry-schools'), async (db) => {
      for (const id of [1, 2]) await insertOldSchool(db, id);
    });
    await inDatabase(env, async ({ read, write }) => {
      expect(await listed(read)).toEqual([
        [1, 1],
        [2, 2],
      ]);
      expect((await checkCounts(read)).faults).toEqual([]);
      await write((db) => sql`update entry_schools set school_id = 1`.execute(db));
      expect((await checkCounts(read)).faults).toEqual(['entry 2 is not listed at its own school']);
    });
  });
});

describe.runIf(ENGINES.includes('postgres') && !process.env.SCHOOL_KEYS)('a process of the version before', () => {
  test('follows added, merged and deleted entries', async () => {
    await inDatabase(await createTarget('postgres', newDataDir()), async ({ read, write }) => {
      await write(async (db) => {
        for (const id of [1, 2]) await insertOldSchool(db, id);
      });
      expect(await listed(read)).toEqual([
        [1, 1],
        [2, 2],
      ]);
      await write(async (db) => {
        await sql`update review_counts set school_id = 2`.execute(db);
        await sql`update entries set school_id = 2 where id = 1`.execute(db);
        await sql`delete from entries where id = 2`.execute(db);
      });
      expect(await listed(read)).toEqual([[1, 2]]);
    });
  });
});

describeProduct(
  'a process that remembers the school of an entry before a merge, on %s',
  { CACHE_MB: '0' },
  (product) => {
    test('finds the reviews of an entry, and accepts a review, a mark and an edit', async () => {
      const [entry, former] = [await createEntry(product, category), await createSchool(product)];
      const [author, reader] = [await createUser(product), await createUser(product)];
      const forget = (reviewId?: number) => {
        rememberSchool('entries', entry.id, former.id);
        if (reviewId !== undefined) rememberSchool('reviews', reviewId, former.id);
      };
      forget();
      const posted = await postReview(product, category, entry.id, author);
      expect(posted.status).toBe(201);
      const reviewId = posted.body.id;
      const read = async (path: string) => {
        forget(reviewId);
        const { status, body } = await call(product, `GET /auth/${path}`);
        expect(status, path).toBe(200);
        return body;
      };
      expect(await read(`${calls.reviews}/${entry.id}`)).toMatchObject([{ id: reviewId }]);
      expect(await read(`${calls.totalReviews}/${entry.id}`)).toEqual({ totalReviews: 1 });
      expect(await read(`getEntrySummary/${entry.id}`)).toMatchObject({ totalReviews: 1 });
      expect(await read(`getReview/${reviewId}`)).toMatchObject({ schoolId: entry.schoolId });
      forget(reviewId);
      expect((await call(product, `POST /auth/markHelpful/${reviewId}`, { token: reader.token })).body).toEqual({
        helpful: 1,
      });
      forget(reviewId);
      const removed = await call(product, `DELETE /auth/${calls.removeReview}/${reviewId}`, { token: author.token });
      expect(removed.status).toBe(204);
    });
  },
);
