import type { Page } from 'playwright/test';
import { expect, openPage, seedToken, showAllReviews, test } from '../support/browser.ts';
import { withoutReads } from '../support/document-reads.ts';
import { createReviewedEntry } from '../support/many-reviews.ts';
import { category, createUser, postReview, type RunningProduct } from '../support/rows.ts';

const RELATIONS = ['student', 'parent', undefined] as const;
const RATINGS = [5, 4.5, 3, 1, 0.5] as const;

/** 130 reviews: 26 of each rating, and a third of them by parents. Of the 52 of one star, 17 are by parents. */
const create = (product: RunningProduct) =>
  createReviewedEntry(product, category, 130, (index) => ({
    rating: RATINGS[index % 5] ?? 5,
    relation: RELATIONS[index % 3],
    daysAgo: index * 10,
  }));

const addressOf = (id: number, query = '') => `${category.pages.reviews}/${id}${query}`;
const region = (page: Page) => page.getByRole('region', { name: 'Reviews' });
const rowsOf = (page: Page) => region(page).locator('.letter-text').allTextContents();

/** The texts of the 1-star reviews by parents, the lowest rated first and then the newest. */
function expectedRows(): string[] {
  return Array.from({ length: 130 }, (_, index) => ({
    text: `Review number ${index + 1}.`,
    rating: RATINGS[index % 5] ?? 5,
    isByParent: index % 3 === 1,
  }))
    .filter(({ rating, isByParent }) => rating <= 1 && isByParent)
    .sort((a, b) => a.rating - b.rating)
    .map(({ text }) => text);
}

test.describe('the reviews of an entry with 130', () => {
  for (const [device, width] of [
    ['the mouse', 1280],
    ['the keyboard', 1280],
    ['a finger', 360],
  ] as const) {
    test(`are filtered, sorted and cleared with ${device} at ${width} pixels, and the address says so`, async ({
      page,
      product,
      request,
      newPage,
    }) => {
      await page.setViewportSize({ width, height: 740 });
      const entry = await create(product);
      await openPage(page, addressOf(entry.id));
      const bar = page.getByRole('button', { name: '1 star, 52 reviews' });
      const press = (button: typeof bar) => (device === 'the keyboard' ? button.press('Enter') : button.click());
      const choose = async (label: string, letters: string, option: string) => {
        const select = page.getByLabel(label);
        if (device !== 'the keyboard') return select.selectOption(option);
        await select.focus();
        return page.keyboard.type(letters);
      };
      await expect(page.getByText('130 reviews', { exact: true })).toBeVisible();
      await expect(bar).toHaveAttribute('aria-pressed', 'false');
      await press(bar);
      await expect(bar).toHaveAttribute('aria-pressed', 'true');
      await expect(page).toHaveURL(addressOf(entry.id, '?stars=1'));
      await expect(page.getByText('52 of 130 reviews')).toBeVisible();
      await choose('Sort by', 'Low', 'Lowest rated');
      await expect(page).toHaveURL(addressOf(entry.id, '?sort=lowest&stars=1'));
      await choose('Written by', 'Par', 'Parents');
      await expect(page).toHaveURL(addressOf(entry.id, '?sort=lowest&stars=1&relation=parent'));
      const expected = expectedRows();
      await expect(page.getByText(`${expected.length} of 130 reviews`)).toBeVisible();
      await expect.poll(() => rowsOf(page)).toEqual(expected);
      // Nothing of what a filter finds is cut off.
      await expect(region(page).getByRole('article').last()).toBeVisible();

      const served = withoutReads(await (await request.get(page.url())).text());
      const rendered = served.slice(served.indexOf('<div id="root"'));
      expect(rendered.match(/Review number \d+\./g)).toEqual(expected);
      // The address as the document escapes it.
      expect(served.includes('?sort=lowest&#38;stars=1&#38;relation=parent">'), 'the canonical address').toBe(true);
      // However the address came about, it opens alike.
      if (device === 'the mouse') {
        const other = await newPage();
        await openPage(other, page.url());
        await expect.poll(() => rowsOf(other)).toEqual(expected);
        await expect(other.getByLabel('Sort by')).toHaveValue('lowest');
        await expect(other.getByLabel('Written by')).toHaveValue('parent');
      }

      await press(page.getByRole('button', { name: 'Clear filters' }));
      await expect(page).toHaveURL(addressOf(entry.id));
      await expect(page.getByText('130 reviews', { exact: true })).toBeFocused();
      // The browser's own search.
      const find = () => (window as { find?: (text: string) => boolean }).find?.('Review number 100.');
      expect(await page.evaluate(find)).toBe(true);
    });
  }

  test('begin anew below the selects when they are sorted further down, and going back returns to that place', async ({
    page,
    product,
  }) => {
    await page.setViewportSize({ width: 1280, height: 740 });
    const entry = await create(product);
    await openPage(page, addressOf(entry.id));
    const scrolled = () => page.evaluate(() => window.scrollY);
    // From above, the list keeps its place.
    await page.mouse.wheel(0, 40);
    await expect.poll(scrolled).toBe(40);
    await page.getByLabel('Sort by').selectOption('highest');
    await expect(page).toHaveURL(/sort=highest/);
    await expect(region(page)).toHaveAttribute('aria-busy', 'false');
    expect(await scrolled()).toBe(40);
    await showAllReviews(page);
    const deep = await page.evaluate(() => {
      window.scrollTo(0, document.body.scrollHeight / 2);
      return window.scrollY;
    });
    expect(deep).toBeGreaterThan(3_000);
    await page.getByLabel('Sort by').selectOption('lowest');
    await expect(page).toHaveURL(/sort=lowest/);
    const selects = await page.getByLabel('Sort by').boundingBox();
    const first = () => region(page).locator('.letter').first().boundingBox();
    const below = (selects?.y ?? 0) + (selects?.height ?? 0);
    await expect.poll(async () => (await first())?.y).toBeGreaterThanOrEqual(below);
    expect((await first())?.y).toBeLessThan(below + 30);
    await page.goBack();
    await expect(page).toHaveURL(/sort=highest/);
    await expect.poll(scrolled).toBe(deep);
  });

  test('leave the way to the form beside the heading at 360 pixels, with and without a filter', async ({
    page,
    product,
  }) => {
    const entry = await create(product);
    await page.setViewportSize({ width: 360, height: 740 });
    const middleOf = async (locator: ReturnType<Page['getByRole']>) => {
      const { y, height } = (await locator.boundingBox()) ?? { y: 0, height: 0 };
      return y + height / 2;
    };
    for (const query of ['', '?stars=1&relation=parent']) {
      await openPage(page, addressOf(entry.id, query));
      const heading = await middleOf(page.getByRole('heading', { name: 'Reviews', exact: true }));
      const link = await middleOf(page.getByRole('link', { name: 'Write yours' }));
      expect(Math.abs(heading - link), query).toBeLessThan(4);
    }
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeInViewport();
  });

  test('ignore what an address asks for that there is not', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product), { review: 'Still shown.' });
    await page.goto(addressOf(entry.id, '?sort=foo&stars=6&relation=dean'));
    await expect(page.getByText('Still shown.')).toBeVisible();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`/${entry.id}$`));
  });

  test('are none where a filter finds none, and choosing a bar again lifts it', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product), { rating: 4 });
    await openPage(page, addressOf(entry.id));
    const none = page.getByRole('button', { name: '2 stars, 0 reviews' });
    await none.click();
    await expect(page.getByText('No reviews match these filters.')).toBeVisible();
    await expect(page.getByText('0 of 1 review', { exact: true })).toBeVisible();
    await none.click();
    await expect(page.getByRole('article')).toHaveCount(1);
  });

  test('say then and now in one sentence', async ({ page, product }) => {
    const text = async (ratings: readonly (readonly [number, number])[]) => {
      const entry = await createReviewedEntry(product, category, ratings.length, (index) => ({
        rating: ratings[index]?.[0] ?? 5,
        daysAgo: ratings[index]?.[1] ?? 0,
      }));
      await page.goto(addressOf(entry.id));
      return page.getByText(/^(Last 24 months|Too few recent)/).textContent();
    };
    const old = 900;
    expect(
      await text([
        [4, 1],
        [4, 1],
        [4.5, 1],
        [3, old],
        [3, old],
        [3, old],
      ]),
    ).toBe('Last 24 months: 4.2 (3 reviews), up from 3.0');
    expect(
      await text([
        [3, 1],
        [3, 1],
        [3, 1],
        [3, old],
        [3, old],
        [3, old],
      ]),
    ).toBe('Last 24 months: 3.0 (3 reviews), steady');
    expect(
      await text([
        [3, 1],
        [3, 1],
        [3, 1],
        [3, old],
      ]),
    ).toBe('Last 24 months: 3.0 (3 reviews)');
    expect(
      await text([
        [3, 1],
        [3, 1],
      ]),
    ).toBe('Too few recent reviews to tell');
    await page.getByRole('link', { name: 'How?' }).click();
    await expect(page).toHaveURL('/scores#then-and-now');
  });
});

test.describe('one review', () => {
  test('is marked as helpful and not, which its button says', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product), { review: 'Of help.' });
    await seedToken(page, (await createUser(product)).token);
    await openPage(page, addressOf(entry.id));
    const button = page.getByRole('article').getByRole('button', { name: 'Helpful' });
    await expect(button).toHaveAttribute('aria-pressed', 'false');
    await button.click();
    await expect(button).toHaveText('Helpful (1)');
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    await button.click();
    await expect(button).toHaveText('Helpful');
    await expect(button).toHaveAttribute('aria-pressed', 'false');
  });

  test('cannot be marked by its author, and leads visitors to the login page', async ({ page, product, entry }) => {
    const author = await createUser(product);
    await postReview(product, category, entry.id, author, { review: 'My own.' });
    await openPage(page, addressOf(entry.id));
    await page.getByRole('button', { name: 'Helpful' }).click();
    await expect(page.getByText('Log in to mark reviews as helpful.')).toBeVisible();
    await seedToken(page, author.token);
    await openPage(page, addressOf(entry.id));
    await expect(page.getByText('You have reviewed this.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Helpful' })).toHaveCount(0);
  });

  test('has an address of its own, from its date, with the way back to all', async ({ page, product }) => {
    const entry = await createReviewedEntry(product, category, 12, () => ({}));
    await openPage(page, addressOf(entry.id));
    await page.getByRole('article').nth(2).getByRole('link').click();
    await expect(page).toHaveURL(/\/review\/\d+$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Review of ${entry.name}`);
    await expect(page.getByRole('article')).toContainText('Review number 3.');
    // The date is no link here; the way up names school, category and entry.
    await expect(page.getByRole('article').getByRole('link')).toHaveCount(0);
    const trail = page.getByRole('list', { name: 'Breadcrumb' }).getByRole('link');
    await expect(trail).toHaveText([/^School-/, category.label, entry.name]);
    await expect(trail.nth(1)).toHaveAttribute('href', `${category.pages.list}/${entry.schoolId}`);
    await page.reload();
    await expect(page.getByRole('article')).toContainText('Review number 3.');
    await page.getByRole('link', { name: 'Read all 12 reviews' }).click();
    await expect(page).toHaveURL(addressOf(entry.id));
    const missing = await page.request.get('/review/99999999');
    expect(missing.status()).toBe(404);
  });

  test('leads back without a number where it is the only one', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product));
    await openPage(page, addressOf(entry.id));
    await page.getByRole('article').getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Review of ${entry.name}`);
    await expect(page.getByRole('main').getByRole('link').last()).toHaveText('Read all reviews');
  });
});
