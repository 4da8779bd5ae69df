import { CATEGORIES } from '../../src/contract/categories.ts';
import { ALL_PAGES } from '../../src/contract/pages.ts';
import { expect, expectAxeClean, openPage, SCHEMES, seedToken, test } from '../support/browser.ts';
import { htmlProblems } from '../support/html-checker.ts';
import { category, createEntry, createUser, postReview } from '../support/rows.ts';

// The slowest tests are among these: so the workers share them.
test.describe.configure({ mode: 'parallel' });

const OF_SITE = ALL_PAGES.filter(({ category, path }) => !category && path !== '/');

/** Those of a group are loaded one after the other in one tab, which takes a third of the time. */
const GROUPS = [
  { pages: 'each page for visitors and users', of: OF_SITE.filter(({ guard }) => guard !== 'admin') },
  { pages: 'each page for admins', of: OF_SITE.filter(({ guard }) => guard === 'admin') },
  ...CATEGORIES.map((category) => ({
    pages: `each page of ${category.label}`,
    of: ALL_PAGES.filter((one) => one.category === category),
  })),
];

test.describe('every page, light and dark', () => {
  for (const { pages, of } of GROUPS) {
    test(`${pages} has no violation, one h1 and no sideways scroll at 360 pixels`, async ({ page, product }) => {
      test.slow();
      const own = of[0]?.category ?? category;
      const user = await createUser(product, { isAdmin: of.some(({ guard }) => guard === 'admin') });
      const entry = await createEntry(product, own);
      const posted = await postReview(product, own, entry.id, user, { rating: 3.5 });
      const ids = { school: entry.schoolId, entry: entry.id, review: posted.body.id, user: user.id };
      const expectClean = async ({ path, about, title }: (typeof ALL_PAGES)[number]) => {
        const address = path.replace(':id', String(about && ids[about]));
        await page.setViewportSize({ width: 360, height: 740 });
        await openPage(page, address);
        await expect(page.getByRole('heading', { level: 1 }), title).toHaveCount(1);
        await expect(page.getByText('Loading')).toHaveCount(0);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} ${colorScheme}`).toBe(360);
        }
        await page.setViewportSize({ width: 1280, height: 900 });
        await expectAxeClean(page, path);
        expect(await htmlProblems(await page.content()), path).toEqual([]);
        // A guard that sends the user away would have left another page to look at.
        expect(new URL(page.url()).pathname).toBe(address);
      };
      for (const one of of) if (!one.guard) await expectClean(one);
      await seedToken(page, user.token);
      for (const one of of) if (one.guard) await expectClean(one);
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
