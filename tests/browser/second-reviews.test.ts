import type { Page } from 'playwright/test';
import { reviewCalls } from '../../src/contract/reviews.ts';
import {
  button,
  expect,
  expectAxeClean,
  logIn,
  notice,
  openAs,
  openPage,
  seedToken,
  test,
  writeReview,
} from '../support/browser.ts';
import { call } from '../support/call.ts';
import { category, createEntry, postReview, type RunningProduct, type TestUser } from '../support/rows.ts';

const REPLACES = 'You have reviewed this already. What you just wrote is below; saving replaces your review.';
const TAKEN = 'You have already reviewed this. Edit your review instead.';
const GONE = 'Your review was deleted meanwhile. What you wrote is in the form below.';

const addressOf = (entryId: number) => `${category.pages.reviews}/${entryId}`;
const note = (page: Page) => page.getByText(REPLACES);
const text = (page: Page) => page.getByLabel('Your review');
const question = (page: Page) => page.getByRole('combobox', { name: category.question });
const { mine, remove } = reviewCalls(category);
const POST = `**/auth/${category.calls.postReview}`;

/** The text of the user's review as it is stored. */
async function stored(product: RunningProduct, { token }: TestUser, entryId: number): Promise<string | undefined> {
  const { body } = await call(product, `GET ${mine.path.replace(':id', String(entryId))}`, { token });
  return body?.review;
}

/** Writes in a page that does not know yet that the user's review was posted in another tab. */
async function writeBehind(page: Page, product: RunningProduct, user: TestUser, entryId: number): Promise<void> {
  await seedToken(page, user.token);
  const read = page.waitForResponse(`**/auth/${category.calls.myReview}/${entryId}`);
  await openPage(page, addressOf(entryId));
  await read;
  await writeReview(page, 2, 'The second.');
  await postReview(product, category, entryId, user, { review: 'The first.' });
}

/** Posts a review that the server stores, and loses its answer. */
async function postWithoutAnswer(page: Page): Promise<void> {
  await page.route(POST, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(page, 'Submit Review').click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await page.unroute(POST);
}

test.describe('a second review of an entry', () => {
  test('written before the login stays in the form, and replaces the first', async ({ page, product, entry, user }) => {
    await postReview(product, category, entry.id, user, { review: 'The first.' });
    await openPage(page, addressOf(entry.id));
    await writeReview(page, 2, 'The second.');
    await button(page, 'Submit Review').click();
    await logIn(page, user.email);
    await expect(note(page)).toBeFocused();
    await expect(note(page)).toBeInViewport();
    await expect(text(page)).toHaveValue('The second.');
    await expect(page.getByRole('radio', { name: '2 stars', exact: true })).toBeChecked();
    await expectAxeClean(page);
    await page.reload();
    await expect(note(page)).toBeVisible();
    await expect(page.getByText('Your draft is back.')).toBeVisible();
    await expect(text(page)).toHaveValue('The second.');
    await button(page, 'Save changes').click();
    await expect(notice(page, 'status', 'Review updated!')).toBeVisible();
    await expect(page.getByRole('article')).toContainText('The second.');
    await expect(page.getByRole('article')).toBeFocused();
    await expect(text(page)).toHaveCount(0);
    expect(await stored(product, user, entry.id)).toBe('The second.');
  });

  test('written in another tab stays in the form when it is refused, until it is cancelled', async ({
    page,
    product,
    entry,
    user,
  }) => {
    await writeBehind(page, product, user, entry.id);
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'alert', TAKEN)).toBeVisible();
    await expect(note(page)).toBeFocused();
    await expect(text(page)).toHaveValue('The second.');
    // The refusal is settled: beside the form it would contradict the note.
    await expect(page.locator('form').getByText(TAKEN)).toHaveCount(0);
    // Whatever is typed, the form stays open.
    await text(page).fill('');
    await text(page).fill('The first.');
    await text(page).fill('The third.');
    await button(page, 'Cancel').click();
    await expect(page.getByRole('article')).toBeFocused();
    await page.reload();
    await expect(page.getByText('You have reviewed this.')).toBeVisible();
    await button(page, 'Edit').click();
    await expect(text(page)).toHaveValue('The first.');
    expect(await stored(product, user, entry.id)).toBe('The first.');
  });

  test('is dropped by Discard, which leads to the first', async ({ page, product, entry, user }) => {
    await openPage(page, addressOf(entry.id));
    await writeReview(page, 2, 'The second.');
    await postReview(product, category, entry.id, user, { review: 'The first.' });
    await openPage(page, `/login?next=${addressOf(entry.id)}`);
    await logIn(page, user.email);
    await expect(note(page)).toBeVisible();
    await button(page, 'Discard').click();
    await expect(page.getByRole('article')).toBeFocused();
    await expect(text(page)).toHaveCount(0);
    await page.reload();
    await expect(page.getByText('You have reviewed this.')).toBeVisible();
    await expect(text(page)).toHaveCount(0);
  });

  test('that is the first one, whose answer was lost, counts as posted', async ({ page, entry, user }) => {
    await openAs(page, user, addressOf(entry.id));
    await writeReview(page, 4, '  Sent twice. ');
    await postWithoutAnswer(page);
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('article')).toContainText('Sent twice.');
    await expect(page.getByText('Total Reviews').locator('..')).toContainText('1');
    await expect(page.getByText('You have reviewed this.')).toBeVisible();
    await expect(note(page)).toHaveCount(0);
  });

  test('that is the first one is forgotten after a reload', async ({ page, entry, user }) => {
    await openAs(page, user, addressOf(entry.id));
    await writeReview(page, 4, 'Sent once.');
    await postWithoutAnswer(page);
    await page.reload();
    await expect(page.getByText('You have reviewed this.')).toBeVisible();
    const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('kept')));
    await expect.poll(kept).toEqual([]);
  });

  test('on the page of a category stays in the form after the login, and replaces the first', async ({
    page,
    product,
    entry,
    user,
  }) => {
    await postReview(product, category, entry.id, user, { review: 'The first.' });
    await openPage(page, `${category.pages.list}/${entry.schoolId}`);
    await question(page).fill(entry.name);
    await writeReview(page, 2, 'The second.');
    await button(page, 'Submit Review').click();
    await logIn(page, user.email);
    await expect(note(page)).toBeFocused();
    await expect(text(page)).toHaveValue('The second.');
    await expectAxeClean(page);
    await button(page, 'Save changes').click();
    await expect(notice(page, 'status', 'Review updated!')).toBeVisible();
    await expect(page.getByRole('link', { name: '“The second.”' }).first()).toBeVisible();
    await expect(question(page)).toHaveValue('');
  });

  test('on the page of a category goes with the name that is typed, which keeps focus and place', async ({
    page,
    product,
    entry,
    user,
  }) => {
    const other = await createEntry(product, category, entry.schoolId);
    await postReview(product, category, entry.id, user, { review: 'The first.' });
    await openAs(page, user, `${category.pages.list}/${entry.schoolId}`);
    await writeReview(page, 2, 'The second.');
    await question(page).focus();
    const before = await question(page).boundingBox();
    await page.keyboard.insertText(entry.name);
    await expect(note(page)).toBeVisible();
    await expect(question(page)).toBeFocused();
    expect(await question(page).boundingBox()).toEqual(before);
    await expect(text(page)).toHaveValue('The second.');
    await question(page).fill(other.name);
    await expect(note(page)).toHaveCount(0);
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    expect(await stored(product, user, entry.id)).toBe('The first.');
    expect(await stored(product, user, other.id)).toBe('The second.');
  });
});

test.describe('an edit of a review that was deleted meanwhile', () => {
  test('becomes a new review', async ({ page, product, entry, user }) => {
    const { body } = await postReview(product, category, entry.id, user, { review: 'The first.' });
    await openAs(page, user, addressOf(entry.id));
    await button(page, 'Edit').click();
    await text(page).fill('The first, corrected.');
    await call(product, `DELETE ${remove.path.replace(':id', body.id)}`, { token: user.token });
    await button(page, 'Save changes').click();
    await expect(notice(page, 'alert', GONE)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeFocused();
    await expect(text(page)).toHaveValue('The first, corrected.');
    await expect(note(page)).toHaveCount(0);
    await page.reload();
    await expect(text(page)).toHaveValue('The first, corrected.');
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('article')).toContainText('The first, corrected.');
  });

  test('on the page of a category becomes a new review', async ({ page, product, entry, user }) => {
    const { body } = await postReview(product, category, entry.id, user, { review: 'The first.' });
    await openAs(page, user, `${category.pages.list}/${entry.schoolId}`);
    await question(page).fill(entry.name);
    await button(page, 'Edit your review').click();
    await text(page).fill('The first, corrected.');
    await call(product, `DELETE ${remove.path.replace(':id', body.id)}`, { token: user.token });
    await button(page, 'Save changes').click();
    await expect(notice(page, 'alert', GONE)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeFocused();
    await expect(text(page)).toHaveValue('The first, corrected.');
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    expect(await stored(product, user, entry.id)).toBe('The first, corrected.');
  });

  test('that was to replace it stays in the form', async ({ page, product, entry, user }) => {
    await writeBehind(page, product, user, entry.id);
    await button(page, 'Submit Review').click();
    await expect(note(page)).toBeFocused();
    const { body } = await call(product, `GET ${mine.path.replace(':id', String(entry.id))}`, { token: user.token });
    await call(product, `DELETE ${remove.path.replace(':id', body.id)}`, { token: user.token });
    await button(page, 'Save changes').click();
    await expect(notice(page, 'alert', GONE)).toBeVisible();
    await expect(text(page)).toHaveValue('The second.');
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    expect(await stored(product, user, entry.id)).toBe('The second.');
  });
});
