import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { removalsScript } from '../../src/client/pages/site/removals-texts.ts';
import { checkRemovals } from '../../src/server/reviews/removals/check.ts';
import { findHead, hashLine } from '../../src/server/reviews/removals/queries.ts';
import { changeCounts } from '../../src/server/visibility/count-update-queries.ts';
import { call } from '../support/call.ts';
import { createReviewOf, findFaults, hide, moderate } from '../support/moderation.ts';
import type { Product } from '../support/product.ts';
import { category, unique } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

interface Total {
  stars: number;
  posted: number;
  hidden: number;
}

/** Runs the script of the docs against a product. @returns what it prints */
async function runScript({ url, dataDir }: Product): Promise<string> {
  // A new name each time, because `import` returns a module that it already has by that name.
  const file = join(dataDir, `${unique('check')}.mjs`);
  writeFileSync(file, `${removalsScript(url).replace('console.log(', 'export const said = (')}`);
  return (await import(file)).said;
}

test('the docs have the script that the page shows', () => {
  expect(readFileSync('docs/moderation.md', 'utf8')).toContain(removalsScript('https://reviews.example'));
});

describeProduct('removals on %s', (product, engine) => {
  const admin = adminOf(product);
  const author = userOf(product);

  const lines = async (query = '') => (await call(product, `GET /auth/getRemovals${query}`)).body;
  const findEntryOf = (reviewId: number) =>
    product.app.database.read
      .selectFrom('reviews')
      .select(['entry_id', 'school_id'])
      .where('id', '=', reviewId)
      .executeTakeFirstOrThrow();
  const totals = async () => (await call(product, 'GET /auth/getRemovalTotals')).body.stars;

  test('say what was hidden and restored, newest first, as a chain that anyone can compute', async () => {
    expect(await lines()).toEqual([]);
    const { reviewId } = await createReviewOf(product, author, 4.5);
    await hide(product, admin, reviewId, 'personal');
    await moderate(product, admin, reviewId, { action: 'restore' });
    const [restored, hidden] = await lines();
    expect(hidden).toMatchObject({ id: 1, act: 'hidden', reason: 'personal', stars: 5, category: 'athletics' });
    expect(restored).toMatchObject({ id: 2, act: 'restored', reason: 'personal', stars: 5 });
    expect(Object.keys(hidden).sort()).toEqual(['act', 'at', 'category', 'hash', 'id', 'reason', 'stars']);
    expect(await runScript(product)).toBe('2 lines, each as it was written.');
  });

  test('tell the minute of an act and nothing finer, after lines of earlier versions that tell the moment', async () => {
    const { read, write } = product.app.database;
    const before = await lines();
    const [{ reviewId: early }, { reviewId: late }] = [
      await createReviewOf(product, author),
      await createReviewOf(product, author),
    ];
    // A line as earlier versions wrote it.
    const moment = Date.parse('2026-01-02T03:04:05.678Z');
    const head = await findHead(read);
    const line = {
      ...{ id: before.length + 1, happened_at: moment, act: 'hidden', reason: 'spam', stars: 4 },
      category: category.kind,
    };
    const lineHash = hashLine(head?.last_hash ?? '', line);
    await write(async (db) => {
      await db.updateTable('reviews').set({ hidden_at: moment }).where('id', '=', early).execute();
      const { entry_id: id, school_id: schoolId } = await findEntryOf(early);
      await changeCounts(db, { id, schoolId }, { before: { half_stars: 8, relation: null } });
      await db
        .insertInto('removals')
        .values({ ...line, review_id: early, hash: lineHash })
        .execute();
      await db.updateTable('removal_heads').set({ last_id: line.id, last_hash: lineHash }).execute();
    });
    const from = Math.floor((Date.now() + product.clock.ahead) / 60_000);
    await hide(product, admin, late);
    await moderate(product, admin, early, { action: 'restore' });
    const to = Math.floor((Date.now() + product.clock.ahead) / 60_000);
    const [restored, hidden, old] = await lines();
    expect(old.at).toBe('2026-01-02T03:04:05.678Z');
    for (const { at } of [restored, hidden]) {
      expect(at).toMatch(/:00\.000Z$/);
      expect(Date.parse(at) / 60_000).toBeGreaterThanOrEqual(from);
      expect(Date.parse(at) / 60_000).toBeLessThanOrEqual(to);
    }
    expect(await runScript(product)).toBe(`${before.length + 3} lines, each as it was written.`);
    expect(await findFaults(product)).toEqual([]);
  });

  test('the totals count what was posted and what is hidden, by whole stars', async () => {
    const before = await totals();
    const { reviewId } = await createReviewOf(product, author, 0.5);
    const { reviewId: withdrawn } = await createReviewOf(product, author, 1);
    await createReviewOf(product, author, 1);
    await hide(product, admin, reviewId);
    await hide(product, admin, withdrawn);
    const one = (all: Total[]) => all.find(({ stars }) => stars === 1) as Total;
    const { posted, hidden } = one(before);
    expect(one(await totals())).toEqual({ stars: 1, posted: posted + 3, hidden: hidden + 2 });
    await call(product, `DELETE /auth/deleteAthleticsReview/${withdrawn}`, { token: author.token });
    expect(one(await totals())).toEqual({ stars: 1, posted: posted + 2, hidden: hidden + 1 });
  });

  test('of eight decisions at once are eight lines in order', async () => {
    const last = (await lines('?limit=1'))[0]?.id ?? 0;
    const reviewIds: number[] = [];
    for (const _ of Array(8)) reviewIds.push((await createReviewOf(product, author)).reviewId);
    const answers = await Promise.all(reviewIds.map((reviewId) => hide(product, admin, reviewId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const added = (await lines('?limit=8')).map(({ id }: { id: number }) => id);
    expect(added).toEqual(Array.from({ length: 8 }, (_, index) => last + 8 - index));
    expect(await findFaults(product)).toEqual([]);
  });

  test('that were changed, taken out or added past the product are found, and a state that no line tells of', async () => {
    const { write, read } = product.app.database;
    /** Does something to the table that the database refuses, and undoes it after the check. */
    async function faultsAfter(statement: string): Promise<string[]> {
      let faults: string[] = [];
      await write(async (db) => {
        const triggers =
          engine === 'sqlite'
            ? ['drop trigger removals_no_update', 'drop trigger removals_no_delete']
            : ['alter table removals disable trigger user'];
        for (const each of [...triggers, statement]) await sql.raw(each).execute(db);
        faults = (await checkRemovals(db)).faults;
        throw new Error('undone');
      }).catch((error: Error) => expect(error.message).toBe('undone'));
      return faults;
    }
    const [newest] = await lines('?limit=1');
    expect(await faultsAfter('update removals set stars = 6 - stars where id = 2')).toContain(
      'removal 2 does not have its hash',
    );
    expect(await faultsAfter('delete from removals where id = 2')).toContain('removal 2 is missing');
    expect(await faultsAfter(`delete from removals where id = ${newest.id}`)).toContain(
      `removal ${newest.id} is missing`,
    );
    const added = `insert into removals select ${newest.id + 1}, review_id, happened_at, act, reason, stars, category, hash
      from removals where id = ${newest.id}`;
    expect(await faultsAfter(added)).toContain(`removal ${newest.id + 1} does not have its hash`);

    const { reviewId } = await createReviewOf(product, author);
    expect(await faultsAfter(`update reviews set hidden_at = 1 where id = ${reviewId}`)).toContain(
      `review ${reviewId} is hidden, and its last removal says otherwise`,
    );
    await hide(product, admin, reviewId);
    expect(await faultsAfter(`update reviews set hidden_at = null where id = ${reviewId}`)).toContain(
      `review ${reviewId} is shown, and its last removal says otherwise`,
    );
    expect((await checkRemovals(read)).faults).toEqual([]);
  });
});
