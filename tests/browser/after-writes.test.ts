import type { Page } from 'playwright/test';
import { PAGES, pageAddress } from '../../src/contract/pages.ts';
import { button, expect, holdBack, notice, openAs, openMenu, test, writeReview } from '../support/browser.ts';
import { category, createEntry, createSchool, postReview } from '../support/rows.ts';

// What pages show that were seen shortly before a change of one's own. Another document would have forgotten it, so
// that each test stays in one.

const addressOf = (entryId: number) => `${category.pages.reviews}/${entryId}`;

/** Opens the list of one's own reviews from the menu. */
async function walkToOwn(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole('link', { name: 'Your reviews', exact: true }).click();
  await expect(page).toHaveURL(PAGES.myReviews.path);
}

/** Opens the page of the newest review in the list of an entry. */
async function walkToReview(page: Page, reviewId: number): Promise<void> {
  await page.getByRole('article').getByRole('link').first().click();
  await expect(page).toHaveURL(pageAddress(PAGES.review, reviewId));
}

test.describe('a page that was just seen shows', () => {
  test('a review that was posted since, among one’s own', async ({ page, entry, user }) => {
    await openAs(page, user, addressOf(entry.id));
    await walkToOwn(page);
    await expect(page.getByText('You have not written a review yet.', { exact: true })).toBeVisible();
    await page.goBack();
    await writeReview(page, 4, 'Posted since.');
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await walkToOwn(page);
    await expect(page.getByText('Posted since.')).toBeVisible();
  });

  test('a review as it was edited since, and never the old text', async ({ page, product, entry, user }) => {
    const { body } = await postReview(product, category, entry.id, user, { review: 'As it was.' });
    await openAs(page, user, addressOf(entry.id));
    await walkToReview(page, body.id);
    await expect(page.getByText('As it was.')).toBeVisible();
    await page.goBack();
    await button(page, 'Edit').click();
    await page.getByLabel('Your review').fill('As it is.');
    await button(page, 'Save changes').click();
    await expect(notice(page, 'status', 'Review updated!')).toBeVisible();
    const letGo = await holdBack(page, '**/auth/getReview/*');
    await walkToReview(page, body.id);
    await expect(page.getByText('Loading review...')).toBeVisible();
    await expect(page.getByText('As it was.')).toHaveCount(0);
    letGo();
    await expect(page.getByText('As it is.')).toBeVisible();
  });

  test('a review that was deleted since as not found', async ({ page, product, entry, user }) => {
    const { body } = await postReview(product, category, entry.id, user, { review: 'As it was.' });
    await openAs(page, user, addressOf(entry.id));
    await walkToReview(page, body.id);
    await expect(page.getByText('As it was.')).toBeVisible();
    await page.goBack();
    await button(page, 'Delete').click();
    await button(page, 'Yes, delete it').click();
    await expect(notice(page, 'status', 'Review deleted!')).toBeVisible();
    await page.goForward();
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    await expect(page.getByText('As it was.')).toHaveCount(0);
  });

  test('the figures of a school with a review that was posted since', async ({ page, product, user }) => {
    const { id, schoolName } = await createSchool(product);
    const entry = await createEntry(product, category, id);
    const list = `/allschools?q=${encodeURIComponent(schoolName)}`;
    await openAs(page, user, list);
    const main = page.getByRole('main');
    await expect(main.getByRole('link', { name: schoolName })).toBeVisible();
    const figures = '4.0 · 1 review';
    await expect(main).not.toContainText(figures);
    await main.getByRole('link', { name: schoolName }).click();
    await main.getByRole('link', { name: category.label }).click();
    await main.getByRole('link', { name: entry.name }).click();
    await writeReview(page, 4, 'Posted since.');
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    for (let steps = 0; steps < 3; steps += 1) await page.goBack();
    await expect(page).toHaveURL(list);
    await expect(main).toContainText(figures);
  });
});
