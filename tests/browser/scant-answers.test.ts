import type { Page } from 'playwright/test';
import { PROFILE_LABELS } from '../../src/contract/profiles.ts';
import {
  button,
  expect,
  expectAfterRetries,
  fillIn,
  notice,
  openAs,
  openPage,
  test,
  writeReview,
} from '../support/browser.ts';
import { category, createEntry, postReview } from '../support/rows.ts';

// The specification leaves open what a write answers and what a failure carries: a stand-in for the server may say less
// than ours, and a proxy something else.

const { calls, pages } = category;

/** So that the next one is not taken for it. */
async function dismissNotice(page: Page): Promise<void> {
  await button(page, 'Dismiss').click();
  await expect(button(page, 'Dismiss')).toHaveCount(0);
}

test('a review is posted, and the form empty, whatever the answer', async ({ page, entry, user }) => {
  await page.route('**/auth/getEntrySummary/*', (route) => route.fulfill({ status: 404, json: {} }));
  await openAs(page, user, `${pages.reviews}/${entry.id}`);
  for (const answer of [{ json: {} }, { json: { id: 9 } }, { body: 'Saved', contentType: 'text/plain' }, { body: '' }])
    await test.step(JSON.stringify(answer), async () => {
      await page.route(`**/auth/${calls.postReview}`, (route) => route.fulfill(answer));
      await writeReview(page, 4, 'Posted.');
      await button(page, 'Submit Review').click();
      await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
      await expect(page.getByLabel('Your review')).toHaveValue('');
      await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeFocused();
      await dismissNotice(page);
    });
});

test('a second review stays in its form when no answer but the refusal comes', async ({ page, entry, user }) => {
  await page.route(`**/auth/${calls.postReview}`, (route) => route.fulfill({ status: 409, json: { error: 'Twice.' } }));
  await page.route(/getEntrySummary|getMy/, (route) => route.fulfill({ status: 404, json: {} }));
  await openAs(page, user, `${pages.reviews}/${entry.id}`);
  await writeReview(page, 4, 'Kept.');
  await button(page, 'Submit Review').click();
  await expect(notice(page, 'alert', 'Twice.')).toBeVisible();
  await expect(page.getByLabel('Your review')).toHaveValue('Kept.');
  await expect(button(page, 'Submit Review')).toBeFocused();
});

test('a mean of null is no mean, and an empty username that of nobody', async ({ page, product, user, entry }) => {
  await postReview(product, category, entry.id, user);
  await page.route(`**/auth/${calls.averageRating}/*`, (route) => route.fulfill({ json: { averageRating: null } }));
  await page.route(`**/auth/${calls.reviews}/*`, async (route) => {
    const response = await route.fetch();
    const rows = (await response.json()) as object[];
    await route.fulfill({ response, json: rows.map((row) => ({ ...row, username: '' })) });
  });
  await openPage(page, `${pages.reviews}/${entry.id}`);
  await expect(page.getByText('Average Rating').locator('..')).toContainText('0.0 Not yet rated');
  await expect(page.getByText('by Anonymous')).toBeVisible();
});

test('a mean is shown that is a text', async ({ page, entry }) => {
  await page.route(`**/auth/${calls.averageRating}/*`, (route) => route.fulfill({ json: { averageRating: '4.25' } }));
  await openPage(page, `${pages.reviews}/${entry.id}?anew`);
  await expect(page.getByText('Average Rating').locator('..')).toContainText('4.3');
});

test('schools are ranked by means that are texts, or null', async ({ page }) => {
  await page.route(`**/auth/${calls.leaderboard}`, (route) =>
    route.fulfill({
      json: [
        { schoolName: 'Unrated School', averageRating: null },
        { schoolName: 'Good School', averageRating: '4.0000' },
        { schoolName: 'Best School', averageRating: 4.5 },
      ],
    }),
  );
  await openPage(page, '/leaderboard?anew');
  await expect(page.getByRole('row').filter({ hasText: /School.*\d\.\d\d/ })).toContainText([
    /Best School.*4\.50/,
    /Good School.*4\.00/,
    /Unrated School.*0\.00/,
  ]);
});

test('an entry has no reviews when their list is null, or has a null', async ({ page, entry }) => {
  for (const json of [null, [null]])
    await test.step(JSON.stringify(json), async () => {
      await page.route(`**/auth/${calls.reviews}/*`, (route) => route.fulfill({ json }));
      await openPage(page, `${pages.reviews}/${entry.id}?anew`);
      await expect(page.getByText('No reviews yet. Be the first to share your experience!')).toBeVisible();
      await expect(page.getByLabel('Your review')).toBeVisible();
    });
});

test('reviews are read and written when the name of their entry cannot be loaded', async ({ page, product, user }) => {
  const entry = await createEntry(product, category);
  await postReview(product, category, entry.id, user, { review: 'Read all the same.' });
  await page.route(new RegExp(`${calls.nameLookup}/|Entry/`), (route) => route.fulfill({ status: 500, body: 'Down.' }));
  await page.clock.install();
  await page.goto(`${pages.reviews}/${entry.id}?anew`);
  const heading = page.getByRole('heading', { level: 1, name: `Student ${category.label} Reviews` });
  await expectAfterRetries(page, (soon) => expect(heading).toBeVisible(soon));
  await expect(page.getByText('Read all the same.')).toBeVisible();
  await expect(page.getByLabel('Your review')).toBeVisible();
});

test('nobody is signed in when the answer to a login cannot be read, or refuses without a text', async ({ page }) => {
  const unread = 'The answer cannot be read.';
  await openPage(page, '/login');
  for (const [answer, says] of [
    [{ json: {} }, unread],
    [{ body: '<h1>Hotel network</h1>', contentType: 'text/html' }, unread],
    [{ status: 204 }, unread],
    [{ status: 400, json: { error: '' } }, 'The server answered with status 400.'],
  ] as const)
    await test.step(JSON.stringify(answer), async () => {
      await page.route('**/auth/login', (route) => route.fulfill(answer));
      await fillIn(page, { Email: 'kim@example.org', Password: 'whatever it was' });
      await button(page, 'Login').click();
      await expect(notice(page, 'alert', `Login failed: ${says}`)).toBeVisible();
      expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
      await dismissNotice(page);
    });
});

for (const { status, labels } of [
  { status: 404, labels: [PROFILE_LABELS.major] },
  { status: 500, labels: Object.values(PROFILE_LABELS) },
]) {
  test(`a profile is created with ${labels.length} fields while the stored one is a ${status}`, async ({
    page,
    user,
  }) => {
    await page.route('**/auth/getProfile/*', (route) => route.fulfill({ status, json: { error: 'None.' } }));
    await openAs(page, user, '/profile');
    await expect(page.getByText('Failed to fetch profile. Please try again.')).toBeVisible();
    await fillIn(page, Object.fromEntries(labels.map((label) => [label, `My ${label}`])));
    await button(page, 'Save Profile').click();
    await expect(notice(page, 'status', 'Profile created successfully!')).toBeVisible();
    await expect(page.getByLabel(PROFILE_LABELS.major)).toHaveValue('');
  });
}
