import { randomBytes } from 'node:crypto';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { changes } from '../../src/server/http/cache/tags.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { expect, expectAxeClean, openPage, test } from '../support/browser.ts';
import { createEntry, createSchool, createUser, postReview, type RunningProduct, unique } from '../support/rows.ts';

const [category] = CATEGORIES as [Category];

/** Three schools that a text finds in three ways, the first of them rated. */
async function createSchools(product: RunningProduct) {
  // Only letters, because a typo is made in them. Random ones, because names of another test must not be close to them.
  const mark = randomBytes(8)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
  const rows = [
    { schoolName: `Institute ${mark}`, location: 'Lund, Sweden', aliases: [] },
    { schoolName: `Quay College ${mark}`, location: 'Oslo, Norway', aliases: [`Harbour${mark}`] },
  ];
  const ids: number[] = [];
  for (const row of rows) {
    const { id } = await product.app.database.write((db, commit) => {
      commit.invalidate(...changes.schoolsAdded);
      return insertSchool(db, { ...row, description: 'A school.' });
    });
    ids.push(id);
  }
  const entry = await createEntry(product, category, ids[0]);
  await postReview(product, category, entry.id, await createUser(product), { rating: 4.5 });
  return { mark, ids };
}

// A database of its own, so that these many schools push no other test's off the first page of the list.
test.use({ database: 'finding' });

test.describe('finding a school among all', () => {
  test('a list of some dozens is whole on the page, so that find in page reaches its end', async ({
    page,
    product,
  }) => {
    const mark = unique('Zywiec');
    for (let number = 10; number < 70; number++) await createSchool(product, `${mark} ${number}`);
    await openPage(page, '/allschools');
    const links = page.getByRole('main').getByRole('link', { name: mark });
    await expect(links.last()).toContainText(`${mark} 69`);
    await expect(links).toHaveCount(60);
  });

  test('a country that is written in two ways is one choice, also from an address that writes it in a third', async ({
    page,
    product,
  }) => {
    await product.app.database.write(async (db, commit) => {
      commit.invalidate(...changes.schoolsAdded);
      for (const location of ['Lima, Perú', 'Cusco, Peru', 'Ica, Perú', 'Nowhere,']) {
        await insertSchool(db, { schoolName: 'Cordillera', location, description: 'A school.' });
      }
    });
    const options = page.getByLabel('Country').getByRole('option');
    for (const path of ['/allschools', '/allschools?q=cordillera']) {
      await page.goto(path);
      await expect(options.filter({ hasText: /^per/i })).toHaveText(['Perú']);
      await expect(options.filter({ hasText: /^$/ })).toHaveCount(0);
    }
    await page.goto('/allschools?q=cordillera&country=PERU');
    await expect(page.getByText('3 schools', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Country')).toHaveValue('Perú');
    await expect(options.filter({ hasText: /^per/i })).toHaveText(['Perú']);
  });

  test('what is typed is found, counted and put into the address, which shows the same again', async ({
    page,
    product,
  }) => {
    const { mark } = await createSchools(product);
    await openPage(page, '/allschools');
    // The page's own search is the only one.
    await expect(page.getByRole('banner').getByRole('link')).toHaveCount(1);
    await expect(page.getByRole('combobox', { name: 'Search for a school' })).toHaveCount(0);
    const field = page.getByLabel('Search schools');
    // One row of fields, of which the search is what the page is for.
    const boxOf = async (label: string) => (await page.getByLabel(label).boundingBox()) ?? { width: 0, height: 0 };
    const [search, country] = [await boxOf('Search schools'), await boxOf('Country')];
    expect(search.height).toBe(country.height);
    expect(search.width).toBeGreaterThan(2 * country.width);
    await field.pressSequentially(`harbour${mark}`);
    await expect(field).toBeFocused();
    const items = page.getByRole('main').getByRole('listitem');
    await expect(items.getByRole('link')).toHaveText([`Quay College ${mark}Norway · also known as Harbour${mark}`]);
    await expect(page.getByText('1 school', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(`/allschools?q=harbour${mark}`);

    await field.fill(mark);
    await expect(items).toHaveCount(2);
    await expect(items.first()).toContainText('4.5 · 1');
    await expect(items.last()).not.toContainText('·');
    await page.getByLabel('Country').selectOption('Sweden');
    await expect(items).toHaveCount(1);
    await page.getByLabel('Minimum rating').selectOption('4.5 and up');
    await expect(page).toHaveURL(`/allschools?q=${mark}&country=Sweden&minRating=4.5`);
    await page.reload();
    await expect(field).toHaveValue(mark);
    await expect(page.getByLabel('Country')).toHaveValue('Sweden');
    await expect(page.getByLabel('Minimum rating')).toHaveValue('4.5');
    await expect(items).toHaveCount(1);
    await field.fill('no such school anywhere');
    await expect(page.getByText('No schools found')).toBeVisible();
    await expect(page.getByText('0 schools')).toHaveCount(0);
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL('/allschools?q=no+such+school+anywhere');
    await expect(page.getByLabel('Country')).toHaveValue('');
    await expect(page.getByText('No schools found')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Clear filters' })).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await field.fill('');
    await expect(page).toHaveURL('/allschools');
    await expect(items.first()).toBeVisible();
  });

  test('all schools stand in two columns as soon as the page knows its width, without a word in the console', async ({
    page,
    product,
  }) => {
    await createSchools(product);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await openPage(page, '/allschools');
    const items = page.getByRole('main').getByRole('listitem');
    const lefts = () => items.evaluateAll((all) => all.map((item) => Math.round(item.getBoundingClientRect().left)));
    await expect.poll(async () => new Set(await lefts()).size).toBe(2);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(async () => new Set(await lefts()).size).toBe(1);
    await page.setViewportSize({ width: 1280, height: 740 });
    await expect.poll(async () => new Set(await lefts()).size).toBe(2);
    expect(said).toEqual([]);
  });

  test('the document of a search has what it finds, its canonical address and no fault in it', async ({
    page,
    product,
  }) => {
    const { mark } = await createSchools(product);
    const text = await (await page.request.get(`/allschools?country=Sweden&q=${mark}&x=1`)).text();
    expect(text).toContain(`Institute ${mark}`);
    expect(text).toMatch(new RegExp(`<link rel="canonical" href="[^"]*/allschools\\?q=${mark}&#38;country=Sweden">`));
    await openPage(page, `/allschools?q=${mark}`);
    await expectAxeClean(page);
  });

  test('what is only close to a text stands under a line that says so', async ({ page, product }) => {
    const { mark } = await createSchools(product);
    const typed = `${mark.slice(0, 4)}${mark.slice(5)}`;
    for (const [q, found] of [
      [typed, 2],
      [`${mark} institute absentword`, 1],
    ] as const) {
      await page.goto(`/allschools?q=${q}`);
      await expect(page.getByRole('heading', { level: 2, name: `Close to “${q}”` })).toBeVisible();
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(found);
      await expect(page.getByText('Not among these?')).toBeVisible();
      await expectAxeClean(page);
    }
    await page.goto(`/allschools?q=${mark}`);
    await expect(page.getByText('Is a school missing?')).toBeVisible();
  });

  test('at 360 the filters are in a disclosure that counts them', async ({ page, product }) => {
    const { mark } = await createSchools(product);
    await page.setViewportSize({ width: 360, height: 740 });
    await openPage(page, `/allschools?q=${mark}`);
    await expect(page.getByLabel('Country')).toBeHidden();
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByLabel('Country').selectOption('Norway');
    const button = page.getByRole('button', { name: 'Filters (1)' });
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await button.click();
    await expect(page.getByLabel('Country')).toBeHidden();
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test('the dashboard leads on to all that is found, by mouse and by Enter', async ({ page, product }) => {
    const { mark } = await createSchools(product);
    const field = page.getByRole('combobox', { name: 'Search for a school' });
    for (const goOn of [
      () => page.getByRole('link', { name: `Search all schools for “${mark}”` }).click(),
      () => field.press('Enter'),
    ]) {
      await openPage(page, '/dashboard');
      await field.fill(mark);
      await expect(page.getByText('No schools found')).toBeVisible();
      await goOn();
      await expect(page).toHaveURL(`/allschools?q=${mark}`);
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
    }
  });

  test('the beginning of an endless text is searched for, and the text stays as it is', async ({ page }) => {
    const text = 'endless '.repeat(40).trim();
    await openPage(page, '/dashboard');
    await page.getByRole('combobox', { name: 'Search for a school' }).fill(text);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/allschools?q=${text.slice(0, 200).trim().replaceAll(' ', '+')}`);
    await page.getByLabel('Search schools').fill('');
    await page.keyboard.insertText(text);
    await expect(page.getByLabel('Search schools')).toHaveValue(text);
    await expect(page.getByText('No schools found')).toBeVisible();
    await expect(page.getByLabel('Search schools')).toHaveValue(text);
    // The server finds the suggestions of the header's search.
    await openPage(page, '/tos');
    const header = page.getByRole('banner');
    await header.getByRole('combobox').fill(text);
    await expect(header.getByText('No schools found')).toBeVisible();
    await expect(header.getByRole('link', { name: 'Search all schools' })).toContainText(text.slice(0, 190));
    await expect(header.getByText(text)).toHaveCount(0);
  });

  for (const from of ['/dashboard', '/tos']) {
    test(`Enter in the search of ${from} opens all results, and a suggestion only once it is active`, async ({
      page,
      product,
    }) => {
      const name = unique('Single');
      await createSchool(product, name);
      await openPage(page, from);
      const field = page.getByRole('combobox', { name: 'Search for a school' });
      await field.fill(name);
      await expect(page.getByRole('option')).toHaveText([name]);
      await field.press('Enter');
      await expect(page).toHaveURL(`/allschools?q=${name}`);
      await page.goBack();
      await field.fill(name);
      await expect(page.getByRole('option')).toHaveText([name]);
      await field.press('ArrowDown');
      await field.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      await expect(page).toHaveURL(/\/school\/\d+$/);
    });
  }

  test('the keyboard reaches what stands below the suggestions, which close once it has left', async ({ page }) => {
    await page.clock.install();
    await page.route('**/auth/schools', (route) =>
      route.fulfill({ status: 400, json: { error: 'The stub says no.' } }),
    );
    await openPage(page, '/dashboard');
    const field = page.getByRole('combobox', { name: 'Search for a school' });
    const retry = page.getByRole('button', { name: 'Retry' });
    const link = page.getByRole('link', { name: 'Search all schools for' });
    await field.fill('s');
    await expect(retry).toBeVisible();
    await field.press('Tab');
    await page.clock.fastForward(1_000);
    await expect(retry).toBeFocused();
    await retry.press('Tab');
    await page.clock.fastForward(1_000);
    await expect(link).toBeFocused();
    await page.unroute('**/auth/schools');
    await link.press('Shift+Tab');
    await retry.press('Enter');
    await expect(retry).toHaveCount(0);
    await expect(field).toBeFocused();
    await field.press('Tab');
    await expect(link).toBeFocused();
    await link.press('Tab');
    await page.clock.fastForward(1_000);
    await expect(link).toHaveCount(0);
  });
});
