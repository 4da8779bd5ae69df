import type { Locator, Page } from 'playwright/test';
import { button, expect, fillIn, fillPasswords, openAs, test, whenHydrated, writeReview } from '../support/browser.ts';
import { proposeEntry } from '../support/proposals.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  postReview,
  type RunningProduct,
  signIn,
  unique,
} from '../support/rows.ts';
import { expectTranslated, translate } from '../support/translator.ts';

/** Fills a form in. @returns what sends it */
type Fill = (page: Page, product: RunningProduct) => Promise<Locator>;

/** For each button the call that it sends. The forms of a group are opened one after the other in one tab. */
const SENDINGS: Readonly<Record<string, Readonly<Record<string, Fill>>>> = {
  'signing up and in': {
    async 'Login by login'(page) {
      await page.goto('/login');
      await page.getByLabel('Email').fill('somebody@example.org');
      await fillPasswords(page, ['Password']);
      return button(page, 'Login');
    },
    async 'Sign Up by signup'(page) {
      await page.goto('/signup');
      await fillIn(page, { Username: 'somebody', Email: 'somebody@example.org' });
      await fillPasswords(page, ['Password', 'Confirm Password']);
      return button(page, 'Sign Up');
    },
    async 'Send Passcode by forgotPassword'(page) {
      await page.goto('/forgot');
      await page.getByLabel('Email').fill('somebody@example.org');
      await fillPasswords(page, ['New Password', 'Confirm New Password']);
      return button(page, 'Send Passcode');
    },
    async 'Verify on /verify by verify'(page) {
      await page.goto('/verify?email=somebody@example.org');
      await page.getByLabel('Passcode').fill('123456');
      return button(page, 'Verify');
    },
    async 'Resend by resend'(page) {
      await page.goto('/verify?email=somebody@example.org');
      await page.getByLabel('Passcode').fill('123456');
      return button(page, 'Resend');
    },
    async 'Verify on /change by resetPassword'(page) {
      await page.goto('/change?email=somebody@example.org');
      await page.getByLabel('Passcode').fill('123456');
      await fillPasswords(page, ['New Password', 'Confirm New Password']);
      return button(page, 'Verify');
    },
  },
  'the profile': {
    async 'Save Profile by postProfile'(page, product) {
      await openAs(page, await createUser(product), '/profile');
      return button(page, 'Save Profile');
    },
    async 'Change password by changePassword'(page, product) {
      await openAs(page, await createUser(product), '/profile');
      await page.getByText('Your account').click();
      await fillPasswords(page, ['Current Password', 'New Password', 'Confirm New Password']);
      return button(page, 'Change password');
    },
    async 'Save changes by updateMyAccount'(page, product) {
      await openAs(page, await createUser(product), '/profile');
      await page.getByText('Your account').click();
      await fillIn(page, { Username: unique('renamed') });
      await fillPasswords(page, ['Your password']);
      return button(page, 'Save changes');
    },
    async 'Confirm email by confirmMyEmail'(page, product) {
      await openAs(page, await createUser(product), '/profile');
      await page.getByText('Your account').click();
      await page.getByText('Enter the passcode for a new email').click();
      await page.getByLabel('Passcode', { exact: true }).fill('123456');
      return button(page, 'Confirm email');
    },
    async 'End session by endMySession'(page, product) {
      const user = await createUser(product);
      await signIn(product, user.id);
      await openAs(page, user, '/profile');
      await page.getByText('Your account').click();
      return button(page, 'End session');
    },
    async 'Download your data by downloadMyData'(page, product) {
      await openAs(page, await createUser(product), '/profile');
      await page.getByText('Your data', { exact: true }).click();
      return button(page, 'Download your data');
    },
    async 'Delete my account by deleteMyAccount'(page, product) {
      await openAs(page, await createUser(product), '/profile');
      await page.getByText('Your data', { exact: true }).click();
      await page.getByLabel('Delete my reviews').check();
      await fillPasswords(page, ['Password']);
      return button(page, 'Delete my account');
    },
    async 'Log out everywhere by logoutAll'(page, product) {
      await openAs(page, await createUser(product), '/profile');
      await page.getByText('Your account').click();
      return button(page, 'Log out everywhere');
    },
  },
  'reviews and proposals': {
    async [`Submit Review by ${category.calls.postReview}`](page, product) {
      const entry = await createEntry(product, category);
      await openAs(page, await createUser(product), `${category.pages.reviews}/${entry.id}`);
      await writeReview(page, 4, 'Good.');
      return button(page, 'Submit Review');
    },
    async [`Yes, delete it by ${category.calls.removeReview}`](page, product) {
      const entry = await createEntry(product, category);
      const author = await createUser(product);
      await postReview(product, category, entry.id, author);
      await openAs(page, author, `${category.pages.reviews}/${entry.id}`);
      await button(page, 'Delete').click();
      return button(page, 'Yes, delete it');
    },
    async 'Send in the form of a missing school by proposeSchool'(page, product) {
      await openAs(page, await createUser(product), '/allschools?q=zzzz');
      await button(page, 'Add a missing school').click();
      await page.getByLabel('Location').fill('Kiel, Germany');
      return button(page, 'Send');
    },
    async 'Submit Review of something that is missing by proposeEntry'(page, product) {
      const { id } = await createSchool(product);
      await openAs(page, await createUser(product), `${category.pages.list}/${id}`);
      await page.getByRole('combobox', { name: category.question }).fill('Rowing');
      await writeReview(page, 4, 'Good.');
      return button(page, 'Submit Review');
    },
    async 'Save changes to a proposal by updateMyProposal'(page, product) {
      const user = await createUser(product);
      await proposeEntry(product, user, { schoolId: (await createSchool(product)).id, name: 'Luge' });
      await openAs(page, user, '/myreviews');
      await button(page, 'Edit').click();
      return button(page, 'Save changes');
    },
    async 'Yes, withdraw it by withdrawMyProposal'(page, product) {
      const user = await createUser(product);
      await proposeEntry(product, user, { schoolId: (await createSchool(product)).id, name: 'Luge' });
      await openAs(page, user, '/myreviews');
      await button(page, 'Withdraw').click();
      return button(page, 'Yes, withdraw it');
    },
    async 'Send in the form of a missing entry by proposeEntry'(page, product) {
      const { id } = await createSchool(product);
      await openAs(page, await createUser(product), `${category.pages.list}/${id}`);
      await button(page, 'Add what is missing').click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Rowing');
      return button(page, 'Send');
    },
  },
  'the admin area': {
    async 'Add a school by postSchool'(page, product) {
      await openAs(page, await createUser(product, { isAdmin: true }), '/adminschool');
      for (const label of ['School Name', 'Description', 'Location']) await page.getByLabel(label).fill('Anything');
      return button(page, 'Add');
    },
    async 'Delete in a row by deleteSchool'(page, product) {
      const { schoolName } = await createSchool(product);
      await openAs(page, await createUser(product, { isAdmin: true }), '/adminschool');
      await page.getByLabel('Filter').fill(schoolName);
      // The filter makes a new table.
      await expect(page.getByRole('main').getByText(/^1 of /)).toBeVisible();
      return page.getByRole('row').filter({ hasText: schoolName }).getByRole('button', { name: 'Delete' });
    },
    async 'Merge schools by mergeSchools'(page, product) {
      const [from, into] = [await createSchool(product), await createSchool(product)];
      await openAs(page, await createUser(product, { isAdmin: true }), '/adminschool');
      await page.getByLabel('Filter').fill(from.schoolName);
      await expect(page.getByRole('main').getByText(/^1 of /)).toBeVisible();
      await page.getByRole('row').filter({ hasText: from.schoolName }).getByRole('button', { name: 'Merge' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox').fill(into.schoolName);
      await dialog.getByRole('option').click();
      await expect(dialog.getByText('This has no Undo.')).toBeVisible();
      return dialog.getByRole('button', { name: 'Merge schools' });
    },
    ...Object.fromEntries(
      ['Accept', 'Refuse'].map((name): [string, Fill] => [
        `${name} of a proposal by decideProposal`,
        async (page, product) => {
          const { id: schoolId } = await createSchool(product);
          await proposeEntry(product, await createUser(product), { schoolId, name: 'Luge' });
          await openAs(page, await createUser(product, { isAdmin: true }), '/proposals');
          if (name === 'Refuse') {
            await button(page, 'Refuse').click();
            await page.getByLabel('Reason').fill('There is no ice.');
          }
          return button(page, name);
        },
      ]),
    ),
    async 'Block by blockUser'(page, product) {
      const { username } = await createUser(product);
      await openAs(page, await createUser(product, { isAdmin: true }), '/admin');
      await page.getByLabel('Filter').fill(username);
      await page.getByRole('row').filter({ hasText: username }).getByRole('button', { name: 'Block' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('Many adverts.');
      return dialog.getByRole('button', { name: 'Block' });
    },
  },
};

test.describe('two quick clicks send one call', () => {
  for (const [group, sendings] of Object.entries(SENDINGS)) {
    test(`in the forms and rows of ${group}, translated`, async ({ page, product }) => {
      test.slow();
      // A call that is sent twice is sent twice here too, because the translator leaves the elements that are clicked.
      await translate(page);
      let sent: URL[] = [];
      page.on('request', (request) => sent.push(new URL(request.url())));
      for (const [sending, fill] of Object.entries(sendings)) {
        const isOfCall = ({ pathname }: URL) => pathname.split('/')[2] === sending.split(' by ')[1];
        const target = await fill(page, product);
        // Before the hydration the element may be replaced between being found and being clicked.
        await whenHydrated(page);
        // Not before: a page that is loaded while calls are answered here takes nothing from the browser's cache.
        await page.route(isOfCall, (route) => route.fulfill({ status: 400, json: { error: 'Not today, thank you.' } }));
        sent = [];
        // Both clicks come in one task, so that nothing can be rendered between them.
        await target.evaluate((element: HTMLElement) => {
          element.click();
          element.click();
        });
        await expect(page.getByRole('alert').first(), sending).toBeVisible();
        await expect(target, sending).toBeEnabled();
        await expectTranslated(page);
        // When this request is answered, all requests before it have been counted.
        await page.evaluate(async () => void (await fetch('/healthz')));
        expect(sent.filter(isOfCall), sending).toHaveLength(1);
        await page.unroute(isOfCall);
      }
    });
  }
});
