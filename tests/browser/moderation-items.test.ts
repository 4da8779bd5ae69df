import { button, expect, expectAxeClean, notice, openAs, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createReviewOf, moderate, report } from '../support/moderation.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';

test.use({ database: 'moderation-items' });

test('a review that was edited since the decision shows both texts, and its form what becomes of its marks', async ({
  page,
  newPage,
  product,
  admin,
  user,
}) => {
  const { author, entry, reviewId } = await createReviewOf(product);
  await call(product, `POST /auth/markHelpful/${reviewId}`, { token: user.token });
  await report(product, user, reviewId);
  await moderate(product, admin, reviewId, { action: 'keep' });
  const writing = await openAs(await newPage(), author, `${category.pages.reviews}/${entry.id}`);
  await writing.getByRole('button', { name: 'Edit' }).click();
  await expect(writing.getByText('1 reader marked your review as helpful.')).toBeVisible();
  await writing.getByLabel('Your review').fill('Quite another text.');
  await writing.getByRole('button', { name: 'Save changes' }).click();
  await expect(notice(writing, 'status', 'Review updated!')).toBeVisible();

  await openAs(page, admin, '/moderation');
  await page.getByRole('button', { name: `Edited · today ${entry.name}` }).click();
  const item = page.getByRole('region', { name: 'Review to decide about' });
  await expect(item.getByText('Edited since the decision')).toBeVisible();
  await expect(item.getByText('Good.', { exact: true })).toBeVisible();
  await expect(item.getByText('Quite another text.')).toBeVisible();
  await expectAxeClean(page);

  await writing.getByRole('button', { name: 'Edit' }).click();
  await writing.getByLabel('Your review').fill('A third text.');
  await writing.getByRole('button', { name: 'Save changes' }).click();
  await expect(writing.getByRole('article').getByText('A third text.')).toBeVisible();
  await item.getByRole('button', { name: 'Keep' }).click();
  await expect(notice(page, 'alert', 'Its author has edited this meanwhile. Read it again.')).toBeVisible();
  await expect(item.getByText('A third text.')).toBeVisible();
  await item.getByRole('button', { name: 'Keep' }).click();
  await expect(notice(page, 'status', 'Review kept as it is.')).toBeVisible();
});

test('what replaces a reported review waits too, and the queue says that nobody has reported it', async ({
  page,
  product,
  admin,
  user,
}) => {
  const { author, entry, reviewId } = await createReviewOf(product);
  await report(product, user, reviewId);
  await call(product, `DELETE /auth/${category.calls.removeReview}/${reviewId}`, { token: author.token });
  await postReview(product, category, entry.id, author, { review: 'Good, once more.' });
  await openAs(page, admin, '/moderation');
  await page.getByRole('button', { name: `Not reported · today ${entry.name}` }).click();
  const item = page.getByRole('region', { name: 'Review to decide about' });
  await expect(item).toContainText('Good, once more.');
  await expect(item).toContainText('Nobody has reported this text.');
  await item.getByRole('button', { name: 'Keep' }).click();
  await expect(notice(page, 'status', 'Review kept as it is.')).toBeVisible();
});

test('on a phone the next item is read from its beginning, however far down the last decision was', async ({
  page,
  product,
  admin,
  user,
}) => {
  const author = await createUser(product);
  for (let count = 0; count < 2; count += 1) {
    const entry = await createEntry(product, category);
    const { body } = await postReview(product, category, entry.id, author, { review: 'A line.\n'.repeat(60) });
    await report(product, user, body.id);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, admin, '/moderation');
  const item = page.getByRole('region', { name: 'Review to decide about' });
  while ((await item.getByText('A line.').count()) === 0) await button(page, 'Next').click();
  await item.getByText('Who wrote this?').scrollIntoViewIfNeeded();
  await button(page, 'Keep').click();
  await expect(notice(page, 'status', 'Review kept as it is.')).toBeVisible();
  await expect(item.getByText(/^\d+ of \d+$/)).toBeInViewport({ ratio: 1 });
});
