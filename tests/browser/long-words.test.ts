import type { Page } from 'playwright/test';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { ALL_PAGES, pageAddress } from '../../src/contract/pages.ts';
import { PROFILE_FIELDS } from '../../src/contract/profiles.ts';
import { insertEntry } from '../../src/server/entries/queries.ts';
import { changes } from '../../src/server/http/cache/tags.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { expect, openPage, seedToken, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { hide, report } from '../support/moderation.ts';
import { createUser, postReview, type RunningProduct } from '../support/rows.ts';

test.use({ database: 'long-words' });

const WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunternehmen'.slice(0, 60);
const EMAIL = `${WORD}@${WORD}.example`;
const WIDTHS = [320, 360, 768, 1280];

/** The category whose page shows the most. */
const category = CATEGORIES.find(({ showsProgramAreas }) => showsProgramAreas) as Category;

/** Two schools, an entry, its reviews, one of them hidden and one reported: each name and text is one word of 60 letters. */
async function createLongWords(product: RunningProduct) {
  const admin = await createUser(product, { isAdmin: true });
  const authors = [await createUser(product), await createUser(product), await createUser(product)] as const;
  const [entry, other] = await product.app.database.write(async (db, commit) => {
    commit.invalidate(...changes.schoolsAdded);
    const fields = { schoolName: WORD, description: WORD, location: `${WORD}, ${WORD}`, aliases: [WORD] };
    const schools = [await insertSchool(db, fields), await insertSchool(db, fields)] as const;
    // Names of users have 32 letters at most.
    await db
      .updateTable('users')
      .set({ username: WORD.slice(0, 32) })
      .where('id', '=', admin.id)
      .execute();
    return [await insertEntry(db, category, schools[0].id, { name: WORD, description: WORD }), schools[1]] as const;
  });
  const ids: number[] = [];
  for (const author of [admin, ...authors]) {
    ids.push((await postReview(product, category, entry.id, author, { rating: 3.5, review: WORD })).body.id);
  }
  const [reviewId = 0, reported = 0, hidden = 0] = ids;
  await report(product, admin, reported, { reason: 'other', note: WORD });
  await hide(product, admin, hidden);
  await call(product, `PUT /auth/saveSchool/${other.id}`, { token: admin.token });
  const preferences = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, WORD]));
  await call(product, 'POST /auth/postProfile', { token: admin.token, body: preferences });
  return { admin, user: admin.id, school: entry.schoolId, other: other.id, entry: entry.id, review: reviewId };
}

/** How wide the page is once it has followed a change of the window's width. */
const widthOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.documentElement.scrollWidth)));
      }),
  );

test('a word of 60 letters in every name and text lets no page scroll sideways at 320, 360, 768 and 1280 pixels', async ({
  page,
  product,
}) => {
  // Every page, four times.
  test.slow();
  const { admin, ...ids } = await createLongWords(product);
  const pages = ALL_PAGES.filter((one) => !one.category || one.category === category);
  const addressOf = ({ about, ...one }: (typeof pages)[number]) => pageAddress(one, about && ids[about]);
  const visited = [
    ...pages.filter(({ guard }) => !guard).map(addressOf),
    `/allschools?q=${WORD}`,
    `/allschools?q=x${WORD.slice(2)}`,
    `/compare?ids=${ids.school}`,
    `/compare?ids=${ids.school},${ids.other}`,
    `/leaderboard?category=${category.kind}&order=weighted`,
    `${category.pages.reviews}/${ids.entry}?stars=4&sort=lowest`,
    `/verify?email=${EMAIL}`,
    `/change?email=${EMAIL}`,
    `/${WORD}`,
  ];
  const asAdmin = [...pages.filter(({ guard }) => guard).map(addressOf), `${category.pages.reviews}/${ids.entry}`];
  const tooWide: string[] = [];
  async function visit(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      await openPage(page, address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('Loading')).toHaveCount(0);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 740 });
        const found = await widthOf(page);
        if (found !== width) tooWide.push(`${address} at ${width}: ${found}`);
      }
    }
  }
  await visit(visited);
  await seedToken(page, admin.token);
  await visit(asAdmin);
  expect(tooWide).toEqual([]);
});

test('a school with such a name shows all of it among all schools', async ({ page, product }) => {
  await createLongWords(product);
  await page.goto(`/allschools?q=${WORD}`);
  const name = page.getByRole('main').getByRole('listitem').first().locator('[dir=auto]').first();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    await expect(name).toHaveText(WORD);
    // A name that is cut is wider or higher than its place.
    const isCut = (element: Element) =>
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
    expect(await name.evaluate(isCut), `${width}`).toBe(false);
  }
});
