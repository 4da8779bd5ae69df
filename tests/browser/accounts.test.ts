import { expect, fillIn, logIn, notice, openAs, openMenu, seedToken, test } from '../support/browser.ts';
import { category, createUser, PASSWORD, readPasscode, unique } from '../support/rows.ts';

const NEW_PASSWORD = 'an entirely new secret';

test.describe('account pages', () => {
  test('each form refuses what is no email and asks the server nothing; passwords that differ are refused, in the words of each page', async ({
    page,
  }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.method()));
    for (const { path, button, passwords, differ } of [
      { path: '/login', button: 'Login', passwords: ['Password'], differ: undefined },
      {
        path: '/signup',
        button: 'Sign Up',
        passwords: ['Password', 'Confirm Password'],
        differ: 'Passwords do not match. Please check and try again.',
      },
      {
        path: '/forgot',
        button: 'Send Passcode',
        passwords: ['New Password', 'Confirm New Password'],
        differ: 'Passwords do not match please try again',
      },
    ]) {
      await page.goto(path);
      const [email, send] = [page.getByLabel('Email'), page.getByRole('button', { name: button, exact: true })];
      if (path === '/signup') await page.getByLabel('Username').fill('somebody');
      await email.fill('no email');
      for (const label of passwords) await page.getByLabel(label, { exact: true }).fill(PASSWORD);
      await send.click();
      await expect(notice(page, 'alert', 'Please enter a valid email address.')).toBeVisible();
      await expect(email).toHaveAttribute('aria-invalid', 'true');
      if (!differ) continue;
      await email.fill('somebody@example.org');
      await page.getByLabel(passwords[1] ?? '', { exact: true }).fill('another');
      await send.click();
      await expect(notice(page, 'alert', differ)).toBeVisible();
    }
    expect(requests).not.toContain('POST');
  });

  test('a refused login shows the server’s sentence, clears the form and focuses Email; a network failure its message', async ({
    page,
  }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      'Please enter your password.',
    );
    await logIn(page, 'nobody@example.org', 'not the password');
    await expect(notice(page, 'alert', 'The email or the password is wrong.')).toBeVisible();
    await expect(page.locator('form').getByText('The email or the password is wrong.')).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveValue('');
    await page.route('**/auth/login', (route) => route.abort());
    await logIn(page, 'nobody@example.org', 'not the password');
    await expect(notice(page, 'alert', /^Login failed: ./)).toBeVisible();
  });

  test('sign-up, forgot, verification and resend tell of network failures with their own words', async ({ page }) => {
    await page.route('**/auth/**', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.goto('/signup');
    await fillIn(page, {
      Username: 'somebody',
      Email: 'somebody@example.org',
      Password: PASSWORD,
      'Confirm Password': PASSWORD,
    });
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(notice(page, 'alert', /^Signup failed: ./)).toBeVisible();
    await expect(page.getByLabel('Username')).toHaveValue('');
    await page.goto('/forgot');
    await fillIn(page, { Email: 'somebody@example.org', 'New Password': PASSWORD, 'Confirm New Password': PASSWORD });
    await page.getByRole('button', { name: 'Send Passcode' }).click();
    await expect(notice(page, 'alert', /^Forgot failed: ./)).toBeVisible();
    for (const path of ['/verify', '/change']) {
      await page.goto(`${path}?email=somebody@example.org`);
      await page.getByRole('button', { name: 'Resend' }).click();
      await expect(notice(page, 'alert', /^Resend failed: ./)).toBeVisible();
      if (path === '/change') {
        await fillIn(page, { 'New Password': PASSWORD, 'Confirm New Password': PASSWORD });
      }
      await page.getByLabel('Passcode').fill('123456');
      await page.getByRole('button', { name: 'Verify' }).click();
      await expect(notice(page, 'alert', /^Verification failed: ./)).toBeVisible();
      await expect(page.getByLabel('Passcode')).toHaveValue('');
    }
  });

  test('a wrong passcode clears its field, another can be asked for, and logging in before verifying leads back', async ({
    page,
    product,
  }) => {
    const username = unique('late');
    const email = `${username}@example.org`;
    await page.goto('/signup');
    await fillIn(page, { Username: username, Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD });
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(page).toHaveURL(/\/verify\?email=/);
    await page.goto('/login');
    await logIn(page, email);
    await expect(page).toHaveURL(/\/verify\?email=/);
    await expect(page.getByRole('alert')).toContainText('not verified');
    await page.getByLabel('Passcode').fill('wrong');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(notice(page, 'alert', 'This passcode is wrong')).toBeVisible();
    await expect(page.getByLabel('Passcode')).toHaveValue('');
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(notice(page, 'status', 'Resend Successful Check Email')).toBeVisible();
    await page.getByLabel('Passcode').fill(await readPasscode(product, email));
    await page.getByLabel('Passcode').press('Enter');
    await expect(notice(page, 'status', 'Verification Successful')).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
  });

  test('a forgotten password is changed without the new one ever being in an address, the history or storage', async ({
    page,
    product,
  }) => {
    const user = await createUser(product);
    await page.goto('/forgot');
    await fillIn(page, { Email: user.email, 'New Password': NEW_PASSWORD, 'Confirm New Password': NEW_PASSWORD });
    await page.getByRole('button', { name: 'Send Passcode' }).click();
    await expect(notice(page, 'status', 'Check your email or spam folder to change your password')).toBeVisible();
    await expect(page).toHaveURL(`/change?email=${encodeURIComponent(user.email)}`);
    const stored = await page.evaluate(() =>
      JSON.stringify([history.state, { ...sessionStorage }, { ...localStorage }, location.href]),
    );
    expect(stored).not.toContain(NEW_PASSWORD);
    await expect(page.getByLabel('Confirm New Password')).toHaveCount(0);
    await page.getByLabel('Passcode').fill(await readPasscode(product, user.email));
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(notice(page, 'status', 'Verification Successful')).toBeVisible();
    await logIn(page, user.email, NEW_PASSWORD);
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('a new password in an opened address is taken out of it before anything is asked with it', async ({
    page,
    product,
  }) => {
    const user = await createUser(product);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
    const address = `/change?${new URLSearchParams({ email: user.email, newPassword: NEW_PASSWORD })}`;
    await page.goto(address);
    await expect(page).toHaveURL(`/change?email=${encodeURIComponent(user.email)}`);
    // The first request has the address that somebody typed. No later one has the password.
    expect(addresses.slice(2).join(' ')).not.toContain('newPassword');
    await expect(page.getByLabel('New Password', { exact: true })).toHaveCount(0);
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(notice(page, 'status', 'Resend Successful Check Email')).toBeVisible();
    await fillIn(page, { Passcode: await readPasscode(product, user.email), 'Confirm New Password': NEW_PASSWORD });
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await logIn(page, user.email, NEW_PASSWORD);
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('a password that somebody else put into a link is not set by whoever has the passcode but does not know it', async ({
    page,
    product,
  }) => {
    const user = await createUser(product);
    const resets: string[] = [];
    page.on('request', (request) => request.url().endsWith('/auth/resetPassword') && resets.push(request.method()));
    await page.goto(`/change?${new URLSearchParams({ email: user.email, newPassword: 'chosen by a stranger' })}`);
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(notice(page, 'status', 'Resend Successful Check Email')).toBeVisible();
    await page.getByLabel('Passcode').fill(await readPasscode(product, user.email));
    for (const typed of ['', 'chosen by myself']) {
      await page.getByLabel('Confirm New Password').fill(typed);
      await page.getByRole('button', { name: 'Verify' }).click();
      await expect(notice(page, 'alert', 'Passwords do not match please try again')).toBeVisible();
      await expect(page.getByLabel('Confirm New Password')).toHaveAttribute('aria-invalid', 'true');
    }
    expect(resets).toEqual([]);
    await page.goto('/login');
    await logIn(page, user.email);
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  test('/verify and /change repeat no text of their address but an email, and do not claim to know the account', async ({
    page,
  }) => {
    for (const path of ['/verify', '/change']) {
      await page.goto(`${path}?email=${encodeURIComponent('you. Call 555-0100 to get your passcode')}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('555-0100')).toHaveCount(0);
      await expect(page.getByLabel('Email')).toHaveValue('');
      await page.goto(`${path}?email=somebody@example.org`);
      await expect(page.getByText(/somebody@example\.org/)).toBeVisible();
      await expect(
        page.getByText(/^(If somebody|Enter the passcode from your email, or press Resend\.$)/),
      ).toBeVisible();
      await expect(page.getByLabel('Email')).toHaveCount(0);
    }
  });

  test('logging out forgets the token and goes to the dashboard, even when the server is away', async ({
    page,
    product,
  }) => {
    const user = await createUser(product);
    await openAs(page, user, '/tos');
    await page.route('**/auth/logout', (route) => route.abort());
    await (await openMenu(page)).getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
    await expect((await openMenu(page)).getByRole('link', { name: 'Login' })).toBeVisible();
  });

  // Visitors are sent away from every guarded page in going-back.test.ts.
  test('the admin pages send whoever is no admin to the dashboard', async ({ page, user }) => {
    await seedToken(page, user.token);
    for (const path of ['/admin', '/adminschool', '/select/1', `${category.pages.adminEntries}/1`]) {
      await page.goto(path);
      await expect(page, path).toHaveURL(/\/dashboard$/);
    }
  });
});
