import type { Page } from 'playwright/test';
import { insertEntry } from '../../src/server/entries/queries.ts';
import {
  button,
  expect,
  expectAxeClean,
  logIn,
  notice,
  openAs,
  openPage,
  startBuilt,
  test,
  writeReview,
} from '../support/browser.ts';
import { myProposals, proposeEntry } from '../support/proposals.ts';
import { category, createEntry, createSchool, createUser, postReview, type RunningProduct } from '../support/rows.ts';

const listOf = (schoolId: number) => `${category.pages.list}/${schoolId}`;
const question = (page: Page) => page.getByRole('combobox', { name: category.question });
const THANKS = 'Thank you. An admin will look at it and mail you.';

test('the form of a category posts a review of one of its entries, which lights the first window', async ({
  page,
  product,
}) => {
  const entry = await createEntry(product, category);
  const other = await createEntry(product, category, entry.schoolId);
  await openAs(page, await createUser(product), listOf(entry.schoolId));
  await question(page).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([entry.name, other.name].sort());
  await question(page).fill(entry.name.toUpperCase());
  await question(page).press('ArrowDown');
  await question(page).press('Enter');
  await expect(question(page)).toHaveValue(entry.name);
  await writeReview(page, 4, 'Up at five.');
  await button(page, 'Submit Review').click();
  await expect(page.getByRole('status')).toHaveText(['Review submitted successfully!']);
  const school = await page.getByRole('list', { name: 'Breadcrumb' }).textContent();
  await expect(page.getByText(`${category.label} at ${school}: the first light is yours.`)).toBeVisible();
  await expect(page.getByText('4.0 · 1 review').first()).toBeVisible();
  await expect(page.getByRole('link', { name: '“Up at five.”' }).first()).toBeVisible();
  await expect(question(page)).toHaveValue('');
  await expectAxeClean(page);

  await question(page).fill(entry.name);
  await expect(button(page, 'Submit Review')).toHaveCount(0);
  await button(page, 'Edit your review').click();
  await page.getByLabel('Your review').fill('Up at six.');
  await button(page, 'Save changes').click();
  await expect(page.getByRole('link', { name: '“Up at six.”' }).first()).toBeVisible();

  await question(page).fill(other.name);
  await writeReview(page, 2, 'Never again.');
  await button(page, 'Submit Review').click();
  await expect(page.getByText('Your light is on.')).toBeVisible();
});

test('“Write yours” leads to its first field on a phone, as often as it is pressed', async ({ page, product }) => {
  const entry = await createEntry(product, category);
  await postReview(product, category, entry.id, await createUser(product));
  await page.setViewportSize({ width: 360, height: 740 });
  await openPage(page, listOf(entry.schoolId));
  for (let press = 0; press < 2; press += 1) {
    await page.getByRole('link', { name: 'Write yours' }).click();
    await expect(question(page)).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeInViewport();
  }
});

test('what is not there is proposed with its review, also by a visitor, who comes back to it', async ({
  page,
  product,
}) => {
  const user = await createUser(product);
  const { id } = await createSchool(product);
  await openPage(page, `${listOf(id)}#write`);
  await expect(question(page)).toBeFocused();
  await expect(page.getByText('has been added for this school yet.')).toBeVisible();
  await question(page).fill('Luge');
  await writeReview(page, 4, 'Cold, and worth it.');
  await button(page, 'Submit Review').click();
  await expect(page.getByText('Log in to post your review of Luge. What you wrote is kept.')).toBeVisible();
  await logIn(page, user.email);
  await expect(page).toHaveURL(new RegExp(listOf(id)));
  await expect(button(page, 'Submit Review')).toBeFocused();
  await expect(page.getByText('Your review is ready to post.')).toBeVisible();
  await button(page, 'Submit Review').click();
  await expect(notice(page, 'status', THANKS)).toBeVisible();
  await expect(question(page)).toHaveValue('');
  const review = { rating: 4, review: 'Cold, and worth it.', isAnonymous: false };
  expect(await myProposals(product, user)).toMatchObject([{ name: 'Luge', state: 'open', review }]);
  // The same once more is refused, beside no field in particular, and stays in the form.
  await question(page).fill('luge');
  await writeReview(page, 3, 'Again.');
  await button(page, 'Submit Review').click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(page.getByLabel('Your review')).toHaveValue('Again.');
});

test('with PROPOSALS=open it is added, with off only what is there can be written about', async ({ newPage }) => {
  for (const mode of ['open', 'off']) {
    const product = await startBuilt(`write-here-${mode}`, { PROPOSALS: mode });
    const entry = await createEntry(product, category);
    const page = await openAs(await newPage(product), await createUser(product), listOf(entry.schoolId));
    await question(page).fill('Luge');
    await writeReview(page, 4, 'Cold.');
    await button(page, 'Submit Review').click();
    if (mode === 'open') {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Student Luge Reviews');
      await expect(page.getByRole('article')).toContainText('Cold.');
      await expect(page.getByText(': the first light is yours.')).toBeVisible();
      // Whoever comes back is not shown the sentence again.
      const reviews = page.url();
      await page.getByRole('list', { name: 'Breadcrumb' }).getByRole('link').first().click();
      await expect(page).not.toHaveURL(reviews);
      await page.goBack();
      await expect(page.getByRole('article')).toContainText('Cold.');
      await expect(page.getByText(': the first light is yours.')).toHaveCount(0);
    } else {
      await expect(question(page)).toHaveAccessibleDescription(/Choose one of those that are there\.$/);
      await expect(question(page)).toBeFocused();
      // Punctuation makes no other name.
      await question(page).fill(`${entry.name}.`);
      await button(page, 'Submit Review').click();
      await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
      await openPage(page, listOf((await createSchool(product)).id));
      await expect(page.getByText('has been added for this school yet.')).toBeVisible();
      await expect(question(page)).toHaveCount(0);
    }
    await product.stop();
  }
});

test('a posted review turns a window on above the list, at once for people who want no motion', async ({
  page,
  product,
}) => {
  const post = async (schoolId: number) => {
    const entry = await createEntry(product, category, schoolId);
    await openPage(page, `${category.pages.reviews}/${entry.id}`);
    await writeReview(page, 4, 'Good ground.');
    await button(page, 'Submit Review').click();
  };
  await openAs(page, await createUser(product), '/dashboard');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const school = await createSchool(product);
  await post(school.id);
  const light = page.getByText(`${category.label} at ${school.schoolName}: the first light is yours.`);
  await expect(light).toBeVisible();
  const isAbove = async () => {
    const [above, below] = [await light.boundingBox(), await page.getByRole('article').boundingBox()];
    return (above?.y ?? 0) < (below?.y ?? 0);
  };
  expect(await isAbove()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const durations = await page.evaluate(() =>
    document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration)),
  );
  expect(durations.filter((duration) => duration > 1)).toEqual([]);
  await post(school.id);
  await expect(page.getByText('Your light is on.')).toBeVisible();
});

test('a proposer corrects what waits, and withdraws it', async ({ page, product, user }) => {
  const { id: schoolId } = await createSchool(product);
  await proposeEntry(product, user, { schoolId, name: 'Luge', review: { rating: 2, review: 'Far too cold.' } });
  await openAs(page, user, '/myreviews');
  const own = page.getByRole('region', { name: 'Your proposals' });
  await expect(own).toContainText('Far too cold.');
  await button(page, 'Edit').click();
  await own.getByLabel('Name', { exact: true }).fill(' ');
  await button(page, 'Save changes').click();
  await expect(own.getByLabel('Name', { exact: true })).toHaveAccessibleDescription('Please name it.');
  await own.getByLabel('Name', { exact: true }).fill('Skeleton');
  await writeReview(own, 3, 'Cold, but fast.');
  await button(page, 'Save changes').click();
  await expect(notice(page, 'status', 'Proposal updated!')).toBeVisible();
  await expect(own).toContainText('Skeleton');
  await expect(own).toContainText('Cold, but fast.');
  await expect(button(page, 'Edit')).toBeFocused();
  await expectAxeClean(page);
  await button(page, 'Withdraw').click();
  await expect(button(page, 'Keep it')).toBeFocused();
  await button(page, 'Keep it').click();
  await button(page, 'Withdraw').click();
  await button(page, 'Yes, withdraw it').click();
  await expect(notice(page, 'status', 'Proposal withdrawn.')).toBeVisible();
  await expect(own).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await myProposals(product, user)).toEqual([]);
});

test('whoever joined a proposal changes their review, and reads the rest', async ({ page, product }) => {
  const joiner = await createUser(product);
  const { id: schoolId } = await createSchool(product);
  for (const person of [await createUser(product), joiner]) {
    await proposeEntry(product, person, { schoolId, name: 'Luge', review: { rating: 2, review: 'Far too cold.' } });
  }
  await openAs(page, joiner, '/myreviews');
  const own = page.getByRole('region', { name: 'Your proposals' });
  await button(page, 'Edit').click();
  await expect(own.getByRole('heading', { name: 'Luge' })).toBeVisible();
  await expect(own.getByRole('textbox')).toHaveCount(1);
  await writeReview(own, 4, 'Cold, but fast.');
  await button(page, 'Save changes').click();
  await expect(notice(page, 'status', 'Proposal updated!')).toBeVisible();
  await expect(own).toContainText('Cold, but fast.');
});

/** An entry with reviews, whose name has 30 letters, at a school with a long one. */
async function createLong(product: RunningProduct) {
  const school = await createSchool(product, `Polytechnic University of the Upper Lakes ${Date.now()}`);
  const values = { name: 'Women’s lightweight rowing, B2', description: 'Boats, tanks and a river. '.repeat(9) };
  const entry = await product.app.database.write((db) => insertEntry(db, category, school.id, values));
  await postReview(product, category, entry.id, await createUser(product), { relation: 'student' });
  return entry;
}

test('the head of a review page is at most 300 pixels high at 360', async ({ page, product }) => {
  const entry = await createLong(product);
  await page.setViewportSize({ width: 360, height: 740 });
  await openPage(page, `${category.pages.reviews}/${entry.id}`);
  const header = await page.getByRole('banner').boundingBox();
  const heading = await page.getByRole('heading', { name: 'Reviews', exact: true }).boundingBox();
  expect((heading?.y ?? 0) - (header?.y ?? 0) - (header?.height ?? 0)).toBeLessThanOrEqual(300);
});
