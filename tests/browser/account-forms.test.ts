import {
  button,
  expect,
  fillIn,
  logIn,
  notice,
  openAs,
  openUnhydrated,
  test,
  whenHydrated,
  writeReview,
} from '../support/browser.ts';
import { category, createEntry, createUser } from '../support/rows.ts';

test.describe('forms of accounts', () => {
  test('sign-up tells of every broken rule at once, asks nothing, clears nothing and focuses the first', async ({
    page,
  }) => {
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.goto('/signup');
    await fillIn(page, { Username: 'no', Email: 'no email', Password: 'short', 'Confirm Password': 'other' });
    await button(page, 'Sign Up').click();
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription(
      /The username must be 3 to 32 letters of one writing system, digits, "_", "-" or "\.", and begin with a letter or a digit\.$/,
    );
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      /The password must have at least 8 characters\.$/,
    );
    await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription(
      'Passwords do not match. Please check and try again.',
    );
    await expect(page.getByLabel('Username')).toBeFocused();
    // The two alerts of the specification, and no third.
    await expect(notice(page, 'alert', 'Please enter a valid email address.')).toBeVisible();
    await expect(notice(page, 'alert', 'Passwords do not match. Please check and try again.')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(2);
    await page.getByLabel('Username').fill('somebody');
    await page.getByLabel('Username').press('Enter');
    await expect(page.getByLabel('Username')).not.toHaveAttribute('aria-invalid');
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('short');
    expect(sent).toEqual([]);
  });

  test('whoever is led to the login page by a review is told so there, without an alarm', async ({ page, product }) => {
    const entry = await createEntry(product, category);
    const user = await createUser(product);
    await page.goto(`${category.pages.reviews}/${entry.id}`);
    await writeReview(page, 4, 'Written before logging in.');
    await button(page, 'Submit Review').click();
    await expect(page).toHaveURL(`/login?next=${category.pages.reviews}/${entry.id}`);
    await expect(
      page.getByText(`Log in to post your review of ${entry.name}. What you wrote is kept.`, { exact: true }),
    ).toBeVisible();
    await expect(page.getByText('Welcome back.')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await logIn(page, user.email);
    await expect(page.getByLabel('Your review')).toHaveValue('Written before logging in.');
  });

  test('/verify and /change name the site, how long a passcode is good for and a way back from a mistyped address', async ({
    page,
  }) => {
    for (const { path, way, to } of [
      { path: '/verify', way: 'Use another email', to: '/signup' },
      { path: '/change', way: 'Use another email or password', to: '/forgot' },
    ]) {
      await page.goto(`${path}?email=somebody@example.org`);
      await expect(page.getByRole('link', { name: 'School Reviews' })).toHaveAttribute('href', '/dashboard');
      await expect(page.getByLabel('Passcode')).toHaveAccessibleDescription(/good for 10 minutes/);
      await expect(page.getByRole('link', { name: way, exact: true })).toHaveAttribute('href', to);
      await button(page, 'Verify').click();
      await expect(page.getByLabel('Passcode')).toHaveAccessibleDescription(/The passcode is 6 digits\.$/);
      await expect(page.getByLabel('Passcode')).toBeFocused();
    }
  });

  test('a button that sends keeps the focus while it waits', async ({ page }) => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/auth/resend?**', async (route) => {
      await held;
      await route.fulfill({ status: 200, json: { message: 'Sent.' } });
    });
    await page.goto('/verify?email=somebody@example.org');
    await whenHydrated(page);
    await button(page, 'Resend').press('Enter');
    await expect(button(page, 'Resend')).toHaveAttribute('aria-busy', 'true');
    await expect(button(page, 'Resend')).toBeFocused();
    answer();
    await expect(notice(page, 'status', 'Resend Successful Check Email')).toBeVisible();
    await expect(button(page, 'Resend')).toBeFocused();
  });

  test('the password on the profile is checked before it is sent, in our own words', async ({ page, product }) => {
    await openAs(page, await createUser(product), '/profile');
    await page.getByText('Your account').click();
    await page.getByLabel('New Password', { exact: true }).fill('short');
    await button(page, 'Change password').click();
    await expect(page.getByLabel('Current Password')).toHaveAccessibleDescription(
      'Please enter your current password.',
    );
    await expect(page.getByLabel('Current Password')).toBeFocused();
    await expect(page.getByLabel('New Password', { exact: true })).toHaveAccessibleDescription(
      /at least 8 characters\.$/,
    );
    await expect(page.getByLabel('Confirm New Password')).toHaveAccessibleDescription(/Passwords do not match/);
  });

  test('a new password that is being typed does not go on in the passcode, where it would be shown', async ({
    page,
  }) => {
    const hydrate = await openUnhydrated(page, '/change?email=somebody@example.org');
    await page.getByLabel('New Password', { exact: true }).pressSequentially('plain sail');
    await hydrate();
    await page.keyboard.type('ing');
    await expect(page.getByLabel('New Password', { exact: true })).toHaveValue('plain sailing');
    await expect(page.getByLabel('Passcode')).toHaveValue('');
  });
});
