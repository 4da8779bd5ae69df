import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BURST_REVIEWS, NEW_ACCOUNT_DAYS } from '../../src/contract/bursts.ts';
import { listItems } from '../../src/server/moderation/queue/queries.ts';
import { createBurstSteps } from '../support/bursts.ts';
import { call } from '../support/call.ts';
import { createTarget, createWorkplace, inDatabase } from '../support/command.ts';
import { createOld, migrationsBefore } from '../support/migrations.ts';
import { createReviewOf, findFaults, hide, moderate, report } from '../support/moderation.ts';
import { ENGINES } from '../support/product.ts';
import { category, createUser, postReview, signIn, type TestUser } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const { calls } = category;

const { newDataDir } = createWorkplace();

describeProduct('bursts that somebody makes on purpose on %s', (product) => {
  let admin: TestUser;
  const steps = createBurstSteps(() => ({ product, admin }));
  const { post, postMany, ranking, openBursts } = steps;

  beforeAll(async () => {
    admin = await createUser(product, { isAdmin: true });
    // A review of another school, so that there is a ranking.
    await post((await steps.createTarget()).entryId, { age: 8 * DAY });
  });
  beforeEach(() => setClock(0));

  /** Signs the admin in again too: a session ends when it is unused for long, or was used at a later time. */
  async function setClock(minutes: number) {
    product.clock.ahead = minutes * MINUTE;
    admin = { ...admin, token: await signIn(product, admin.id) };
  }

  test('people who withdraw and post again belong to a burst and do not keep it going', async () => {
    const { entryId } = await steps.createTarget();
    const posted: Awaited<ReturnType<typeof post>>[] = [];
    while (posted.length < BURST_REVIEWS) posted.push(await post(entryId));
    const [one, other] = posted as [(typeof posted)[0], (typeof posted)[0], ...typeof posted];
    /** @returns whether the new review is being checked */
    async function postAgain({ author, reviewId }: (typeof posted)[0], minutes: number) {
      await setClock(minutes);
      const again = { ...author, token: await signIn(product, author.id) };
      const path = `DELETE /auth/${calls.removeReview}/${reviewId}`;
      expect((await call(product, path, { token: again.token })).status).toBe(204);
      const { body } = await postReview(product, category, entryId, again);
      return (await openBursts(entryId)).includes(body.id);
    }
    expect(await postAgain(one, 9)).toBe(true);
    // The burst has ended ten minutes after the last review by somebody who was no part of it.
    await setClock(15);
    const { reviewId: honest } = await post(entryId);
    expect(await openBursts(entryId)).not.toContain(honest);
    expect(await postAgain(other, 18)).toBe(false);
    expect(await findFaults(product)).toEqual([]);
  });

  test('others who post meanwhile make a burst last longer, also for those who post again', async () => {
    const { entryId } = await steps.createTarget();
    const { author, reviewId } = await post(entryId);
    await postMany(entryId, BURST_REVIEWS - 1);
    await setClock(9);
    const { reviewId: late } = await post(entryId);
    expect(await openBursts(entryId)).toContain(late);
    await setClock(18);
    const again = { ...author, token: await signIn(product, author.id) };
    await call(product, `DELETE /auth/${calls.removeReview}/${reviewId}`, { token: again.token });
    const { body } = await postReview(product, category, entryId, again);
    expect(await openBursts(entryId)).toContain(body.id);
    expect(await findFaults(product)).toEqual([]);
  });

  test('ten who withdraw and post again within ten minutes are a burst of their own', async () => {
    const { entryId } = await steps.createTarget();
    const posted: Awaited<ReturnType<typeof post>>[] = [];
    while (posted.length < BURST_REVIEWS) posted.push(await post(entryId));
    await setClock(30);
    const ids: number[] = [];
    for (const { author, reviewId } of posted) {
      const again = { ...author, token: await signIn(product, author.id) };
      await call(product, `DELETE /auth/${calls.removeReview}/${reviewId}`, { token: again.token });
      ids.push((await postReview(product, category, entryId, again)).body.id);
    }
    expect(await openBursts(entryId)).toEqual(ids);
  });

  test('exclude only themselves from the ranking: not reviews by older accounts, nor those before or after', async () => {
    const { entryId, schoolId } = await steps.createTarget();
    await postMany(entryId, 3);
    await setClock(11);
    await post(entryId, { age: NEW_ACCOUNT_DAYS * DAY });
    await postMany(entryId, BURST_REVIEWS);
    await post(entryId, { age: NEW_ACCOUNT_DAYS * DAY });
    await setClock(22);
    await postMany(entryId, 3);
    const row = (await ranking()).rows.find((one) => one.schoolId === schoolId);
    expect(row).toMatchObject({ totalReviews: 2 + 3 + 1 + BURST_REVIEWS + 1 + 3, leftOut: BURST_REVIEWS });
  });

  test('wait behind reports and appeals, whenever these came', async () => {
    const open = async () => {
      const ids: number[] = [];
      let path: string | undefined = '/auth/getReports?limit=4';
      while (path !== undefined) {
        const { body, headers } = await call(product, `GET ${path}`, { token: admin.token });
        ids.push(...body.map((item: { reviewId: number }) => item.reviewId));
        path = /<(.*)>/.exec(headers.get('link') ?? '')?.[1];
      }
      return ids;
    };
    const before = await open();
    const { entryId } = await steps.createTarget();
    const [early, late, appealing] = [
      await createReviewOf(product, admin),
      await createReviewOf(product, admin),
      await post(entryId, { age: 8 * DAY }),
    ] as const;
    const reader = await createUser(product);
    await report(product, reader, early.reviewId);
    const burst = await postMany(entryId, BURST_REVIEWS);
    await report(product, reader, late.reviewId);
    await hide(product, admin, appealing.reviewId);
    const appeal = `POST /auth/appealReview/${appealing.reviewId}`;
    await call(product, appeal, { token: appealing.author.token, body: { text: 'It is true.' } });
    // A reported review of the burst is queued by the time of the report, not by that of the burst.
    const [reported = 0, ...others] = burst;
    await report(product, reader, reported);
    const mine = (ids: number[]) => ids.filter((id) => !before.includes(id));
    const reports = [early.reviewId, late.reviewId, appealing.reviewId, reported];
    const ids = await open();
    expect(mine(ids)).toEqual([...reports, ...others]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await openBursts(entryId), 'it is still part of the burst').toContain(reported);
    for (const id of [early.reviewId, late.reviewId, appealing.reviewId]) {
      await moderate(product, admin, id, { action: 'keep' });
    }
    for (const [state, cursor] of [
      ['open', '1-1'],
      ['closed', '0-1-1'],
    ]) {
      const path = `GET /auth/getReports?state=${state}&before=${cursor}`;
      const { status, body } = await call(product, path, { token: admin.token });
      expect([status, body.error]).toEqual([400, 'The cursor is one of the other list.']);
    }
  });
});

describe.each(ENGINES)('the queue of the version before on %s', (engine) => {
  test('is sorted again: unreported reviews are at its end', async () => {
    const env = await createTarget(engine, newDataDir());
    await createOld(env, migrationsBefore('queue-order'), async (db) => {
      await sql`insert into schools (school_name, name_key, prefix_key, description, location)
        values ('One', 'one', 'one', 'x', 'Lyon, France')`.execute(db);
      await sql`insert into entries (kind, school_id, name, name_key, description)
        values ('clubs', 1, 'Rowing', 'rowing', 'x')`.execute(db);
      for (const id of [1, 2, 3, 4]) {
        await sql`insert into reviews (entry_id, school_id, half_stars, review, created_at)
          values (1, 1, 5, 'Good.', ${id})`.execute(db);
        const burst = id === 3 ? null : 1;
        await sql`insert into moderation_items (review_id, opened_at, burst_entry_id) values (${id}, ${id}, ${burst})`.execute(
          db,
        );
      }
      for (const table of ['reports', 'appeals']) {
        const [reviewId, column, said] = table === 'reports' ? [2, 'reason', 'spam'] : [3, 'body', 'It is true.'];
        await sql`insert into ${sql.table(table)} (review_id, ${sql.ref(column as string)}, created_at)
          values (${reviewId}, ${said}, 9)`.execute(db);
      }
    });
    await inDatabase(env, async ({ read }) => {
      const { rows } = await listItems(read, 'open', {});
      expect(rows.map(({ reviewId }) => reviewId)).toEqual([2, 3, 1, 4]);
    });
  });
});
