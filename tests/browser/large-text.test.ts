import type { Page } from 'playwright/test';
import { FIRST_SCHOOL_COUNT } from '../../src/contract/schools.ts';
import { expect, openAs, openPage, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createNamedEntry } from '../support/merging.ts';
import { createReviewOf, hide, report } from '../support/moderation.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

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

test('at 360 pixels, text of twice the size covers no figure, and spares lists, profile and admin pages', async ({
  page,
  product,
  user,
  admin,
}) => {
  const { id: schoolId } = await createSchool(product);
  const entry = await createNamedEntry(product, category, schoolId, 'Volleyball');
  const { body } = await postReview(product, category, entry.id, await createUser(product));
  await postReview(product, category, entry.id, await createUser(product));
  await report(product, user, body.id);
  const proposed = { schoolId, category: category.kind, name: 'Badminton' };
  await call(product, 'POST /auth/proposeEntry', { token: user.token, body: proposed });
  await page.setViewportSize({ width: 360, height: 740 });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  const widest = () => page.evaluate(() => document.documentElement.scrollWidth);

  await openPage(page, `${category.pages.reviews}/${entry.id}`);
  const bar = await page.getByRole('button', { name: '4 stars, 2 reviews' }).boundingBox();
  const count = page.getByRole('button', { name: '4 stars, 2 reviews' }).getByText('2', { exact: true });
  const figure = await count.boundingBox();
  const sort = await page.getByLabel('Sort by').boundingBox();
  expect((figure?.y ?? 0) + (figure?.height ?? 0)).toBeLessThanOrEqual(sort?.y ?? 0);
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(sort?.y ?? 0);
  await openPage(page, `${category.pages.list}/${schoolId}`);
  await expect(page.getByRole('main').getByText('Volleyball', { exact: true })).toBeVisible();
  expect(await brokenWords(page, 'Volleyball')).toEqual([]);
  expect(await brokenWords(page, category.label)).toEqual([]);

  await openAs(page, user, '/profile');
  await expect(page.getByLabel('Preferred Location')).toBeVisible();
  expect(await widest(), '/profile').toBe(360);
  for (const address of ['/admin', '/moderation', '/proposals', '/adminnewest']) {
    await openAs(page, admin, address);
    await expect(page.getByText('Loading')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await widest(), address).toBe(360);
  }
  // WCAG 2.5.8 asks for 24 pixels. The page is still that of new reviews.
});

test('at 360 pixels, with text of twice the size, the buttons of a dialog hide nothing that has the focus', async ({
  page,
  product,
  user,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await openAs(page, user, `${category.pages.list}/${(await createSchool(product)).id}`);
  await page.getByRole('button', { name: 'Add what is missing' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  for (const label of ['Description', '0.5 stars', 'Your review', 'Post anonymously', 'I am a']) {
    await page.keyboard.press('Tab');
    const field = dialog.getByLabel(label, { exact: true });
    await expect(field).toBeFocused();
    const isCovered = await field.evaluate((element) => {
      const { left, bottom } = element.getBoundingClientRect();
      return document.elementFromPoint(left + 8, bottom - 8)?.matches(':has(> [type=submit])');
    });
    expect(isCovered, label).not.toBe(true);
  }
});

test('at 360 pixels, with text of twice the size, a notice with an Undo can be dismissed', async ({
  page,
  product,
  admin,
}) => {
  const { entry } = await createReviewOf(product, await createUser(product));
  await page.setViewportSize({ width: 360, height: 740 });
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await openAs(page, admin, `${category.pages.reviews}/${entry.id}`);
  await page.getByRole('button', { name: 'Hide…' }).click();
  await page.getByRole('radio', { name: 'It is fake' }).check();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeInViewport({ ratio: 1 });
});

for (const [width, text] of [
  [360, 32],
  [320, 16],
  [640, 16],
] as const)
  test(`at ${width} pixels, with text of ${text}, a letter of all schools is no smaller than a finger needs`, async ({
    page,
    product,
  }) => {
    for (let count = 0; count < FIRST_SCHOOL_COUNT; count += 1) await createSchool(product);
    await page.setViewportSize({ width, height: 740 });
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.setFontSizes', { fontSizes: { standard: text, fixed: 13 } });
    await openPage(page, '/allschools');
    const widths = await page
      .getByRole('navigation', { name: 'Schools by letter' })
      .getByRole('button')
      .evaluateAll((letters) => letters.map((letter) => letter.getBoundingClientRect().width));
    // WCAG 2.5.8.
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(24);
  });

test('at 320 pixels, 400 % of 1280, a leaderboard cuts nothing off', async ({ page, product }) => {
  await postReview(product, category, (await createEntry(product, category)).id, await createUser(product));
  await page.setViewportSize({ width: 320, height: 740 });
  await openPage(page, '/leaderboard');
  const controls = page.getByRole('list', { name: 'Position' });
  await expect(controls).toBeVisible();
  const cut = await controls.evaluate((list) => {
    const card = list.closest('.overflow-hidden') as HTMLElement;
    return card.scrollWidth - card.clientWidth;
  });
  expect(cut).toBe(0);
});
