import type { Page } from 'playwright/test';
import {
  button,
  endSessions,
  expect,
  logIn,
  notice,
  openAs,
  openMenu,
  openPage,
  rowOf,
  test,
  whenHydrated,
  writeReview,
} from '../support/browser.ts';
import { DRAFT_FORMS, type DraftForm, reviewPage } from '../support/draft-forms.ts';
import { createSchool, createUser, signIn } from '../support/rows.ts';

const TEXT = 'Typed on a phone, in the rain.';
const BACK = 'Your draft is back.';

const fieldOf = (page: Page, { label }: DraftForm) => page.getByRole('textbox', { name: label, exact: true });

async function open(page: Page, { opener, submit }: DraftForm): Promise<void> {
  // Some forms open by themselves when they have a draft.
  const target = button(page, submit);
  await expect(opener ? target.or(button(page, opener)).first() : target).toBeVisible();
  if (opener && (await target.count()) === 0) await button(page, opener).click();
  await expect(target).toBeVisible();
}

async function expectBack(page: Page, form: DraftForm): Promise<void> {
  await open(page, form);
  await expectFilled(page, form);
}

async function expectFilled(page: Page, form: DraftForm): Promise<void> {
  await expect(fieldOf(page, form)).toHaveValue(TEXT);
  await expect(page.getByText(BACK, { exact: true })).toBeVisible();
  await form.expectAlso?.(page);
}

/** Expects that an edit is closed, and the focus where it was opened. */
async function expectBackAtEdit(page: Page, { submit }: DraftForm): Promise<void> {
  await expect(button(page, submit)).toHaveCount(0);
  const opener = button(page, 'Edit');
  await expect(opener.or(page.getByRole('article').filter({ has: opener })).and(page.locator(':focus'))).toBeVisible();
}

/** The forms to which Login in the menu leads when the session has ended before a reload. */
const LED_BACK_TO = ['a review', 'an edit of one’s review', 'an appeal', 'the note of a report', 'the profile'];

test.describe('what is typed into', () => {
  for (const [name, form] of Object.entries(DRAFT_FORMS)) {
    test(`${name} outlives a reload, other pages, Escape, Cancel and ended sessions, until it is discarded or sent`, async ({
      page,
      product,
    }) => {
      const user = await createUser(product);
      const address = await form.create(product, user);
      await openAs(page, user, address);
      await form.prepare?.(page);
      await open(page, form);
      await form.alsoType?.(page);
      const before = await fieldOf(page, form).inputValue();
      await fieldOf(page, form).fill(TEXT);
      await expect(page.getByText(BACK)).toHaveCount(0);
      if (form.outlivesCancel) {
        await button(page, 'Cancel').click();
        await expect(button(page, form.submit)).toHaveCount(0);
        await expectBack(page, form);
      }

      await page.reload();
      await expectBack(page, form);
      if (form.isDialog) {
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expectBack(page, form);
        // Enter, pressed once more, must not discard it.
        await expect(page.getByRole('dialog').locator('input, textarea').first()).toBeFocused();
        await button(page, 'Cancel').click();
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
      await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click();
      await expect(page).toHaveURL('/about');
      await page.goBack();
      await expectBack(page, form);

      await endSessions(product, user);
      await button(page, form.submit).click();
      await expect(notice(page, 'alert', 'Your session has ended. Please log in again.')).toBeVisible();
      await expect(page).toHaveURL(`/login?next=${encodeURIComponent(address).replaceAll('%2F', '/')}`);
      await expect(page.getByText(/^Log in to .*What you wrote is kept\.$/)).toBeVisible();
      await page.reload();
      await expect(page.getByText(/^Log in to .*What you wrote is kept\.$/)).toBeVisible();
      await logIn(page, user.email);
      await expect(page).toHaveURL(address);
      await expect(button(page, form.submit)).toBeFocused();
      await expectFilled(page, form);

      if (LED_BACK_TO.includes(name)) {
        await endSessions(product, user);
        await page.reload();
        await expect(notice(page, 'alert', 'Your session has ended.')).toBeVisible();
        await openPage(page, '/about');
        await (await openMenu(page)).getByRole('link', { name: 'Login' }).click();
        await expect(page).toHaveURL(`/login?next=${address}`);
        await expect(page.getByText('Log in to go on. What you wrote is kept.')).toBeVisible();
        await logIn(page, user.email);
        await expect(page).toHaveURL(address);
        await expect(button(page, form.submit)).toBeFocused();
        await expectFilled(page, form);
      }

      if (form.isEdit) {
        // It stays open whatever is typed.
        await fieldOf(page, form).fill('As it was.');
        await expect(fieldOf(page, form)).toBeFocused();
        await fieldOf(page, form).fill(TEXT);
        await page.reload();
        await whenHydrated(page);
      }
      await button(page, 'Discard').click();
      await expect(page.getByText(BACK)).toHaveCount(0);
      if (form.isEdit) await expectBackAtEdit(page, form);
      await page.reload();
      await whenHydrated(page);
      await form.prepare?.(page);
      await open(page, form);
      await expect(page.getByText(BACK)).toHaveCount(0);
      await form.alsoType?.(page);
      await expect(fieldOf(page, form)).toHaveValue(before);
      await fieldOf(page, form).fill(TEXT);
      await button(page, form.submit).click();
      await expect(page.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible();
      const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('kept')));
      await expect.poll(kept).toEqual([]);
    });
  }

  test('a form of the admin area outlives a reload and an ended session, until it is cleared or saved', async ({
    page,
    product,
    admin,
  }) => {
    const { schoolName } = await createSchool(product);
    const [name, description] = [page.getByLabel('School Name'), page.getByLabel('Description')];
    const update = () => rowOf(page, schoolName).getByRole('button', { name: 'Update' }).click();
    await openAs(page, admin, '/adminschool');
    await name.fill(TEXT);
    await page.reload();
    await expect(name).toHaveValue(TEXT);
    await expect(page.getByText(BACK)).toBeVisible();
    await update();
    await expect(name).toHaveValue(schoolName);
    await description.fill(TEXT);
    await page.reload();
    await update();
    await expect(description).toHaveValue(TEXT);
    await button(page, 'Clear').click();
    await expect(name).toHaveValue(TEXT);
    await expect(description).toHaveValue('');
    await update();
    await expect(description).toHaveValue('A school for tests.');
    await button(page, 'Clear').click();

    await description.fill(TEXT);
    await page.getByLabel('Location').fill('Kiel, Germany');
    await endSessions(product, admin);
    await button(page, 'Add').click();
    await expect(notice(page, 'alert', 'Your session has ended.')).toBeVisible();
    await (await openMenu(page)).getByRole('link', { name: 'Login' }).click();
    await expect(page).toHaveURL('/login?next=/adminschool');
    await logIn(page, admin.email);
    await expect(page).toHaveURL('/adminschool');
    await expect(description).toHaveValue(TEXT);
    await button(page, 'Add').click();
    await expect(notice(page, 'status', 'School added!')).toBeVisible();
    await expect(name).toHaveValue('');
    await page.reload();
    await expect(page.getByRole('row').first()).toBeVisible();
    await expect(name).toHaveValue('');
  });

  test('a form is gone after 24 hours, and no sooner', async ({ page, product, user }) => {
    const address = await reviewPage(product);
    await page.clock.install();
    await openAs(page, user, address);
    await page.getByLabel('Your review').fill(TEXT);
    await page.clock.setSystemTime(Date.now() + 24 * 60 * 60_000 - 60_000);
    await page.reload();
    await expect(page.getByLabel('Your review')).toHaveValue(TEXT);
    await page.clock.setSystemTime(Date.now() + 24 * 60 * 60_000 + 60_000);
    await page.reload();
    await whenHydrated(page);
    await expect(page.getByLabel('Your review')).toHaveValue('');
    await expect(page.getByText(BACK)).toHaveCount(0);
  });

  test('a form is kept in memory where the browser stores nothing', async ({ page, product, user }) => {
    await page.addInitScript(() => {
      const deny = () => {
        throw new DOMException('Access is denied.', 'SecurityError');
      };
      Object.defineProperty(window, 'sessionStorage', { get: deny });
      // Firefox refuses it too where cookies are blocked.
      window.BroadcastChannel = new Proxy(BroadcastChannel, { construct: deny });
    });
    const address = await reviewPage(product);
    await openPage(page, address);
    await writeReview(page, 4, TEXT);
    await button(page, 'Submit Review').click();
    await logIn(page, user.email);
    await expect(button(page, 'Submit Review')).toBeFocused();
    await expect(page.getByLabel('Your review')).toHaveValue(TEXT);
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
  });

  test('a form by a visitor is seen by the first who logs in, and by no account after a logout', async ({
    page,
    product,
    user,
  }) => {
    const address = await reviewPage(product);
    const other = await createUser(product);
    await openPage(page, address);
    await writeReview(page, 4, TEXT);
    await page.reload();
    await expect(page.getByLabel('Your review')).toHaveValue(TEXT);
    await page.goto('/login');
    await logIn(page, user.email);
    await expect(page).toHaveURL('/dashboard');
    await page.goto(address);
    await expect(page.getByLabel('Your review')).toHaveValue(TEXT);
    await page.goto('/login');
    await button(page, 'Log out').click();
    await logIn(page, other.email);
    await expect(page).toHaveURL('/dashboard');
    await openPage(page, address);
    await expect(page.getByLabel('Your review')).toHaveValue('');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(TEXT);
  });

  test('a form waits for its owner after a session that has ended, and no other account sees it', async ({
    page,
    product,
    user,
  }) => {
    const address = await reviewPage(product);
    const other = await createUser(product);
    await openAs(page, user, address);
    await writeReview(page, 4, TEXT);
    await endSessions(product, user);
    await page.reload();
    await expect(notice(page, 'alert', 'Your session has ended.')).toBeVisible();
    await openPage(page, address);
    await expect(page.getByLabel('Your review')).toHaveValue('');
    for (const [who, text] of [
      [other, ''],
      [user, TEXT],
    ] as const) {
      await page.evaluate((token) => sessionStorage.setItem('token', token), await signIn(product, who.id));
      await openPage(page, address);
      await expect(page.getByLabel('Your review')).toHaveValue(text);
    }
  });

  test('an edit is dropped by its Cancel', async ({ page, product, user }) => {
    const form = DRAFT_FORMS['an edit of one’s review'] as DraftForm;
    await openAs(page, user, await form.create(product, user));
    await open(page, form);
    await page.getByLabel('Your review').fill(TEXT);
    await button(page, 'Cancel').click();
    await button(page, 'Edit').click();
    await expect(page.getByLabel('Your review')).toHaveValue('As it was.');
    await page.getByLabel('Your review').fill(TEXT);
    await page.reload();
    await expectBack(page, form);
    await button(page, 'Cancel').click();
    await page.reload();
    await whenHydrated(page);
    await expect(page.getByText(BACK)).toHaveCount(0);
    await expect(page.getByText('As it was.').first()).toBeVisible();
    await button(page, 'Edit').click();
    await page.getByLabel('Your review').fill('As it should be.');
    await button(page, 'Save changes').click();
    await expect(notice(page, 'status', 'Review updated!')).toBeVisible();
    await expect(page.getByRole('article').first()).toContainText('As it should be.');
  });
});
