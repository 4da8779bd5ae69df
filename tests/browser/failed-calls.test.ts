import type { Page } from 'playwright/test';
import {
  button,
  expect,
  expectAfterRetries,
  fillPasswords,
  notice,
  openAs,
  openPage,
  rowOf,
  test,
  writeReview,
} from '../support/browser.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  PASSWORD,
  postReview,
  type RunningProduct,
} from '../support/rows.ts';

const { calls, pages } = category;

interface Failing {
  /** The call that fails, as the message in the console names it. */
  call: string;
  /** Makes the call, after which the page shows the notice or text `shows`. */
  act: (page: Page, product: RunningProduct) => Promise<unknown>;
  shows: string;
}

const asAdmin = async (page: Page, product: RunningProduct, address: string) =>
  openAs(page, await createUser(product, { isAdmin: true }), address);

async function addSchool(page: Page): Promise<void> {
  for (const [label, text] of [
    ['School Name', 'Never added'],
    ['Description', 'A school for tests.'],
    ['Location', 'Nowhere, Testland'],
  ] as const)
    await page.getByLabel(label).fill(text);
  await button(page, 'Add').click();
}

async function submitReview(page: Page, product: RunningProduct): Promise<void> {
  const entry = await createEntry(product, category);
  await openAs(page, await createUser(product), `${pages.reviews}/${entry.id}`);
  await writeReview(page, 4, 'Never posted.');
  await button(page, 'Submit Review').click();
}

/** The failures that the specification wants to be logged (§8). The page says them too. */
const FAILING: readonly Failing[] = [
  {
    call: 'schools',
    act: (page) => page.goto('/allschools'),
    shows: 'The schools could not be loaded.',
  },
  {
    call: calls.list,
    act: async (page, product) => page.goto(`${pages.list}/${(await createSchool(product)).id}`),
    shows: 'The list could not be loaded.',
  },
  {
    call: calls.reviews,
    act: async (page, product) => page.goto(`${pages.reviews}/${(await createEntry(product, category)).id}`),
    shows: 'The reviews could not be loaded.',
  },
  {
    call: calls.leaderboard,
    act: (page) => page.goto('/leaderboard'),
    shows: 'The rankings could not be loaded.',
  },
  {
    call: 'postSchool',
    act: async (page, product) => addSchool(await asAdmin(page, product, '/adminschool')),
    shows: 'Nothing was saved. The site cannot answer right now. Please try again shortly.',
  },
  {
    call: calls.update,
    act: async (page, product) => {
      const entry = await createEntry(product, category);
      await asAdmin(page, product, `${pages.adminEntries}/${entry.schoolId}`);
      await rowOf(page, entry.name).getByRole('button', { name: 'Update' }).click();
      await page.getByRole('form').getByRole('button', { name: 'Update' }).click();
    },
    shows: 'Nothing was saved. The site cannot answer right now. Please try again shortly.',
  },
  {
    call: 'deleteUser',
    act: async (page, product) => {
      const { username } = await createUser(product);
      await asAdmin(page, product, '/admin');
      await rowOf(page, username).getByRole('button', { name: 'Delete', exact: true }).click();
    },
    shows: 'The user was not deleted. The site cannot answer right now. Please try again shortly.',
  },
  {
    call: calls.postReview,
    act: submitReview,
    shows: 'The review was not saved. The site cannot answer right now. Please try again shortly.',
  },
];

test.describe('a call that fails', () => {
  test(`is logged and said in the page: ${FAILING.map(({ call }) => call).join(', ')}`, async ({ page, product }) => {
    test.slow();
    let logged: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && logged.push(message.text()));
    await page.clock.install();
    for (const { call, act, shows } of FAILING) {
      const address = new RegExp(`/auth/${call}\\b`);
      await page.route(address, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
      logged = [];
      await act(page, product);
      await expectAfterRetries(page, (soon) => expect(page.getByText(shows).first(), call).toBeVisible(soon));
      expect(logged.join('\n')).toContain(`The call ${call} failed. CallError: The server answered with status 502.`);
      await page.unroute(address);
    }
  });

  test('is not logged when nothing has the id', async ({ page, product }) => {
    const { id, schoolName } = await createSchool(product);
    const logged: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && logged.push(message.text()));
    await openPage(page, `/allschools?q=${schoolName}`);
    await page.route(`**/auth/getSchool/${id}`, (route) =>
      route.fulfill({ status: 404, json: { error: 'There is no such school.' } }),
    );
    await page.getByRole('main').getByRole('link', { name: schoolName }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
    expect(logged).toEqual([]);
  });
});

/** An answer of status 200 whose body says that the call failed. */
const SAID_IN_BODY = { status: 200, json: { error: 'The stub says no.' } };

test.describe('an answer with an error in its body counts as a failure, whatever its status', () => {
  test('at /login, /signup and /forgot, where its text is the alert and the form is cleared', async ({ page }) => {
    for (const { path, call, submit, labels } of [
      { path: '/login', call: 'login', submit: 'Login', labels: ['Password'] },
      { path: '/signup', call: 'signup', submit: 'Sign Up', labels: ['Password', 'Confirm Password'] },
      {
        path: '/forgot',
        call: 'forgotPassword',
        submit: 'Send Passcode',
        labels: ['New Password', 'Confirm New Password'],
      },
    ]) {
      await openPage(page, path);
      await page.route(`**/auth/${call}`, (route) => route.fulfill(SAID_IN_BODY));
      if (call === 'signup') await page.getByLabel('Username').fill('somebody');
      await page.getByLabel('Email').fill('somebody@example.org');
      for (const label of labels) await page.getByLabel(label, { exact: true }).fill(PASSWORD);
      await button(page, submit).click();
      await expect(notice(page, 'alert', 'The stub says no.')).toBeVisible();
      await expect(page.getByLabel('Email')).toHaveValue('');
      await expect(page.getByRole('status')).toHaveCount(0);
      await expect(page).toHaveURL(path);
      expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBeNull();
    }
  });

  test('at /verify after Verify and after Resend', async ({ page }) => {
    for (const [name, call] of [
      ['Verify', 'verify'],
      ['Resend', 'resend?**'],
    ] as const) {
      await openPage(page, '/verify?email=somebody@example.org');
      await page.route(`**/auth/${call}`, (route) => route.fulfill(SAID_IN_BODY));
      await page.getByLabel('Passcode').fill('123456');
      await button(page, name).click();
      await expect(notice(page, 'alert', 'The stub says no.')).toBeVisible();
      await expect(page.getByRole('status')).toHaveCount(0);
      await expect(page).toHaveURL(/\/verify/);
    }
  });

  test('when a review is submitted, whose text stays', async ({ page, product }) => {
    await page.route(`**/auth/${calls.postReview}`, (route) => route.fulfill(SAID_IN_BODY));
    await submitReview(page, product);
    await expect(notice(page, 'alert', 'The stub says no.')).toBeVisible();
    await expect(page.getByLabel('Your review')).toHaveValue('Never posted.');
  });

  test('when a list is loaded, which Retry brings back', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product), { review: 'Worth a read.' });
    const list = `**/auth/${calls.reviews}/${entry.id}`;
    await page.route(list, (route) => route.fulfill(SAID_IN_BODY));
    await page.goto(`${pages.reviews}/${entry.id}`);
    await expect(page.getByText('The reviews could not be loaded.')).toBeVisible();
    await expect(page.getByText('The stub says no.')).toBeVisible();
    await page.unroute(list);
    await button(page, 'Retry').click();
    await expect(page.getByText('Worth a read.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 2, name: 'Reviews', exact: true })).toBeFocused();
  });
});

test('a read that is no JSON counts as a failure', async ({ page }) => {
  await page.route(`**/auth/${calls.leaderboard}`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Log in to the network of the hotel</h1>' }),
  );
  await page.goto('/leaderboard?anew');
  await expect(page.getByText('The rankings could not be loaded.')).toBeVisible();
  await expect(page.getByText('0 schools', { exact: true })).toBeVisible();
});

test('JSON is read without a label, newest review first', async ({ page, entry }) => {
  const review = (id: number, year: number) => ({
    id,
    review: `Written in ${year}.`,
    rating: 4,
    createdAt: `${year}-01-05T12:00:00.000Z`,
    helpful: 0,
  });
  await page.route(`**/auth/${calls.reviews}/${entry.id}**`, (route) =>
    route.fulfill({ body: JSON.stringify([review(1, 2023), review(3, 2025), review(2, 2024)]) }),
  );
  const years = page.getByRole('article').getByText(/^Written in/);
  await openPage(page, `${pages.reviews}/${entry.id}?anew`);
  await expect(years).toHaveText(['Written in 2025.', 'Written in 2024.', 'Written in 2023.']);
  await openPage(page, `${pages.reviews}/${entry.id}?sort=lowest`);
  await expect(years).toHaveText(['Written in 2023.', 'Written in 2025.', 'Written in 2024.']);
});

test('a 401 without a challenge signs out, unless a password was sent', async ({ page, product, entry }) => {
  const refuse = { status: 401, json: { error: 'Not you.' } };
  const token = () => page.evaluate(() => sessionStorage.getItem('token'));
  await page.route('**/auth/changePassword', (route) => route.fulfill(refuse));
  await page.route(`**/auth/${calls.postReview}`, (route) => route.fulfill(refuse));
  await openAs(page, await createUser(product), '/profile');
  await page.getByText('Your account').click();
  await fillPasswords(page, ['Current Password', 'New Password', 'Confirm New Password']);
  await button(page, 'Change password').click();
  await expect(page.getByText('Not you.').first()).toBeVisible();
  expect(await token()).not.toBeNull();

  await openPage(page, `${pages.reviews}/${entry.id}`);
  await writeReview(page, 4, 'Kept all the same.');
  await button(page, 'Submit Review').click();
  await expect(notice(page, 'alert', 'Your session has ended. Please log in again.')).toBeVisible();
  expect(await token()).toBeNull();
});
