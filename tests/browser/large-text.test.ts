import type { Page } from 'playwright/test';
import { expect, openPage, test } from '../support/browser.ts';
import { hide } from '../support/moderation.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';

/** The words of an element that are broken over two lines. */
const brokenWords = (page: Page, text: string) =>
  page
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => {
      const node = [...element.childNodes].find((one) => one instanceof Text) as Text;
      const words = [...node.data.matchAll(/\S+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        return range.getClientRects().length > 1;
      });
      return words.map(([word]) => word);
    });

test('at 360 pixels, text of twice the size lets no page scroll sideways and no word fall apart', async ({
  page,
  product,
  admin,
}) => {
  const entry = await createEntry(product, category);
  const ids: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    ids.push((await postReview(product, category, entry.id, await createUser(product))).body.id);
  }
  await hide(product, admin, ids[1] ?? 0);
  await page.setViewportSize({ width: 360, height: 740 });
  const browser = await page.context().newCDPSession(page);
  // Of the browser's settings, not of the page: its rem and its media queries follow.
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  for (const address of [
    '/',
    `/school/${entry.schoolId}`,
    `${category.pages.list}/${entry.schoolId}`,
    `/review/${ids[0]}`,
    '/removals',
    '/login',
    `${category.pages.reviews}/${entry.id}`,
  ]) {
    await openPage(page, address);
    await expect(page.getByText('Loading')).toHaveCount(0);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest, address).toBe(360);
    expect(await brokenWords(page, 'School Reviews'), address).toEqual([]);
    if (address === '/') {
      const heading = page.getByRole('heading', { level: 1 });
      expect(await heading.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(false);
    }
  }
  const review = page.getByRole('article');
  const stars = await review.getByRole('img').boundingBox();
  const date = await review.locator('time').boundingBox();
  expect(date?.y).toBeGreaterThanOrEqual((stars?.y ?? 0) + (stars?.height ?? 0));
});
