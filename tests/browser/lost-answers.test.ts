import {
  button,
  expect,
  fillIn,
  logIn,
  loseAnswer,
  notice,
  openAs,
  openPage,
  rowOf,
  startBuilt,
  test,
} from '../support/browser.ts';
import { proposeSchool } from '../support/proposals.ts';
import { category, createSchool, createUser, PASSWORD, postReview, readPasscode, unique } from '../support/rows.ts';

// Changes that the server has made, but whose answer was lost: the page shows them once they are sent again.

test('a school is added once', async ({ page, admin }) => {
  await openAs(page, admin, '/adminschool');
  const schoolName = unique('Nordlys');
  await fillIn(page, { 'School Name': schoolName, Description: 'By the sea.', Location: 'Norway' });
  await loseAnswer(page, '**/auth/postSchool');
  await button(page, 'Add').click();
  await expect(notice(page, 'alert', 'Nothing was saved.')).toBeVisible();
  await button(page, 'Add').click();
  await expect(notice(page, 'status', 'School added!')).toBeVisible();
  await expect(page.getByLabel('School Name')).toHaveValue('');
  await expect(rowOf(page, schoolName)).toHaveCount(1);
});

test('a school that is deleted leaves the list', async ({ page, product, admin }) => {
  const { schoolName } = await createSchool(product);
  await openAs(page, admin, '/adminschool');
  await loseAnswer(page, '**/auth/deleteSchool/*');
  const row = rowOf(page, schoolName);
  const remove = row.getByRole('button', { name: 'Delete', exact: true });
  await remove.click();
  await expect(notice(page, 'alert', 'The school was not deleted.')).toBeVisible();
  await remove.click();
  await expect(notice(page, 'alert', 'There is no such school.')).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('one’s own review that is deleted gives way to the form', async ({ page, product, entry, user }) => {
  await postReview(product, category, entry.id, user);
  await openAs(page, user, `${category.pages.reviews}/${entry.id}`);
  await button(page, 'Delete').click();
  await loseAnswer(page, `**/auth/${category.calls.removeReview}/*`);
  await button(page, 'Yes, delete it').click();
  await expect(notice(page, 'alert', 'The review was not deleted.')).toBeVisible();
  await button(page, 'Yes, delete it').click();
  await expect(page.getByRole('heading', { name: 'Write a Review' })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('a proposal that is decided leaves the queue', async ({ newPage }) => {
  const product = await startBuilt('lost-decision');
  const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
  await proposeSchool(product, user, { schoolName: 'Nordlys', location: 'Norway' });
  const page = await openAs(await newPage(product), admin, '/proposals');
  await loseAnswer(page, '**/auth/decideProposal/*');
  await button(page, 'Accept').click();
  await expect(notice(page, 'alert', 'The decision was not taken')).toBeVisible();
  await button(page, 'Accept').click();
  await expect(notice(page, 'alert', 'This proposal is decided already.')).toBeVisible();
  await expect(page.getByText('No open proposals.')).toBeVisible();
  await product.stop();
});

test('a verified account whose answer was lost leads to the login', async ({ page, product }) => {
  const username = unique('verified');
  const email = `${username}@example.org`;
  await openPage(page, '/signup');
  await fillIn(page, { Username: username, Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD });
  await button(page, 'Sign Up').click();
  await expect(page).toHaveURL(/\/verify\?email=/);
  const passcode = await readPasscode(product, email);
  await loseAnswer(page, '**/auth/verify');
  await page.getByLabel('Passcode').fill(passcode);
  await button(page, 'Verify').click();
  await expect(notice(page, 'alert', 'Verification failed: ')).not.toContainText('log in');
  await page.getByLabel('Passcode').fill(passcode);
  await button(page, 'Verify').click();
  await expect(notice(page, 'alert', 'If an earlier try worked, you can log in.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to login' }).click();
  await logIn(page, email);
  await expect(page).toHaveURL('/dashboard');
});
