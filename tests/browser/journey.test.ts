import type { Page } from 'playwright/test';
import { insertEntry } from '../../src/server/entries/queries.ts';
import { tags } from '../../src/server/http/cache/tags.ts';
import { expect, fillIn, logIn, notice, openAs, seedToken, test, writeReview } from '../support/browser.ts';
import { category, createSchool, createUser, PASSWORD, postReview, readPasscode, unique } from '../support/rows.ts';

test.describe('the main journey', () => {
  let schoolName: string;
  let entryName: string;
  let entryId: number;

  test.beforeEach(async ({ product }) => {
    schoolName = unique('Lakeside University');
    entryName = unique('Rowing');
    const school = await createSchool(product, schoolName);
    const values = { name: entryName, description: 'Early mornings.' };
    const entry = await product.app.database.write((db, commit) => {
      commit.invalidate(tags.school(school.id));
      return insertEntry(db, category, school.id, values);
    });
    entryId = entry.id;
    await postReview(product, category, entryId, await createUser(product), { rating: 4, review: 'An older review.' });
  });

  async function findEntry(page: Page): Promise<void> {
    await page.goto('/landing');
    await page.getByRole('button', { name: 'Get Started' }).click();
    await page.getByRole('combobox', { name: 'Search for a school' }).fill(schoolName.toUpperCase());
    await page.getByRole('option', { name: schoolName }).click();
    await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeVisible();
    await page.getByRole('link', { name: category.label }).click();
    await page.getByRole('link', { name: entryName }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Student ${entryName} Reviews` })).toBeVisible();
  }

  async function expectFigures(page: Page, average: string, total: string): Promise<void> {
    await expect(page.getByText('Average Rating').locator('..')).toContainText(average);
    await expect(page.getByText('Total Reviews').locator('..')).toContainText(total);
  }

  test('somebody signs up, verifies, logs in, finds an entry and posts a half-star review that all can see', async ({
    page,
    product,
    newPage,
  }) => {
    const username = unique('walker');
    const email = `${username}@example.org`;
    await page.goto('/signup');
    await fillIn(page, { Username: username, Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD });
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(notice(page, 'status', 'Check your email or spam folder to verify your account.')).toBeVisible();
    await expect(page).toHaveURL(/\/verify\?email=/);
    await page.getByLabel('Passcode').fill(await readPasscode(product, email));
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(notice(page, 'status', 'Verification Successful')).toBeVisible();
    await logIn(page, email);
    await expect(page).toHaveURL(/\/dashboard$/);

    await findEntry(page);
    await writeReview(page, 2.5, 'Cold water, warm people.');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('article') })
        .first(),
    ).toContainText('Cold water, warm people.');
    await expectFigures(page, '3.3', '2');

    const visitor = await newPage();
    await findEntry(visitor);
    const first = visitor.getByRole('article').first();
    await expect(first).toContainText('Cold water, warm people.');
    await expect(first).toContainText(`by ${username}`);
    await expect(first.getByRole('img', { name: '2.5 stars' })).toBeVisible();
    await expectFigures(visitor, '3.3', '2');
  });

  test('the keyboard alone is enough', async ({ page, user }) => {
    await openAs(page, user, '/dashboard');
    await page.getByRole('combobox').focus();
    await page.keyboard.type(schoolName);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeFocused();
    const reach = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        const text = await page.evaluate(() => {
          const { activeElement: active, body } = document;
          // After the last control the body has the focus, and its text is that of all of them.
          return active && active !== body ? (active.getAttribute('aria-label') ?? active.textContent) : '';
        });
        if (text.includes(name)) return;
      }
      throw new Error(`Tab never reaches ${name}`);
    };
    await reach(category.label);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: category.label })).toBeVisible();
    await reach(entryName);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: `Student ${entryName} Reviews` })).toBeVisible();
    await reach('0.5 stars');
    await page.keyboard.press('Space');
    await expect(page.getByRole('radio', { name: '0.5 stars' })).toBeChecked();
    for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: '3.5 stars' })).toBeChecked();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Typed without a mouse.');
    await reach('Submit Review');
    await page.keyboard.press('Enter');
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('article').first()).toContainText('Typed without a mouse.');
  });

  test('360 pixels are enough', async ({ page, user }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await seedToken(page, user.token);
    await findEntry(page);
    await page.getByRole('radio', { name: '4.5 stars' }).click();
    await page.getByLabel('Your review').fill('Read on a phone.');
    await page.getByRole('checkbox', { name: 'Post anonymously' }).check();
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('article').first()).toContainText('by Anonymous');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
