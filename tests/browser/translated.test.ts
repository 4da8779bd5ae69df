import type { Page } from 'playwright/test';
import { categoryPages, PAGES, type Page as ProductPage } from '../../src/contract/pages.ts';
import {
  button,
  expect,
  fillIn,
  fillPasswords,
  logIn,
  notice,
  openAs,
  openPage,
  seedToken,
  test,
  writeReview,
} from '../support/browser.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  postReview,
  type RunningProduct,
  readPasscode,
  unique,
} from '../support/rows.ts';
import { expectTranslated, translate } from '../support/translator.ts';

// Each page has a test: so the workers share them.
test.describe.configure({ mode: 'parallel' });

/** Every page; of the pages that each category has, only those of the first category. */
const PAGES_ONCE = [
  ...Object.values<ProductPage>(PAGES),
  ...Object.values<ProductPage>(categoryPages(category)),
].filter((page) => page !== PAGES.root);

/** Fills a form in, sends it, and expects what people see then. */
type Journey = (page: Page, product: RunningProduct) => Promise<void>;

const SAVED = 'Review updated!';

async function signUp(page: Page): Promise<string> {
  const username = unique('translated');
  const email = `${username}@example.org`;
  await openPage(page, '/signup');
  await fillIn(page, { Username: username, Email: email });
  await fillPasswords(page, ['Password', 'Confirm Password']);
  await button(page, 'Sign Up').click();
  await expect(notice(page, 'status', 'Check your email or spam folder to verify your account.')).toBeVisible();
  return email;
}

async function resetPassword(page: Page, product: RunningProduct): Promise<string> {
  const { email } = await createUser(product);
  await openPage(page, '/forgot');
  await page.getByLabel('Email').fill(email);
  await fillPasswords(page, ['New Password', 'Confirm New Password']);
  await button(page, 'Send Passcode').click();
  await expect(notice(page, 'status', 'Check your email or spam folder to change your password')).toBeVisible();
  return email;
}

const JOURNEYS: Readonly<Record<string, Journey>> = {
  async login(page, product) {
    const { email } = await createUser(product);
    await openPage(page, '/login');
    await logIn(page, email, 'not the password');
    await expect(page.locator('form').getByText('The email or the password is wrong.')).toBeVisible();
    await logIn(page, email);
    await expect(page).toHaveURL('/dashboard');
  },
  async 'sign-up and verify'(page, product) {
    const email = await signUp(page);
    await expect(page).toHaveURL(/\/verify/);
    await expectTranslated(page);
    await page.getByLabel('Passcode').fill('000000');
    await button(page, 'Verify').click();
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByLabel('Passcode').fill(await readPasscode(product, email));
    await button(page, 'Verify').click();
    await expect(notice(page, 'status', 'Verification Successful')).toBeVisible();
    await expect(page).toHaveURL(/\/login/);
  },
  async 'forgot and change'(page, product) {
    const email = await resetPassword(page, product);
    await expect(page).toHaveURL(/\/change/);
    await expectTranslated(page);
    await page.getByLabel('Passcode').fill(await readPasscode(product, email));
    await button(page, 'Verify').click();
    await expect(notice(page, 'status', 'Verification Successful')).toBeVisible();
    await expect(page).toHaveURL(/\/login/);
  },
  async review(page, product) {
    const entry = await createEntry(product, category);
    await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
    await page.getByLabel('Post anonymously').check();
    await page.getByLabel('Post anonymously').uncheck();
    await writeReview(page, 4, 'Said in another language.');
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('article')).toContainText('Said in another language.');
    await expect(page.getByRole('definition').first()).toContainText('4.0');
  },
  async edit(page, product) {
    const [entry, author] = [await createEntry(product, category), await createUser(product)];
    await postReview(product, category, entry.id, author);
    await openAs(page, author, `${category.pages.reviews}/${entry.id}`);
    await button(page, 'Edit').click();
    await writeReview(page, 2, 'Not so good.');
    await button(page, 'Save changes').click();
    await expect(notice(page, 'status', SAVED)).toBeVisible();
    await expect(page.getByRole('article')).toContainText('Not so good.');
    await expect(page.getByRole('definition').first()).toContainText('2.0');
  },
  async report(page, product) {
    const entry = await createEntry(product, category);
    await postReview(product, category, entry.id, await createUser(product));
    await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
    await button(page, 'Report').click();
    await page.getByRole('radio', { name: 'It is fake' }).check();
    await button(page, 'Send report').click();
    await expect(notice(page, 'status', 'Thank you.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
  async 'the proposal of a school'(page, product) {
    await openAs(page, await createUser(product), '/allschools?q=zzzz');
    await button(page, 'Add a missing school').click();
    await fillIn(page.getByRole('dialog'), { 'School name': unique('Missing'), Location: 'Kiel, Germany' });
    await button(page, 'Send').click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('status').first()).toBeVisible();
  },
  async 'the proposal of an entry, with a review begun, taken back and begun again'(page, product) {
    const { id } = await createSchool(product);
    await openAs(page, await createUser(product), `${category.pages.list}/${id}`);
    await button(page, 'Add what is missing').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name', { exact: true }).fill('Rowing');
    await writeReview(form, 4, 'Up at five.');
    await form.getByRole('radio', { name: '4 stars', exact: true }).click();
    await form.getByLabel('Your review').fill('');
    await expect(form.getByText('Your review is posted with it, dated today.')).toHaveCount(0);
    await writeReview(form, 4, 'Up at five.');
    await button(page, 'Send').click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('status').first()).toBeVisible();
  },
  async 'a review on the list of a category, and its edit'(page, product) {
    const entry = await createEntry(product, category);
    await openAs(page, await createUser(product), `${category.pages.list}/${entry.schoolId}`);
    await page.getByRole('combobox', { name: category.question }).fill(entry.name);
    await writeReview(page, 4, 'Up at five.');
    await button(page, 'Submit Review').click();
    await expect(page.getByText('the first light is yours.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Up at five.' }).first()).toBeVisible();
    await page.getByRole('combobox', { name: category.question }).fill(entry.name);
    await button(page, 'Edit your review').click();
    await writeReview(page, 2, 'Not so good.');
    await button(page, 'Save changes').click();
    await expect(notice(page, 'status', SAVED)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Not so good.' }).first()).toBeVisible();
  },
  async profile(page, product) {
    await openAs(page, await createUser(product), '/profile');
    await page.getByLabel('Preferred Location').fill('By the sea');
    await button(page, 'Save Profile').click();
    await expect(notice(page, 'status', 'Profile created successfully!')).toBeVisible();
    await expect(page.getByText('By the sea', { exact: true })).toBeVisible();
  },
};

test.describe('on a translated page', () => {
  for (const [form, journey] of Object.entries(JOURNEYS)) {
    test(`${form}: it is sent, and nothing is lost`, async ({ page, product }) => {
      await translate(page);
      await journey(page, product);
      await expectTranslated(page);
    });
  }

  for (const guard of [undefined, 'signed-in', 'admin'] as const) {
    test(`${guard ?? 'public'} pages open, are left and found again`, async ({ page, product, entry }) => {
      test.slow();
      await translate(page);
      const user = await createUser(product, { isAdmin: guard === 'admin' });
      const posted = await postReview(product, category, entry.id, user);
      const ids = { school: entry.schoolId, entry: entry.id, review: posted.body.id, user: user.id };
      if (guard) await seedToken(page, user.token);
      for (const { path, about, hidesHeader } of PAGES_ONCE.filter((one) => one.guard === guard)) {
        await test.step(path, async () => {
          await openPage(page, path.replace(':id', String(about && ids[about])));
          await expectTranslated(page);
          if (hidesHeader || path === PAGES.tos.path) return;
          await page.getByRole('link', { name: 'Terms of Service' }).last().click();
          await expect(page).toHaveURL('/tos');
          await page.goBack();
          await expectTranslated(page);
        });
      }
    });
  }
});

test('what changes on a translated page is shown as it is then', async ({ page, product }) => {
  await translate(page);
  const { schoolName, id } = await createSchool(product, `Larkspur ${unique('College')}`);
  await openPage(page, `/school/${id}`);
  await button(page, 'Compare').click();
  await expect(page.getByRole('region', { name: 'Comparison' })).toContainText('1 school ·');
  await openPage(page, '/dashboard');
  const search = page.getByRole('combobox');
  for (const typed of ['Lark', 'Larkspur', 'Larksp']) {
    await search.fill(typed);
    await expect(page.getByRole('option', { name: schoolName })).toHaveText(schoolName);
  }
});
