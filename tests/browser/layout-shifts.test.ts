import type { Page, Route } from 'playwright/test';
import { categoryPages, PAGES, pageAddress } from '../../src/contract/pages.ts';
import { insertEntry } from '../../src/server/entries/queries.ts';
import { button, expect, holdBack, openAs, openPage, openUnhydrated, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createReviewedEntry } from '../support/many-reviews.ts';
import { category, createSchool, createUser, postReview, type RunningProduct, unique } from '../support/rows.ts';

/** One entry of a school, with or without a review. */
async function createDescribed(product: RunningProduct, isReviewed: boolean) {
  const school = await createSchool(product);
  const values = { name: unique('Described'), description: 'One line.' };
  const entry = await product.app.database.write((db) => insertEntry(db, category, school.id, values));
  const post = async () =>
    (await postReview(product, category, entry.id, await createUser(product), { review: 'Good ground.' })).body.id;
  return { school: school.id, entry: entry.id, review: isReviewed ? await post() : 0 };
}

type Described = Awaited<ReturnType<typeof createDescribed>>;
const schoolPage = ({ school }: Described) => pageAddress(PAGES.school, school);
const categoryPage = ({ school }: Described) => pageAddress(categoryPages(category).list, school);
const entryPage = ({ entry }: Described) => pageAddress(categoryPages(category).reviews, entry);
const oneReview = ({ review }: Described) => pageAddress(PAGES.review, review);
const allReviews = ({ school }: Described) => pageAddress(PAGES.schoolReviews, school, { category: category.kind });

const LINKS = [
  { page: 'a list of entries', from: schoolPage, to: categoryPage },
  { page: 'the reviews of an entry', from: categoryPage, to: entryPage },
  { page: 'the reviews of an entry from one of them', from: oneReview, to: entryPage, isReviewed: true },
  { page: 'one review', from: entryPage, to: oneReview, isReviewed: true },
  { page: 'the reviews of a category', from: categoryPage, to: allReviews, isReviewed: true },
];

/** What has moved without the user's doing: which element, from where to where. */
async function noteShifts(page: Page): Promise<() => Promise<string[]>> {
  const notes = await page.evaluateHandle(() => {
    const shifts: string[] = [];
    const note = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) {
        // Safe: `observe` names the type, of which TypeScript's library has no declaration.
        const { sources } = entry as PerformanceEntry & {
          sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
        };
        for (const { node, previousRect, currentRect } of sources)
          shifts.push(`${node?.textContent?.slice(0, 30)}: ${previousRect.y} to ${currentRect.y}`);
      }
    };
    new PerformanceObserver(note).observe({ type: 'layout-shift' });
    return shifts;
  });
  return () => notes.jsonValue();
}

const twoFrames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Holds the page's reads from now on. @returns a function that answers them one by one, the last one first */
async function holdReads(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route('**/auth/**', (route) => void held.push(route));
  return async () => {
    for (let route = held.pop(); route; route = held.pop()) {
      const answer = page.waitForResponse(route.request().url());
      await route.continue();
      await (await answer).finished();
      await twoFrames(page);
    }
  };
}

for (const { page: name, from, to, isReviewed } of LINKS)
  for (const reviewed of isReviewed ? [true] : [true, false])
    test(`${name}, ${reviewed ? 'reviewed' : 'unreviewed'}, moves nothing when its parts come one by one`, async ({
      page,
      product,
    }) => {
      const described = await createDescribed(product, reviewed);
      for (const [width, height] of [
        [360, 780],
        [1280, 900],
      ] as const)
        await test.step(`at ${width}x${height}`, async () => {
          await page.setViewportSize({ width, height });
          await openPage(page, from(described));
          await page.waitForLoadState('networkidle');
          const answerReads = await holdReads(page);
          const shifts = await noteShifts(page);
          // Without an input, after which the browser would leave out half a second of shifts.
          await page
            .locator(`main a[href="${to(described)}"]`)
            .first()
            .evaluate((link: HTMLElement) => link.click());
          await expect(page.getByText('Loading').first()).toBeVisible();
          await answerReads();
          await expect(page.getByText('Loading')).toHaveCount(0);
          await twoFrames(page);
          expect(await shifts()).toEqual([]);
          await page.unroute('**/auth/**');
        });
    });

test('figures that come after the names of all schools move nothing on a phone', async ({ page, product }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await createSchool(product);
  const { body } = await call(product, 'GET /auth/schools');
  // Not the server's, which may be a minute old.
  const json = (body as { id: number }[]).map(({ id }) => [id, 4.5, 34]);
  const answerFigures = await holdBack(page, '**/auth/getSchoolFigures', (route) => route.fulfill({ json }));
  await openPage(page, PAGES.dashboard.path);
  await page.locator(`main a[href="${PAGES.allSchools.path}"]`).click();
  await expect(page.locator('main .row').first()).toBeVisible();
  await twoFrames(page);
  const shifts = await noteShifts(page);
  answerFigures();
  await expect(page.locator('main .row').first()).toContainText('4.5');
  await twoFrames(page);
  expect(await shifts()).toEqual([]);
});

test('the number of schools in the footer moves nothing on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 430, height: 932 });
  const answerTotals = await holdBack(page, '**/auth/getSchoolTotals', (route) =>
    route.fulfill({ json: { schools: 10_251, reviewed: 10_251 } }),
  );
  await openPage(page, PAGES.login.path);
  await twoFrames(page);
  const shifts = await noteShifts(page);
  answerTotals();
  await expect(page.getByRole('contentinfo')).toContainText('have a light on');
  await twoFrames(page);
  expect(await shifts()).toEqual([]);
});

for (const { name, code, addressOf } of [
  { name: 'Report', code: 'report-dialog', addressOf: entryPage },
  { name: 'Hide…', code: 'hide-dialog', addressOf: entryPage },
  { name: 'Add what is missing', code: 'entry-dialog', addressOf: categoryPage },
])
  test(`while the form of “${name}” is on its way, the button is busy and nothing moves`, async ({
    page,
    product,
    admin,
  }) => {
    await openAs(page, admin, addressOf(await createDescribed(product, true)));
    await page.waitForLoadState('networkidle');
    const deliver = await holdBack(page, `**/${code}*.js`);
    const shifts = await noteShifts(page);
    await button(page, name).evaluate((pressed: HTMLElement) => pressed.click());
    await expect(button(page, name)).toHaveAttribute('aria-busy', 'true');
    await twoFrames(page);
    expect(await shifts()).toEqual([]);
    deliver();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(button(page, name)).not.toHaveAttribute('aria-busy');
  });

for (const { what, amount, lines, hasMore } of [
  { what: 'one review', amount: 1, lines: 1, hasMore: false },
  { what: 'a few long reviews', amount: 3, lines: 20, hasMore: true },
  { what: 'many reviews', amount: 12, lines: 1, hasMore: true },
])
  test(`what follows ${what} has its place before the code is there`, async ({ page, product }) => {
    const review = Array.from({ length: lines }, (_, line) => `Line ${line + 1}.`).join('\n');
    const entry = await createReviewedEntry(product, category, amount, () => ({ review }));
    for (const width of [360, 1280])
      await test.step(`at ${width} pixels`, async () => {
        await page.setViewportSize({ width, height: 800 });
        const hydrate = await openUnhydrated(page, `${category.pages.reviews}/${entry.id}`);
        const more = button(page, 'Show more reviews');
        const place = () => page.getByRole('heading', { name: 'Write a Review' }).boundingBox();
        const before = await place();
        // That many are higher than the region in any case.
        if (amount === 12) await expect(more).toBeVisible();
        await hydrate();
        await page.waitForLoadState('networkidle');
        await expect(more).toHaveCount(hasMore ? 1 : 0);
        expect(await place()).toEqual(before);
        await page.unrouteAll();
        // Another document of the same address would have the state of this one's history.
        await page.goto('about:blank');
      });
  });
