import type { Page } from 'playwright/test';
import { categoryPages, PAGES, type Page as ProductPage, pageAddress } from '../../src/contract/pages.ts';
import {
  test as base,
  button,
  expect,
  expectAfterRetries,
  notice,
  rowOf,
  seedToken,
  whenHydrated,
  writeReview,
} from '../support/browser.ts';
import { call } from '../support/call.ts';
import { category, createEntry, createSchool, createUser, postReview, type RunningProduct } from '../support/rows.ts';
import { type AddedAnswer, serveAsSpecified, watchCalls, withUnknownQuery } from '../support/specified-reads.ts';

const { list, reviews, adminEntries, adminReviews } = categoryPages(category);

const REFUSED = { error: 'There is no such address.' };

/** The page is of a product with no more than the specified answers. */
const test = base.extend<{ added: AddedAnswer }>({
  added: [{ status: 404, json: REFUSED }, { option: true }],
  page: async ({ newPage, product, added }, use) => {
    const specified = await serveAsSpecified(product, added);
    await use(await newPage(specified));
    specified.stop();
  },
});

// A database of its own, because these tests make the first school of the leaderboard.
test.use({ database: 'specified-answers' });

/** An admin with a profile. */
async function createAdmin(product: RunningProduct) {
  const admin = await createUser(product, { isAdmin: true });
  await call(product, 'POST /auth/postProfile', { token: admin.token, body: { location: 'By the sea' } });
  return admin;
}

let schoolsLeft = 9_999;

/** A school with a reviewed entry. By its name it comes before the earlier ones: a long list shows its beginning. */
async function makeWorld(product: RunningProduct) {
  schoolsLeft -= 1;
  const school = await createSchool(product, `Aardvark School ${schoolsLeft}`);
  const entry = await createEntry(product, category, school.id);
  const author = await createUser(product);
  const { body: review } = await postReview(product, category, entry.id, author, { rating: 5, review: 'As it is.' });
  return { school, entry, review, author };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

interface Seen {
  page: ProductPage;
  id?: (world: World) => number;
  /** What the specification has the page show, after it is opened. */
  shows: (world: World) => readonly string[];
  /** What a user then does. */
  act?: (page: Page, world: World) => Promise<void>;
}

const ofSchool = ({ school }: World) => school.id;
const ofEntry = ({ entry }: World) => entry.id;

const SEEN: readonly Seen[] = [
  {
    page: PAGES.dashboard,
    shows: () => ['Find a school', 'Anonymous reviews', 'University Leaderboard'],
    async act(page, { school }) {
      await page.getByRole('combobox', { name: 'Search for a school' }).fill(school.schoolName);
      await page.getByRole('option', { name: school.schoolName }).click();
      await expect(page.getByRole('heading', { level: 1, name: school.schoolName })).toBeVisible();
    },
  },
  { page: PAGES.allSchools, shows: ({ school }) => [school.schoolName] },
  {
    page: PAGES.school,
    id: ofSchool,
    shows: ({ school }) => [school.schoolName, school.location, school.description, 'Athletics', 'Other'],
  },
  { page: list, id: ofSchool, shows: ({ entry }) => [entry.name, 'An entry for tests.'] },
  {
    page: reviews,
    id: ofEntry,
    shows: ({ entry, author }) => [
      `Student ${entry.name} Reviews`,
      'Average Rating',
      'Total Reviews',
      'As it is.',
      `by ${author.username}`,
      'Write a Review',
    ],
    async act(page) {
      await writeReview(page, 4, 'Posted all the same.');
      await button(page, 'Submit Review').click();
      await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
      await expect(page.getByRole('region').getByText('Posted all the same.')).toBeVisible();
    },
  },
  {
    page: PAGES.leaderboard,
    shows: () => ['Top 5 Schools - Athletics', 'Detailed Rankings', '5.00'],
  },
  {
    page: PAGES.profile,
    shows: () => ['Create Your University Profile', 'Your University Profile', 'By the sea', 'Find Your Best Match'],
  },
  {
    page: PAGES.adminUsers,
    shows: ({ author }) => ['Admin Panel', author.username],
    async act(page, { author }) {
      await rowOf(page, author.username).getByRole('button', { name: 'Delete', exact: true }).click();
      await expect(rowOf(page, author.username)).toHaveCount(0);
    },
  },
  {
    page: PAGES.adminSchools,
    shows: ({ school }) => ['Add School', 'Schools List', school.schoolName],
    async act(page, { school }) {
      await rowOf(page, school.schoolName).getByRole('button', { name: 'Update' }).click();
      await expect(page.getByLabel('Location')).toHaveValue(school.location);
      await page.getByLabel('Location').fill('Elsewhere');
      await page.getByRole('form').getByRole('button', { name: 'Update' }).click();
      await expect(notice(page, 'status', 'School updated!')).toBeVisible();
    },
  },
  { page: PAGES.adminChooser, id: ofSchool, shows: ({ school }) => [school.schoolName, 'LifeStyles'] },
  { page: adminEntries, id: ofSchool, shows: ({ entry }) => ['Add Athletics', entry.name] },
  { page: adminReviews, id: ofEntry, shows: () => ['As it is.', 'Delete'] },
];

/** Expects that a page stands once all its reads are answered or given up, and shows no missing value. */
async function expectWhole(page: Page, countOpen: () => number, path?: string): Promise<void> {
  // Each read is tried three times. Within a frame its answer is handled, or it is asked for again.
  const nextFrame = () => page.evaluate(() => new Promise(requestAnimationFrame));
  for (let times = 0; times < 3; times += 1) {
    await expect.poll(countOpen, path).toBe(0);
    await nextFrame();
    await page.clock.fastForward(2_000);
    await nextFrame();
  }
  await expectAfterRetries(page, (soon) => expect(page.getByText(/^Loading/).first(), path).toBeHidden(soon));
  await expect(page.getByRole('main'), path).not.toHaveText(/Something went wrong|Page not found|undefined|NaN/);
}

// The last two are what a stand-in may say to whatever it does not know.
for (const added of [
  { status: 404, json: REFUSED },
  { status: 503, json: REFUSED },
  { status: 200, json: {} },
  { status: 200, json: [] },
]) {
  const words = added.status === 200 ? JSON.stringify(added.json) : added.status;
  test.describe(`with no more than the specified answers, and ${words} to every added read`, () => {
    test.use({ added });

    for (const [kind, pages] of [
      ['public', SEEN.filter(({ page }) => !page.guard)],
      ['guarded', SEEN.filter(({ page }) => page.guard)],
    ] as const) {
      test(`the ${kind} pages show what the specification says of them`, async ({ page, product }) => {
        test.slow();
        // Each page has a world of its own, because what is done on one would change what the next one shows.
        const admin = await createAdmin(product);
        await seedToken(page, admin.token);
        const countOpen = watchCalls(page);
        await page.clock.install();
        for (const { page: seen, id, shows, act } of pages) {
          await test.step(seen.path, async () => {
            const world = await makeWorld(product);
            await page.goto(withUnknownQuery(pageAddress(seen, id?.(world))));
            for (const text of shows(world)) {
              const shown = page.getByRole('main').getByText(text).filter({ visible: true });
              await expectAfterRetries(page, (soon) => expect(shown.first(), text).toBeVisible(soon));
            }
            await whenHydrated(page);
            await act?.(page, world);
            await expectWhole(page, countOpen, seen.path);
          });
        }
      });
    }

    // Other pages are about what was added: they need its answers.
    if (added.status === 200) return;

    test('the other pages keep their heading', async ({ page, product }) => {
      await makeWorld(product);
      await seedToken(page, (await createAdmin(product)).token);
      const countOpen = watchCalls(page);
      await page.clock.install();
      const others = Object.values<ProductPage>(PAGES).filter(
        (one) => !SEEN.some((seen) => seen.page === one) && one !== PAGES.root && !one.path.includes(':'),
      );
      for (const one of others) {
        await page.goto(withUnknownQuery(pageAddress(one)));
        await expect(page.getByRole('heading', { level: 1 }), one.path).toBeVisible();
        await expectWhole(page, countOpen, one.path);
      }
    });
  });
}
