import { backgroundText } from '../../src/client/shared/reviews/background-texts.ts';
import { BACKGROUND_FIELDS } from '../../src/contract/reviews.ts';
import { expect, notice, openAs, test, writeReview } from '../support/browser.ts';
import { BACKGROUND } from '../support/review-requests.ts';
import { category, createUser } from '../support/rows.ts';

test.describe('what authors say about themselves', () => {
  test('is asked for in closed fields, shown beside the review, and still there when the review is edited', async ({
    page,
    product,
    entry,
  }) => {
    const closed = BACKGROUND_FIELDS.filter((field) => field !== 'relation');
    const inputs = closed.map((field) => [page.locator(`[name="${field}"]`), `${BACKGROUND[field]}`] as const);
    await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
    await expect(page.getByText('Shown with your review, even anonymously. Leave it out if few')).toBeVisible();
    for (const [input] of inputs) await expect(input).toBeHidden();
    await writeReview(page, 4, 'Years well spent.');
    await page.getByLabel('I am a').selectOption('Alumnus');
    await page.getByText('More about your experience').click();
    for (const [input, value] of inputs) await input.fill(value);
    await page.getByRole('button', { name: 'Submit Review' }).click();
    const article = page.getByRole('article').filter({ hasText: 'Years well spent.' });
    await expect(article).toContainText('Alumnus, 1990–94');
    await expect(article).toContainText(backgroundText(BACKGROUND));
    await article.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByLabel('I am a')).toHaveValue('alumnus');
    for (const [input, value] of inputs) await expect(input).toHaveValue(value);
    await page.getByLabel('To year').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(article).toContainText('Alumnus, since 1990');
  });

  test('is refused beside the year that is wrong, before anything is sent', async ({ page, product, entry }) => {
    await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
    await writeReview(page, 4, 'Years well spent.');
    await page.getByText('More about your experience').click();
    await page.getByLabel('To year').fill('2020');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(page.getByLabel('From year')).toHaveAccessibleDescription('The first year is missing.');
    await expect(page.getByLabel('From year')).toBeFocused();
    await expect(notice(page, 'alert', 'The first year is missing.')).toBeVisible();
    await page.getByLabel('From year').fill('2022');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(page.getByLabel('To year')).toHaveAccessibleDescription('The last year must not be before the first.');
    await expect(page.getByLabel('To year')).toBeFocused();
    await page.getByLabel('From year').fill('1949');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(page.getByLabel('From year')).toHaveAccessibleDescription(/from 1950 to this one/);
  });
});
