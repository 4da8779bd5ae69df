import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { expect, openAs, openMenu, openPage, seedToken, test, whenHydrated } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { report } from '../support/moderation.ts';
import { createEntry, createSchool, createUser, postReview, type RunningProduct } from '../support/rows.ts';

const [first, second] = CATEGORIES as [Category, Category];

test.use({ database: 'compare' });

async function rate(product: RunningProduct, category: Category, schoolId: number, ratings: readonly number[]) {
  const entry = await createEntry(product, category, schoolId);
  for (const rating of ratings) await postReview(product, category, entry.id, await createUser(product), { rating });
}

test.describe('comparing schools', () => {
  test('two schools chosen on their pages follow in a tray, stand side by side and can be told apart by words', async ({
    page,
    product,
  }) => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    await rate(product, first, one.id, [5, 5, 5, 5, 4.5, 5]);
    await rate(product, first, other.id, [1, 1.5, 1, 2, 1, 1.5]);
    await rate(product, second, other.id, [4]);
    await openPage(page, `/school/${one.id}`);
    const compare = page.getByRole('main').getByRole('button', { name: 'Compare', exact: true });
    await compare.click();
    await expect(compare).toHaveAttribute('aria-pressed', 'true');
    const tray = page.getByRole('region', { name: 'Comparison' });
    await expect(tray).toContainText('1 school · Compare');
    await page.getByRole('combobox', { name: 'Search for a school' }).fill(other.schoolName);
    await page.getByRole('option').click();
    await expect(page.getByRole('heading', { level: 1, name: other.schoolName })).toBeVisible();
    await expect(compare).toHaveAttribute('aria-pressed', 'false');
    await compare.click();
    await expect(tray).toContainText('2 schools · Compare');
    await tray.getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Compare schools' })).toBeFocused();
    await expect(page).toHaveURL(`/compare?ids=${one.id},${other.id}`);
    await expect(tray).toHaveCount(0);
    const row = (category: Category) => page.getByRole('row', { name: new RegExp(`^${category.label}`) });
    await expect(row(first)).toContainText('4.9 · 6 reviews');
    await expect(row(first)).toContainText('1.3 · 6 reviews');
    await expect(row(first)).toContainText(`${one.schoolName} leads`);
    await expect(row(second)).toContainText('4.0 · 1 review');
    await expect(row(second)).toContainText('Not yet rated');
    await expect(row(second)).toContainText('too few reviews to say');
    await expect(page.getByText('0.0')).toHaveCount(0);
    await page.getByRole('button', { name: `Remove ${other.schoolName}` }).click();
    await expect(page).toHaveURL(`/compare?ids=${one.id}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByRole('columnheader', { name: other.schoolName })).toHaveCount(0);
    // One school is no comparison: the search is the page.
    await expect(page.getByRole('table')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Chosen' }).getByRole('link')).toHaveText(one.schoolName);
    await expect(page.getByText('Add one more to compare it with.')).toBeVisible();
    const third = await createSchool(product);
    await page.getByRole('combobox', { name: 'Add a school' }).fill(third.schoolName);
    await page.getByRole('option').click();
    await expect(page.getByRole('columnheader', { name: third.schoolName })).toBeVisible();
    await page.goBack();
    await openPage(page, '/tos');
    await openMenu(page);
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'Add a school' })).toBeVisible();
  });

  test('search results and saved schools are chosen in their rows', async ({ page, product, user }) => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    await call(product, `PUT /auth/saveSchool/${other.id}`, { token: user.token });
    await seedToken(page, user.token);
    const rowOf = ({ schoolName }: { schoolName: string }) =>
      page.getByRole('main').getByRole('listitem').filter({ hasText: schoolName });
    const compare = page.getByRole('button', { name: 'Compare', exact: true });
    const tray = page.getByRole('region', { name: 'Comparison' });
    await openPage(page, '/allschools');
    await expect(compare).toHaveCount(0);
    await page.getByLabel('Search schools').fill(one.schoolName);
    await rowOf(one).getByRole('button', { name: 'Compare', exact: true }).click();
    await expect(rowOf(one).getByRole('button')).toHaveAttribute('aria-pressed', 'true');
    await expect(rowOf(one).getByRole('button')).toHaveAccessibleDescription(one.schoolName);
    await expect(tray).toContainText('1 school · Compare');
    await openMenu(page);
    await page.getByRole('link', { name: 'Profile' }).click();
    await rowOf(other).getByRole('button', { name: 'Compare', exact: true }).click();
    await expect(tray).toContainText('2 schools · Compare');
    await tray.getByRole('link').click();
    await expect(page).toHaveURL(`/compare?ids=${one.id},${other.id}`);
  });

  test('schools stand in the order in which they were chosen, which the address keeps', async ({ page, product }) => {
    const [one, other, third] = [await createSchool(product), await createSchool(product), await createSchool(product)];
    await openPage(page, `/compare?ids=${other.id}`);
    for (const school of [third, one]) {
      await page.getByRole('combobox', { name: 'Add a school' }).fill(school.schoolName);
      await page.getByRole('option').click();
      await expect(page.getByRole('columnheader', { name: school.schoolName })).toBeVisible();
    }
    await expect(page).toHaveURL(`/compare?ids=${other.id},${third.id},${one.id}`);
    const shown = page.getByRole('columnheader').getByRole('link').filter({ hasNotText: 'How?' });
    const inOrder = [other, third, one].map(({ schoolName }) => schoolName);
    await expect(shown).toHaveText(inOrder);
    await page.reload({ waitUntil: 'commit' });
    const heading = await page.getByRole('heading', { level: 1, name: 'Compare schools' }).elementHandle();
    await expect(shown).toHaveText(inOrder);
    await whenHydrated(page);
    expect(await heading?.evaluate((element) => element.isConnected)).toBe(true);
    await expect(shown).toHaveText(inOrder);
  });

  test('the heading takes the focus when the fourth school takes the place of the search', async ({
    page,
    product,
  }) => {
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await createSchool(product)).id);
    const fourth = await createSchool(product);
    await openPage(page, `/compare?ids=${ids.join(',')}`);
    await page.getByRole('combobox', { name: 'Add a school' }).fill(fourth.schoolName);
    await expect(page.getByRole('option')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Four schools at most')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  test('the schools of an opened address are the chosen ones on other pages too', async ({ page, product }) => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    const address = `/compare?ids=${other.id},${one.id}`;
    await openPage(page, address);
    await page.getByRole('columnheader').getByRole('link', { name: one.schoolName }).click();
    await expect(page.getByRole('region', { name: 'Comparison' })).toContainText('2 schools · Compare');
    await expect(page.getByRole('main').getByRole('button', { name: 'Compare', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await openMenu(page);
    await page.getByRole('list', { name: 'More' }).getByRole('link', { name: 'Compare' }).click();
    await expect(page).toHaveURL(address);
  });

  test('the tray hides neither what has the keyboard focus nor the buttons that decide', async ({
    page,
    product,
    user,
    admin,
  }) => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    const entry = await createEntry(product, first, one.id);
    const review = 'A long letter.\n'.repeat(60);
    const { body } = await postReview(product, first, entry.id, await createUser(product), { review });
    await report(product, user, body.id);
    await page.setViewportSize({ width: 800, height: 500 });
    await openAs(page, admin, '/moderation');
    await page.getByRole('combobox', { name: 'Search for a school' }).fill(other.schoolName);
    await page.getByRole('option').click();
    const compare = page.getByRole('main').getByRole('button', { name: 'Compare', exact: true });
    const bottomOf = (element: typeof compare) => element.evaluate((one) => one.getBoundingClientRect().bottom);
    await page.setViewportSize({ width: 800, height: Math.ceil(await bottomOf(compare)) });
    await compare.press('Enter');
    const tray = page.getByRole('region', { name: 'Comparison' });
    const topOfTray = () => tray.evaluate((one) => one.getBoundingClientRect().top);
    expect(await bottomOf(compare)).toBeLessThanOrEqual(await topOfTray());
    await page.setViewportSize({ width: 800, height: 500 });
    const hidden: string[] = [];
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if (await tray.locator(':focus').count()) break;
      if ((await bottomOf(focused)) > (await topOfTray())) hidden.push((await focused.textContent()) ?? '');
    }
    expect(hidden).toEqual([]);
    await page.goBack();
    const decide = page.getByRole('region', { name: 'Review to decide about' }).getByRole('button', { name: 'Next' });
    await expect(decide).toBeInViewport();
    expect(await bottomOf(decide)).toBeLessThanOrEqual(await topOfTray());
  });

  test('an address that names schools is served with them, under one canonical address, and is not in the sitemap', async ({
    product,
    request,
  }) => {
    const schools = await Promise.all(Array.from({ length: 5 }, () => createSchool(product)));
    const ids = schools.map(({ id }) => id).sort((one, other) => one - other);
    const named = ids.slice(0, 4).toReversed();
    const served = await request.get(`/compare?ids=${[...named, 'x', named[0], ids[4]].join(',')}&from=mail`);
    expect(served.status()).toBe(200);
    const text = await served.text();
    for (const { id, schoolName } of schools) expect(text.includes(schoolName)).toBe(id !== ids[4]);
    expect(text).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/compare\\?ids=${ids.slice(0, 4).join(',')}">`));
    expect((await request.get('/compare?ids=999999,999998')).status()).toBe(404);
    expect((await request.get('/compare?ids=nothing')).status()).toBe(200);
    const sitemap = await (await request.get('/sitemap.xml')).text();
    expect(sitemap).toContain('/scores<');
    expect(sitemap).not.toContain('/compare');
  });

  test('the tray can be emptied, and no more than four schools are chosen', async ({ page, product }) => {
    const compare = page.getByRole('main').getByRole('button', { name: 'Compare', exact: true });
    const tray = page.getByRole('region', { name: 'Comparison' });
    await page.goto('/tos');
    for (const chosen of [1, 2, 3, 4, 5]) {
      const { schoolName } = await createSchool(product);
      await page.getByRole('combobox', { name: 'Search for a school' }).fill(schoolName);
      await page.getByRole('option').click();
      await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeVisible();
      if (chosen === 5) await expect(compare).toBeDisabled();
      else await compare.click();
    }
    await expect(tray).toContainText('4 schools');
    await tray.getByRole('button', { name: 'Empty' }).click();
    await expect(tray).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(compare).toBeEnabled();
  });

  test('four long names side by side are broken between their words only', async ({ page, product }) => {
    const names = [
      'Cerro Alto Institute of Astronomy',
      'Danube Bend Open University',
      'Agricultural College',
      'Carrow',
    ];
    const ids: number[] = [];
    for (const name of names) ids.push((await createSchool(product, name)).id);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`/compare?ids=${ids.join(',')}`);
    for (const name of names) {
      const broken = await page
        .getByRole('columnheader')
        .getByRole('link', { name })
        .evaluate((link) => {
          const text = link.firstChild as Text;
          const words = [...text.data.matchAll(/\S+/g)].filter(({ 0: word, index }) => {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return range.getClientRects().length > 1;
          });
          return words.map(([word]) => word);
        });
      expect(broken).toEqual([]);
    }
    await page.getByRole('link', { name: 'How?' }).click();
    await expect(page).toHaveURL('/scores#leading');
    await expect(page.getByRole('heading', { name: 'Who leads a comparison' })).toBeInViewport();
  });

  test('four schools are readable at every width and on paper: nothing overlaps or scrolls sideways', async ({
    page,
    product,
  }) => {
    const ids: number[] = [];
    for (let count = 1; count <= 4; count += 1) {
      const { id } = await createSchool(product, `Agricultural University of the North ${count}`);
      await rate(product, first, id, [4, 5]);
      ids.push(id);
    }
    await openPage(page, `/compare?ids=${ids.join(',')}`);
    const table = page.getByRole('table', { name: 'Schools compared' });
    await expect(table).toContainText('2 reviews');
    for (const [width, media] of [
      ...[768, 820, 900, 1024, 1280].map((width) => [width, 'screen'] as const),
      // A4 without margins.
      [794, 'print'] as const,
    ]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ media });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      // A cell for screen readers alone is one pixel wide.
      const overflowing = await table
        .locator('th:not(.max-lg\\:sr-only), td')
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.outerHTML),
        );
      expect(overflowing, `${media}, ${width} pixels`).toEqual([]);
    }
  });

  test('four schools are readable at 360 pixels without sideways scroll', async ({ page, product }) => {
    const schools = await Promise.all(Array.from({ length: 4 }, () => createSchool(product)));
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`/compare?ids=${schools.map(({ id }) => id).join(',')}`);
    for (const { schoolName } of schools) {
      await expect(page.getByRole('button', { name: `Remove ${schoolName}` })).toBeVisible();
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test('at 360 pixels the link to what a lead is stands beside the result', async ({ page, product }) => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    await rate(product, first, one.id, [4]);
    await page.setViewportSize({ width: 360, height: 740 });
    await openPage(page, `/compare?ids=${one.id},${other.id}`);
    const result = page.getByRole('paragraph').filter({ hasText: 'Nothing sets them apart yet.' });
    await expect(result.getByRole('link')).toHaveText('How?');
    await page.getByRole('link', { name: 'How?' }).click();
    await expect(page).toHaveURL('/scores#leading');
  });
});
