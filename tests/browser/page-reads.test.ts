import type { Page, Response } from 'playwright/test';
import { callAddress } from '../../src/contract/call.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { getSchoolSummary } from '../../src/contract/comparison.ts';
import { entryCalls } from '../../src/contract/entries.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { getEntryVoices } from '../../src/contract/voices.ts';
import { button, expect, openAs, test, writeReview } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { readsInDocument } from '../support/document-reads.ts';
import { category, createEntry, createSchool, createUser, postReview, type RunningProduct } from '../support/rows.ts';

const clubs = CATEGORIES[1] as (typeof CATEGORIES)[number];

/** The figure in the footer: no document depends on it, because every review can change it. */
const FOOTER = '/auth/getSchoolTotals';

/** What a page asks for later: always the same, or what follows from its address. */
type Later = string[] | ((product: RunningProduct, address: string) => Promise<string[]>);

/** The public pages that read something, and what each asks for beyond it once it runs. */
const PAGES: readonly { title: string; address: (product: RunningProduct) => Promise<string>; later?: Later }[] = [
  { title: 'all schools', address: async () => '/allschools', later: ['/auth/schools'] },
  { title: 'a search of all schools', address: async () => '/allschools?q=school&minRating=4.5' },
  { title: 'the dashboard', address: async () => '/dashboard', later: ['/auth/schools'] },
  { title: 'a school', address: async (product) => `/school/${(await createSchool(product)).id}` },
  { title: 'the leaderboard', address: async () => '/leaderboard' },
  { title: 'the leaderboard of a category', address: async () => `/leaderboard?category=${clubs.kind}` },
  {
    title: 'a comparison',
    address: async (product) => `/compare?ids=${(await createSchool(product)).id},${(await createSchool(product)).id}`,
  },
  {
    title: 'a list of entries',
    address: async (product) => `${category.pages.list}/${(await createEntry(product, category)).schoolId}`,
  },
  {
    title: 'the reviews of an entry',
    address: async (product) => {
      const entry = await createEntry(product, category);
      await postReview(product, category, entry.id, await createUser(product), { rating: 4, review: 'Good ground.' });
      return `${category.pages.reviews}/${entry.id}`;
    },
    // The entry's siblings, for the end of the page; what the page is rendered from names their school.
    later: async (product, address) => {
      const id = address.split('/').at(-1);
      const { list, details } = entryCalls(category);
      const { schoolId } = (await call(product, `GET ${callAddress(details, { params: { id } })}`)).body;
      return [
        callAddress(list, { params: { id: schoolId } }),
        callAddress(getEntryVoices, { params: { schoolId }, query: { category: category.kind } }),
      ];
    },
  },
  {
    title: 'the reviews of a category',
    address: async (product) =>
      `/schoolreviews/${(await createEntry(product, category)).schoolId}?category=${category.kind}&relation=parent`,
  },
];

const pathOf = (address: string) => address.replace(/^https?:\/\/[^/]+/, '');

/** What the server rendered a page from, as its document says, and what the browser then asked for. */
async function readsOf(page: Page, address: string): Promise<{ rendered: string[]; asked: string[] }> {
  const asked: string[] = [];
  const note = (response: Response) => {
    if (response.url().includes('/auth/')) asked.push(pathOf(response.url()));
  };
  page.on('response', note);
  const document = await page.goto(address);
  // The reads start once the page is hydrated.
  await page.locator('#root:not([data-rendered])').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  page.off('response', note);
  const markup = (await document?.text()) ?? '';
  return { rendered: readsInDocument(markup).sort(), asked: asked.sort() };
}

test('the browser asks for each page what the server rendered it from, once', async ({ page, product }) => {
  test.slow();
  for (const { title, address, later = [] } of PAGES) {
    const path = await address(product);
    const { rendered, asked } = await readsOf(page, path);
    const further = typeof later === 'function' ? await later(product, path) : later;
    expect(asked, title).toEqual([...rendered, ...further, FOOTER].sort());
  }
});

test('a read that only one side makes is noticed', async ({ page, product }) => {
  const school = `/school/${(await createSchool(product)).id}`;
  await page.route(`**${school}`, async (route) => {
    const response = await route.fetch();
    const another = '{"key":["getSchool",{"params":{"id":1}}],"isPaged":false,"answer":{}},';
    const body = (await response.text()).replace('id="reads">[', `$&${another}`);
    await route.fulfill({ response, body });
  });
  const { rendered, asked } = await readsOf(page, school);
  expect(asked).not.toEqual([...rendered, FOOTER].sort());
});

test('a posted review is followed by the three reads that the specification names, and no other', async ({
  page,
  entry,
  user,
}) => {
  await openAs(page, user, `${category.pages.reviews}/${entry.id}`);
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/')) asked.push(pathOf(request.url()));
  });
  await writeReview(page, 4, 'Good ground.');
  await button(page, 'Submit Review').click();
  await expect(page.getByRole('article')).toContainText('Good ground.');
  await expect(page.getByText('Total Reviews').locator('..')).toContainText('1');
  await expect(page.getByText('Average Rating').locator('..')).toContainText('4.0');
  const { post, list, averageRating, totalReviews } = reviewCalls(category);
  const reads = [list, averageRating, totalReviews].map((call) => callAddress(call, { params: { id: entry.id } }));
  // The review is the first in its category at the school, whose windows are shown then.
  const windows = callAddress(getSchoolSummary, { params: { schoolId: entry.schoolId } });
  await expect.poll(() => asked.toSorted()).toEqual([callAddress(post, {}), ...reads, windows].sort());
});

test('a way back asks once for what has changed, also for what both pages show', async ({ page, product, user }) => {
  const entry = await createEntry(product, category);
  const other = await createEntry(product, category, entry.schoolId);
  const { pages } = category;
  await openAs(page, user, `${pages.list}/${entry.schoolId}`);
  await page.locator(`a[href="${pages.reviews}/${entry.id}"]`).click();
  // Both pages show the entries, these as its siblings.
  await expect(page.getByRole('link', { name: other.name })).toBeVisible();
  await writeReview(page, 4, 'Good ground.');
  await button(page, 'Submit Review').click();
  await expect(page.getByRole('article')).toContainText('Good ground.');
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/')) asked.push(pathOf(request.url()));
  });
  await page.goBack();
  await expect(page.getByRole('link', { name: 'Good ground.' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked).toContain(callAddress(entryCalls(category).list, { params: { id: entry.schoolId } }));
  expect(asked).toEqual([...new Set(asked)]);
});

test.describe('an address with a query', () => {
  test('is rendered by the server as it stands, and canonical without what the page does not know', async ({
    request,
  }) => {
    const chosen = await (await request.get(`/leaderboard?noise=1&category=${clubs.kind}`)).text();
    expect(chosen).toContain(`Top 5 Schools - ${clubs.leaderboardLabel}`);
    expect(chosen).toMatch(new RegExp(`<link rel="canonical" href="[^"]+/leaderboard\\?category=${clubs.kind}">`));
    const unknown = await (await request.get('/leaderboard?category=foo')).text();
    expect(unknown).toContain(`Top 5 Schools - ${category.leaderboardLabel}`);
    expect(unknown).toMatch(/<link rel="canonical" href="[^"]+\/leaderboard">/);
  });

  test('is what a choice on the page leads to, and Back leads to the page before', async ({ page }) => {
    await page.goto('/dashboard');
    await page.goto('/leaderboard');
    await page.getByRole('button', { name: clubs.leaderboardLabel, exact: true }).click();
    await expect(page).toHaveURL(`/leaderboard?category=${clubs.kind}`);
    await expect(page.getByRole('heading', { name: `Top 5 Schools - ${clubs.leaderboardLabel}` })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/dashboard');
  });
});
