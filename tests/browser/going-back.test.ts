import type { Page } from 'playwright/test';
import { categoryPages, PAGES, type Page as ProductPage, pageAddress } from '../../src/contract/pages.ts';
import { expect, logIn, openMenu, openPage, test } from '../support/browser.ts';
import { category, createUser } from '../support/rows.ts';

/** Of the pages of each category, those of the first. */
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
    for (const address of GUARDED) {
      await page.goto('/about');
      await page.goto(address);
      await expect(page, address).toHaveURL('/dashboard');
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
});
