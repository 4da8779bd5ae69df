import { expect, expectAfterRetries, logIn, openPage, test, writeReview } from '../support/browser.ts';
import { category, createSchool, createUser, postReview } from '../support/rows.ts';

const REFUSALS = [
  {
    status: 429,
    sentence: 'Too many requests. Please slow down.',
    heading: 'Too many requests',
    text: 'Too many requests. Please slow down. You can try again in 30 seconds.',
    offersRetry: true,
  },
  {
    status: 503,
    sentence: 'The service cannot do this right now. Please try again shortly.',
    heading: 'Not available right now',
    text: 'The service cannot do this right now. Please try again shortly.',
    offersRetry: true,
  },
  {
    status: 400,
    sentence: 'The id must be a positive integer.',
    heading: 'This address does not work',
    text: 'The id must be a positive integer.',
    offersRetry: false,
  },
];

test.describe('a page that one comes to by a link and whose reads are refused', () => {
  for (const { status, sentence, heading, text, offersRetry } of REFUSALS) {
    test(`with ${status} says what happened and what can be done`, async ({ page, product }) => {
      const { id, schoolName } = await createSchool(product);
      await page.clock.install();
      const refuse = { status, json: { error: sentence }, headers: { 'Retry-After': '30' } };
      await openPage(page, `/allschools?q=${schoolName}`);
      await page.route(`**/auth/getSchool/${id}`, (route) => route.fulfill(refuse));
      await page.getByRole('main').getByRole('link', { name: schoolName }).first().click();
      const failed = page.getByRole('heading', { level: 1, name: heading });
      await expectAfterRetries(page, (soon) => expect(failed).toBeFocused(soon));
      await expect(page).toHaveTitle(new RegExp(`^${heading} · `));
      await expect(page.getByText(text)).toBeVisible();
      const retry = page.getByRole('button', { name: 'Retry' });
      if (offersRetry) {
        await page.unroute(`**/auth/getSchool/${id}`);
        await retry.click();
        await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeFocused();
        return;
      }
      await expect(retry).toHaveCount(0);
      await page.getByRole('link', { name: 'Find a school' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Find a school' })).toBeFocused();
    });
  }

  test('lets the order of reviews be chosen when their summary cannot be read', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product));
    await page.route('**/auth/getEntrySummary/*', (route) => route.fulfill({ status: 404, json: {} }));
    await openPage(page, `${category.pages.reviews}/${entry.id}`);
    await page.getByLabel('Sort by').selectOption('Lowest rated');
    await expect(page).toHaveURL(/\?sort=lowest$/);
  });

  test('keeps what was answered, and says beside the rest what to do', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product), { review: 'Worth a read.' });
    const list = `**/auth/${category.calls.reviews}/${entry.id}`;
    await page.goto(`${category.pages.list}/${entry.schoolId}`);
    await page.route(list, (route) =>
      route.fulfill({
        status: 429,
        json: { error: 'Too many requests. Please slow down.' },
        headers: { 'Retry-After': '240' },
      }),
    );
    await page.getByRole('link', { name: entry.name }).click();
    await expect(page.getByRole('heading', { level: 1, name: entry.name })).toBeVisible();
    await expect(page.getByText('The reviews could not be loaded.')).toBeVisible();
    await expect(page.getByText('Too many requests. Please slow down. You can try again in 4 minutes.')).toBeVisible();
    await page.unroute(list);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('Worth a read.')).toBeVisible();
  });

  test('without its name is told of as a whole, and comes back with Retry', async ({ page, entry, user }) => {
    await page.goto(`${category.pages.reviews}/${entry.id}`);
    await writeReview(page, 4, 'By a visitor.');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    // Logging in forgets what was read as a visitor, and leads back here.
    await page.route('**/auth/get*/*', (route) =>
      route.fulfill({ status: 429, json: { error: 'Too many requests. Please slow down.' } }),
    );
    await logIn(page, user.email);
    await expect(page.getByRole('heading', { level: 1, name: 'Too many requests' })).toBeVisible();
    await page.unroute('**/auth/get*/*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { level: 1, name: entry.name })).toBeVisible();
    await expect(page.getByText('No reviews yet.')).toBeVisible();
    await expect(page.getByLabel('Your review')).toHaveValue('By a visitor.');
  });

  test('for want of a network says so', async ({ page, product, context }) => {
    const { schoolName } = await createSchool(product);
    await page.clock.install();
    await openPage(page, `/allschools?q=${schoolName}`);
    const link = page.getByRole('main').getByRole('link', { name: schoolName }).first();
    const code = page.waitForResponse(/\/assets\/school-/);
    await link.hover();
    await code;
    await context.setOffline(true);
    await link.click();
    const offline = page.getByText('You are offline. Connect to the internet and try again.');
    await expectAfterRetries(page, (soon) => expect(offline).toBeVisible(soon));
    await expect(page.getByRole('heading', { level: 1, name: 'No connection' })).toBeVisible();
    await context.setOffline(false);
    const heading = page.getByRole('heading', { level: 1, name: schoolName });
    await expectAfterRetries(page, (soon) => expect(heading).toBeVisible(soon));
  });
});
