import { expect, openAs, openPage, rowOf, test } from '../support/browser.ts';
import { category, createEntry, createUser, postReview, unique } from '../support/rows.ts';

// In Los Angeles it is still the evening of the day before.
test.use({ database: 'dates', timezoneId: 'America/Los_Angeles', locale: 'de-DE' });

test('a review has one date: where everyone reads it, at its author and, in the browser’s format, in admin tables', async ({
  page,
  product,
  admin,
}) => {
  const author = await createUser(product);
  const entry = await createEntry(product, category);
  const review = unique('Posted early in the morning');
  const answer = await postReview(product, category, entry.id, author, { review });
  const at = Date.parse('2026-03-05T03:42:00Z');
  await product.app.database.write((db) =>
    db.updateTable('reviews').set({ created_at: at }).where('id', '=', answer.body.id).execute(),
  );

  await openPage(page, `${category.pages.reviews}/${entry.id}`);
  await expect(page.getByRole('article').getByText('Mar 5, 2026')).toBeVisible();
  await openAs(page, author, '/myreviews');
  await expect(page.getByText(/· Posted Mar 5, 2026$/)).toBeVisible();
  await openAs(page, admin, `${category.pages.adminReviews}/${entry.id}`);
  await expect(rowOf(page, review).getByText('5.3.2026', { exact: true })).toBeVisible();
  await page.goto('/adminnewest');
  await page.getByLabel('Filter').fill(review);
  await expect(rowOf(page, review).getByText('05.03.26, 03:42 UTC', { exact: true })).toBeVisible();
});
