import { CATEGORIES } from '../../src/contract/categories.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { expect, test } from '../support/browser.ts';
import { createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

const [category] = CATEGORIES as [(typeof CATEGORIES)[number]];
const NASTY = `<b style="color: red">bold</b> "' & </div><script>throw 1</script>`;

test.describe('pages drawn by the server', () => {
  test.describe('without the code of the page', () => {
    test.use({ javaScriptEnabled: false });

    test('say what they are about, in links that lead on, and show no control that would not answer', async ({
      page,
      product,
    }) => {
      const school = await createSchool(product);
      const entry = await createEntry(product, category, school.id);
      await page.goto(`/school/${school.id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(school.schoolName);
      await expect(page.getByText(school.description)).toBeVisible();
      await expect(page.getByRole('button')).toHaveCount(0);
      await page.getByRole('main').getByRole('link', { name: category.label }).click();
      await page.getByRole('link', { name: entry.name }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Student ${entry.name} Reviews`);
      await expect(page.getByRole('textbox')).toHaveCount(0);
    });

    test('are true at every moment', async ({ page, product }) => {
      const entry = await createEntry(product, category, (await createSchool(product)).id);
      const path = `${category.pages.reviews}/${entry.id}`;
      await page.goto(path);
      await expect(page.getByText('No reviews yet.')).toBeVisible();
      for (const review of ['The first.', 'The second.']) {
        await postReview(product, category, entry.id, await createUser(product), { rating: 4, review });
        await page.goto(path);
        await expect(page.getByRole('article').first()).toContainText(review);
      }
    });

    test('show markup in names as text', async ({ page, product }) => {
      const school = { schoolName: `School ${NASTY}`, description: `About ${NASTY}`, location: `Here ${NASTY}` };
      const { id } = await product.app.database.write((db) => insertSchool(db, school));
      await page.goto(`/school/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(school.schoolName);
      await expect(page.getByText(school.description)).toBeVisible();
    });
  });

  test('come to life as they stand when their code arrives', async ({ page, product }) => {
    const entry = await createEntry(product, category, (await createSchool(product)).id);
    await postReview(product, category, entry.id, await createUser(product), { rating: 4, review: 'Good ground.' });
    const code = Promise.withResolvers<void>();
    await page.route(/\/assets\/main-/, async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto(`${category.pages.reviews}/${entry.id}`, { waitUntil: 'commit' });
    const heading = await page.getByRole('heading', { level: 1, name: entry.name }).elementHandle();
    await expect(page.getByRole('button', { name: 'Menu' })).toHaveCount(0);
    code.resolve();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('navigation')).toBeVisible();
    expect(await heading?.evaluate((element) => element.isConnected)).toBe(true);
  });

  test('give way to the page itself when a read of it fails', async ({ page, product }) => {
    const entry = await createEntry(product, category, (await createSchool(product)).id);
    await postReview(product, category, entry.id, await createUser(product), { rating: 4, review: 'Good ground.' });
    const list = reviewCalls(category).list.path.replace(':id', String(entry.id));
    await page.route(`**${list}`, (route) => route.fulfill({ status: 400, json: { error: 'Not today, thank you.' } }));
    await page.goto(`${category.pages.reviews}/${entry.id}`);
    await expect(page.getByText('The reviews could not be loaded.')).toBeVisible();
  });
});
