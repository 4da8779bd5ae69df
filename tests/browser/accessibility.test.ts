import { ALL_PAGES } from '../../src/contract/pages.ts';
import { expect, expectAxeClean, openPage, SCHEMES, seedToken, test } from '../support/browser.ts';
import { htmlProblems } from '../support/html-checker.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';

// The slowest tests are among these: so both workers share them.
test.describe.configure({ mode: 'parallel' });

test.describe('every page, light and dark', () => {
  for (const { path, guard, about, category: own = category, title } of ALL_PAGES.filter(({ path }) => path !== '/')) {
    test(`${path} has no violation, one h1 and no sideways scroll at 360 pixels`, async ({ page, product }) => {
      const user = await createUser(product, { isAdmin: guard === 'admin' });
      const entry = await createEntry(product, own);
      const posted = await postReview(product, own, entry.id, user, { rating: 3.5 });
      const ids = { school: entry.schoolId, entry: entry.id, review: posted.body.id, user: user.id };
      if (guard) await seedToken(page, user.token);
      const id = about && ids[about];
      await page.setViewportSize({ width: 360, height: 740 });
      await openPage(page, path.replace(':id', String(id)));
      await expect(page.getByRole('heading', { level: 1 }), title).toHaveCount(1);
      await expect(page.getByText('Loading')).toHaveCount(0);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), colorScheme).toBe(360);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      await expectAxeClean(page);
      expect(await htmlProblems(await page.content())).toEqual([]);
    });
  }

  test('what an address asks for has no violation', async ({ page, product }) => {
    const author = await createUser(product);
    const [entry, other] = [await createEntry(product, category), await createEntry(product, category)];
    for (const { id } of [entry, other]) await postReview(product, category, id, author, { relation: 'parent' });
    for (const address of [
      `${category.pages.reviews}/${entry.id}?sort=lowest&stars=4&relation=parent`,
      `${category.pages.reviews}/${entry.id}?stars=1`,
      `/schoolreviews/${entry.schoolId}?category=${category.kind}&relation=parent`,
      `/leaderboard?category=${category.kind}&order=weighted`,
      `/compare?ids=${entry.schoolId}`,
      `/compare?ids=${entry.schoolId},${other.schoolId}`,
    ]) {
      await openPage(page, address);
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        await expectAxeClean(page, address);
      }
    }
  });
});
