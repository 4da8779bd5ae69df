import type { Locator } from 'playwright/test';
import { expect, holdBack, openAs, openMenu, openPage, SCHEMES, test } from '../support/browser.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

// What the specification says of single pages and no journey tests. docs/specification.md lists every test.

// A database of its own, because these tests make the first four schools of the leaderboard.
test.use({ database: 'specification' });

/** The colour behind an element: lightness from 0 to 1, chroma, and hue in degrees. */
async function colourOf(element: Locator): Promise<{ lightness: number; chroma: number; hue: number }> {
  const colour = await element.evaluate((one) => getComputedStyle(one).backgroundColor);
  const [lightness = Number.NaN, chroma = Number.NaN, hue = Number.NaN] =
    /^oklch\((.+)\)$/.exec(colour)?.[1]?.split(' ').map(Number) ?? [];
  return { lightness, chroma, hue };
}

test('the landing page has one button', async ({ page }) => {
  await openPage(page, '/landing');
  await expect(page.getByRole('button')).toHaveText(['Get Started']);
});

test('the header is night on every page, and darker on the dashboard, light and dark', async ({ page }) => {
  const lightness = { light: Number.NaN, dark: Number.NaN };
  for (const path of ['/dashboard', '/tos', '/login', '/leaderboard']) {
    await openPage(page, path);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const here = (await colourOf(page.getByRole('banner'))).lightness;
      if (path === '/dashboard') lightness[colorScheme] = here;
      else {
        expect(here, `${path} ${colorScheme}`).toBeLessThan(0.3);
        expect(lightness[colorScheme], `${path} ${colorScheme}`).toBeLessThan(here - 0.05);
      }
    }
  }
});

test('the passcode pages have no header', async ({ page }) => {
  for (const path of ['/verify', '/change']) {
    await openPage(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCount(0);
  }
});

test('all schools are announced with a spinner until they are there', async ({ page, product }) => {
  const { schoolName } = await createSchool(product);
  await openPage(page, '/about');
  const letGo = await holdBack(page, '**/auth/schools*');
  await page.getByRole('contentinfo').getByRole('link', { name: 'All Schools' }).click();
  const loading = page.getByText('Loading schools...').locator('..');
  await expect(loading).toBeVisible();
  await expect(loading.locator('.spinner')).toBeVisible();
  letGo();
  await expect(page.getByRole('main').getByRole('link', { name: schoolName })).toBeVisible();
  await expect(loading).toHaveCount(0);
});

test('the leaderboard has badges of gold, grey, bronze and light grey, light and dark', async ({ page, product }) => {
  for (const rating of [5, 4.5, 4, 3.5]) {
    const entry = await createEntry(product, category);
    await postReview(product, category, entry.id, await createUser(product), { rating });
  }
  await openPage(page, '/leaderboard');
  const badges = page.getByRole('row').locator('td:first-child span');
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const [gold, grey, bronze, light] = await Promise.all([0, 1, 2, 3].map((index) => colourOf(badges.nth(index))));
    expect(gold?.hue, colorScheme).toBeGreaterThan(80);
    expect(gold?.chroma, colorScheme).toBeGreaterThan(0.1);
    expect(grey?.chroma, colorScheme).toBeLessThan(0.02);
    expect(bronze?.hue, colorScheme).toBeLessThan(70);
    expect(bronze?.chroma, colorScheme).toBeGreaterThan(0.08);
    expect(light?.chroma, colorScheme).toBeLessThan(0.02);
    expect(light?.lightness, colorScheme).toBeGreaterThan((grey?.lightness ?? 1) + 0.1);
  }
});

test('whoever has a token that cannot be read is a visitor, and it is only logged', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await openAs(page, { token: 'no token' }, '/admin');
  await expect(page).toHaveURL('/dashboard');
  await expect((await openMenu(page)).getByRole('link', { name: 'Login' })).toBeVisible();
  expect(logged.join()).toContain('The stored token cannot be read.');
});

for (const { path, call, empty, many } of [
  { path: '/admin', call: 'getUsers', empty: 'No users found.', many: 'users' },
  { path: '/adminschool', call: 'schools', empty: 'No schools found.', many: 'schools' },
]) {
  test(`${path} says “${empty}” of an empty list, and of a filter that nothing matches that`, async ({
    page,
    product,
  }) => {
    await createSchool(product);
    await openAs(page, await createUser(product, { isAdmin: true }), path);
    await page.getByLabel('Filter').fill('nothing is called this');
    await expect(page.getByText(`No ${many} match the filter.`)).toBeVisible();
    await expect(page.getByText(empty)).toHaveCount(0);
    await page.route(`**/auth/${call}`, (route) => route.fulfill({ json: [] }));
    await page.reload();
    await expect(page.getByText(empty)).toBeVisible();
  });
}
