import type { Page } from 'playwright/test';
import { PROFILE_LABELS } from '../../src/contract/profiles.ts';
import {
  button,
  endSessions,
  expect,
  holdBack,
  logIn,
  notice,
  openAs,
  openMenu,
  openPage,
  test,
  writeReview,
} from '../support/browser.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  type RunningProduct,
  type TestUser,
} from '../support/rows.ts';

const SECRET = 'Written to be posted without my name.';
const ENDED = 'Your session has ended. Please log in again.';

interface Subject {
  schoolName: string;
  entryName: string;
  entryId: number;
  path: string;
}

async function createSubject(product: RunningProduct): Promise<Subject> {
  const school = await createSchool(product);
  const entry = await createEntry(product, category, school.id);
  const path = `${category.pages.reviews}/${entry.id}`;
  return { schoolName: school.schoolName, entryName: entry.name, entryId: entry.id, path };
}

async function goAndLogIn(page: Page, { email }: TestUser): Promise<void> {
  await (await openMenu(page)).getByRole('link', { name: 'Login' }).click();
  await logIn(page, email);
  await expect(page).toHaveURL(/\/dashboard$/);
}

async function logOut(page: Page): Promise<void> {
  await (await openMenu(page)).getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

/** Walks there by links: another document would have forgotten everything by itself. */
async function walkTo(page: Page, { schoolName, entryName, path }: Subject): Promise<void> {
  if (new URL(page.url()).pathname !== '/dashboard') {
    await (await openMenu(page)).getByRole('link', { name: 'Menu' }).click();
    // Every other page has a search too, in its header.
    await expect(page.getByRole('heading', { level: 1, name: 'Find a school' })).toBeVisible();
  }
  await page.getByRole('main').getByRole('combobox').fill(schoolName);
  await page.getByRole('option', { name: schoolName }).click();
  // The dashboard, which is shown until the school is there, has a link with the category's name too.
  await expect(page.getByRole('heading', { level: 1, name: schoolName })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: category.label }).click();
  await page.getByRole('link', { name: entryName }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole('heading', { level: 1, name: entryName })).toBeVisible();
}

async function write(page: Page): Promise<void> {
  await writeReview(page, 4, SECRET);
  await page.getByRole('checkbox', { name: 'Post anonymously' }).check();
}

async function expectBlank(page: Page): Promise<void> {
  await expect(page.getByLabel('Your review')).toHaveValue('');
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Post anonymously' })).not.toBeChecked();
}

test.describe('what somebody has begun to write', () => {
  test('is forgotten when they log out, so that the next user of the tab does not find it', async ({
    page,
    product,
  }) => {
    const subject = await createSubject(product);
    const [writer, next] = [await createUser(product), await createUser(product)];
    await openAs(page, writer, subject.path);
    await write(page);
    await logOut(page);
    await walkTo(page, subject);
    await expectBlank(page);
    await goAndLogIn(page, next);
    await walkTo(page, subject);
    await expectBlank(page);
    await logOut(page);
    await goAndLogIn(page, writer);
    await walkTo(page, subject);
    await expectBlank(page);
  });

  test('is still there for them, and for nobody else, after another page and after a dead token', async ({
    page,
    product,
  }) => {
    const subject = await createSubject(product);
    const [writer, next] = [await createUser(product), await createUser(product)];
    await openAs(page, writer, subject.path);
    await write(page);
    await walkTo(page, subject);
    await expect(page.getByLabel('Your review')).toHaveValue(SECRET);
    await endSessions(product, writer);
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(notice(page, 'alert', ENDED)).toBeVisible();
    await expect(
      page.getByText(`Log in to post your review of ${subject.entryName}. What you wrote is kept.`, { exact: true }),
    ).toBeVisible();
    await logIn(page, next.email);
    await expect(page).toHaveURL(subject.path);
    await expectBlank(page);
    await endSessions(product, next);
    await page.getByRole('radio', { name: '1 star', exact: true }).check();
    await page.getByLabel('Your review').fill('By the other one.');
    await page.getByRole('button', { name: 'Submit Review' }).click();
    await expect(page).toHaveURL(`/login?next=${subject.path}`);
    await logIn(page, writer.email);
    await expect(page).toHaveURL(subject.path);
    await expect(page.getByLabel('Your review')).toHaveValue(SECRET);
    await expect(page.getByRole('radio', { name: '4 stars', exact: true })).toBeChecked();
    await expect(page.getByRole('checkbox', { name: 'Post anonymously' })).toBeChecked();
  });

  test('as a visitor belongs to whoever logs in next, and to nobody after them', async ({ page, product }) => {
    const subject = await createSubject(product);
    const [writer, next] = [await createUser(product), await createUser(product)];
    await openPage(page, subject.path);
    await write(page);
    await goAndLogIn(page, writer);
    await walkTo(page, subject);
    await expect(page.getByLabel('Your review')).toHaveValue(SECRET);
    await logOut(page);
    await goAndLogIn(page, next);
    await walkTo(page, subject);
    await expectBlank(page);
  });

  test('does not change while it is being sent, or the change would be forgotten with the draft', async ({
    page,
    entry,
    user,
  }) => {
    const letGo = await holdBack(page, `**/auth/${category.calls.postReview}`, (route) =>
      route.fulfill({ status: 503, json: { error: 'Not today, thank you.' } }),
    );
    await openAs(page, user, `${category.pages.reviews}/${entry.id}`);
    await writeReview(page, 4, 'Written.');
    const [submit, text] = [page.getByRole('button', { name: 'Submit Review' }), page.getByLabel('Your review')];
    await submit.click();
    await expect(submit).toHaveAttribute('aria-busy', 'true');
    await text.press('End');
    await page.keyboard.type(' And more.');
    await page.getByRole('radio', { name: '2 stars', exact: true }).click();
    await page.getByLabel('Post anonymously').click();
    await page.getByLabel('I am a').selectOption('student');
    await expect(text).toHaveValue('Written.');
    await expect(text).not.toBeEditable();
    await expect(page.getByRole('radio', { name: '4 stars', exact: true })).toBeChecked();
    await expect(page.getByLabel('Post anonymously')).not.toBeChecked();
    await expect(page.getByLabel('I am a')).toHaveValue('');
    letGo();
    await expect(notice(page, 'alert', 'Not today, thank you.')).toBeVisible();
    await text.press('End');
    await page.keyboard.type(' And more.');
    await expect(text).toHaveValue('Written. And more.');
    await page.getByLabel('Post anonymously').check();
    await page.unroute(`**/auth/${category.calls.postReview}`);
    await submit.click();
    await expect(page.getByRole('article')).toContainText('Written. And more.');
  });

  test('in a profile survives an expired token and is dropped at logout', async ({ page, product }) => {
    const writer = await createUser(product);
    const field = page.getByLabel(PROFILE_LABELS.location, { exact: true });
    const openProfile = async () => (await openMenu(page)).getByRole('link', { name: 'Profile' }).click();
    await openAs(page, writer, '/profile');
    await field.fill('By the sea');
    await endSessions(product, writer);
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(notice(page, 'alert', ENDED)).toBeVisible();
    await expect(page).toHaveURL('/login?next=/profile');
    await logIn(page, writer.email);
    await expect(field).toHaveValue('By the sea');
    await logOut(page);
    await goAndLogIn(page, writer);
    await openProfile();
    await expect(page.getByText('You have no profile yet.')).toBeVisible();
    await expect(field).toHaveValue('');
  });
});

test.describe('what somebody wrote before their session ended', () => {
  /** Writes a review before and after the end of a session, and logs in to send the second. */
  async function writeTwice(page: Page, product: RunningProduct, user: TestUser): Promise<void> {
    const { path } = await createSubject(product);
    await openAs(page, user, path);
    await writeReview(page, 2, 'Before the end.');
    await endSessions(product, user);
    await page.reload();
    await expect(notice(page, 'alert', ENDED)).toBeVisible();
    await openPage(page, path);
    await expect(page.getByLabel('Your review')).toHaveValue('');
    await writeReview(page, 4, 'After the end.');
    await button(page, 'Submit Review').click();
    await logIn(page, user.email);
    await expect(button(page, 'Submit Review')).toBeFocused();
    await expect(page.getByLabel('Your review')).toHaveValue('After the end.');
  }

  test('is not lost to what is typed into the same form before the login', async ({ page, product, user }) => {
    const [text, other] = [page.getByLabel('Your review'), button(page, 'Show your other draft')];
    await writeTwice(page, product, user);
    await other.click();
    await expect(text).toHaveValue('Before the end.');
    await expect(page.getByRole('radio', { name: '2 stars', exact: true })).toBeChecked();
    await other.click();
    await expect(text).toHaveValue('After the end.');
    // Whoever empties the form by hand is not surprised by the other draft while they type.
    await text.fill('');
    await expect(other).toBeVisible();
    await page.reload();
    await button(page, 'Discard').click();
    await expect(text).toHaveValue('Before the end.');
    await expect(page.getByText('Your draft is back.')).toBeVisible();
    await expect(other).toHaveCount(0);
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('article')).toContainText('Before the end.');
  });

  test('is in the form when what was typed after it is sent', async ({ page, product, user }) => {
    await writeTwice(page, product, user);
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('article')).toContainText('After the end.');
    await expect(page.getByLabel('Your review')).toHaveValue('Before the end.');
    await expect(page.getByText('Your draft is back.')).toBeVisible();
    await expect(button(page, 'Save changes')).toBeVisible();
    await button(page, 'Discard').click();
    await expect(page.getByRole('article')).toBeFocused();
    await expect(page.getByLabel('Your review')).toHaveCount(0);
  });
});
