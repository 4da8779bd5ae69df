import type { Page } from 'playwright/test';
import { categoryPages, PAGES, type Page as ProductPage, pageAddress } from '../../src/contract/pages.ts';
import { button, expect, logIn, openMenu, openPage, test } from '../support/browser.ts';
import { createReviewedEntry } from '../support/many-reviews.ts';
import { category, createUser } from '../support/rows.ts';

/** Every page; of the pages that each category has, only those of the first category. */
const PAGES_ONCE: readonly ProductPage[] = [...Object.values(PAGES), ...Object.values(categoryPages(category))];
const GUARDED = PAGES_ONCE.filter(({ guard }) => guard).map((one) => pageAddress(one, one.about && 1));

/** Goes back step by step, and expects these paths on the way. */
async function expectBack(page: Page, paths: readonly string[], from: string): Promise<void> {
  for (const path of paths) {
    await page.goBack();
    await expect(page, `back from ${from}`).toHaveURL(path);
  }
}

test.describe('going back', () => {
  test('a visitor who was sent away from a guarded page leaves it with one step', async ({ page }) => {
    await page.goto('/about');
    for (const address of GUARDED) {
      await page.goto(address);
      await expect(page, address).toHaveURL(address === '/myreviews' ? '/login?next=/myreviews' : '/dashboard');
      await expectBack(page, ['/about'], address);
    }
  });

  test('the root leaves no address of its own behind', async ({ page }) => {
    await page.goto('/tos');
    await page.goto('/');
    await expect(page).toHaveURL('/landing');
    await expectBack(page, ['/tos'], '/');
    await page.goForward();
    await expect(page).toHaveURL('/landing');
  });

  test('after logging out on a guarded page, going back passes it and goes on', async ({ page, product }) => {
    const { email } = await createUser(product);
    await openPage(page, '/about');
    await (await openMenu(page)).getByRole('link', { name: 'Login' }).click();
    await logIn(page, email);
    await expect(page).toHaveURL('/dashboard');
    await (await openMenu(page)).getByRole('link', { name: 'Profile' }).click();
    await expect(page).toHaveURL('/profile');
    await (await openMenu(page)).getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/dashboard');
    // The first step reaches the profile, which sends a visitor on to the dashboard.
    await expectBack(page, ['/dashboard', '/dashboard', '/login', '/about'], '/profile');
  });

  test('from one review, the list is at the same place, with the same number shown and the same filter', async ({
    page,
    product,
  }) => {
    const entry = await createReviewedEntry(product, category, 60, (index) => ({ rating: (index % 5) + 1 }));
    const path = `${category.pages.reviews}/${entry.id}`;
    const region = page.getByRole('region', { name: 'Reviews' });
    const place = () => region.evaluate((list) => [list.clientHeight, list.scrollTop, window.scrollY]);
    await openPage(page, path);
    for (let press = 0; press < 2; press += 1) await button(page, 'Show more reviews').click();
    await region.evaluate((list) => list.scrollTo(0, 60));
    const review = region.getByRole('article').nth(15);
    await review.getByRole('link').scrollIntoViewIfNeeded();
    // The last scroll event comes with the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const before = await place();
    expect(before[2]).toBeGreaterThan(0);
    await review.getByRole('link').click();
    await expect(page).toHaveURL(/\/review\//);
    await page.goBack();
    await expect(page).toHaveURL(path);
    await expect.poll(place).toEqual(before);
    // With a filter, all that are loaded are shown.
    await page.getByRole('button', { name: /^3 stars/ }).click();
    await expect(region.getByRole('article')).toHaveCount(12);
    await region.getByRole('article').nth(9).getByRole('link').click();
    await expect(page).toHaveURL(/\/review\//);
    await page.goBack();
    await expect(page).toHaveURL(`${path}?stars=3`);
    await expect(region.getByRole('article')).toHaveCount(12);
  });
});
