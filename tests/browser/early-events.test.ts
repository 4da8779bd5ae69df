import type { Page } from 'playwright/test';
import { button, expect, notice, openUnhydrated, seedToken, test, whenHydrated } from '../support/browser.ts';
import { createReviewedEntry } from '../support/many-reviews.ts';
import { category, createSchool, createUser, PASSWORD, postReview, type RunningProduct } from '../support/rows.ts';

/** Presses of which each builds on the address to which the one before has led. */
const ROWS_OF_PRESSES = [
  {
    what: 'a step and one back',
    open: async () => '/leaderboard',
    press: async (page: Page) => {
      await button(page, 'Next').click();
      await button(page, 'Previous').click();
    },
    leadsTo: { category: category.kind },
  },
  {
    what: 'a tile and a switch',
    open: async () => '/leaderboard',
    press: async (page: Page) => {
      await button(page, 'Housing').click();
      await page.getByLabel('Weigh by number of reviews').click();
    },
    leadsTo: { category: 'housing', order: 'weighted' },
  },
  {
    what: 'an order and a filter of reviews',
    open: async (product: RunningProduct) => {
      const entry = await createReviewedEntry(product, category, 3, (index) => ({ rating: index + 1 }));
      return `${category.pages.reviews}/${entry.id}`;
    },
    press: async (page: Page) => {
      await page.getByLabel('Sort by').selectOption('lowest');
      await page.getByLabel('Written by').selectOption('student');
    },
    leadsTo: { relation: 'student', sort: 'lowest' },
  },
  {
    what: 'two filters and a text of the search',
    open: async () => '/allschools',
    press: async (page: Page) => {
      await page.getByLabel('Minimum rating').selectOption('3');
      await page.getByLabel('Order').selectOption('reviewed');
      await page.getByLabel('Search schools').fill('a school');
    },
    leadsTo: { minRating: '3', order: 'reviewed', q: 'a school' },
  },
];

test.describe('before the code of a page is there', () => {
  for (const { what, open, press, leadsTo } of ROWS_OF_PRESSES)
    test(`each of several presses takes effect before the next one is done: ${what}`, async ({ page, product }) => {
      const hydrate = await openUnhydrated(page, await open(product));
      await press(page);
      await hydrate();
      await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(leadsTo);
    });

  test('a press that leads to another page is the last one there, and what was typed after it is kept', async ({
    page,
    product,
    entry,
  }) => {
    await postReview(product, category, entry.id, await createUser(product));
    const address = `${category.pages.reviews}/${entry.id}`;
    const hydrate = await openUnhydrated(page, address);
    await button(page, 'Helpful').click();
    await page.getByRole('radio', { name: '4 stars', exact: true }).check();
    await page.getByLabel('Sort by').selectOption('lowest');
    await page.getByLabel('Your review').fill('Typed after the press.');
    await button(page, 'Menu').click();
    await hydrate();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login');
    // The menu is on both pages.
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
    await page.goto(address);
    await expect(page).toHaveURL(address);
    await expect(page.getByLabel('Your review')).toHaveValue('Typed after the press.');
  });

  test('a link that opens another program does not keep the code from running', async ({ page }) => {
    const hydrate = await openUnhydrated(page, '/about');
    await page.locator('main a[href^="mailto:"]').first().click();
    await button(page, 'Menu').click();
    await hydrate();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  });

  test('a press is done once it is, in its order: a menu, stars, a text, a filter', async ({ page, product }) => {
    const entry = await createReviewedEntry(product, category, 12, (index) => ({ rating: (index % 5) + 1 }));
    const hydrate = await openUnhydrated(page, `${category.pages.reviews}/${entry.id}`);
    // The choice shows at once.
    await page.getByRole('radio', { name: '4 stars', exact: true }).check();
    await page.getByLabel('Your review').pressSequentially('Typed ');
    await page.getByRole('radio', { name: '3 stars', exact: true }).click();
    await page.getByLabel('Your review').pressSequentially('early.');
    await page.getByLabel('Post anonymously').check();
    await page.getByLabel('Sort by').selectOption('lowest');
    await page.getByRole('button', { name: /^4 stars/ }).click();
    await hydrate();
    await expect(page.getByLabel('Your review')).toHaveValue('Typed early.');
    await expect(page.getByRole('radio', { name: '3 stars', exact: true })).toBeChecked();
    await expect(page.getByLabel('Post anonymously')).toBeChecked();
    await expect(page).toHaveURL(/\?sort=lowest&stars=4$/);
    // The page knows what was typed: the button is ready.
    await expect(button(page, 'Submit Review')).toBeEnabled();
  });

  test('a filter pressed at an address without its category is set: the page is not rendered anew', async ({
    page,
    product,
  }) => {
    const { schoolId } = await createReviewedEntry(product, category, 3, (index) => ({ rating: index + 1 }));
    const hydrate = await openUnhydrated(page, `/schoolreviews/${schoolId}`);
    const review = await page.getByRole('article').first().elementHandle();
    await page.getByLabel('Sort by').selectOption('lowest');
    await hydrate();
    await expect(page).toHaveURL(`/schoolreviews/${schoolId}?category=${category.kind}&sort=lowest`);
    await expect(page.getByRole('article').first()).toContainText('1 star');
    expect(await review?.evaluate(({ isConnected }) => isConnected)).toBe(true);
  });

  test('what somebody who is signed in types is theirs', async ({ page, user, entry }) => {
    await seedToken(page, user.token);
    const hydrate = await openUnhydrated(page, `${category.pages.reviews}/${entry.id}`);
    await page.getByLabel('Your review').fill('Typed early.');
    await hydrate();
    await page.reload();
    await whenHydrated(page);
    await expect(page.getByLabel('Your review')).toHaveValue('Typed early.');
  });

  test('a key is done too', async ({ page, entry }) => {
    const hydrate = await openUnhydrated(page, `${category.pages.reviews}/${entry.id}`);
    await page.getByRole('radio', { name: '0.5 stars', exact: true }).focus();
    await page.keyboard.press('4');
    await hydrate();
    await expect(page.getByRole('radio', { name: '4 stars', exact: true })).toBeChecked();
  });

  test('the login is filled in and sent', async ({ page, product }) => {
    const { email } = await createUser(product);
    const hydrate = await openUnhydrated(page, '/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await hydrate();
    await expect(page).toHaveURL('/dashboard');
  });

  test('text typed while the page is rendered again is not lost', async ({ page }) => {
    // The address says more than the server-rendered page knows.
    const hydrate = await openUnhydrated(page, '/login?next=/about');
    const email = page.getByLabel('Email');
    await email.fill('somebody@example.or');
    await email.evaluate((field) => {
      const typing = new MutationObserver(() => {
        if (field.isConnected) return;
        typing.disconnect();
        // An event is a task of its own.
        setTimeout(() => document.execCommand('insertText', false, 'g'));
      });
      typing.observe(document, { childList: true, subtree: true });
    });
    await hydrate();
    await expect(email).toHaveValue('somebody@example.org');
  });

  test('a press of more than ten seconds ago is not done, and what was typed is there', async ({ page }) => {
    await page.clock.install();
    const hydrate = await openUnhydrated(page, '/login');
    await page.getByLabel('Email').fill('somebody@example.org');
    await button(page, 'Login').click();
    await page.clock.fastForward(11_000);
    await hydrate();
    await expect(page.getByLabel('Email')).toHaveValue('somebody@example.org');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await button(page, 'Login').click();
    await expect(page.getByText('Please enter your password.').first()).toBeVisible();
  });

  test('a press that would delete, block or hide is never done', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product));
    const hydrate = await openUnhydrated(page, `${category.pages.reviews}/${entry.id}`);
    // The button is made one of those that delete or hide: no page for visitors has one.
    await button(page, 'Helpful').evaluate((element) => element.classList.add('button-danger'));
    await button(page, 'Helpful').click();
    await hydrate();
    await page.waitForLoadState('networkidle');
    // A press that was done would have led a visitor to the login page.
    await expect(page).toHaveURL(`${category.pages.reviews}/${entry.id}`);
  });

  test('on a slow phone, the tap that comes between paint and code is done', async ({ page, entry }) => {
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 90_000,
    });
    await network.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.setViewportSize({ width: 390, height: 780 });
    const hydrate = await openUnhydrated(page, `${category.pages.reviews}/${entry.id}`);
    await button(page, 'Menu').click();
    await hydrate();
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Login' })).toBeVisible();
  });

  test('what was done to a page that a translator has changed is done to the page that takes its place', async ({
    page,
  }) => {
    const hydrate = await openUnhydrated(page, '/login');
    await page.evaluate(() => {
      const words = document.querySelector('h1')?.firstChild;
      const font = document.createElement('font');
      words?.replaceWith(font);
      font.append(words ?? '');
    });
    await page.getByLabel('Email').fill('no email');
    await page.getByLabel('Email').press('Enter');
    await hydrate();
    await expect(notice(page, 'alert', 'Please enter a valid email address.')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('no email');
    await expect(page.getByLabel('Email')).toBeFocused();
  });

  test('fields and buttons are found by their names in a page that is rendered anew for its address', async ({
    page,
  }) => {
    await page.route('**/auth/resend?**', (route) => route.fulfill({ status: 400, json: { error: 'Not today.' } }));
    const hydrate = await openUnhydrated(page, `/verify?email=${'long'.repeat(50)}@example.org`);
    // The server ignores so long an email: its form asks for one, above the passcode.
    await expect(page.getByLabel('Email')).toBeVisible();
    await page.getByLabel('Passcode').fill('123456');
    await button(page, 'Resend').click();
    await hydrate();
    await expect(notice(page, 'alert', 'Not today.')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveCount(0);
    await expect(page.getByLabel('Passcode')).toHaveValue('123456');
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('reviews are filtered by their bars, sorted and filtered by "Apply", and shown all again', async ({
    page,
    product,
  }) => {
    const entry = await createReviewedEntry(product, category, 12, (index) => ({
      rating: (index % 4) + 1,
      relation: index < 6 ? 'parent' : 'student',
    }));
    const path = `${category.pages.reviews}/${entry.id}`;
    const asked = () => new URL(page.url()).searchParams;
    await page.goto(path);
    await page.getByRole('button', { name: '3 stars, 3 reviews' }).click();
    expect(asked().get('stars')).toBe('3');
    await expect(page.getByText('3 of 12 reviews')).toBeVisible();
    await expect(page.getByRole('article')).toHaveCount(3);
    await page.getByLabel('Sort by').selectOption('Oldest');
    await page.getByLabel('Written by').selectOption('Parents');
    await button(page, 'Apply').click();
    expect([asked().get('sort'), asked().get('relation'), asked().get('stars')]).toEqual(['oldest', 'parent', '3']);
    await expect(page.getByRole('article')).toHaveCount(1);
    // Another bar is pressed, then the same one again, which lifts its filter.
    await page.getByRole('button', { name: /^1 star, / }).click();
    expect(asked().get('stars')).toBe('1');
    await page.getByRole('button', { name: /^1 star, / }).click();
    expect(asked().getAll('stars')).toEqual(['']);
    await expect(page.getByRole('article')).toHaveCount(6);
    await button(page, 'Clear filters').click();
    await expect(page.getByText('12 reviews', { exact: true })).toBeVisible();
  });

  test('schools are searched on the dashboard, and narrowed down on their page', async ({ page, product }) => {
    // By its name the first of its country, whose list has more than one page when many tests have run before.
    const { schoolName } = await createSchool(product, 'Aardvark School');
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto('/dashboard');
    await page.getByRole('combobox').fill(schoolName);
    await button(page, 'Search').click();
    await expect(page).toHaveURL(/^[^?]*\/allschools\?q=/);
    await expect(page.getByRole('main').getByRole('link', { name: schoolName })).toBeVisible();
    await expect(page.getByLabel('Search schools')).toHaveValue(schoolName);
    await page.getByLabel('Minimum rating').selectOption('4.0 and up');
    await button(page, 'Apply').click();
    await expect(page.getByText('No schools found')).toBeVisible();
    await page.getByLabel('Search schools').fill('');
    await page.getByLabel('Search schools').press('Enter');
    expect(new URL(page.url()).searchParams.get('minRating')).toBe('4');
    await page.goto('/allschools');
    await page.getByLabel('Country').selectOption('Testland');
    await button(page, 'Apply').click();
    await expect(page).toHaveURL(/country=Testland/);
    await expect(page.getByRole('main').getByRole('link', { name: schoolName })).toBeVisible();
  });
});
