import type { Locator, Page } from 'playwright/test';
import { NOTE_MAX } from '../../src/contract/moderation.ts';
import { APPEAL_MAX } from '../../src/contract/my-reviews.ts';
import { REVIEW_MAX } from '../../src/contract/reviews.ts';
import {
  button,
  expect,
  expectAxeClean,
  fillIn,
  notice,
  openAs,
  openPage,
  test,
  writeReview,
} from '../support/browser.ts';
import { createReviewOf, hide } from '../support/moderation.ts';
import { category, createEntry, createSchool, createUser, type RunningProduct, unique } from '../support/rows.ts';

/** A field with a limit, in a form that is filled in but for it. */
interface Limited {
  readonly max: number;
  readonly open: (page: Page, product: RunningProduct) => Promise<{ field: Locator; send: Locator }>;
}

const LIMITED: Readonly<Record<string, Limited>> = {
  // For visitors, so before anybody is signed in.
  'the name of an account': {
    max: 32,
    async open(page) {
      await openPage(page, '/signup');
      const password = 'a long password of mine';
      await fillIn(page, { Email: `${unique('new')}@example.org`, Password: password, 'Confirm Password': password });
      return { field: page.getByLabel('Username'), send: button(page, 'Sign Up') };
    },
  },
  'a review': {
    max: REVIEW_MAX,
    async open(page, product) {
      const entry = await createEntry(product, category);
      await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
      await writeReview(page, 4, 'Good.');
      return { field: page.getByLabel('Your review'), send: button(page, 'Submit Review') };
    },
  },
  "a report's note": {
    max: NOTE_MAX,
    async open(page, product) {
      const { entry } = await createReviewOf(product);
      await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
      await button(page, 'Report').click();
      await page.getByRole('radio', { name: 'Something else' }).check();
      return { field: page.getByLabel('Note'), send: button(page, 'Send report') };
    },
  },
  'an appeal': {
    max: APPEAL_MAX,
    async open(page, product) {
      const { author, reviewId } = await createReviewOf(product);
      await hide(product, await createUser(product, { isAdmin: true }), reviewId);
      await openAs(page, author, '/myreviews');
      await button(page, 'Appeal').click();
      return { field: page.getByLabel('Your appeal'), send: button(page, 'Send appeal') };
    },
  },
  'the profile': {
    max: 2_000,
    async open(page, product) {
      await openAs(page, await createUser(product), '/profile');
      return { field: page.getByLabel('Living Preference'), send: button(page, 'Save Profile') };
    },
  },
  'the name of a missing school': {
    max: 200,
    async open(page, product) {
      await openAs(page, await createUser(product), '/allschools?q=zzzz');
      await button(page, 'Add a missing school').click();
      await page.getByLabel('Location').fill('Kiel, Germany');
      return { field: page.getByLabel('School name'), send: button(page, 'Send') };
    },
  },
  'a missing entry': {
    max: 5_000,
    async open(page, product) {
      await openAs(page, await createUser(product), `${category.pages.list}/${(await createSchool(product)).id}`);
      await button(page, 'Add what is missing').click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Rowing');
      return { field: page.getByLabel('Description'), send: button(page, 'Send') };
    },
  },
  'a school of an admin': {
    max: 200,
    async open(page, product) {
      await openAs(page, await createUser(product, { isAdmin: true }), '/adminschool');
      await fillIn(page, { 'School Name': unique('School'), Description: 'Anything' });
      return { field: page.getByLabel('Location'), send: button(page, 'Add') };
    },
  },
};

/** Pastes a text, as a person does. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.page().keyboard.insertText(text);
}

test.describe('a text that is too long', () => {
  test(`is kept whole, counted, and not sent, in ${Object.keys(LIMITED).join(', ')}`, async ({ page, product }) => {
    test.slow();
    let changes: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && changes.push(request.url()));
    for (const [what, { max, open }] of Object.entries(LIMITED)) {
      const { field, send } = await open(page, product);
      changes = [];
      await field.fill('');
      await paste(field, 'x'.repeat(max + 200));
      await expect(field).toHaveValue('x'.repeat(max + 200));
      await expect(field).toHaveAccessibleDescription('200 characters too many');
      await expect(send).toBeEnabled();
      await send.click();
      await expect(notice(page, 'alert', 'Shorten the text by 200 characters.')).toBeVisible();
      await expect(field).toHaveAccessibleDescription(/Shorten the text by 200 characters\.$/);
      await expect(field).toBeFocused();
      await field.fill('x'.repeat(max + 1));
      await expect(field).toHaveAccessibleDescription(/^1 character too many/);
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await field.fill('x'.repeat(max));
      await expect(field).not.toHaveAttribute('aria-invalid');
      expect(changes, what).toEqual([]);
      // The server agrees.
      await send.click();
      await expect(page.getByRole('status').first(), what).toBeVisible();
    }
  });
});

test.describe('an error at a field', () => {
  test('goes with the first valid input, and not before', async ({ page }) => {
    await openPage(page, '/signup');
    const { email, confirmation } = {
      email: page.getByLabel('Email'),
      confirmation: page.getByLabel('Confirm Password'),
    };
    await fillIn(page, { Username: 'somebody', Email: 'no', Password: 'plain sailing', 'Confirm Password': 'other' });
    await button(page, 'Sign Up').click();
    await expect(email).toHaveAttribute('aria-invalid', 'true');
    await email.fill('no@');
    await expect(email).toHaveAttribute('aria-invalid', 'true');
    await email.fill('yes@example.org');
    await expect(email).not.toHaveAttribute('aria-invalid');
    // An error at another field stays until a change of the field that it depends on makes it right.
    await expect(confirmation).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Password', { exact: true }).fill('other');
    await expect(confirmation).not.toHaveAttribute('aria-invalid');
  });

  test('about the reason of a report goes when one is chosen', async ({ page, product, user }) => {
    const { entry } = await createReviewOf(product);
    await openAs(page, user, `${category.pages.reviews}/${entry.id}`);
    await button(page, 'Report').click();
    await button(page, 'Send report').click();
    const error = page.getByRole('dialog').getByRole('alert');
    await expect(error).toHaveText('Please choose what is wrong.');
    await expectAxeClean(page);
    await page.getByRole('radio', { name: 'It is fake' }).check();
    await expect(error).toHaveCount(0);
  });

  test('says what is wrong with the text as it is now, as the counter does', async ({ page, product }) => {
    const { field, send } = (await LIMITED['a review']?.open(page, product)) ?? {};
    if (!field || !send) throw new Error('there is no form');
    await field.fill('x'.repeat(REVIEW_MAX + 200));
    await send.click();
    await expect(field).toHaveAccessibleDescription(/Shorten the text by 200 characters\.$/);
    await field.fill('x'.repeat(REVIEW_MAX + 50));
    await expect(field).toHaveAccessibleDescription('50 characters too many Shorten the text by 50 characters.');
    await field.fill('');
    await expect(field).toHaveAccessibleDescription(/ Please write your review\.$/);
  });

  test('that the server found goes when the field is changed', async ({ page, product }) => {
    await openAs(page, await createUser(product, { isAdmin: true }), '/adminschool');
    await page.route('**/auth/postSchool', (route) =>
      route.fulfill({ status: 400, json: { error: 'This is not right.', field: 'location' } }),
    );
    for (const label of ['School Name', 'Description', 'Location']) await page.getByLabel(label).fill('Anything');
    await button(page, 'Add').click();
    await expect(page.getByLabel('Location')).toHaveAccessibleDescription('This is not right.');
    await page.getByLabel('Description').fill('Something');
    await expect(page.getByLabel('Location')).toHaveAccessibleDescription('This is not right.');
    await page.getByLabel('Location').fill('Kiel');
    await expect(page.getByLabel('Location')).not.toHaveAttribute('aria-invalid');
  });
});

test('browsers are told what belongs into the fields of accounts', async ({ page, product }) => {
  const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/signup': {
      Username: 'nickname',
      Email: 'email',
      Password: 'new-password',
      'Confirm Password': 'new-password',
    },
    '/login': { Email: 'username', Password: 'current-password' },
    '/forgot': { Email: 'email', 'New Password': 'new-password', 'Confirm New Password': 'new-password' },
    '/verify': { Passcode: 'one-time-code' },
    '/change': { Passcode: 'one-time-code', 'New Password': 'new-password' },
  };
  for (const [path, fields] of Object.entries(expected)) {
    await openPage(page, path);
    for (const [label, value] of Object.entries(fields)) {
      await expect(page.getByLabel(label, { exact: true }), `${path} ${label}`).toHaveAttribute('autocomplete', value);
    }
  }
  await openAs(page, await createUser(product), '/profile');
  await page.getByText('Your account').click();
  await expect(page.getByLabel('Current Password')).toHaveAttribute('autocomplete', 'current-password');
  await expect(page.getByLabel('Username')).toHaveAttribute('autocomplete', 'nickname');
});
