import type { Page } from 'playwright/test';
import { expect, fillIn, notice, test, writeReview } from '../support/browser.ts';
import { category, createEntry, PASSWORD, readPasscode, unique } from '../support/rows.ts';

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

/** Makes /forgot tell of three different problems; none of them asks the server. */
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
      await expect(page).toHaveURL(/\/login$/);
      expect(await coveredControls(page)).toEqual([]);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await fillIn(page, { Username: username, Email: email, Password: PASSWORD, 'Confirm Password': PASSWORD });
      await scrollTo(page, 'Sign Up');
      await clickWhereItIs(page, 'Sign Up');
      await expect(notice(page, 'status', 'Check your email or spam folder to verify your account.')).toBeVisible();
      expect(await coveredControls(page)).toEqual([]);
      await page.getByLabel('Passcode').fill(await readPasscode(product, email));
      await clickWhereItIs(page, 'Verify');
      // On the narrow screen the third, which waits until the first has been read.
      await expect(notice(page, 'status', 'Verification Successful')).toBeVisible({ timeout: 10_000 });
      expect(await coveredControls(page)).toEqual([]);
      await fillIn(page, { Email: email, Password: PASSWORD });
      await clickWhereItIs(page, 'Login');
      await expect(page.getByLabel('Your review')).toHaveValue('First words.');
      await expect(notice(page, 'status', 'Verification Successful')).toBeVisible();
      await scrollTo(page, 'Submit Review');
      await clickWhereItIs(page, 'Submit Review');
      // This one may wait too.
      await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible({ timeout: 10_000 });
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Your review').fill('Second thoughts.');
      await scrollTo(page, 'Save changes');
      await clickWhereItIs(page, 'Save changes');
      await expect(page.getByRole('article').first()).toContainText('Second thoughts.');
    });
  }

  test('stay six seconds at least; on a narrow screen a third waits for its place, the newest stands on top', async ({
    page,
  }) => {
    await page.clock.install();
    await page.setViewportSize(NARROW);
    await page.goto('/forgot');
    await forgot(page, { email: 'no email' });
    await expect(notice(page, 'alert', INVALID_EMAIL)).toBeVisible();
    await forgot(page, { again: 'another' });
    await expect(notice(page, 'alert', MISMATCH)).toBeVisible();
    await forgot(page, { password: 'short' });
    await expect(page.getByText(TOO_SHORT)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(2);
    const [older, newer] = [
      await notice(page, 'alert', INVALID_EMAIL).boundingBox(),
      await notice(page, 'alert', MISMATCH).boundingBox(),
    ];
    expect(newer?.y).toBeLessThan(older?.y ?? 0);
    await page.clock.fastForward(6_000);
    await expect(notice(page, 'alert', TOO_SHORT)).toBeVisible();
    await expect(notice(page, 'alert', INVALID_EMAIL)).toHaveCount(0);
    await page.clock.fastForward(6_000);
    await expect(notice(page, 'alert', TOO_SHORT)).toBeVisible();
    await page.clock.fastForward(6_000);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('stand beside each other where there is room', async ({ page }) => {
    await page.setViewportSize(WIDE);
    await page.goto('/forgot');
    await forgot(page, { email: 'no email' });
    await forgot(page, { again: 'another' });
    await expect(page.getByRole('alert')).toHaveCount(2);
    const tops = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.notice')].map(({ offsetTop }) => offsetTop),
    );
    expect(new Set(tops).size).toBe(1);
    await forgot(page, { password: 'short' });
    await expect(page.getByRole('alert')).toHaveCount(3);
    expect(await coveredControls(page)).toEqual([]);
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
