import type { Page } from 'playwright/test';
import { expect, holdBack, logIn, openAs, openMenu, openPage, test } from '../support/browser.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

test.use({ database: 'reading-aloud' });

/** Holds back the answers that name an entry. @returns the way to let them go */
const holdNames = (page: Page) => holdBack(page, `**/auth/${category.calls.nameLookup}/*`);

test.describe('a screen reader', () => {
  test('reads the whole heading at once when a list has its name already', async ({ page, entry }) => {
    const answer = await holdNames(page);
    await openPage(page, `${category.pages.list}/${entry.schoolId}`);
    await page.getByRole('link', { name: entry.name }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(`Student ${entry.name} Reviews`);
    await expect(heading).toBeFocused();
    answer();
  });

  test('reads no heading before its name is loaded, and then the whole of it', async ({ page, entry, user }) => {
    await page.goto(`${category.pages.reviews}/${entry.id}`);
    await (await openMenu(page)).getByRole('link', { name: 'Login' }).click();
    // Logging in forgets what was read as a visitor.
    const answer = await holdNames(page);
    await logIn(page, user.email);
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goBack();
    await page.goBack();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
    answer();
    await expect(page.getByRole('heading', { level: 1, name: `Student ${entry.name} Reviews` })).toBeFocused();
  });

  test('reads the same figure from stars, chart and table of the leaderboard', async ({ page, product }) => {
    const school = await createSchool(product);
    const entry = await createEntry(product, category, school.id);
    for (const rating of [5, 5, 4.5]) {
      await postReview(product, category, entry.id, await createUser(product), { rating });
    }
    await page.goto('/leaderboard');
    const row = page.getByRole('row', { name: school.schoolName });
    await expect(row.getByRole('img', { name: '4.83 stars' })).toBeVisible();
    await expect(row).toContainText('4.83');
    await expect(page.getByRole('img', { name: `as a bar chart: ${school.schoolName} 4.83` })).toBeVisible();
  });

  test('is told by the search which list it controls while there is one, and of none while there is not', async ({
    page,
    product,
  }) => {
    const { schoolName } = await createSchool(product);
    await page.goto('/dashboard');
    const field = page.getByRole('combobox', { name: 'Search for a school' });
    await expect(field).toHaveAttribute('type', 'text');
    await expect(field).not.toHaveAttribute('aria-controls');
    await field.fill(schoolName);
    const list = await page.getByRole('listbox').getAttribute('id');
    await expect(field).toHaveAttribute('aria-controls', list ?? 'there is no list');
    await field.fill('no such school');
    await expect(page.getByText('No schools found')).toBeVisible();
    await expect(field).not.toHaveAttribute('aria-controls');
  });

  test('hears that no school was found, and how many are compared', async ({ page, product }) => {
    const schools = [await createSchool(product), await createSchool(product)];
    await page.goto('/allschools');
    await page.getByRole('searchbox', { name: 'Search schools' }).fill('no such school');
    const announced = page.locator('[aria-live=polite]');
    await expect(announced.filter({ hasText: 'No schools found' })).toBeVisible();
    await page.goto('/compare');
    for (const [index, { schoolName }] of schools.entries()) {
      await page.getByRole('combobox', { name: 'Add a school' }).fill(schoolName);
      await page.getByRole('option').click();
      await expect(announced.filter({ hasText: /^[12] schools? chosen$/ })).toContainText(`${index + 1} school`);
    }
  });

  test('is not told that a choice is wrong before it is made', async ({ page, product, entry, user }) => {
    await postReview(product, category, entry.id, await createUser(product));
    await openAs(page, user, `${category.pages.reviews}/${entry.id}`);
    await page.getByRole('button', { name: 'Report' }).click();
    await expect(page.getByRole('radio', { name: 'It is spam or advertising' })).toBeVisible();
    await expect(page.locator('[name=reason]:invalid')).toHaveCount(0);
  });

  test('hears in a dialog what is wrong with the field that it is at already', async ({ page, user }) => {
    await openAs(page, user, '/allschools?q=zzzz');
    await page.getByRole('button', { name: 'Add a missing school' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('School name');
    await name.fill('');
    // A field is read out with what describes it whenever it takes the focus.
    await name.evaluate((field) =>
      field.addEventListener('focus', () => {
        const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
        field.dataset.readOut = description?.textContent;
      }),
    );
    await name.press('Enter');
    await expect(name).toHaveAttribute('data-read-out', 'Please name the school.');
    await expect(name).toBeFocused();
  });
});

test.describe('a text browser', () => {
  test.use({ javaScriptEnabled: false });

  test('shows the rating of each review as text', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product), { rating: 3.5 });
    await page.goto(`${category.pages.reviews}/${entry.id}`);
    await expect(page.getByRole('article').getByText('3.5 stars')).toHaveCount(1);
  });
});
