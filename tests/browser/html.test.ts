import { CATEGORIES } from '../../src/contract/categories.ts';
import { ALL_PAGES } from '../../src/contract/pages.ts';
import { expect, productTest as test } from '../support/browser.ts';
import { htmlProblems } from '../support/html-checker.ts';
import { createEntry, createUser, postReview, type RunningProduct } from '../support/rows.ts';

test.use({ database: 'html' });

async function problemsAt(product: RunningProduct, path: string): Promise<string[]> {
  const response = await fetch(product.url + path);
  expect(response.headers.get('content-type'), path).toContain('text/html');
  return htmlProblems(await response.text());
}

test.describe('every document as it is served is valid HTML', () => {
  for (const category of CATEGORIES) {
    test(`the pages of ${category.label}`, async ({ product }) => {
      const entry = await createEntry(product, category);
      const empty = await createEntry(product, category, entry.schoolId);
      await postReview(product, category, entry.id, await createUser(product), { rating: 3.5 });
      for (const { path, about } of ALL_PAGES.filter((page) => page.category === category)) {
        const ids = about === 'school' ? [entry.schoolId] : [entry.id, empty.id];
        for (const id of ids) expect(await problemsAt(product, path.replace(':id', String(id))), path).toEqual([]);
      }
    });
  }

  for (const { path, about } of ALL_PAGES.filter(({ category }) => !category)) {
    test(`${path}`, async ({ product }) => {
      const [category] = CATEGORIES as [(typeof CATEGORIES)[number]];
      const { schoolId, id } = await createEntry(product, category);
      const posted = await postReview(product, category, id, await createUser(product));
      const own = about === 'review' ? posted.body.id : schoolId;
      expect(await problemsAt(product, path.replace(':id', String(own)))).toEqual([]);
    });
  }

  for (const path of ['/nowhere', '/school/999999', '/school/%zz', '/docs']) {
    test(`${path}`, async ({ product }) => {
      expect(await problemsAt(product, path)).toEqual([]);
    });
  }
});

test('the checker finds what is wrong', async () => {
  const html = '<!DOCTYPE html><html lang="en"><head><title>A</title></head><body><p><h1>B</h1></p></body></html>';
  expect(await htmlProblems(html)).toContainEqual(expect.stringContaining('close-order'));
});
