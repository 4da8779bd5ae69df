import type { Locator, Page } from 'playwright/test';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { insertEntry } from '../../src/server/entries/queries.ts';
import { tags } from '../../src/server/http/cache/tags.ts';
import {
  chooseStars,
  expect,
  expectAxeClean,
  logIn,
  notice,
  openAs,
  seedToken,
  showAllReviews,
  test,
  whenHydrated,
  writeReview,
} from '../support/browser.ts';
import { createReviewOf, hide } from '../support/moderation.ts';
import { category, createEntry, createSchool, createUser, postReview, type RunningProduct } from '../support/rows.ts';

const EMPTY = 'No reviews yet. Be the first to share your experience!';

async function createNamedEntry(product: RunningProduct, of: Category, name: string): Promise<number> {
  const school = await createSchool(product);
  return (await product.app.database.write((db) => insertEntry(db, of, school.id, { name, description: '' }))).id;
}

async function open(page: Page, of: Category, id: number): Promise<void> {
  await page.goto(`${of.pages.reviews}/${id}`);
  await expect(page.getByRole('heading', { level: 2, name: /Write a Review|Your review/ })).toBeVisible();
}

/** How many reviews stand within the height of the list. */
const countShown = (region: Locator) =>
  region.evaluate((element) => {
    const items = [...element.querySelectorAll('ul > li')];
    const { bottom } = element.getBoundingClientRect();
    return items.filter((item) => item.getBoundingClientRect().bottom <= bottom + 1).length;
  });

/** Expects the title, figures, empty list and form of an entry without reviews, as its category has them. */
async function expectRulesOf(each: Category, page: Page, product: RunningProduct): Promise<void> {
  const id = await createNamedEntry(product, each, 'Three Word Name');
  await open(page, each, id);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Student Three Word Name Reviews');
  await expect(page.getByText(EMPTY)).toBeVisible();
  await expect(page.getByText('Category', { exact: true }).locator('..')).toContainText('Three Word Name');
  await expect(page.getByText('No description yet.')).toBeVisible();
  await expect(page.getByText('Program Areas')).toHaveCount(each.showsProgramAreas ? 1 : 0);
  if (each.showsProgramAreas) await expect(page.getByText('Program Areas').locator('..')).toContainText('3');
  const submit = page.getByRole('button', { name: 'Submit Review' });
  const text = page.getByLabel('Your review');
  if (each.requiresReviewText) await expect(text).toHaveAttribute('required', '');
  else await expect(text).not.toHaveAttribute('required', '');
  if (each.submitAlwaysEnabled) {
    await submit.click();
    await expect(notice(page, 'alert', 'Please choose a rating.')).toBeVisible();
    await expect(page.getByRole('radio', { name: '0.5 stars' })).toBeFocused();
    return;
  }
  await expect(submit).toBeDisabled();
  // Before the hydration nothing enables the button.
  await whenHydrated(page);
  await text.fill('Words without stars.');
  await expect(submit).toBeDisabled();
  await chooseStars(page, 4);
  await text.fill('   ');
  await expect(submit).toBeDisabled();
  await text.fill('Words.');
  await expect(submit).toBeEnabled();
}

test.describe('review pages', () => {
  test('each category: title, figures, empty list and the rules of its form', async ({ page, product }) => {
    for (const each of CATEGORIES) await test.step(each.label, () => expectRulesOf(each, page, product));
  });

  test('the left half of a star is the half, the chosen value clicked again is none, and keys choose too', async ({
    page,
    entry,
  }) => {
    await open(page, category, entry.id);
    // A mouse does not wait as a locator does.
    await whenHydrated(page);
    const box = await page.getByRole('radiogroup', { name: 'Rating' }).boundingBox();
    if (!box) throw new Error('the stars are not there');
    const clickStar = (stars: number) => page.mouse.click(box.x + (stars / 5) * box.width - 4, box.y + box.height / 2);
    await clickStar(2.5);
    await expect(page.getByRole('radio', { name: '2.5 stars' })).toBeChecked();
    await clickStar(3);
    await expect(page.getByRole('radio', { name: '3 stars', exact: true })).toBeChecked();
    await clickStar(3);
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    // Keys choose whole stars at once, the first and the last rating, and none.
    await page.getByRole('radio', { name: '0.5 stars' }).focus();
    for (const [key, stars] of [
      ['4', '4 stars'],
      ['ArrowRight', '4.5 stars'],
      ['PageDown', '3.5 stars'],
      ['PageUp', '4.5 stars'],
      ['PageUp', '5 stars'],
      ['Home', '0.5 stars'],
      ['End', '5 stars'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByRole('radio', { name: stars, exact: true }), key).toBeChecked();
      await expect(page.getByRole('radio', { name: stars, exact: true }), key).toBeFocused();
    }
    await page.keyboard.press('0');
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  });

  test('each review shows initial, stars, date, text and author', async ({ page, product, entry }) => {
    const author = await createUser(product);
    const adlam = await createUser(product);
    await product.app.database.write((db) =>
      db.updateTable('users').set({ username: '𞤢𞤣𞤤' }).where('id', '=', adlam.id).execute(),
    );
    await postReview(product, category, entry.id, { ...adlam, username: '𞤢𞤣𞤤' });
    await postReview(product, category, entry.id, author, {
      rating: 3.5,
      review: '<b>Bold</b> & <script>alert(1)</script>\nnew line',
    });
    await postReview(product, category, entry.id, await createUser(product), { rating: 5, username: null });
    await open(page, category, entry.id);
    const [newest, older] = [page.getByRole('article').first(), page.getByRole('article').nth(1)];
    await expect(newest).toContainText('by Anonymous');
    await expect(older).toContainText('<b>Bold</b> & <script>alert(1)</script>');
    await expect(older).toContainText(`by ${author.username}`);
    await expect(older.getByText('U', { exact: true })).toBeVisible();
    await expect(page.getByRole('article').nth(2).getByText('𞤀', { exact: true })).toBeVisible();
    await expect(older.getByRole('img', { name: '3.5 stars' })).toBeVisible();
    const today = new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: 'numeric',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date());
    await expect(older).toContainText(today);
  });

  test('a visitor’s review is still there after logging in, and one’s own can be edited and withdrawn', async ({
    page,
    product,
  }) => {
    const entry = await createEntry(product, category);
    const user = await createUser(product);
    await open(page, category, entry.id);
    await writeReview(page, 1.5, 'Begun as a visitor.');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(page).toHaveURL(`/login?next=${category.pages.reviews}/${entry.id}`);
    await logIn(page, user.email);
    await expect(page.getByLabel('Your review')).toHaveValue('Begun as a visitor.');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await writeReview(page, 5, 'Seen more of it.');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(notice(page, 'status', 'Review updated!')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Reviews' }).getByRole('article').first()).toContainText('edited');
    await expect(page.getByText('Average Rating').locator('..')).toContainText('5.0');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Yes, delete it' }).click();
    await expect(notice(page, 'status', 'Review deleted!')).toBeVisible();
    await expect(page.getByText(EMPTY)).toBeVisible();
  });

  test('a second review says that there is one and leads to editing it', async ({ page, product, entry, user }) => {
    await seedToken(page, user.token);
    const read = page.waitForResponse(`**/auth/${category.calls.myReview}/${entry.id}`);
    await open(page, category, entry.id);
    await writeReview(page, 4, 'The second.');
    // The page first reads that there is no own review, or it could find the first one by itself.
    await read;
    await postReview(product, category, entry.id, user, { review: 'The first.' });
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(notice(page, 'alert', 'You have already reviewed this. Edit your review instead.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible();
  });

  test.describe('an entry with 130 reviews', () => {
    async function createReviewedEntry(product: RunningProduct, length = 130) {
      const entry = await createEntry(product, category);
      await product.app.database.write(async (db, commit) => {
        commit.invalidate(tags.reviewsOf(entry.id));
        const rows = Array.from({ length }, (_, index) => ({
          entry_id: entry.id,
          school_id: entry.schoolId,
          user_id: null,
          username: null,
          half_stars: 7,
          review: `Review number ${index + 1}.`,
          created_at: 1_600_000_000_000 + index * 60_000,
          edited_at: null,
        }));
        await db.insertInto('reviews').values(rows).execute();
        const counts = { half_stars_7: rows.length };
        await db.updateTable('review_counts').set(counts).where('entry_id', '=', entry.id).execute();
      });
      return entry;
    }

    test('has the first hundred in the document, shows 24 rem of them, and ten more with each press', async ({
      page,
      product,
      request,
    }) => {
      const entry = await createReviewedEntry(product);
      const served = await (await request.get(`${category.pages.reviews}/${entry.id}`)).text();
      expect(served.match(/Review number \d+\./g)).toEqual(expect.arrayContaining(['Review number 31.']));
      await open(page, category, entry.id);
      const region = page.getByRole('region', { name: 'Reviews' });
      await expect(region.getByRole('article')).toHaveCount(100);
      // The inner text is what find in page, print and copy go by.
      await expect(region).toContainText('Review number 31.', { useInnerText: true });
      const more = page.getByRole('button', { name: 'Show more reviews' });
      const height = () => region.evaluate(({ clientHeight }) => clientHeight);
      await expect(more).toBeVisible();
      expect(await height()).toBe(24 * 16);
      const atFirst = await countShown(region);
      expect(atFirst).toBeGreaterThan(0);
      await more.click();
      await expect.poll(() => countShown(region)).toBe(atFirst + 10);
      await more.press('Enter');
      await expect.poll(() => countShown(region)).toBe(atFirst + 20);
      // All that are loaded are in the document, and no more is read before they are shown.
      await expect(region.getByRole('article')).toHaveCount(100);
      await showAllReviews(page);
      await expect(region.getByRole('article')).toHaveCount(130);
      await expect(region.getByRole('article').last()).toContainText('Review number 1.');
      expect(await countShown(region)).toBe(130);
      await expect(region.locator('a:focus')).toHaveCount(1);
    });

    test('gives the focus to the first new review when a press loads the last ones', async ({ page, product }) => {
      await open(page, category, (await createReviewedEntry(product, 102)).id);
      await showAllReviews(page);
      const region = page.getByRole('region', { name: 'Reviews' });
      await expect(region.getByRole('article')).toHaveCount(102);
      await expect(region.locator('a:focus')).toHaveCount(1);
    });

    test('says so when the next page cannot be loaded, and asks again when told', async ({ page, product }) => {
      const entry = await createReviewedEntry(product);
      await open(page, category, entry.id);
      const more = page.getByRole('button', { name: 'Show more reviews' });
      await page.route('**/auth/**before=**', (route) => route.fulfill({ status: 400, json: { error: 'Not now.' } }));
      const failure = page.getByText('More reviews could not be loaded.');
      // The button gives way to the failure, perhaps while it is being pressed.
      await expect(async () => {
        if (await more.isVisible()) await more.click({ timeout: 1_000 });
        expect(await failure.isVisible()).toBe(true);
      }).toPass({ intervals: [50] });
      await page.unroute('**/auth/**before=**');
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('region', { name: 'Reviews' }).getByRole('article')).toHaveCount(130);
    });
  });

  test.describe('seen from the other side of the world', () => {
    // Where it is another day than in UTC.
    test.use({ timezoneId: new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati' });

    test('a review has the date that the server rendered', async ({ page, product, entry }) => {
      await postReview(product, category, entry.id, await createUser(product), { review: 'Here and there.' });
      await open(page, category, entry.id);
      const time = page.getByRole('article').locator('time');
      const day = (await time.getAttribute('datetime'))?.slice(8, 10);
      await expect(time).toHaveText(new RegExp(` ${Number(day)}, `));
    });

    test("the author's own list gives a review the date of its page", async ({ page, product, entry }) => {
      const author = await createUser(product);
      await postReview(product, category, entry.id, author, { review: 'Here and there.' });
      await seedToken(page, author.token);
      await open(page, category, entry.id);
      const date = await page.getByRole('article').locator('time').textContent();
      await page.goto('/myreviews');
      await expect(page.getByRole('article')).toContainText(date ?? 'no date');
    });
  });

  test("an author's reviews have headings only when some of them are hidden", async ({ page, product, admin }) => {
    const author = await createUser(product);
    await createReviewOf(product, author);
    const { reviewId } = await createReviewOf(product, author);
    await openAs(page, author, '/myreviews');
    await expect(page.getByRole('article')).toHaveCount(2);
    await expect(page.getByText('All others')).toHaveCount(0);
    await expectAxeClean(page);
    await hide(product, admin, reviewId);
    await page.reload();
    await expect(page.getByRole('heading', { level: 2 })).toContainText(['Hidden', 'All others']);
  });
});
