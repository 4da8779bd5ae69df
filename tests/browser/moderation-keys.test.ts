import { BURST_REVIEWS } from '../../src/contract/bursts.ts';
import { getOpenCounts } from '../../src/contract/moderation.ts';
import { expect, openAs, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createReviewOf, putIntoBurst, report } from '../support/moderation.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';

test.use({ database: 'moderation-keys' });

const SINGLE = 39;
const HIDDEN = 10;

test('39 reports and a burst are decided about with 70 keys, and with 2 more', async ({
  page,
  product,
  admin,
  user,
}) => {
  const entry = await createEntry(product, category);
  const ids: number[] = [];
  for (const _ of Array(BURST_REVIEWS)) {
    ids.push((await postReview(product, category, entry.id, await createUser(product))).body.id);
  }
  await putIntoBurst(product, entry.id, ids);
  for (let index = 0; index < SINGLE; index += 1) {
    const { reviewId } = await createReviewOf(product, await createUser(product));
    // Nobody sends more than twenty reports a day.
    expect((await report(product, index % 2 === 0 ? admin : user, reviewId)).status).toBe(201);
  }

  await openAs(page, admin, '/moderation');
  const item = page.getByRole('region', { name: 'Review to decide about' });
  const position = (left: number) => expect(item.getByText(new RegExp(`^\\d+ of ${left}$`))).toBeVisible();
  let keys = 0;
  const press = async (key: string) => {
    await page.keyboard.press(key);
    keys += 1;
  };
  // While the focus is elsewhere, keys decide nothing.
  await position(SINGLE + 1);
  await press('k');
  await press('h');
  await expect(item.getByRole('radio')).toHaveCount(0);
  await position(SINGLE + 1);
  keys = 0;
  await page.getByRole('link', { name: 'Open', exact: true }).focus();
  const first = page.locator('[aria-current=true]');
  while (!(await first.evaluate((line) => line === document.activeElement)) && keys < 10) await press('Tab');
  await press('Enter');
  await expect(item).toBeFocused();
  for (let left = SINGLE; left > 0; left -= 1) {
    await position(left + 1);
    if (left > HIDDEN) await press('k');
    else {
      await press('h');
      await expect(item.getByRole('radio', { name: 'It is fake' })).toBeFocused();
      if (left % 2 === 0) await press('ArrowDown');
      await press('Enter');
    }
  }
  expect(keys).toBeLessThanOrEqual(70);
  await position(1);
  await expect(item.getByRole('button', { name: 'Hide all' })).toHaveAttribute('aria-keyshortcuts', 'H');
  keys = 0;
  await press('h');
  await expect(item.getByRole('radio', { name: 'It is fake' })).toBeFocused();
  await press('Enter');
  await expect(page.getByText('Nothing to look at.')).toBeVisible();
  expect(keys).toBe(2);
  const { body } = await call(product, `GET ${getOpenCounts.path}`, { token: admin.token });
  expect(body.reports).toBe(0);
  const closed = await call(product, 'GET /auth/getReports?state=closed&limit=100', { token: admin.token });
  const hidden = closed.body.filter(({ isHidden }: { isHidden: boolean }) => isHidden);
  expect([closed.body.length, hidden.length]).toEqual([SINGLE + BURST_REVIEWS, HIDDEN + BURST_REVIEWS]);
});
