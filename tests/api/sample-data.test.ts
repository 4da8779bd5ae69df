import { beforeAll, expect, test } from 'vitest';
import { BURST_REVIEWS } from '../../src/contract/bursts.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import type { EntrySummary } from '../../src/contract/entry-summary.ts';
import type { ModerationItem, NewestReview } from '../../src/contract/moderation.ts';
import { loadSampleData } from '../../src/server/data/sample/load.ts';
import { call } from '../support/call.ts';
import { findFaults } from '../support/moderation.ts';
import { createUser, type TestUser } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const MARKED = /^Sample of an? (burst|hidden review|appeal|report|edited review): /;

describeProduct('the sample data on %s', (product) => {
  let admin: TestUser;

  const standings = async () =>
    Promise.all(
      CATEGORIES.map(async ({ label, calls }) => {
        const { body } = await call(product, `GET /auth/${calls.leaderboard}`);
        return { label, isEmpty: body.length === 0 };
      }),
    );

  beforeAll(async () => {
    expect(await standings()).toEqual(CATEGORIES.map(({ label }) => ({ label, isEmpty: true })));
    // As two processes do that start together.
    const loaded = await Promise.all([1, 2].map(() => loadSampleData(product.app.database)));
    expect(loaded.filter((credentials) => credentials !== undefined)).toHaveLength(1);
    admin = await createUser(product, { isAdmin: true });
  });

  const get = async (path: string) => (await call(product, `GET /auth/${path}`, { token: admin.token })).body;

  test('fills leaderboards that were read while they were empty', async () => {
    expect((await standings()).filter(({ isEmpty }) => isEmpty)).toEqual([]);
  });

  test('has two hidden reviews and one appeal, each marked as a sample, and the first public lines', async () => {
    const closed: ModerationItem[] = await get('getReports?state=closed');
    const open: ModerationItem[] = await get('getReports');
    const hidden = [...closed, ...open].filter(({ isHidden }) => isHidden);
    expect(hidden).toHaveLength(2);
    for (const { review } of hidden) expect(review).toMatch(MARKED);
    const appealed = open.filter(({ appeal }) => appeal !== undefined);
    expect(appealed).toMatchObject([
      {
        ...{ appeal: { text: expect.stringMatching(MARKED) }, hiddenReason: 'spam', reports: [] },
        ...{ isEdited: true, decidedText: expect.stringMatching(MARKED) },
        earlier: [{ reason: 'spam', note: expect.stringMatching(MARKED) }, { reason: 'fake' }],
      },
    ]);
    const reopened = open.filter(({ isEdited, isHidden }) => isEdited && !isHidden);
    expect(reopened).toMatchObject([
      { decidedText: expect.stringMatching(MARKED), reports: [], earlier: [{ reason: 'personal' }] },
    ]);
    expect(await get('getRemovals')).toMatchObject([
      { id: 2, act: 'hidden', reason: 'spam', stars: 5 },
      { id: 1, act: 'hidden', reason: 'personal', stars: 1 },
    ]);
    const trail = await get('getAdminActs?subjectKind=review');
    expect(trail.map(({ reason }: { reason: string }) => reason)).toEqual([
      'keep, Sample data.',
      'hide: spam, Sample data.',
      'hide: personal, Sample data.',
    ]);
    expect(await findFaults(product)).toEqual([]);
  });

  test('has one burst, whose reviews alone are by new accounts', async () => {
    const items: ModerationItem[] = (await get('getReports')).filter(({ isBurst }: ModerationItem) => isBurst);
    expect(items).toHaveLength(BURST_REVIEWS);
    for (const { review } of items) expect(review).toMatch(MARKED);
    const { isBeingChecked }: EntrySummary = await get(`getEntrySummary/${items[0]?.entryId}`);
    expect(isBeingChecked).toBe(true);
    const newest: NewestReview[] = await get('getNewestReviews');
    const byNew = newest.filter(({ isNewAccount }) => isNewAccount).map(({ id }) => id);
    expect(byNew.toSorted()).toEqual(items.map(({ reviewId }) => reviewId).toSorted());
  });

  test('has one open proposal, which is marked as a sample', async () => {
    expect(await get('getProposals')).toMatchObject([
      { kind: 'entry', category: 'clubs', description: expect.stringMatching(/^Sample of a proposal: /) },
    ]);
  });

  test('has something to filter by: every relation, years, marks, and reviews of now and then', async () => {
    const { read } = product.app.database;
    const amounts = await read
      .selectFrom('reviews')
      .select((select) => [
        select.fn.countAll<number>().as('all'),
        ...(['parent', 'educator', 'alumnus', 'student'] as const).map((relation) =>
          select.fn.countAll<number>().filterWhere('relation', '=', relation).as(relation),
        ),
        select.fn.count<number>('since').as('since'),
        select.fn.countAll<number>().filterWhere('helpful', '>', 0).as('helpful'),
      ])
      .executeTakeFirstOrThrow();
    for (const [name, least] of Object.entries({
      parent: 15,
      educator: 12,
      alumnus: 15,
      student: 100,
      since: 30,
      helpful: 30,
    })) {
      expect(amounts[name as keyof typeof amounts], name).toBeGreaterThanOrEqual(least);
    }
    const counts = await read
      .selectFrom('review_counts')
      .select(['entry_id', 'kind'])
      .orderBy('review_count', 'desc')
      .limit(12)
      .execute();
    const summaries: EntrySummary[] = [];
    for (const { entry_id } of counts) summaries.push(await get(`getEntrySummary/${entry_id}`));
    const told = summaries.filter(({ relations }) => relations.parent > 0 && relations.educator > 0);
    expect(told.length).toBeGreaterThanOrEqual(5);
    expect(summaries.filter(({ change }) => change !== null).length).toBeGreaterThanOrEqual(3);
  });
});
