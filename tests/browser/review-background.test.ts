import { expect, notice, openAs, test, writeReview } from '../support/browser.ts';
import { category, createEntry, createUser } from '../support/rows.ts';

test.describe('what authors say about themselves', () => {
  test('is asked for in closed fields, shown beside the review, and still there when the review is edited', async ({
    page,
    product,
  }) => {
    const entry = await createEntry(product, category);
    await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
    await expect(page.getByText('Shown with your review, even anonymously. Leave it out if few')).toBeVisible();
    await expect(page.getByLabel('From year')).toBeHidden();
    await writeReview(page, 4, 'Years well spent.');
    await page.getByLabel('I am a').selectOption('Student');
    await page.getByText('More about your experience').click();
    await page.getByLabel('From year').fill('2021');
    await page.getByLabel('To year').fill('2023');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    const article = page.getByRole('article').filter({ hasText: 'Years well spent.' });
    await expect(article).toContainText('Student, 2021–23');
    await article.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByLabel('I am a')).toHaveValue('student');
    await page.getByLabel('To year').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(article).toContainText('Student, since 2021');
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
