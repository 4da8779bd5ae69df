import { CATEGORIES } from '../../src/contract/categories.ts';
import { expect, test } from '../support/browser.ts';
import { createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

const [first, second] = CATEGORIES as [(typeof CATEGORIES)[number], (typeof CATEGORIES)[number]];
const last = CATEGORIES.at(-1) as (typeof CATEGORIES)[number];

test.use({ database: 'leaderboard' });

test.describe('the leaderboard', () => {
  test('shows the five best of a category with badge, whole stars and two decimals', async ({ page, product }) => {
    const users = await Promise.all([createUser(product), createUser(product), createUser(product)]);
    const names: string[] = [];
    for (const rating of [5, 4.5, 4, 3.5, 3, 2.5]) {
      const school = await createSchool(product);
      names.push(school.schoolName);
      const entry = await createEntry(product, first, school.id);
      for (const user of users) await postReview(product, first, entry.id, user, { rating });
    }
    await page.goto('/leaderboard');
    await expect(page.getByRole('heading', { level: 1, name: 'University Leaderboard' })).toBeVisible();
    await expect(
      page.getByText(
        'Compare schools across different categories and see which universities rank highest in student reviews',
      ),
    ).toBeVisible();
    await expect(page.getByRole('heading', { name: `Top 5 Schools - ${first.leaderboardLabel}` })).toBeVisible();
    await expect(page.getByText('Based on student reviews and ratings')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Detailed Rankings' })).toBeVisible();
    const rows = page.getByRole('row').filter({ hasText: /\d\.\d\d/ });
    await expect(rows).toHaveCount(5);
    for (const [index, rating] of ['5.00', '4.50', '4.00', '3.50', '3.00'].entries()) {
      await expect(rows.nth(index)).toContainText(rating);
      await expect(rows.nth(index)).toContainText(names[index] ?? '');
    }
    await expect(page.getByText(names[5] ?? '')).toHaveCount(0);
    const chart = page.getByRole('img', { name: `Top 5 Schools - ${first.leaderboardLabel}, as a bar chart` });
    expect((await chart.boundingBox())?.height).toBe(350);
    const bars = chart.locator('rect.fill-category');
    await expect(bars).toHaveCount(5);
    for (const [index, rating] of ['5.00', '4.50'].entries()) {
      await bars.nth(index).hover();
      await expect(page.getByText(`Rating: ${rating}/5.0`)).toBeVisible();
    }
    await page.getByRole('heading', { name: 'Detailed Rankings' }).hover();
    await expect(page.getByText('Rating: ')).toHaveCount(0);
  });

  test('Next and Previous go round, dots and tiles go straight there', async ({ page }) => {
    await page.goto('/leaderboard');
    const expectShown = (label: string) =>
      expect(page.getByRole('heading', { name: `Top 5 Schools - ${label}` })).toBeVisible();
    await expectShown(first.leaderboardLabel);
    await page.getByRole('button', { name: 'Previous' }).click();
    await expectShown(last.leaderboardLabel);
    await page.getByRole('button', { name: 'Next' }).click();
    await expectShown(first.leaderboardLabel);
    for (const { leaderboardLabel } of CATEGORIES.slice(1)) {
      await page.getByRole('button', { name: 'Next' }).click();
      await expectShown(leaderboardLabel);
    }
    await page.getByRole('button', { name: 'Clubs, 2 of 7' }).click();
    await expectShown(second.leaderboardLabel);
    for (const { leaderboardLabel } of CATEGORIES) {
      await page.getByRole('button', { name: leaderboardLabel, exact: true }).click();
      await expectShown(leaderboardLabel);
    }
  });

  test('while it loads it says so, and a failure shows an empty list of no schools', async ({ page }) => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/auth/${first.calls.leaderboard}`, async (route) => {
      await held;
      await route.abort();
    });
    await page.goto('/leaderboard');
    await expect(page.getByText('Loading rankings...')).toBeVisible();
    answer();
    await expect(page.getByText('Loading rankings...')).toHaveCount(0);
    await expect(page.getByText('0 schools')).toBeVisible();
    await page.unroute(`**/auth/${first.calls.leaderboard}`);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  });
});
