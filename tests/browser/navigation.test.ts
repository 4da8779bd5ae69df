import type { Page } from 'playwright/test';
import { expect, openMenu, openPage, test } from '../support/browser.ts';
import { category, createSchool } from '../support/rows.ts';

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

  test('a school that a leaderboard leads to is named by the link before it is read', async ({ page, product }) => {
    const { id, schoolName } = await createSchool(product);
    await page.route(`**/auth/${category.calls.leaderboard}`, (route) =>
      route.fulfill({ json: [{ schoolId: id, schoolName, averageRating: 5 }] }),
    );
    await page.route('**/auth/getSchool/*', () => {});
    await openPage(page, '/leaderboard');
    await page.getByRole('table').getByRole('link', { name: schoolName }).click();
    await expect(page.getByText('Loading school...')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeFocused();
    await expect(page).toHaveTitle(new RegExp(`^${schoolName} · `));
  });

  test('a heading that comes late with its data leaves the focus to whoever has moved on', async ({
    page,
    product,
  }) => {
    const { id, schoolName } = await createSchool(product);
    const answer = Promise.withResolvers<void>();
    await openPage(page, `/allschools?q=${schoolName}`);
    await page.route(`**/auth/getSchool/${id}`, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.getByRole('main').getByRole('link', { name: schoolName }).first().click();
    await expect(page.getByText('Loading school...')).toBeVisible();
    await page.getByRole('button', { name: 'Menu' }).focus();
    answer.resolve();
    await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });
});
