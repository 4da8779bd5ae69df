import type { Page } from 'playwright/test';
import { accountAddress, PAGES } from '../../src/contract/pages.ts';
import { button, expect, fillIn, notice, openAs, openPage, test, writeReview } from '../support/browser.ts';
import { category, createEntry, createUser, PASSWORD, postReview, readPasscode, unique } from '../support/rows.ts';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };

const INVALID_EMAIL = 'Please enter a valid email address.';
const MISMATCH = 'Passwords do not match please try again';
const TOO_SHORT = 'The password must have at least 8 characters.';

/** Clicks as a hand does: wherever the button is, on whatever lies on top there. */
async function clickWhereItIs(page: Page, button: string): Promise<void> {
  const box = await page.getByRole('button', { name: button, exact: true }).boundingBox();
  if (!box) throw new Error(`${button} is not there`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Brings a button to the lower edge of the screen, where it comes to when one scrolls down to it. */
function scrollTo(page: Page, button: string): Promise<void> {
  return page
    .getByRole('button', { name: button, exact: true })
    .evaluate((element) => element.scrollIntoView({ block: 'end' }));
}

/** The controls of the page that are on screen, but below a notice. */
function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('main :is(input, button, textarea, select)')];
    return controls
      .filter((control) => {
        const { left, top, width, height } = control.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.notice');
      })
      .map(({ outerHTML }) => outerHTML);
  });
}

/** Sends bad values from /forgot: the page tells of three different problems, for none of which it asks the server. */
async function forgot(page: Page, typed: { email?: string; password?: string; again?: string }) {
  const { email = 'somebody@example.org', password = PASSWORD } = typed;
  await fillIn(page, { Email: email, 'New Password': password, 'Confirm New Password': typed.again ?? password });
  await page.getByLabel('Confirm New Password').press('Enter');
}

test.describe('notices', () => {
  for (const viewport of [WIDE, NARROW]) {
    test(`${viewport.width} pixels wide, they cover no control from sign-up to the first review and its correction`, async ({
      page,
      product,
    }) => {
      await page.setViewportSize(viewport);
      const entry = await createEntry(product, category);
      const username = unique('noticed');
      const email = `${username}@example.org`;
      await page.goto(`${category.pages.reviews}/${entry.id}`);
      await writeReview(page, 4, 'First words.');
      await page.getByRole('button', { name: 'Submit Review' }).click();
      await expect(page).toHaveURL(`/login?next=${category.pages.reviews}/${entry.id}`);
      expect(await coveredControls(page)).toEqual([]);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await fillIn(page, { Username: username, Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD });
      await scrollTo(page, 'Sign Up');
      await clickWhereItIs(page, 'Sign Up');
      await expect(notice(page, 'status', 'Check your email or spam folder to verify your account.')).toBeVisible();
      expect(await coveredControls(page)).toEqual([]);
      await page.getByLabel('Passcode').fill(await readPasscode(product, email));
      await clickWhereItIs(page, 'Verify');
      await expect(notice(page, 'status', 'Verification Successful')).toBeVisible();
      expect(await coveredControls(page)).toEqual([]);
      await fillIn(page, { Email: email, Password: PASSWORD });
      await clickWhereItIs(page, 'Login');
      await expect(page.getByLabel('Your review')).toHaveValue('First words.');
      await scrollTo(page, 'Submit Review');
      await clickWhereItIs(page, 'Submit Review');
      await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Your review').fill('Second thoughts.');
      await scrollTo(page, 'Save changes');
      await clickWhereItIs(page, 'Save changes');
      await expect(page.getByRole('article').first()).toContainText('Second thoughts.');
    });
  }

  for (const viewport of [WIDE, NARROW]) {
    test(`${viewport.width} pixels wide, at most two are shown, the newest on top; a third takes the place of the oldest`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      await page.goto('/forgot');
      await forgot(page, { email: 'no email', again: 'another' });
      const [email, mismatch] = [notice(page, 'alert', INVALID_EMAIL), notice(page, 'alert', MISMATCH)];
      await expect(page.getByRole('alert')).toHaveCount(2);
      expect((await mismatch.boundingBox())?.y).toBeLessThan((await email.boundingBox())?.y ?? 0);
      expect(await coveredControls(page)).toEqual([]);
    });
  }

  test('the newer answer of a form takes the place of the one before; Verify and Resend are one', async ({
    page,
    product,
  }) => {
    const { email } = await createUser(product);
    await openPage(page, accountAddress(PAGES.verify, { email }));
    await page.getByLabel('Passcode').fill('123456');
    await button(page, 'Verify').click();
    const wrong = notice(page, 'alert', 'This passcode is wrong');
    await expect(wrong).toBeVisible();
    await button(page, 'Resend').click();
    await expect(notice(page, 'status', 'Resend Successful Check Email')).toBeVisible();
    await expect(wrong).toHaveCount(0);
    await page.getByLabel('Passcode').fill('123456');
    await button(page, 'Verify').click();
    await expect(wrong).toBeVisible();
    await expect(notice(page, 'status', 'Resend Successful')).toHaveCount(0);
    await openPage(page, '/forgot');
    await forgot(page, { email: 'no email' });
    await forgot(page, { password: 'short' });
    await expect(notice(page, 'alert', TOO_SHORT)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(1);
  });

  test('a failure goes with the success that follows, also of a form that leaves the page', async ({
    page,
    user,
    entry,
  }) => {
    await openAs(page, user, `${category.pages.reviews}/${entry.id}`);
    await page.route(`**/auth/${category.calls.postReview}`, (route) => route.abort(), { times: 1 });
    await writeReview(page, 4, 'First words.');
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'alert', 'The review was not saved.')).toBeVisible();
    await button(page, 'Submit Review').click();
    await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('the failure of a report goes with its dialog', async ({ page, product, user, entry }) => {
    await postReview(product, category, entry.id, await createUser(product));
    await openAs(page, user, `${category.pages.reviews}/${entry.id}`);
    await button(page, 'Report').click();
    await button(page, 'Send report').click();
    await expect(page.locator('.notice')).toHaveText(['Please choose what is wrong.']);
    await page.keyboard.press('Escape');
    await expect(page.locator('.notice')).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('stay across one navigation and not across the next; a success eight seconds, a failure twelve', async ({
    page,
    product,
  }) => {
    await page.clock.install();
    await openAs(page, await createUser(product), '/profile');
    const save = async () => {
      await page.getByLabel('Preferred Location').fill('By the sea');
      await button(page, 'Save Profile').click();
      await expect(saved).toBeVisible();
    };
    const saved = notice(page, 'status', 'Profile created successfully!');
    await save();
    await page.getByRole('link', { name: 'All Schools' }).click();
    await expect(page).toHaveURL('/allschools');
    await expect(saved).toBeVisible();
    // The footer moves when the list is there.
    await expect(page.getByText('Loading schools...')).toHaveCount(0);
    await page.getByRole('link', { name: 'Terms of Service' }).click();
    await expect(page).toHaveURL('/tos');
    await expect(saved).toHaveCount(0);
    await openPage(page, '/profile');
    await save();
    await page.clock.fastForward(7_000);
    await expect(saved).toBeVisible();
    await page.clock.fastForward(2_000);
    await expect(saved).toHaveCount(0);
    await page.route('**/auth/postProfile', (route) => route.abort());
    await page.getByLabel('Preferred Location').fill('In the hills');
    await button(page, 'Save Profile').click();
    const failed = notice(page, 'alert', 'Failed to save profile.');
    await expect(failed).toBeVisible();
    await page.clock.fastForward(11_000);
    await expect(failed).toBeVisible();
    await page.clock.fastForward(2_000);
    await expect(failed).toHaveCount(0);
  });

  test('give the focus back when they are dismissed by keyboard, or to the page when its element is gone', async ({
    page,
  }) => {
    await openPage(page, '/forgot');
    await forgot(page, { email: 'no email' });
    const email = page.getByLabel('Email');
    await expect(email).toBeFocused();
    await button(page, 'Dismiss').press('Enter');
    await expect(page.locator('.notice')).toHaveCount(0);
    await expect(email).toBeFocused();
    await forgot(page, { email: 'no email' });
    await expect(email).toBeFocused();
    await button(page, 'Dismiss').focus();
    await email.evaluate((element) => element.setAttribute('disabled', ''));
    await button(page, 'Dismiss').press('Enter');
    await expect(page.locator('.notice')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  test('go although a pointer rests where they appear, and stay for one that moves on them', async ({ page }) => {
    await page.clock.install();
    await page.goto('/forgot');
    const text = notice(page, 'alert', INVALID_EMAIL);
    await forgot(page, { email: 'no email' });
    const box = await text.boundingBox();
    if (!box) throw new Error('the notice is not there');
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(text).toHaveCount(0);
    await page.mouse.move(middle.x, middle.y);
    await forgot(page, { email: 'no email' });
    await expect(text).toBeVisible();
    await page.clock.fastForward(15_000);
    await expect(text).toHaveCount(0);
    await forgot(page, { email: 'no email' });
    await expect(text).toBeVisible();
    // The first of several moves may only be the one by which the pointer enters.
    await page.mouse.move(middle.x + 9, middle.y, { steps: 3 });
    await expect(text).toBeVisible();
    await page.clock.fastForward(60_000);
    await expect(text).toBeVisible();
    await page.mouse.move(5, 500);
    await page.clock.fastForward(15_000);
    await expect(text).toHaveCount(0);
  });
});
