import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { button, expect, openAs, openPage, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

const [first, second] = CATEGORIES as [Category, Category];

test('a school speaks in each window that is lit, and the link to a voice stands beside that of its window', async ({
  page,
  product,
  request,
}) => {
  const school = await createSchool(product);
  const entry = await createEntry(product, second, school.id);
  const author = await createUser(product);
  const review = {
    rating: 1,
    review: 'No hot water.\nNot once.',
    relation: 'student',
    since: 2021,
    until: 2023,
  } as const;
  const { id } = (await postReview(product, second, entry.id, author, review)).body;
  const address = `/school/${school.id}`;
  const served = await (await request.get(address)).text();
  expect(served).toContain('“No hot water. Not once.”');
  await openPage(page, address);
  const tiles = page.getByRole('main').getByRole('listitem');
  await expect(tiles).toHaveCount(CATEGORIES.length);
  for (const [index, { label }] of CATEGORIES.entries()) await expect(tiles.nth(index)).toContainText(label);
  const [dark, lit] = [tiles.nth(0), tiles.nth(1)];
  await expect(dark).toContainText('Not yet rated');
  await expect(lit).toContainText('1.0 · 1 review');
  await expect(lit.getByRole('figure')).toContainText(`★ 1 · Student, 2021–23 · ${entry.name}`);
  const width = async (tile: typeof lit) => (await tile.boundingBox())?.width ?? 0;
  expect(await width(lit)).toBeGreaterThan(await width(dark));
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await width(lit)).toBeGreaterThan(await width(dark));
  await page.setViewportSize({ width: 1280, height: 720 });
  const tops = await tiles.evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().top));
  expect(new Set(tops).size, 'rows').toBe(1);
  await expect(lit.locator('a a')).toHaveCount(0);
  await lit.getByRole('link', { name: '“No hot water. Not once.”', exact: true }).click();
  await expect(page).toHaveURL(`/review/${id}`);
});

test('a list of a category answers first, then shows its entries, and leads to all reviews of them', async ({
  page,
  product,
  request,
}) => {
  const school = await createSchool(product);
  const entries = [];
  for (const ratings of [[4], [1, 2], [5, 5, 5]]) {
    const entry = await createEntry(product, first, school.id);
    entries.push(entry);
    for (const rating of ratings) {
      const author = await createUser(product);
      await postReview(product, first, entry.id, author, { rating, review: `Of ${entry.name}, ${rating}.` });
    }
  }
  const [one, two, three] = entries as [(typeof entries)[0], (typeof entries)[0], (typeof entries)[0]];
  const address = `${first.pages.list}/${school.id}`;
  expect(await (await request.get(address)).text()).toContain(`Of ${three.name}, 5.`);
  await openPage(page, address);
  const main = page.getByRole('main');
  await expect(main.getByText('3.7 · 6 reviews')).toBeVisible();
  await expect(main.getByText('Last 24 months: 3.7 (6 reviews)')).toBeVisible();
  const isOfRow = (text: string) => main.getByRole('listitem').filter({ hasText: text });
  // The two with the most reviews above, and the third in its row: nothing is quoted twice.
  const voices = main.getByRole('figure');
  await expect(voices).toHaveCount(3);
  await expect(voices.nth(0)).toContainText(three.name);
  await expect(voices.nth(1)).toContainText(two.name);
  await expect(isOfRow(`Of ${one.name}, 4.`)).toContainText('4.0 · 1 review');

  await main.getByRole('link', { name: '5 stars, 3 reviews' }).click();
  await expect(page).toHaveURL(`/schoolreviews/${school.id}?category=${first.kind}&stars=5`);
  await expect(page.getByText('3 of 6 reviews')).toBeVisible();
  await button(page, 'Clear filters').click();
  await expect(page).toHaveURL(`/schoolreviews/${school.id}?category=${first.kind}`);
  await page.goBack();
  await page.goBack();
  await main.getByRole('link', { name: 'All 6 reviews' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${first.label} reviews`);
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(button(page, 'Submit Review')).toHaveCount(0);
  await page.getByLabel('Sort by').selectOption('Lowest rated');
  await expect(page.getByRole('article').first()).toContainText(`Of ${two.name}, 1.`);
  await page.getByRole('article').first().getByRole('link', { name: two.name, exact: true }).click();
  await expect(page).toHaveURL(`${first.pages.reviews}/${two.id}`);
  // The other entries stand at the end of the page.
  await expect(main.getByRole('heading', { name: `More ${first.label} at ${school.schoolName}` })).toBeVisible();
  await expect(isOfRow(`Of ${three.name}, 5.`)).toContainText('5.0 · 3 reviews');
});

test('an address of reviews without a category, or with a bad one, is that of the first with reviews', async ({
  page,
  product,
  request,
}) => {
  const school = await createSchool(product);
  const canonicalOf = async (address: string) => {
    const text = await (await request.get(address)).text();
    return /<link rel="canonical" href="[^"]*?(\/schoolreviews[^"]*)"/.exec(text)?.[1];
  };
  const address = `/schoolreviews/${school.id}`;
  expect(await canonicalOf(address)).toBe(`${address}?category=${first.kind}`);
  const entry = await createEntry(product, second, school.id);
  await postReview(product, second, entry.id, await createUser(product), { review: 'Loud, and kind.' });
  for (const query of ['', '?category=nonsense', '?category=nonsense&sort=lowest']) {
    const sort = query.includes('sort') ? '&#38;sort=lowest' : '';
    expect(await canonicalOf(address + query)).toBe(`${address}?category=${second.kind}${sort}`);
    await page.goto(address + query);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${second.label} reviews`);
    await expect(page.getByText('Loud, and kind.')).toBeVisible();
    await expect(page).toHaveURL(`${address}?category=${second.kind}${sort.replace('&#38;', '&')}`);
  }
  expect((await request.get('/schoolreviews/999999')).status()).toBe(404);
});

test('the reviews of a category lead to its form, also where there are none', async ({ page, product }) => {
  const school = await createSchool(product);
  await openPage(page, `/schoolreviews/${school.id}?category=${first.kind}`);
  await expect(page.getByText('No reviews yet. Be the first to share your experience!')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Write a review' }).click();
  await expect(page).toHaveURL(`${first.pages.list}/${school.id}#write`);
  await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeVisible();
});

test('readers mark a review as helpful in the list of a category', async ({ page, product, entry }) => {
  await postReview(product, category, entry.id, await createUser(product));
  const address = `/schoolreviews/${entry.schoolId}?category=${category.kind}`;
  await openAs(page, await createUser(product), address);
  await button(page, 'Helpful').click();
  await expect(page.getByRole('button', { name: 'Helpful (1)', pressed: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Helpful (1)', pressed: true })).toBeVisible();
});

test('a quote is cut after three lines, and keeps its direction', async ({ page, product, entry }) => {
  const review = `مرحبا ${'كلمة '.repeat(28)}`;
  await postReview(product, category, entry.id, await createUser(product), { review });
  await page.setViewportSize({ width: 360, height: 740 });
  await openPage(page, `/school/${entry.schoolId}`);
  const quote = page.getByRole('blockquote').getByRole('link');
  expect(await quote.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  const lines = await quote.evaluate(
    (element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
  );
  expect(Math.round(lines)).toBeLessThanOrEqual(3);
  expect((await call(product, `GET /auth/getSchoolVoices/${entry.schoolId}`)).body).toHaveLength(1);
});

test('on phones, long names give way to the category between them, which keeps all its letters', async ({
  page,
  product,
}) => {
  const long = `University ${'of the Northern Harbour '.repeat(5)}`.trim();
  const school = await createSchool(product, long);
  const entry = await createEntry(product, first, school.id, long);
  const { id } = (await postReview(product, first, entry.id, await createUser(product))).body;
  await page.setViewportSize({ width: 360, height: 740 });
  for (const address of [`/schoolreviews/${school.id}?category=${first.kind}`, `/review/${id}`]) {
    await openPage(page, address);
    const steps = page.getByRole('list', { name: 'Breadcrumb' }).getByRole('listitem');
    const step = steps.filter({ hasText: first.label });
    const width = async () => (await step.boundingBox())?.width;
    const inLine = await width();
    await steps.evaluateAll((all, label) => {
      for (const other of all) if (!other.textContent?.includes(label)) other.remove();
    }, first.label);
    expect(inLine, address).toBe(await width());
  }
});
