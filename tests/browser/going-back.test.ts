import type { Page } from 'playwright/test';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { categoryPages, PAGES, type Page as ProductPage, pageAddress } from '../../src/contract/pages.ts';
import { button, expect, logIn, openMenu, openPage, test, whenHydrated } from '../support/browser.ts';
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

test('an address that leads nowhere says so at once, also when it was opened by a link and is loaded again', async ({
  page,
  user,
}) => {
  await openPage(page, '/login?next=/school/999999');
  await logIn(page, user.email);
  const message = page.getByRole('heading', { level: 1 });
  await expect(page).toHaveURL('/school/999999');
  await expect(message).toBeVisible();
  const asked = page.waitForRequest((request) => request.method() === 'HEAD');
  await page.route('**/school/999999', async (route) => {
    if (route.request().method() !== 'HEAD') await route.continue();
  });
  await page.reload();
  await asked;
  await whenHydrated(page);
  await expect(message).toBeVisible();
  await expect(page.getByText('Loading')).toHaveCount(0);
});

const goBackByMenu = async (page: Page) => (await openMenu(page)).getByRole('button', { name: 'Go Back' }).click();
const footerLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name });

test.describe('“Go Back” of the menu', () => {
  test('leads back also after a link to a place of the same page, which is no step of its own', async ({
    page,
    context,
  }) => {
    await openPage(page, '/about');
    await footerLink(page, 'Terms of Service').click();
    const link = page.getByRole('list', { name: 'On this page' }).getByRole('link', { name: 'Your account' });
    await link.click();
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    await expect(page).toHaveURL('/tos');
    // Whoever wants another tab, or an address to copy, has it.
    const opened = context.waitForEvent('page');
    await link.click({ modifiers: ['Control'] });
    await expect(await opened).toHaveURL('/tos#account');
    await page.bringToFront();
    await goBackByMenu(page);
    await expect(page).toHaveURL('/about');
    await goBackByMenu(page);
    await expect(page).toHaveURL('/dashboard');
  });

  const CHOICES: readonly [string, RegExp, (page: Page) => Promise<unknown>][] = [
    ['/leaderboard', /category=/, (page) => button(page, CATEGORIES[1]?.leaderboardLabel ?? '').click()],
    ['/allschools', /minRating=/, (page) => page.getByLabel('Minimum rating').selectOption({ index: 1 })],
  ];
  for (const [path, chosen, choose] of CHOICES) {
    test(`stays on the site from ${path} in a new tab, also after a choice there`, async ({ page }) => {
      await openPage(page, path);
      await choose(page);
      await expect(page).toHaveURL(chosen);
      await goBackByMenu(page);
      await expect(page).toHaveURL('/dashboard');
    });
  }
});

test('a link to a place of the page keeps how many reviews are shown and where their list is', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const entry = await createReviewedEntry(product, category, 40, () => ({}));
  const region = page.getByRole('region', { name: 'Reviews' });
  const place = () => region.evaluate((list) => [list.clientHeight, list.scrollTop]);
  const path = `${category.pages.reviews}/${entry.id}`;
  await openPage(page, `${category.pages.list}/${entry.schoolId}`);
  await page.getByRole('main').getByRole('link', { name: entry.name }).first().click();
  await button(page, 'Show more reviews').click();
  await region.evaluate((list) => list.scrollTo(0, 60));
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const before = await place();
  await page.getByRole('link', { name: 'Write yours' }).click();
  await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeFocused();
  expect(await place()).toEqual(before);
  await footerLink(page, 'About').click();
  await expect(page).toHaveURL('/about');
  await page.goBack();
  await expect(page).toHaveURL(path);
  await expect.poll(place).toEqual(before);
});

test.describe('back at an address with a place in it', () => {
  test('a reader is where they had scrolled to', async ({ page, product }) => {
    await createReviewedEntry(product, category, 1, () => ({}));
    await openPage(page, `/leaderboard?category=${category.kind}`);
    await page.getByText('How is this worked out?').click();
    await page.getByRole('link', { name: 'How scores work' }).click();
    await expect(page).toHaveURL('/scores#average');
    await expect(page.getByRole('heading', { level: 1, name: 'How scores work' })).toBeVisible();
    const about = footerLink(page, 'About');
    await about.scrollIntoViewIfNeeded();
    // The last scroll event comes with the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const place = () => page.evaluate(() => window.scrollY);
    const before = await place();
    await about.click();
    await expect(page).toHaveURL('/about');
    await page.goBack();
    await expect(page).toHaveURL('/scores#average');
    await expect.poll(place).toBe(before);
  });

  test('the form for a review does not take the focus again', async ({ page, entry }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const list = `${category.pages.list}/${entry.schoolId}`;
    const question = page.getByRole('combobox', { name: category.question });
    await openPage(page, `/schoolreviews/${entry.schoolId}?category=${category.kind}`);
    await page.getByRole('main').getByRole('link', { name: 'Write a review' }).click();
    await expect(page).toHaveURL(`${list}#write`);
    await expect(question).toBeFocused();
    await page.getByRole('list', { name: 'Breadcrumb' }).getByRole('link').first().click();
    await expect(page).toHaveURL(`/school/${entry.schoolId}`);
    await page.goBack();
    await expect(page).toHaveURL(`${list}#write`);
    await expect(question).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
});
