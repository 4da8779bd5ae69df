import type { Locator, Page } from 'playwright/test';
import { button, expect, notice, openPage, test, whenHydrated } from '../support/browser.ts';
import { createReviewOf, hide } from '../support/moderation.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  PASSWORD,
  readMailsTo,
  readPasscode,
  unique,
} from '../support/rows.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** A phone has discarded the tab, and loads it again: what the page had in memory is gone. */
async function discard(page: Page): Promise<void> {
  await page.reload();
  await whenHydrated(page);
}

const mainLink = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });

test('a visitor’s first review survives a phone that discards the tab at every step', async ({ page, product }) => {
  const entry = await createEntry(product, category);
  const address = `${category.pages.reviews}/${entry.id}`;
  const text = 'Two lines, typed with a thumb.';
  const username = unique('phone');
  const email = `${username}@example.org`;

  await openPage(page, address);
  await page.getByRole('radio', { name: '4.5 stars', exact: true }).check();
  await discard(page);
  await page.getByLabel('Your review').fill(text);
  await page.getByLabel('I am a').selectOption('alumnus');
  await page.getByLabel('Post anonymously').check();
  await discard(page);
  await expect(page.getByText('Your draft is back.', { exact: true })).toBeVisible();
  await button(page, 'Submit Review').click();
  const next = `next=${address}`;
  const expectAt = async (path: string) => {
    await expect(page).toHaveURL((url) => url.pathname === path && url.search.includes(next));
    await discard(page);
    await expect(page).toHaveURL((url) => url.pathname === path && url.search.includes(next));
  };
  await expectAt('/login');
  await expect(page.getByText(`Log in to post your review of ${entry.name}. What you wrote is kept.`)).toBeVisible();
  await mainLink(page, 'Create an account').click();
  await expectAt('/signup');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(email);
  for (const label of ['Password', 'Confirm Password']) await page.getByLabel(label, { exact: true }).fill(PASSWORD);
  await button(page, 'Sign Up').click();
  await expectAt('/verify');
  await page.getByLabel('Passcode').fill(await readPasscode(product, email));
  await button(page, 'Verify').click();
  await expectAt('/login');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Login').click();
  await expect(page).toHaveURL(address);
  await expect(button(page, 'Submit Review')).toBeFocused();
  await expect(button(page, 'Submit Review')).toBeInViewport();
  await discard(page);
  await expect(page.getByLabel('Your review')).toHaveValue(text);
  await expect(page.getByRole('radio', { name: '4.5 stars', exact: true })).toBeChecked();
  await expect(page.getByLabel('I am a')).toHaveValue('alumnus');
  await expect(page.getByLabel('Post anonymously')).toBeChecked();
  await button(page, 'Submit Review').click();
  await expect(notice(page, 'status', 'Review submitted successfully!')).toBeVisible();
  await expect(page.getByRole('article')).toContainText(text);
  await discard(page);
  await expect(page.getByText('Your draft is back.')).toHaveCount(0);
});

/** Counts actions: a tap, a key that does something, and a field that is filled in are one each. */
function countActs() {
  let acts = 0;
  return {
    count: () => acts,
    async tap(target: Locator): Promise<void> {
      await target.tap();
      acts += 1;
    },
    /** A field that has not the focus is tapped first. */
    async fill(field: Locator, text: string): Promise<void> {
      await expect(field).toBeVisible();
      if (!(await field.evaluate((element) => element === document.activeElement))) {
        await field.tap();
        acts += 1;
      }
      await field.fill(text);
      acts += 1;
    },
  };
}

test('a newcomer with a sloppy name proposes what is missing, with a review and a new account, in 25 acts', async ({
  page,
  product,
}) => {
  const { schoolName } = await createSchool(product, unique('Guadalajara Polytechnic'));
  const username = unique('newcomer');
  const email = `${username}@example.org`;
  const { tap, fill, count } = countActs();
  const field = (label: string) => page.getByRole('main').getByLabel(label, { exact: true });

  await openPage(page, '/dashboard');
  await tap(mainLink(page, 'Browse all schools'));
  await fill(page.getByRole('searchbox', { name: 'Search schools' }), schoolName.replace('Guadalajara', 'Guadalahara'));
  // The list of all schools, which has the name too, gives way to what is found.
  await expect(page.getByRole('heading', { name: /^Close to / })).toBeVisible();
  await tap(page.getByRole('main').getByRole('link', { name: schoolName }));
  await tap(page.getByRole('main').getByRole('link', { name: category.label }));
  await tap(button(page, 'Add what is missing'));
  await tap(mainLink(page, 'Create an account'));
  await fill(field('Username'), username);
  await fill(field('Email'), email);
  await fill(field('Password'), PASSWORD);
  await fill(field('Confirm Password'), PASSWORD);
  await tap(button(page, 'Sign Up'));
  await expect(field('Passcode')).toBeFocused();
  await fill(field('Passcode'), await readPasscode(product, email));
  await tap(button(page, 'Verify'));
  await expect(field('Password')).toBeFocused();
  await fill(field('Password'), PASSWORD);
  await tap(button(page, 'Login'));
  const dialog = page.getByRole('dialog', { name: 'Add what is missing' });
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  await fill(dialog.getByLabel('Name', { exact: true }), 'Canoe polo');
  await tap(dialog.getByRole('radio', { name: '4.5 stars', exact: true }));
  await fill(dialog.getByLabel('Your review'), 'Wet, loud, and the best two years.');
  await tap(button(page, 'Send'));
  await expect(notice(page, 'status', 'Thank you. An admin will look at it and mail you.')).toBeVisible();
  test.info().annotations.push({ type: 'acts', description: String(count()) });
  expect(count()).toBeLessThanOrEqual(25);
});

test('the author of a hidden review appeals from the mail’s link, opened in a new tab', async ({
  page,
  product,
  admin,
}) => {
  const author = await createUser(product);
  const { reviewId } = await createReviewOf(product, author);
  await hide(product, admin, reviewId);
  await product.app.outbox.flush();
  const mail = (await readMailsTo(product, author.email)).at(-1) ?? '';
  const [, link = ''] = /appeal once: (\S+)/.exec(mail.replaceAll(/=\r?\n/g, '').replaceAll(/\s+/g, ' ')) ?? [];
  expect(link).toMatch(/\/myreviews$/);
  const { pathname } = new URL(link);
  const words = 'There is no advertising in it.';

  // Nobody is signed in: the login page, with the tab discarded on the way.
  await page.goto(pathname);
  await expect(page).toHaveURL('/login?next=/myreviews');
  await discard(page);
  await page.getByLabel('Email').fill(author.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Login').click();
  await expect(page).toHaveURL('/myreviews');
  await button(page, 'Appeal').click();
  await page.getByLabel('Your appeal').fill(words);
  // The link, opened once more from the mail in another tab, finds the author signed in.
  const again = await page.context().newPage();
  await again.goto(pathname);
  await expect(button(again, 'Appeal')).toBeVisible();
  await again.close();
  await discard(page);
  await expect(page.getByLabel('Your appeal')).toHaveValue(words);
  await button(page, 'Send appeal').click();
  await expect(notice(page, 'status', 'Appeal sent.')).toBeVisible();
  await expect(page.getByText('You have appealed: an admin will look at it again.')).toBeVisible();
});
