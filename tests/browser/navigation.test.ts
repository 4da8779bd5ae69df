import type { Page } from 'playwright/test';
import { expect, holdBack, openMenu, openPage, test } from '../support/browser.ts';
import { createReviewOf } from '../support/moderation.ts';
import { category, createEntry, createSchool, createUser } from '../support/rows.ts';

/** Makes every short animation last longer than the test. */
function slowDown(page: Page): Promise<void> {
  return page.evaluate(() => {
    const slow = new CSSStyleSheet();
    slow.replaceSync(':root { --quick: 60s !important }');
    document.adoptedStyleSheets.push(slow);
  });
}

test.describe('on the way to another page', () => {
  test('its heading has the focus at once, and clicks and typed letters reach the page while it still fades in', async ({
    page,
    product,
  }) => {
    const { schoolName } = await createSchool(product);
    await openPage(page, '/tos');
    await slowDown(page);
    await (await openMenu(page)).getByRole('link', { name: 'Menu' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Find a school' })).toBeFocused();
    expect(await page.evaluate(() => document.getAnimations().length)).toBeGreaterThan(0);
    const box = await page.getByRole('combobox', { name: 'Search for a school' }).boundingBox();
    if (!box) throw new Error('the search is not there');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.keyboard.type(schoolName);
    await expect(page.getByRole('combobox')).toHaveValue(schoolName);
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.getByRole('option', { name: schoolName }).click();
    await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeFocused();
  });

  test('the head says nothing of the page before it, whose address browsers would share', async ({ page, product }) => {
    const school = await createSchool(product);
    await openPage(page, `/school/${school.id}`);
    const facts = page.locator('link[rel=canonical], link[rel=alternate]');
    await expect(facts.first()).toBeAttached();
    await (await openMenu(page)).getByRole('link', { name: 'Leader Boards' }).click();
    await expect(page).toHaveURL('/leaderboard');
    await expect(facts).toHaveCount(0);
  });

  for (const [from, address] of Object.entries({
    'a leaderboard': '/leaderboard',
    'a search': '/allschools?q=NAME',
    'a comparison': '/compare?ids=SCHOOL',
    'one of its entries': `${category.pages.reviews}/ENTRY`,
  }))
    test(`a school that ${from} leads to is named by the link before it is read`, async ({ page, product }) => {
      const { id, schoolName } = await createSchool(product);
      const entry = await createEntry(product, category, id);
      await page.route(`**/auth/${category.calls.leaderboard}`, (route) =>
        route.fulfill({ json: [{ schoolId: id, schoolName, averageRating: 5 }] }),
      );
      await page.route('**/auth/getSchool/*', () => {});
      const named = { NAME: schoolName, SCHOOL: String(id), ENTRY: String(entry.id) };
      await openPage(
        page,
        address.replace(/NAME|SCHOOL|ENTRY/, (name) => named[name as keyof typeof named]),
      );
      await page.getByRole('main').getByRole('link', { name: schoolName }).first().click();
      await expect(page.getByText('Loading school...')).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeFocused();
      await expect(page).toHaveTitle(new RegExp(`^${schoolName} · `));
    });

  test('a heading that comes late with its data leaves the focus to whoever has moved on', async ({
    page,
    product,
  }) => {
    const { entry, reviewId } = await createReviewOf(product, await createUser(product));
    await openPage(page, `/review/${reviewId}`);
    const letGo = await holdBack(page, '**/auth/**');
    await page.getByRole('list', { name: 'Breadcrumb' }).getByRole('link').last().click();
    await expect(page.getByText('Loading reviews...')).toBeVisible();
    await page.getByRole('button', { name: 'Menu' }).focus();
    letGo();
    await expect(page.getByRole('heading', { level: 1, name: entry.name })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });
});
