import type { Page } from 'playwright/test';
import {
  button,
  expect,
  expectAxeClean,
  fillIn,
  logIn,
  notice,
  openAs,
  openPage,
  test,
  whenHydrated,
} from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createReviewOf } from '../support/moderation.ts';
import { category, createSchool, createUser, PASSWORD, postReview, readPasscode, unique } from '../support/rows.ts';

const link = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });

test.describe('the way back', () => {
  for (const path of ['/profile#best-match', '/moderation?state=closed', `${category.pages.adminEntries}/SCHOOL`]) {
    test(`from ${path}: a visitor reads on the dashboard what to do, logs in, and Back leaves`, async ({
      page,
      product,
      admin,
    }) => {
      const address = path.replace('SCHOOL', String((await createSchool(product)).id));
      await openPage(page, '/about');
      await page.goto(address);
      await expect(page).toHaveURL('/dashboard');
      await expect(page.getByText('Log in to see that page.')).toBeVisible();
      await expectAxeClean(page);
      await page.goBack();
      await expect(page).toHaveURL('/about');
      await page.goForward();
      await page.goto(address);
      await link(page, 'Log in').click();
      await expect(page).toHaveURL(/\/login\?next=/);
      expect(new URL(page.url()).searchParams.get('next')).toBe(address);
      await logIn(page, admin.email);
      await expect(page).toHaveURL(address);
    });
  }

  test('says to somebody who is no admin why a page is not shown, until another page is opened', async ({
    page,
    user,
  }) => {
    await openAs(page, user, '/admin');
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('Only an admin may open that page.')).toBeVisible();
    await expect(link(page, 'Log in')).toHaveCount(0);
    await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
    await expect(page).toHaveURL('/about');
    await page.goBack();
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('Only an admin may open that page.')).toHaveCount(0);
  });

  test('from /myreviews a visitor is led to the login page and back', async ({ page, user }) => {
    await page.goto('/myreviews');
    await expect(page).toHaveURL('/login?next=/myreviews');
    await logIn(page, user.email);
    await expect(page).toHaveURL('/myreviews');
  });

  test('is handed on by every account page', async ({ page, product }) => {
    const next = `${category.pages.reviews}/999?sort=lowest#write`;
    const expectNext = async (path: string) => {
      await expect(page).toHaveURL(new RegExp(`${path}\\?`));
      expect(new URL(page.url()).searchParams.get('next')).toBe(next);
    };
    await openPage(page, `/login?next=${encodeURIComponent(next)}`);
    for (const [name, path] of [
      ['Create an account', '/signup'],
      ['I have an account', '/login'],
      ['Forgot password?', '/forgot'],
      ['Create an account', '/signup'],
    ] as const) {
      await link(page, name).click();
      await expectNext(path);
    }
    const username = unique('hander');
    const email = `${username}@example.org`;
    await fillIn(page, { Username: username, Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD });
    await button(page, 'Sign Up').click();
    await expectNext('/verify');
    await expect(page.getByLabel('Passcode')).toBeFocused();
    await expect(page.getByText('Enter the passcode from your email, or press Resend.', { exact: true })).toBeVisible();
    await page.getByLabel('Passcode').fill(await readPasscode(product, email));
    await button(page, 'Verify').click();
    await expectNext('/login');
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await link(page, 'Forgot password?').click();
    await expectNext('/forgot');
    const newPassword = 'another secret for tuesdays';
    await fillIn(page, { Email: email, 'New Password': newPassword, 'Confirm New Password': newPassword });
    await button(page, 'Send Passcode').click();
    await expectNext('/change');
    await page.getByLabel('Passcode').fill(await readPasscode(product, email));
    await button(page, 'Verify').click();
    await expectNext('/login');
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await page.getByLabel('Password', { exact: true }).fill(newPassword);
    await button(page, 'Login').click();
    await expect(page).toHaveURL(next);
  });

  test('does not lead to another site, to a page of accounts or to none', async ({ page, user }) => {
    for (const next of [
      '//evil.example/profile',
      '/\\evil.example',
      'javascript:alert(1)',
      '/login',
      '/landing',
      '/no',
    ]) {
      await openPage(page, `/login?next=${encodeURIComponent(next)}`);
      await logIn(page, user.email);
      await expect(page, next).toHaveURL('/dashboard');
      await page.evaluate(() => sessionStorage.clear());
    }
  });
});

test.describe('what a visitor began', () => {
  /** Logs in with a reload of each page, as in a tab that the browser discards. */
  async function comeBack(page: Page, email: string): Promise<void> {
    await expect(page).toHaveURL(/\/login\?next=/);
    await page.reload();
    await logIn(page, email);
    await expect(page).not.toHaveURL(/\/login/);
  }

  test('is done after logging in, said so, only ever turned on, and done once', async ({ page, product, user }) => {
    const { id } = await createSchool(product);
    const save = button(page, 'Save');
    await openPage(page, `/school/${id}`);
    await save.click();
    await expect(page).toHaveURL(`/login?next=/school/${id}`);
    await comeBack(page, user.email);
    await expect(notice(page, 'status', 'School saved.')).toBeVisible();
    await expect(save).toHaveAttribute('aria-pressed', 'true');
    await save.click();
    await expect(save).toHaveAttribute('aria-pressed', 'false');
    await page.reload();
    await whenHydrated(page);
    await expect(save).toHaveAttribute('aria-pressed', 'false');

    const { entry, reviewId } = await createReviewOf(product, await createUser(product));
    await call(product, `POST /auth/markHelpful/${reviewId}`, { token: user.token });
    await openPage(page, '/login');
    await button(page, 'Log out').click();
    await openPage(page, `${category.pages.reviews}/${entry.id}`);
    await page.getByRole('button', { name: 'Helpful (1)' }).click();
    await comeBack(page, user.email);
    await expect(notice(page, 'status', 'Marked as helpful.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Helpful (1)' })).toHaveAttribute('aria-pressed', 'true');
  });

  test('is open after logging in: a report, and a proposal', async ({ page, product, user }) => {
    const { entry } = await createReviewOf(product, await createUser(product));
    await openPage(page, `${category.pages.reviews}/${entry.id}?sort=oldest`);
    await button(page, 'Report').click();
    await comeBack(page, user.email);
    await expect(page).toHaveURL(`${category.pages.reviews}/${entry.id}?sort=oldest`);
    await expect(page.getByRole('dialog', { name: 'Report this review' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.reload();
    await whenHydrated(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await openPage(page, '/login');
    await button(page, 'Log out').click();
    await openPage(page, `${category.pages.list}/${entry.schoolId}`);
    await button(page, 'Add what is missing').click();
    await comeBack(page, user.email);
    await expect(page.getByRole('dialog', { name: 'Add what is missing' })).toBeVisible();
  });

  test('is forgotten after half an hour', async ({ page, product, user }) => {
    const { id } = await createSchool(product);
    await page.clock.install();
    await openPage(page, `/school/${id}`);
    await button(page, 'Save').click();
    await page.clock.setSystemTime(Date.now() + 31 * 60_000);
    await comeBack(page, user.email);
    await expect(page).toHaveURL(`/school/${id}`);
    await expect(button(page, 'Save')).toHaveAttribute('aria-pressed', 'false');
    expect((await call(product, 'GET /auth/getSavedSchools', { token: user.token })).body).toEqual([]);
  });
});

test.describe('account pages', () => {
  for (const path of ['/login', '/signup', '/forgot']) {
    test(`${path} tells somebody who is signed in so, with the way on and out`, async ({ page, user }) => {
      await openAs(page, user, `${path}?next=/leaderboard`);
      await expect(page.getByText(`You are signed in as ${user.username}.`)).toBeVisible();
      await expectAxeClean(page);
      await link(page, 'Continue').click();
      await expect(page).toHaveURL('/leaderboard');
      await openPage(page, path);
      await expect(link(page, 'Continue')).toHaveAttribute('href', '/dashboard');
      await button(page, 'Log out').click();
      await expect(page.getByText('You are signed in')).toHaveCount(0);
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      await expect(page).toHaveURL(path);
    });
  }

  const REFUSED: readonly [string, string, Readonly<Record<string, string>>, readonly string[]][] = [
    ['/login', 'Login', { Email: 'a@example.org' }, ['Password']],
    ['/signup', 'Sign Up', { Username: 'walker', Email: 'a@example.org' }, ['Password', 'Confirm Password']],
    ['/forgot', 'Send Passcode', { Email: 'a@example.org' }, ['New Password', 'Confirm New Password']],
  ];
  test('give back all but the passwords of what was refused', async ({ page }) => {
    await page.route('**/auth/**', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { error: 'Not today, thank you.' } })
        : route.continue(),
    );
    for (const [path, submit, typed, passwords] of REFUSED) {
      await openPage(page, path);
      await expect(button(page, 'Fill in again')).toHaveCount(0);
      await fillIn(page, { ...typed, ...Object.fromEntries(passwords.map((label) => [label, PASSWORD])) });
      await button(page, 'Show').first().click();
      await button(page, submit).click();
      await expect(notice(page, 'alert', 'Not today, thank you.')).toBeVisible();
      for (const label of [...Object.keys(typed), ...passwords]) {
        await expect(page.getByLabel(label, { exact: true })).toHaveValue('');
      }
      await expectAxeClean(page);
      await button(page, 'Fill in again').click();
      for (const [label, value] of Object.entries(typed)) {
        await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
      }
      for (const label of passwords) await expect(page.getByLabel(label, { exact: true })).toHaveValue('');
      await expect(page.getByLabel(passwords[0] ?? '', { exact: true })).toBeFocused();
      await expect(button(page, 'Fill in again')).toHaveCount(0);
    }
  });

  test('/login says before any try why a login may fail, behind a disclosure', async ({ page }) => {
    await openPage(page, '/login');
    const hint = page.getByText('Just verified? We may have mailed you a passcode to set a password.');
    await expect(hint).toBeHidden();
    await page.getByText('Cannot log in?').click();
    await expect(hint).toBeVisible();
    await expectAxeClean(page);
  });

  test('a login before verification says to press Resend when no passcode is live, and only then', async ({
    page,
    product,
  }) => {
    const username = unique('late');
    const email = `${username}@example.org`;
    await call(product, 'POST /auth/signup', { body: { username, email, password: PASSWORD } });
    await readPasscode(product, email);
    const press = page.getByText('Press Resend for a new passcode.', { exact: true });
    const enter = page.getByText('Enter the passcode from your email, or press Resend.', { exact: true });
    await openPage(page, '/login?next=/leaderboard');
    await logIn(page, email);
    await expect(enter).toBeVisible();
    await product.app.database.write((db) => db.deleteFrom('passcodes').execute());
    await openPage(page, '/login?next=/leaderboard');
    await logIn(page, email);
    await expect(press).toBeVisible();
    await expect(page.getByLabel('Passcode')).toBeFocused();
    await page.reload();
    await expect(press).toBeVisible();
    await button(page, 'Resend').click();
    await expect(enter).toBeVisible();
    await expect(press).toHaveCount(0);
    expect(new URL(page.url()).searchParams.get('next')).toBe('/leaderboard');
  });

  test('a wrong login says the same for everyone, and no more', async ({ page, user }) => {
    await openPage(page, '/login');
    await logIn(page, user.email, 'not the password');
    await expect(
      page.getByRole('alert').getByText('The email or the password is wrong.', { exact: true }),
    ).toBeVisible();
  });
});

test('a review begun on another page is not posted there', async ({ page, product, user }) => {
  const { entry } = await createReviewOf(product, await createUser(product));
  const other = await createReviewOf(product, await createUser(product));
  await postReview(product, category, other.entry.id, await createUser(product));
  await openPage(page, `${category.pages.reviews}/${entry.id}`);
  await page.getByLabel('Your review').fill('Of the first one.');
  await openAs(page, user, `${category.pages.reviews}/${other.entry.id}`);
  await expect(page.getByLabel('Your review')).toHaveValue('');
});
