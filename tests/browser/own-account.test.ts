import { readFileSync } from 'node:fs';
import type { Page } from 'playwright/test';
import {
  button,
  expect,
  expectAxeClean,
  fillIn,
  fillPasswords,
  logIn,
  loseAnswer,
  notice,
  openAs,
  openMenu,
  openPage,
  seedToken,
  test,
} from '../support/browser.ts';
import { htmlProblems } from '../support/html-checker.ts';
import { category, postReview, readPasscode, signIn, unique } from '../support/rows.ts';
import { expectTranslated, translate } from '../support/translator.ts';

test.describe.configure({ mode: 'parallel' });

async function openAccount(page: Page, user: { token: string }, what = 'Your account'): Promise<void> {
  await openAs(page, user, '/profile');
  await page.getByText(what, { exact: true }).click();
}

const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions' });

for (const isTranslated of [false, true]) {
  test.describe(isTranslated ? 'an account on a translated page' : 'an account', () => {
    test.beforeEach(async ({ page }) => {
      if (isTranslated) await translate(page);
    });
    test.afterEach(async ({ page }) => {
      if (isTranslated) await expectTranslated(page);
    });

    test('has another name at once, on reviews too, and keeps its session', async ({ page, product, user, entry }) => {
      await postReview(product, category, entry.id, user);
      await openAccount(page, user);
      await expect(page.getByLabel('Username')).toHaveValue(user.username);
      await button(page, 'Save changes').click();
      await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Enter another username, a new email/);
      const username = unique('renamed');
      await fillIn(page, { Username: username, 'Your password': 'not it' });
      await button(page, 'Save changes').click();
      await expect(page.getByLabel('Your password', { exact: true })).toHaveAccessibleDescription(/password is wrong/);
      await fillPasswords(page, ['Your password']);
      await button(page, 'Save changes').click();
      await expect(notice(page, 'status', 'Username changed!')).toBeVisible();
      await expect(page.getByLabel('Username')).toHaveValue(username);
      await expect(page.getByLabel('Your password', { exact: true })).toHaveValue('');
      await expect(sessions(page).getByRole('listitem')).toHaveCount(1);
      await fillIn(page, { Username: unique('again') });
      await fillPasswords(page, ['Your password']);
      await button(page, 'Save changes').click();
      await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/once in 30 days, again on /);
      await openPage(page, `${category.pages.reviews}/${entry.id}`);
      await expect(page.getByRole('article')).toContainText(username);
    });

    test('has another email once its passcode is entered, and other sessions end', async ({
      page,
      newPage,
      product,
      user,
    }) => {
      const other = await newPage();
      await seedToken(other, await signIn(product, user.id));
      await openPage(other, '/profile');
      await openAccount(page, user);
      const email = `${unique('Mailbox')}@example.org`;
      await fillIn(page, { 'New email': email });
      await fillPasswords(page, ['Your password']);
      await button(page, 'Save changes').click();
      const passcode = page.getByLabel('Passcode', { exact: true });
      await expect(passcode).toBeFocused();
      await expect(page.getByText(`We mail a passcode to ${email}`)).toBeVisible();
      await passcode.fill('000000');
      await button(page, 'Confirm email').click();
      await expect(passcode).toHaveAccessibleDescription(/This passcode is wrong, used up or expired\./);
      // After the page is loaded anew, the passcode still has its field.
      await openAccount(page, user);
      await page.getByText('Enter the passcode for a new email').click();
      const code = await readPasscode(product, email);
      await passcode.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await button(page, 'Confirm email').click();
      await expect(notice(page, 'status', 'Email changed! You are logged out everywhere else.')).toBeVisible();
      await expect(passcode).toBeHidden();
      await expect(page.locator('summary:focus')).toHaveText('Enter the passcode for a new email');
      await expect(sessions(page).getByRole('listitem')).toHaveCount(1);
      await button(other, 'Save Profile').click();
      await expect(other.getByText('Your session has ended.')).toBeVisible();
      await openPage(other, '/login');
      await logIn(other, user.email);
      await expect(notice(other, 'alert', 'The email or the password is wrong.')).toBeVisible();
      await logIn(other, email);
      await expect(other).toHaveURL('/dashboard');
    });

    test('shows where it is signed in, and ends another session', async ({ page, newPage, product, user }) => {
      const other = await newPage();
      await seedToken(other, await signIn(product, user.id));
      await openPage(other, '/profile');
      await openAccount(page, user);
      await expect(sessions(page).getByRole('listitem')).toHaveCount(2);
      await expect(sessions(page).getByRole('listitem').filter({ hasText: 'This one' })).toHaveCount(1);
      await button(page, 'End session').click();
      await expect(notice(page, 'status', 'Session ended.')).toBeVisible();
      await expect(sessions(page).getByRole('listitem')).toHaveCount(1);
      await expect(page.getByRole('heading', { name: 'Sessions' })).toBeFocused();
      await button(other, 'Save Profile').click();
      await expect(other.getByText('Your session has ended.')).toBeVisible();
    });

    test('is left with its reviews kept, after its password', async ({ page, product, user, entry }) => {
      await postReview(product, category, entry.id, user, { review: 'Said once.' });
      await openAccount(page, user, 'Your data');
      await button(page, 'Delete my account').click();
      await expect(page.getByText('Please choose what becomes of your reviews.').first()).toBeVisible();
      await page.getByLabel('Keep my reviews, without my name').check();
      await page.getByLabel('Password', { exact: true }).fill('not it');
      await button(page, 'Delete my account').click();
      await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/password is wrong/);
      await fillPasswords(page, ['Password']);
      await button(page, 'Delete my account').click();
      await expect(notice(page, 'status', 'Your account is deleted.')).toBeVisible();
      await expect(page).toHaveURL('/dashboard');
      await openPage(page, `${category.pages.reviews}/${entry.id}`);
      await expect(page.getByRole('article')).toContainText('Said once.');
      await expect(page.getByRole('article')).not.toContainText(user.username);
      await openPage(page, '/login');
      await logIn(page, user.email);
      await expect(notice(page, 'alert', 'The email or the password is wrong.')).toBeVisible();
    });
  });
}

/** Asks for another username, up to the press that sends it. @returns the name */
async function rename(page: Page): Promise<string> {
  const username = unique('renamed');
  await fillIn(page, { Username: username });
  await fillPasswords(page, ['Your password']);
  await button(page, 'Save changes').click();
  return username;
}

test('a change of the name whose answer was lost is seen when it is sent again', async ({ page, user }) => {
  await openAccount(page, user);
  await loseAnswer(page, '**/auth/updateMyAccount');
  const username = await rename(page);
  await expect(notice(page, 'alert', 'Nothing was changed.')).toBeVisible();
  await button(page, 'Save changes').click();
  await expect(notice(page, 'status', 'Username changed!')).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveValue(username);
});

test('a password whose answer was lost is changed when it is sent again', async ({ page, user }) => {
  await openAccount(page, user);
  const password = 'another one on wednesdays';
  await fillPasswords(page, ['Current Password']);
  await fillIn(page, { 'New Password': password, 'Confirm New Password': password });
  await loseAnswer(page, '**/auth/changePassword');
  await button(page, 'Change password').click();
  await expect(notice(page, 'alert', 'The password was not changed.')).toBeVisible();
  await button(page, 'Change password').click();
  await expect(notice(page, 'status', 'Password changed!')).toBeVisible();
});

test('an answer that comes after a logout signs nobody in again', async ({ page, user }) => {
  await openAccount(page, user);
  const [done, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/auth/updateMyAccount', async (route) => {
    const response = await route.fetch();
    done.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  const answered = page.waitForResponse('**/auth/updateMyAccount');
  await rename(page);
  await done.promise;
  await (await openMenu(page)).getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/dashboard');
  held.resolve();
  await (await answered).finished();
  await expect((await openMenu(page)).getByRole('link', { name: 'Login' })).toBeVisible();
});

test('all data of an account is downloaded as a file', async ({ page, product, user, entry }) => {
  await postReview(product, category, entry.id, user, { review: 'Mine.' });
  await openAccount(page, user, 'Your data');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download your data').click()]);
  expect(download.suggestedFilename()).toBe('my-data.json');
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toMatchObject({
    account: { username: user.username, email: user.email },
    reviews: [{ review: 'Mine.' }],
  });
});

test('the last admin is told why the account stays', async ({ page, user }) => {
  await page.route('**/auth/deleteMyAccount', (route) =>
    route.fulfill({ status: 409, json: { error: 'You are the last admin. Make somebody else an admin first.' } }),
  );
  await openAccount(page, user, 'Your data');
  await page.getByLabel('Delete my reviews').check();
  await fillPasswords(page, ['Password']);
  await button(page, 'Delete my account').click();
  await expect(notice(page, 'alert', 'You are the last admin.')).toBeVisible();
  await expect(page).toHaveURL('/profile');
});

test('both disclosures are closed at first, and have no violation when they are open', async ({
  page,
  product,
  user,
}) => {
  await signIn(product, user.id);
  await openAs(page, user, '/profile');
  await expect(page.getByLabel('Username')).toBeHidden();
  await expect(page.getByLabel('Password', { exact: true })).toBeHidden();
  for (const what of ['Your account', 'Your data', 'Enter the passcode for a new email']) {
    await page.getByText(what, { exact: true }).click();
  }
  await expect(button(page, 'End session')).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectAxeClean(page, String(width));
  }
  expect(await htmlProblems(await page.content())).toEqual([]);
});
