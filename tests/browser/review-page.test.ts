import type { Locator, Page } from 'playwright/test';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { insertEntry } from '../../src/server/entries/queries.ts';
import {
  chooseStars,
  expect,
  logIn,
  notice,
  openPage,
  seedToken,
  showAllReviews,
  test,
  writeReview,
} from '../support/browser.ts';
import { createReviewedEntry } from '../support/many-reviews.ts';
import { createReviewOf, hide } from '../support/moderation.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  postReview,
  type RunningProduct,
  unique,
} from '../support/rows.ts';

const LETTER = 'Two sentences, as most people write them. The second one says what to look out for in the first week.';

const addressOf = (id: number) => `${category.pages.reviews}/${id}`;
const open = (page: Page, id: number) => openPage(page, addressOf(id));

/** Opens an entry as somebody who has reviewed it. */
async function openOwn(page: Page, product: RunningProduct) {
  const entry = await createEntry(product, category);
  const user = await createUser(product);
  await postReview(product, category, entry.id, await createUser(product), { review: 'By somebody else.' });
  await postReview(product, category, entry.id, user, { rating: 3.5, review: 'By me.' });
  await seedToken(page, user.token);
  await open(page, entry.id);
  return { own: page.getByRole('article').filter({ hasText: 'Your review' }), user };
}

test.describe('the review page', () => {
  test('has the first of 130 reviews within 600 pixels at 360x740, 520 at 1280x900', async ({ page, product }) => {
    const entry = await createReviewedEntry(product, category, 130, () => ({ review: LETTER }));
    for (const [width, height, top] of [
      [360, 740, 600],
      [1280, 900, 520],
    ] as const) {
      await page.setViewportSize({ width, height });
      await open(page, entry.id);
      await expect(page.getByRole('article')).toHaveCount(100);
      expect((await page.getByRole('article').first().boundingBox())?.y, `${width}`).toBeLessThanOrEqual(top);
      const strip = page.locator('dl').filter({ hasText: 'Average Rating' });
      expect((await strip.boundingBox())?.height, `${width}`).toBeLessThanOrEqual(76);
      const half = await page.getByRole('radio', { name: '2.5 stars' }).boundingBox();
      expect(Math.min(half?.width ?? 0, half?.height ?? 0), `${width}`).toBeGreaterThanOrEqual(24);
    }
  });

  test('says that nobody has rated it yet beside a mean of 0.0', async ({ page, product }) => {
    await open(page, (await createEntry(product, category)).id);
    await expect(page.getByText('Average Rating').locator('..')).toContainText('0.0 Not yet rated');
  });

  test('says which of its figures could not be loaded', async ({ page, entry }) => {
    await page.route(`**${reviewCalls(category).averageRating.path.replace(':id', '*')}`, (route) =>
      route.fulfill({ status: 400, json: { error: 'Not now.' } }),
    );
    await page.goto(addressOf(entry.id));
    await expect(page.getByText('Average Rating').locator('..')).toContainText('Not loaded');
  });

  test('leads to the form below the list on a phone', async ({ page, product }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(page, (await createReviewedEntry(product, category, 9, () => ({ review: LETTER }))).id);
    await page.getByRole('link', { name: 'Write yours' }).click();
    await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeInViewport();
  });

  test('has dates and buttons in line at the right on a phone', async ({ page, product }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const entry = await createReviewedEntry(product, category, 1, () => ({}));
    await open(page, entry.id);
    const rightOf = async (name: string) => {
      const box = await page.getByRole('article').locator(name).boundingBox();
      return Math.round((box?.x ?? 0) + (box?.width ?? 0));
    };
    expect(await rightOf('.letter-date')).toBe(await rightOf('.letter-actions'));
  });

  test('shows a single short review large, on one screen with the foot of the page', async ({ page, product }) => {
    const { reviewId } = await createReviewOf(product, await createUser(product));
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 780 });
      await openPage(page, `/review/${reviewId}`);
      await expect(page.getByRole('contentinfo')).toBeInViewport({ ratio: 1 });
      const leftOf = async (locator: Locator) => (await locator.boundingBox())?.x;
      const text = page.locator('.letter-text');
      expect(await leftOf(page.getByRole('link', { name: 'Read all reviews' })), `${width}`).toBe(await leftOf(text));
      const size = Number.parseFloat(await text.evaluate((element) => getComputedStyle(element).fontSize));
      expect(size, `${width}`).toBeGreaterThan(20);
    }
  });

  test('says after the login that a review to report is one’s own', async ({ page, product, user }) => {
    const { entry, reviewId } = await createReviewOf(product, user);
    for (const address of [`/review/${reviewId}`, addressOf(entry.id)]) {
      await openPage(page, address);
      await page.evaluate(() => sessionStorage.clear());
      await openPage(page, address);
      await page.getByRole('button', { name: 'Report' }).click();
      await logIn(page, user.email);
      await expect(page).toHaveURL(address);
      await expect(notice(page, 'alert', 'This is your own review. You can edit or delete it instead.')).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

  test('leaves room between the rest of a description and the figures', async ({ page, product }) => {
    const values = { name: unique('Described'), description: 'A sentence that says little. '.repeat(20) };
    const school = await createSchool(product);
    const { id } = await product.app.database.write((db) => insertEntry(db, category, school.id, values));
    const strip = page.locator('dl').filter({ hasText: 'Average Rating' });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      await open(page, id);
      const bottom = await page.getByRole('button', { name: 'more' }).evaluate((button) => {
        const range = document.createRange();
        range.selectNodeContents(button);
        return range.getBoundingClientRect().bottom;
      });
      expect((await strip.boundingBox())?.y, `${width}`).toBeGreaterThan(bottom + 2);
    }
  });

  test('sets texts of other scripts from their own side', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product), { review: 'السكن هادئ ونظيف.' });
    await open(page, entry.id);
    const text = page.getByText('السكن هادئ ونظيف.');
    expect(await text.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  });

  test('prints 130 reviews on at most eight pages, with school, entry, address and date', async ({ page, product }) => {
    const entry = await createReviewedEntry(product, category, 130, () => ({ review: LETTER }));
    await open(page, entry.id);
    await showAllReviews(page);
    await expect(page.getByRole('article')).toHaveCount(130);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('list', { name: 'Breadcrumb' })).toBeVisible();
    const pdf = await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' } });
    const today = new Date().toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    await expect(page.getByText(`Read on ${today} at ${page.url()}`)).toHaveCount(1);
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBeLessThanOrEqual(8);
  });

  test('prints the histogram, and uses the width of the paper', async ({ page, product }) => {
    const entry = await createReviewedEntry(product, category, 3, () => ({ review: LETTER }));
    await open(page, entry.id);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('button', { name: '4 stars, 3 reviews' })).toBeVisible();
    // A4 in both directions and A3, without their margins.
    for (const width of [718, 1047, 1512]) {
      await page.setViewportSize({ width, height: 860 });
      const region = await page.getByRole('region', { name: 'Reviews' }).boundingBox();
      expect(region?.width, `${width}`).toBe(width);
    }
  });
});

test.describe('one’s own review', () => {
  test('is marked among the others, and the form gives way to one line', async ({ page, product }) => {
    const { own } = await openOwn(page, product);
    await expect(own).toContainText('By me.');
    await expect(page.getByRole('article')).toHaveCount(2);
    await expect(own.getByRole('button', { name: 'Edit' })).toBeVisible();
    await expect(page.getByText('You have reviewed this.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to your review' }).click();
    await expect(own).toBeFocused();
  });

  test('says that it is hidden, and leads to the reason and the appeal', async ({ page, product }) => {
    const author = await createUser(product);
    const { entry, reviewId } = await createReviewOf(product, author);
    await hide(product, await createUser(product, { isAdmin: true }), reviewId);
    await seedToken(page, author.token);
    await open(page, entry.id);
    await expect(page.getByText('An admin has hidden your review.')).toBeVisible();
    const own = page.getByRole('article').filter({ hasText: 'Your review' });
    // A hidden review has no link, because its page is a 404.
    await expect(own.getByRole('link')).toHaveCount(0);
    await own.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'See why and appeal' }).click();
    await expect(page.getByText('Hidden: It is spam or advertising').first()).toBeVisible();
  });

  test('takes the focus after Submit Review', async ({ page, product, entry }) => {
    await seedToken(page, (await createUser(product)).token);
    await open(page, entry.id);
    await writeReview(page, 4, 'Just written.');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    const own = page.getByRole('article', { name: /^by / });
    await expect(own).toContainText('Just written.');
    await expect(own).toBeFocused();
  });

  test('is edited from its first field, and takes the focus after Save changes and after Cancel', async ({
    page,
    product,
  }) => {
    const { own } = await openOwn(page, product);
    await own.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByRole('radio', { name: '3.5 stars' })).toBeFocused();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(own).toBeFocused();
    await own.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Your review').fill('By me, later.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(own).toContainText('By me, later.');
    await expect(own).toBeFocused();
  });

  test('is not deleted by Enter pressed twice; once deleted, the focus is on the heading', async ({
    page,
    product,
  }) => {
    const { own } = await openOwn(page, product);
    await own.getByRole('button', { name: 'Delete' }).press('Enter');
    await expect(own.getByRole('button', { name: 'Keep it' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(own.getByRole('button', { name: 'Delete' })).toBeFocused();
    await page.keyboard.press('Enter');
    await own.getByRole('button', { name: 'Yes, delete it' }).click();
    await expect(own).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 2, name: 'Reviews' })).toBeFocused();
  });
});

test.describe('the form of a visitor', () => {
  test('says before writing that an account is needed, and why the button is disabled', async ({ page, product }) => {
    await open(page, (await createEntry(product, category)).id);
    await expect(page.getByText('You need a free account to post. What you write is kept')).toBeVisible();
    const submit = page.getByRole('button', { name: 'Submit Review' });
    await expect(submit).toHaveAccessibleDescription(/Choose a rating and write a few words first\./);
    await chooseStars(page, 4);
    await expect(submit).toHaveAccessibleDescription(/^Write a few words first\./);
  });

  test('says under which name it will be shown, as it changes', async ({ page, product, user }) => {
    await seedToken(page, user.token);
    await open(page, (await createEntry(product, category)).id);
    const box = page.getByRole('checkbox', { name: 'Post anonymously' });
    await expect(box).toHaveAccessibleDescription(`Shown as ${user.username}.`);
    await box.check();
    await expect(box).toHaveAccessibleDescription(
      'Shown as Anonymous. Readers and your school cannot see that it was you.',
    );
  });

  test('says while a signed review is made anonymous that its name has been seen', async ({ page, product, user }) => {
    const KNOWN =
      'Shown as Anonymous once you save. It has stood here under your name: whoever has read or copied it may know that it was you.';
    await seedToken(page, user.token);
    for (const username of [user.username, null]) {
      const entry = await createEntry(product, category);
      await postReview(product, category, entry.id, user, { username });
      await open(page, entry.id);
      await page.getByRole('button', { name: 'Edit' }).click();
      const box = page.getByRole('checkbox', { name: 'Post anonymously' });
      await box.setChecked(true);
      await expect(box).toHaveAccessibleDescription(
        username === null ? 'Shown as Anonymous. Readers and your school cannot see that it was you.' : KNOWN,
      );
    }
  });

  test('is ready to post after logging in, with the focus on its button', async ({ page, entry, user }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open(page, entry.id);
    await writeReview(page, 4, 'Written before logging in.');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(page.getByText(`Log in to post your review of ${entry.name}. What you wrote is kept.`)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await logIn(page, user.email);
    const submit = page.getByRole('button', { name: 'Submit Review' });
    await expect(submit).toBeFocused();
    await expect(submit).toBeInViewport();
    await expect(submit).toHaveAccessibleDescription('Your review is ready to post.');
    await expect(page.getByText('Your review is ready to post.')).toBeInViewport();
  });
});
