import type { Locator } from 'playwright/test';
import { tags } from '../../src/server/http/cache/tags.ts';
import { expect, openMenu, openPage, seedToken, test, whenHydrated } from '../support/browser.ts';
import { category, createSchool, createUser, unique } from '../support/rows.ts';

/** Which items the menu shows where (spec §2, "Shared chrome"), for a visitor, a user and an admin. */
const ITEMS: readonly { path: string; visitor: string[]; user?: string[]; admin?: string[] }[] = [
  {
    path: '/dashboard',
    visitor: ['Login', 'Register', 'Leader Boards'],
    user: ['Logout', 'Profile', 'Leader Boards'],
    admin: ['Logout', 'Profile', 'Admin', 'Leader Boards'],
  },
  { path: '/login', visitor: ['Menu', 'Login', 'Register', 'Leader Boards'] },
  { path: '/signup', visitor: ['Menu', 'Login', 'Register', 'Leader Boards'] },
  { path: '/forgot', visitor: ['Menu', 'Login', 'Register', 'Leader Boards'] },
  {
    path: '/leaderboard',
    visitor: ['Go Back', 'Menu', 'Login', 'Register'],
    user: ['Go Back', 'Menu', 'Logout', 'Profile'],
  },
  {
    path: '/tos',
    visitor: ['Go Back', 'Menu', 'Login', 'Register', 'Leader Boards'],
    admin: ['Go Back', 'Menu', 'Logout', 'Profile', 'Leader Boards'],
  },
];

test.describe('the page shell', () => {
  for (const role of ['visitor', 'user', 'admin'] as const) {
    const onPages = ITEMS.flatMap(({ path, [role]: items }) => (items ? [{ path, items }] : []));
    test(`the menu on ${onPages.map(({ path }) => path).join(', ')} shows a ${role} what is there for them`, async ({
      page,
      product,
    }) => {
      if (role !== 'visitor') await seedToken(page, (await createUser(product, { isAdmin: role === 'admin' })).token);
      for (const { path, items } of onPages) {
        await openPage(page, path);
        const menu = await openMenu(page);
        const textsIn = (list: Locator) => list.locator('a, button').allInnerTexts();
        const shown = await textsIn(menu.getByRole('list').first());
        expect(shown.map((text) => text.trim()).sort(), path).toEqual([...items].sort());
        const further = ['All schools', ...(role === 'visitor' ? [] : ['Your reviews']), 'Compare'];
        expect(await textsIn(menu.getByRole('list', { name: 'More' })), path).toEqual(further);
      }
    });
  }

  test('the panel says who is signed in, and leads a visitor to all schools', async ({ page, user }) => {
    await page.goto('/tos');
    await openMenu(page);
    await expect(page.getByText('Signed in as')).toHaveCount(0);
    await page.getByRole('link', { name: 'All schools', exact: true }).click();
    await expect(page).toHaveURL('/allschools');
    await seedToken(page, user.token);
    await page.reload();
    await whenHydrated(page);
    await openMenu(page);
    await expect(page.getByText(`Signed in as ${user.username}`)).toBeVisible();
  });

  test('the header searches while somebody types, but not on the dashboard, and asks for five at most', async ({
    page,
    product,
  }) => {
    const mark = unique('Header');
    for (const name of ['One', 'Two']) await createSchool(product, `${mark} ${name}`);
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/auth/schools') && asked.push(request.url()));
    await page.goto('/tos');
    const field = page.getByRole('combobox', { name: 'Search for a school' });
    await field.fill(mark.toUpperCase());
    await expect(page.getByRole('option')).toHaveText([`${mark} One`, `${mark} Two`]);
    expect(asked.map((address) => new URL(address).search)).toEqual([`?limit=5&prefix=${mark.toUpperCase()}`]);
    await field.fill(`${mark} nowhere`);
    await expect(page.getByText('No schools found')).toBeVisible();
    await field.fill(`${mark} two`);
    await expect(page.getByRole('option')).toHaveText([`${mark} Two`]);
    await field.press('ArrowDown');
    await field.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: `${mark} Two` })).toBeFocused();
    await expect(field).toHaveValue('');
    await (await openMenu(page)).getByRole('link', { name: 'Menu' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Find a school' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('combobox')).toHaveCount(0);
  });

  test('the header of a narrow page leads to the search of the dashboard', async ({ page }) => {
    await page.setViewportSize({ width: 767, height: 740 });
    await openPage(page, '/tos');
    await expect(page.getByRole('combobox')).toHaveCount(0);
    await page.getByRole('banner').getByRole('link', { name: 'Search for a school' }).click();
    await expect(page).toHaveURL('/dashboard');
  });

  test('at 1280 pixels the three features of the dashboard stand side by side without a hole', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/dashboard');
    const features = page.getByRole('list', { name: 'What you can do here' });
    const tops = await features.locator('> li').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops).toHaveLength(3);
    expect(new Set(tops).size).toBe(1);
    const links = ['How anonymity works', 'Create an account', 'See the leaderboard'].map((name) =>
      features.getByRole('link', { name }).evaluate((link) => link.getBoundingClientRect().bottom),
    );
    expect(new Set(await Promise.all(links)).size).toBe(1);
  });

  test('what the dashboard says of anonymous reviews leads to the rules of anonymity', async ({ page }) => {
    await openPage(page, '/dashboard');
    await page.getByRole('link', { name: 'How anonymity works' }).click();
    await expect(page.getByRole('heading', { name: 'Anonymity' })).toBeInViewport();
  });

  test('Escape closes the menu and gives the focus back', async ({ page }) => {
    await page.goto('/tos');
    const menu = await openMenu(page);
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });

  test('a choice in the menu that stays on the page leaves the focus on its button', async ({ page, user }) => {
    await seedToken(page, user.token);
    await openPage(page, '/dashboard');
    const menu = await openMenu(page);
    await menu.getByRole('button', { name: 'Logout' }).press('Enter');
    await expect(menu).toBeHidden();
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  });

  test('the footer leads to terms, schools and about; the first Tab to the content', async ({ page }) => {
    await openPage(page, '/tos');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    const footer = page.getByRole('contentinfo');
    for (const [name, path] of [
      ['About', '/about'],
      ['All Schools', '/allschools'],
      ['Terms of Service', '/tos'],
    ] as const) {
      await footer.getByRole('link', { name }).click();
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    }
  });

  test('the first address is the landing page, whose button leads to the dashboard', async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL(/\/landing$/);
    await page.getByRole('button', { name: 'Get Started' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page).toHaveTitle(/^Find a school · School Reviews$/);
  });

  test('the landing page names the site, and its heading takes one line from 1024 pixels on', async ({ page }) => {
    await page.goto('/landing');
    await expect(page.getByText('School Reviews', { exact: true })).toBeInViewport();
    const heading = page.getByRole('heading', { level: 1 });
    const lines = () =>
      heading.evaluate((element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight));
    for (const width of [1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      expect(Math.round(await lines()), `${width}`).toBe(1);
    }
    // On a phone held sideways, all of the page fits on the screen.
    await page.setViewportSize({ width: 740, height: 360 });
    await expect(page.getByRole('button', { name: 'Get Started' })).toBeInViewport({ ratio: 1 });
  });

  test('unknown addresses and ids are a page of their own with the status 404', async ({ page }) => {
    for (const path of [
      '/nowhere',
      '/nowhere.html',
      '/school/999999',
      '/school/abc',
      `${category.pages.list}/999999`,
      `${category.pages.reviews}/999999`,
    ]) {
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(404);
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    }
  });

  test('an entry that has been deleted shows the same page', async ({ page, product, entry }) => {
    await page.goto(`/school/${entry.schoolId}`);
    await product.app.database.write(async (db, commit) => {
      commit.invalidate(tags.entry(entry.id), tags.reviewsOf(entry.id));
      await db.deleteFrom('entries').where('id', '=', entry.id).execute();
    });
    await page.goto(`${category.pages.reviews}/${entry.id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  });

  test('about gives the address to write to', async ({ page }) => {
    await page.goto('/about');
    await expect(page.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
      'href',
      'mailto:support@example.com',
    );
  });
});
