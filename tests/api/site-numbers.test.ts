import { expect, test } from 'vitest';
import { csvOfNumbers, type DayNumbers } from '../../src/contract/site-numbers.ts';
import { fillPastDays } from '../../src/server/numbers/queries.ts';
import { updateNumbers } from '../../src/server/numbers/routes.ts';
import { createAccountSteps } from '../support/account-steps.ts';
import { call } from '../support/call.ts';
import { runCommand } from '../support/command.ts';
import { createReviewOf, endHolding, hide, moderate, report } from '../support/moderation.ts';
import { dataOf } from '../support/product.ts';
import { proposeEntry } from '../support/proposals.ts';
import { category, createEntry, createSchool, createUser, postReview, signIn, unique } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;

describeProduct('the numbers of a site on %s', (product) => {
  const admin = adminOf(product);
  const { member, signUp, post } = createAccountSteps(() => product);
  const today = () => new Date(Date.now() + product.clock.ahead).toISOString().slice(0, 10);

  async function read(query = ''): Promise<DayNumbers[]> {
    const token = await signIn(product, admin.id);
    const { status, body } = await call(product, `GET /auth/getSiteNumbers${query}`, { token });
    expect(status).toBe(200);
    return body;
  }
  const todays = async () => (await read('?days=1'))[0] as DayNumbers;

  test('count what was done, whether or not it is still there', async () => {
    const before = await todays();
    const [author, reporter] = [await createUser(product), await createUser(product)];
    const { reviewId, entry } = await createReviewOf(product, author);
    const { reviewId: withdrawn } = await createReviewOf(product, author);
    expect((await postReview(product, category, entry.id, author)).status).toBe(409);
    expect((await report(product, reporter, reviewId)).status).toBe(201);
    expect((await report(product, reporter, reviewId)).status).toBe(409);
    expect((await hide(product, admin, reviewId)).status).toBe(200);
    const path = `DELETE /auth/${category.calls.removeReview}/${withdrawn}`;
    expect((await call(product, path, { token: author.token })).status).toBe(204);
    const { id: schoolId } = await createSchool(product);
    expect((await proposeEntry(product, author, { schoolId, name: unique('Proposed') })).status).toBe(201);
    const verified = await member();
    await signUp();
    const { token } = (await post('login', { email: verified.email, password: verified.password })).body;
    await post('deleteMyAccount', { password: verified.password, reviews: 'keep' }, token);
    expect(await todays()).toEqual({
      day: today(),
      signups: before.signups + 2,
      verified: before.verified + 1,
      reviews: before.reviews + 2,
      reports: before.reports + 1,
      hidden: before.hidden + 1,
      proposals: before.proposals + 1,
      schoolsWithReviews: before.schoolsWithReviews,
    });
  });

  test('count a hide that can be taken back once it cannot', async () => {
    const before = (await todays()).hidden;
    const author = await createUser(product);
    const [first, second] = [await createReviewOf(product, author), await createReviewOf(product, author)];
    const held = { action: 'hide', reason: 'spam', isHeld: true };
    for (const { reviewId } of [first, second]) await moderate(product, admin, reviewId, held);
    await moderate(product, admin, second.reviewId, { action: 'restore' });
    expect((await todays()).hidden).toBe(before);
    await endHolding(product);
    expect((await todays()).hidden).toBe(before + 1);
  });

  test('have every day, today last, and stay as they were when a day is over', async () => {
    const author = await createUser(product);
    await postReview(product, category, (await createEntry(product, category)).id, author);
    const day = await todays();
    expect(day.schoolsWithReviews).toBeGreaterThan(0);
    const tools = {
      now: () => Date.now() + product.clock.ahead,
      search: { readFigures: async () => ({ figures: Array(day.schoolsWithReviews) }) },
    };
    await updateNumbers(product.app.database, tools);
    product.clock.ahead += 2 * DAY;
    const beforeFolding = await read('?days=3');
    expect(beforeFolding.map((one) => one.day)).toEqual([day.day, expect.any(String), today()]);
    expect(beforeFolding[0]).toEqual(day);
    expect(beforeFolding[1]).toMatchObject({ reviews: 0, schoolsWithReviews: day.schoolsWithReviews });
    for (const _ of [1, 2]) await updateNumbers(product.app.database, tools);
    expect(await product.app.database.read.selectFrom('site_acts').selectAll().execute()).toEqual([]);
    expect(await read('?days=3')).toEqual(beforeFolding);
    expect(await read()).toHaveLength(30);
    expect(await read('?days=366')).toHaveLength(366);
    expect(csvOfNumbers(beforeFolding).split('\r\n')[0]).toBe(
      'day,signups,verified,reviews,reports,hidden,proposals,schoolsWithReviews',
    );
    const { stdout } = await runCommand('admin', ['numbers', '--days', '4', '--json'], dataOf(product));
    expect(JSON.parse(stdout)).toHaveLength(4);
    product.clock.ahead = 0;
  });

  test.each(['0', '367', 'x', '1.5'])('are refused for %s days', async (days) => {
    const { status } = await call(product, `GET /auth/getSiteNumbers?days=${days}`, { token: admin.token });
    expect(status).toBe(400);
  });

  test('of a site that counted nothing before are made from its rows, once', async () => {
    const { database } = product.app;
    const before = await todays();
    await fillPastDays(database, Date.now());
    expect(await todays()).toEqual(before);
    await database.write((db) => db.deleteFrom('site_days').execute());
    await fillPastDays(database, Date.now());
    const rows = await database.read.selectFrom('users').select('id').execute();
    expect((await todays()).signups).toBe(rows.length);
  });
});
