import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import {
  button,
  expect,
  expectAfterRetries,
  expectAxeClean,
  holdBack,
  notice,
  openAs,
  openPage,
  seedToken,
  test,
} from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createEntry, createSchool, createUser, postReview, type RunningProduct, unique } from '../support/rows.ts';

const [first, second] = CATEGORIES as [Category, Category];

/** Reviews by new accounts are not quoted on the dashboard. */
const OLD = { age: 365 * 24 * 60 * 60_000 };

async function say(product: RunningProduct, category: Category, schoolId: number, review: string, rating = 4) {
  const entry = await createEntry(product, category, schoolId);
  const { body } = await postReview(product, category, entry.id, await createUser(product, OLD), { review, rating });
  return { entry, reviewId: body.id as number };
}

test.describe('on a site with reviews', () => {
  // A database of its own: else the next test would be shown answers of a minute ago.
  test.use({ database: 'voices-on-lists' });

  test('the dashboard and the page of all schools quote what people say, each a link to its review, also as served', async ({
    page,
    product,
  }) => {
    const school = await createSchool(product);
    const { entry, reviewId } = await say(product, first, school.id, 'The boats are older than the coach. Row anyway.');
    const served = await (await page.request.get('/dashboard')).text();
    expect(served).toContain('The boats are older than the coach.');
    await openPage(page, '/dashboard');
    const voices = page.getByRole('region', { name: 'What people say' });
    await expect(voices).toContainText(`${entry.name}, ${school.schoolName}`);
    const features = await page.getByRole('list', { name: 'What you can do here' }).boundingBox();
    expect((await voices.boundingBox())?.y).toBeGreaterThanOrEqual((features?.y ?? 0) + (features?.height ?? 0) - 1);
    await expectAxeClean(page);
    await voices.getByRole('link', { name: '“The boats are older than the coach. Row anyway.”' }).click();
    await expect(page).toHaveURL(`/review/${reviewId}`);
    expect(await (await page.request.get('/allschools')).text()).toContain('The boats are older than the coach.');
    await openPage(page, '/allschools');
    await expect(voices).toContainText(`${entry.name}, ${school.schoolName}`);
    // It is no item of the list of schools.
    await expect(page.getByRole('listitem').filter({ hasText: entry.name })).toHaveCount(0);
  });

  test('are not where Retry of the schools below them leads', async ({ page, product }) => {
    const school = await createSchool(product);
    await say(product, first, school.id, 'Open until late, and warm.');
    await page.route('**/auth/schools*', (route) =>
      route.fulfill({ status: 500, json: { error: 'The stub says no.' } }),
    );
    await page.clock.install();
    await page.goto('/allschools?anew');
    await expectAfterRetries(page, (options) => expect(button(page, 'Retry')).toBeVisible(options));
    await expect(page.getByRole('region', { name: 'What people say' })).toBeVisible();
    await page.unroute('**/auth/schools*');
    await button(page, 'Retry').click();
    await expect(page.getByRole('link', { name: school.schoolName })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  test('all schools have their figures and can be sorted by the number of reviews, as long as nothing is typed', async ({
    page,
    product,
  }) => {
    const quiet = await createSchool(product, `Aaa ${unique('Quiet')}`);
    const loud = await createSchool(product, `Zzz ${unique('Loud')}`);
    for (const rating of [5, 4, 4]) await say(product, first, loud.id, 'Said often.', rating);
    // The figures are a minute behind at most, and up to date after a school is added.
    await createSchool(product);
    const rows = page.getByRole('main').getByRole('listitem');
    await openPage(page, '/allschools');
    await expect(rows.filter({ hasText: loud.schoolName })).toContainText('4.3 · 3');
    await expect(rows.first()).toContainText(quiet.schoolName);
    await expect(rows.first()).not.toContainText('·');
    const order = page.getByLabel('Order');
    await expect(order.getByRole('option')).toHaveText(['By name', 'Most reviewed']);
    await order.selectOption('Most reviewed');
    await expect(page).toHaveURL('/allschools?order=reviewed');
    await expect(rows.first()).toContainText(loud.schoolName);
    const served = await (await page.request.get('/allschools?order=reviewed')).text();
    expect(served.indexOf(loud.schoolName)).toBeLessThan(served.indexOf(quiet.schoolName));
    await page.getByLabel('Search schools').fill(loud.schoolName);
    await expect(order).toHaveCount(0);
    await expect(rows.first()).toContainText(loud.schoolName);
    const text = await (await page.request.get(`/allschools?q=${loud.schoolName}&order=reviewed`)).text();
    expect(text).toMatch(/<link rel="canonical" href="[^"]*\/allschools\?q=[^"&]*">/);
  });

  test('a comparison says where schools differ, quotes both in a disclosure, and lists what nobody has rated', async ({
    page,
    product,
  }) => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    const quoted = await say(product, second, one.id, 'Meets in a boiler room.');
    await say(product, second, other.id, 'Meets by the sea.', 3);
    const address = `/compare?ids=${one.id},${other.id}`;
    expect(await (await page.request.get(address)).text()).toContain('Meets in a boiler room.');
    await openPage(page, address);
    const row = (category: Category) => page.getByRole('row', { name: new RegExp(`^${category.label}`) });
    await expect(row(first).getByText('Not yet rated')).toHaveCount(1);
    await expect(page.getByText('Nothing sets them apart yet.')).toBeVisible();
    const quote = page.getByRole('link', { name: '“Meets in a boiler room.”' });
    await expect(quote).toBeHidden();
    for (const words of ['“Meets in a boiler room.”', '“Meets by the sea.”'])
      await expect(page.getByText(words).filter({ visible: true })).toHaveCount(1);
    await page.getByText('What people say', { exact: true }).click();
    await expect(page.getByText('“Meets by the sea.”')).toHaveCount(1);
    await expect(page.getByRole('link', { name: '“Meets by the sea.”' })).toBeVisible();
    await expectAxeClean(page);
    await quote.click();
    await expect(page).toHaveURL(`/review/${quoted.reviewId}`);

    const bare = [await createSchool(product), await createSchool(product)];
    await openPage(page, `/compare?ids=${bare.map(({ id }) => id).join(',')}`);
    for (const category of CATEGORIES) await expect(row(category).getByText('Not yet rated')).toHaveCount(1);
    await expect(page.getByText('What people say')).toHaveCount(0);
  });

  for (const width of [360, 1280])
    test(`at ${width} pixels, the quotes below a comparison do not take the clicks on the rest of it`, async ({
      page,
      product,
    }) => {
      const [one, other] = [await createSchool(product), await createSchool(product)];
      await say(product, second, one.id, 'Meets in a boiler room.');
      await page.setViewportSize({ width, height: 800 });
      await openPage(page, `/compare?ids=${one.id},${other.id}`);
      const quote = page.getByText('“Meets in a boiler room.”').filter({ visible: true });
      await expect(quote).toHaveCount(1);
      const search = page.getByRole('combobox', { name: 'Add a school' });
      await search.click();
      await expect(search).toBeFocused();
      await page.getByRole('link', { name: '4.0 · 1 review' }).click();
      await expect(page).toHaveURL(`${second.pages.list}/${one.id}`);
      await page.goBack();
      await page.getByRole('button', { name: `Remove ${other.schoolName}` }).click();
      await expect(page).toHaveURL(`/compare?ids=${one.id}`);
    });

  test('a saved school has its figure, its windows and a voice, and one without reviews has none of them', async ({
    page,
    product,
    user,
  }) => {
    const [said, silent] = [await createSchool(product), await createSchool(product)];
    await say(product, first, said.id, 'Row anyway.', 5);
    await say(product, second, said.id, 'Meets by the sea.', 4);
    for (const { id } of [said, silent]) await call(product, `PUT /auth/saveSchool/${id}`, { token: user.token });
    await openAs(page, user, '/profile');
    const rowOf = ({ schoolName }: { schoolName: string }) =>
      page.getByRole('region', { name: 'Saved schools' }).getByRole('listitem').filter({ hasText: schoolName });
    await expect(rowOf(said).getByRole('link', { name: '“Meets by the sea.”' })).toBeVisible();
    await expect(rowOf(said)).toContainText('4.5 · 2');
    await expect(rowOf(said).getByRole('img', { name: `Some reviews: ${first.label}, ${second.label}` })).toBeVisible();
    await expect(rowOf(silent).getByRole('link')).toHaveCount(1);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test('a helpful mark shows before the server has answered, and is taken back when it does not', async ({
    page,
    product,
    user,
  }) => {
    const { entry } = await say(product, first, (await createSchool(product)).id, 'Of help.');
    await seedToken(page, user.token);
    const letGo = await holdBack(page, '**/auth/markHelpful/*', (route) => route.abort());
    await openPage(page, `${first.pages.reviews}/${entry.id}`);
    const button = page.getByRole('article').getByRole('button', { name: 'Helpful' });
    await button.click();
    await expect(button).toHaveText('Helpful (1)');
    await expect(button).toHaveAttribute('aria-pressed', 'true');
    letGo();
    await expect(notice(page, 'alert', 'The mark was not saved')).toBeVisible();
    await expect(button).toHaveText('Helpful');
    await expect(button).toHaveAttribute('aria-pressed', 'false');
  });
});

test.describe('on a site without reviews', () => {
  test.use({ database: 'no-voices' });

  test('the dashboard says nothing of voices, and the footer how many schools have a light on', async ({
    page,
    product,
  }) => {
    const { id } = await createSchool(product);
    await openPage(page, '/dashboard');
    await expect(page.getByRole('list', { name: 'What you can do here' })).toBeVisible();
    await expect(page.getByText('What people say')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toContainText('0 of 1 school has a light on');
    await say(product, first, id, 'The first light.');
    await createSchool(product);
    await openPage(page, '/tos');
    await expect(page.getByRole('contentinfo')).toContainText('1 of 2 schools has a light on');
  });
});
