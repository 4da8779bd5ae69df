import type { Page } from 'playwright/test';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { entryCalls } from '../../src/contract/entries.ts';
import { categoryPages, PAGES, pageAddress } from '../../src/contract/pages.ts';
import { expect, expectAxeClean, notice, openAs, openPage, rowOf, seedToken, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createNamedEntry, insertDatedReview, merge } from '../support/merging.ts';
import { createEntry, createSchool, createUser, type RunningProduct, unique } from '../support/rows.ts';

const [category] = CATEGORIES as [Category];

/** Two schools whose names begin alike, with an entry of the same name that one person has reviewed in both. */
async function createTwins(product: RunningProduct) {
  const name = unique('Twin');
  const [from, into] = [await createSchool(product, `${name} A`), await createSchool(product, `${name} B`)];
  const author = await createUser(product);
  for (const [index, { id }] of [from, into].entries()) {
    const entry = await createNamedEntry(product, category, id, 'Rowing Club');
    await insertDatedReview(product, category, entry, author, { daysAgo: 2 - index });
  }
  await createEntry(product, category, from.id);
  return { name, from, into, author };
}

test('links that were loaded before a merge lead to what remains', async ({ page, product }) => {
  const { from, into } = await createTwins(product);
  const { list, reviews } = categoryPages(category);
  const entries = (await call(product, `GET ${entryCalls(category).list.path.replace(':id', String(into.id))}`)).body;
  await openPage(page, pageAddress(list, from.id));
  expect((await merge(product, await createUser(product, { isAdmin: true }), from.id, into.id)).status).toBe(200);
  await page.getByRole('link', { name: 'Rowing Club' }).click();
  await expect(page).toHaveURL(pageAddress(reviews, entries[0].id));
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Rowing Club');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${category.label} at ${from.schoolName}`);
  await page.getByRole('list', { name: 'Breadcrumb' }).getByRole('link').click();
  await expect(page).toHaveURL(pageAddress(PAGES.school, into.id));
  await expect(page.getByRole('heading', { level: 1, name: into.schoolName })).toBeFocused();
});

test('an author reads why one of two reviews is gone', async ({ page, product }) => {
  const { from, into, author } = await createTwins(product);
  await merge(product, await createUser(product, { isAdmin: true }), from.id, into.id);
  await openAs(page, author, '/myreviews');
  await expect(page.getByText('Merged. Two entries became one: the newer of your two reviews stays')).toHaveCount(1);
});

test.describe('merging schools', () => {
  test.beforeEach(async ({ page, product }) => {
    await seedToken(page, (await createUser(product, { isAdmin: true })).token);
  });

  async function openDialog(page: Page, name: string, schoolName: string) {
    await page.goto('/adminschool');
    await page.getByLabel('Filter').fill(name);
    await rowOf(page, schoolName).getByRole('button', { name: 'Merge into …' }).click();
    return page.getByRole('dialog', { name: `Merge ${schoolName} into …` });
  }

  test('an admin chooses the school that stays, reads what will happen, and merges', async ({ page, product }) => {
    const { name, from, into } = await createTwins(product);
    const dialog = await openDialog(page, name, from.schoolName);
    await dialog.getByRole('button', { name: 'Merge schools' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('Please choose the school that stays.');
    const search = dialog.getByRole('combobox', { name: 'Merge into' });
    await search.fill(name.toLowerCase());
    // The school itself is not suggested.
    await expect(dialog.getByRole('option')).toHaveText([into.schoolName]);
    await dialog.getByRole('option').click();
    await expect(dialog.getByRole('listitem')).toHaveText([
      '1 entry moves as it is.',
      '1 entry becomes one with an entry of the same name.',
      '1 review moves.',
      'Where one person reviewed both, the newer review stays.',
      `“${from.schoolName}” is added to the other names.`,
      'This has no Undo.',
    ]);
    await expectAxeClean(page);
    await dialog.getByRole('button', { name: 'Merge schools' }).click();
    await expect(notice(page, 'status', `${from.schoolName} is part of ${into.schoolName} now.`)).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(rowOf(page, from.schoolName)).toHaveCount(0);
    await expect(rowOf(page, into.schoolName)).toHaveAttribute('aria-current', 'true');
    await page.goto(`/school/${from.id}`);
    await expect(page).toHaveURL(`/school/${into.id}`);
    await expect(page.getByText(from.schoolName)).toBeVisible();
  });

  test('the keyboard alone is enough, and Escape closes one thing at a time', async ({ page, product }) => {
    const { name, from, into } = await createTwins(product);
    const dialog = await openDialog(page, name, from.schoolName);
    const search = dialog.getByRole('combobox', { name: 'Merge into' });
    await expect(search).toBeFocused();
    await page.keyboard.type(name);
    await expect(dialog.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('option')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(search).toHaveValue('');
    await page.keyboard.type(name);
    await expect(dialog.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('This has no Undo.')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    // A closed dialog stays on the page until the event of its closing is handled.
    await expect(page.locator('dialog')).toHaveCount(0);
    const opener = rowOf(page, from.schoolName).getByRole('button', { name: 'Merge into …' });
    await expect(opener).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(search).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    expect((await call(product, `GET /auth/getSchool/${into.id}`)).body.aliases).toEqual([]);
  });

  test('of a school without entries nothing is said about entries and reviews', async ({ page, product }) => {
    const name = unique('Empty');
    const [from, into] = [await createSchool(product, `${name} A`), await createSchool(product, `${name} B`)];
    const dialog = await openDialog(page, name, from.schoolName);
    await dialog.getByRole('combobox').fill(into.schoolName);
    await dialog.getByRole('option').click();
    await expect(dialog.getByRole('listitem')).toHaveText([
      `“${from.schoolName}” is added to the other names.`,
      'This has no Undo.',
    ]);
  });

  test('a school that was merged meanwhile is told of', async ({ page, product }) => {
    const { name, from, into } = await createTwins(product);
    const dialog = await openDialog(page, name, from.schoolName);
    await dialog.getByRole('combobox').fill(name);
    await dialog.getByRole('option').click();
    await expect(dialog.getByText('This has no Undo.')).toBeVisible();
    expect((await merge(product, await createUser(product, { isAdmin: true }), from.id, into.id)).status).toBe(200);
    await dialog.getByRole('button', { name: 'Merge schools' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('There is no such school.');
  });

  test('a row of a school that was merged meanwhile leads to the other one, and goes when it is to be edited', async ({
    page,
    product,
  }) => {
    const { name, from, into } = await createTwins(product);
    await page.goto('/adminschool');
    await page.getByLabel('Filter').fill(name);
    const row = rowOf(page, from.schoolName);
    await expect(row).toBeVisible();
    expect((await merge(product, await createUser(product, { isAdmin: true }), from.id, into.id)).status).toBe(200);
    await row.getByRole('link', { name: from.schoolName }).click();
    await expect(page).toHaveURL(pageAddress(PAGES.adminChooser, into.id));
    await expect(page.getByText(into.schoolName)).toBeVisible();
    await page.getByRole('link', { name: category.label }).click();
    await expect(page).toHaveURL(pageAddress(categoryPages(category).adminEntries, into.id));
    await page.goBack();
    await page.goBack();
    await row.getByRole('button', { name: 'Update' }).click();
    await expect(notice(page, 'alert', 'This school was merged into another one.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add School');
    await expect(row).toHaveCount(0);
  });

  test('at 360 pixels nothing is cut off', async ({ page, product }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { name, from } = await createTwins(product);
    const dialog = await openDialog(page, name, from.schoolName);
    await dialog.getByRole('combobox').fill(name);
    await expect(dialog.getByRole('option')).toBeInViewport({ ratio: 1 });
    await dialog.getByRole('option').click();
    await expect(dialog.getByText('This has no Undo.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Merge schools' })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });
});
