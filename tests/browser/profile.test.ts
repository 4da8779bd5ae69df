import type { Page } from 'playwright/test';
import { expect, expectAfterRetries, expectAxeClean, fillIn, notice, seedToken, test } from '../support/browser.ts';
import { createSchool, createUser, PASSWORD, type TestUser } from '../support/rows.ts';

// A database of its own, where no school of another test has a name that a preference asks for.
test.use({ database: 'profile' });

/** Written out by hand (spec §2), so that a slip in the product's own list fails. */
const LABELS = [
  'Preferred Location',
  'Preferred Major',
  'Academic Level',
  'Campus Setting',
  'Financial Considerations',
  'Academic or Career Goals',
  'Living Preference',
  'Personal Preferences / Notes',
];

test.describe('the profile page', () => {
  let user: TestUser;

  test.beforeEach(async ({ page, product }) => {
    user = await createUser(product);
    await seedToken(page, user.token);
    await createSchool(product);
  });

  async function fill(page: Page): Promise<void> {
    for (const label of LABELS) await page.getByLabel(label, { exact: true }).fill(`My ${label}`);
  }

  test('a profile is saved, shown on its card, and the form cleared', async ({ page }) => {
    await page.goto('/profile');
    for (const name of ['Create Your University Profile', 'Your University Profile', 'Find Your Best Match']) {
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    }
    const form = page.getByRole('form', { name: 'Create Your University Profile' });
    await expect(form.locator('label')).toHaveText(LABELS);
    for (const label of LABELS)
      await expect(page.getByLabel(label, { exact: true })).not.toHaveAttribute('required', '');
    await fill(page);
    await page.locator('form').getByRole('button').first().click();
    await expect(notice(page, 'status', 'Profile created successfully!')).toBeVisible();
    for (const label of LABELS) {
      await expect(page.getByText(`My ${label}`)).toBeVisible();
      await expect(page.getByLabel(label, { exact: true })).toHaveValue('');
    }
  });

  test("after the card's Edit the button and its notice say that the profile is updated", async ({ page }) => {
    await page.goto('/profile');
    await page.getByLabel('Preferred Location').fill('By the sea');
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(notice(page, 'status', 'Profile created successfully!')).toBeVisible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Preferred Location').fill('In the hills');
    await page.getByRole('button', { name: 'Update Profile' }).click();
    await expect(notice(page, 'status', 'Profile updated successfully!')).toBeVisible();
    await expect(page.getByText('In the hills')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  });

  test('what the form leaves out stays in a stored profile, and an empty form is not sent', async ({ page }) => {
    await page.goto('/profile');
    await fill(page);
    await page.getByRole('button', { name: 'Save Profile' }).click();
    const card = page.getByRole('region', { name: 'Your University Profile', exact: true });
    await expect(card).toContainText('My Preferred Location');
    await page.getByLabel('Preferred Location').fill('By the sea');
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(card).toContainText('By the sea');
    await expect(card.getByRole('definition')).toHaveText([
      'By the sea',
      ...LABELS.slice(1).map((label) => `My ${label}`),
    ]);
    let sent = 0;
    await page.route('**/auth/postProfile', (route) => {
      sent += 1;
      return route.continue();
    });
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(notice(page, 'alert', 'Fill in at least one field.')).toBeVisible();
    await expect(page.getByLabel('Preferred Location')).toBeFocused();
    await expect(page.getByLabel('Preferred Location')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Preferred Major').fill('Botany');
    await expect(page.getByLabel('Preferred Location')).not.toHaveAttribute('aria-invalid', 'true');
    expect(sent).toBe(0);
  });

  test("the card's Edit keeps what is being typed, and a reload keeps the edit", async ({ page }) => {
    await page.goto('/profile');
    await fill(page);
    await page.getByRole('button', { name: 'Save Profile' }).click();
    const card = page.getByRole('region', { name: 'Your University Profile', exact: true });
    await expect(card).toContainText('My Preferred Location');
    await page.getByLabel('Preferred Major').fill('Botany');
    await card.getByRole('button', { name: 'Edit' }).click();
    await expect(page.getByLabel('Preferred Major')).toHaveValue('Botany');
    await expect(page.getByLabel('Academic Level')).toHaveValue('My Academic Level');
    await page.getByLabel('Academic Level').fill('');
    await page.reload();
    await expect(page.getByText('Your draft is back.')).toBeVisible();
    await expect(page.getByLabel('Academic Level')).toHaveValue('');
    await page.getByRole('button', { name: 'Update Profile' }).click();
    await expect(notice(page, 'status', 'Profile updated successfully!')).toBeVisible();
    await expect(card.getByRole('definition').nth(1)).toHaveText('Botany');
    await expect(card.getByRole('definition').nth(2)).toHaveText('Not given');
    await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  });

  test('a recommendation goes with the profile that it was asked for, and stays on the way back and when that is read again', async ({
    page,
  }) => {
    await page.goto('/profile');
    await page.getByLabel('Preferred Location').fill('By the sea');
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await page.getByRole('button', { name: 'Get Recommendation' }).click();
    const answer = page.getByRole('region', { name: 'Find Your Best Match' }).getByRole('heading', { level: 3 });
    await answer.first().getByRole('link').click();
    await expect(page).toHaveURL(/\/school\/\d+$/);
    await page.goBack();
    await expect(answer.first()).toBeInViewport();
    // The same profile once more: the page reads it again, and finds it unchanged.
    const card = page.getByRole('region', { name: 'Your University Profile', exact: true });
    await card.getByRole('button', { name: 'Edit' }).click();
    const read = page.waitForResponse('**/auth/getProfile/*');
    await page.getByRole('button', { name: 'Update Profile' }).click();
    await read;
    await expect(notice(page, 'status', 'Profile updated successfully!')).toBeVisible();
    await expect(answer.first()).toBeVisible();
    await card.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Preferred Location').fill('In the hills');
    await page.getByRole('button', { name: 'Update Profile' }).click();
    await expect(card).toContainText('In the hills');
    await expect(answer).toHaveCount(0);
  });

  test('with a profile saved, a narrow page leads to what stands below the form', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/profile');
    await expect(page.getByRole('heading', { name: 'Your University Profile', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Best Match' })).toHaveCount(0);
    await page.getByLabel('Preferred Location').fill('By the sea');
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await page.getByRole('link', { name: 'Best Match' }).click();
    await expect(page.getByRole('heading', { name: 'Find Your Best Match' })).toBeInViewport();
    await page.getByRole('link', { name: 'Your Profile' }).click();
    await expect(page.getByRole('heading', { name: 'Your University Profile', exact: true })).toBeInViewport();
  });

  test('failures to fetch and to save are told in the words of the specification', async ({ page }) => {
    await page.route('**/auth/getProfile/*', (route) => route.abort());
    await page.route('**/auth/postProfile', (route) => route.abort());
    await page.clock.install();
    await page.goto('/profile');
    const failed = page.getByText('Failed to fetch profile. Please try again.');
    await expectAfterRetries(page, (options) => expect(failed).toBeVisible(options));
    await fill(page);
    await page.locator('form').getByRole('button').first().click();
    await expect(notice(page, 'alert', 'Failed to save profile.')).toBeVisible();
    await page.unroute('**/auth/getProfile/*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('You have no profile yet.')).toBeVisible();
    await expect(page.locator('#your-profile')).toBeFocused();
  });

  test('a recommendation is asked for, told, and its failures too', async ({ page }) => {
    await page.goto('/profile');
    const button = page.getByRole('button', { name: /Get Recommendation|Finding best match/ });
    await expect(button).toBeDisabled();
    await fill(page);
    await page.locator('form').getByRole('button').first().click();
    await expect(button).toBeEnabled();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/auth/recommendSchool', async (route) => {
      await held;
      await route.continue();
    });
    await button.press('Enter');
    await expect(button).toBeDisabled();
    await expect(page.getByText('Finding best match...')).toBeVisible();
    answer();
    await expect(page.getByText('Finding best match...')).toHaveCount(0);
    await expect(button).toBeFocused();
    await expect(page.getByText(/^Nothing here speaks to your wishes\. /)).toBeVisible();
    await expect(page.getByText('No reviews speak to:')).toHaveCount(0);
    await expect(page.getByText('No saved schools yet.')).toBeVisible();
    await page.unroute('**/auth/recommendSchool');
    const [text, named] = ['אוניברסיטת תל אביב is your best match.', { id: 1, schoolName: 'אוניברסיטת תל אביב' }];
    for (const [author, direction] of [
      ['built-in', 'ltr'],
      ['model', 'rtl'],
    ]) {
      await page.route('**/auth/recommendSchool', (route) =>
        route.fulfill({ json: { text, author, school: named, evidence: [], others: [] } }),
      );
      await button.click();
      await expect(page.getByText(text)).toHaveCSS('direction', `${direction}`);
      await page.unroute('**/auth/recommendSchool');
    }
    await page.route('**/auth/recommendSchool', (route) =>
      route.fulfill({
        json: {
          ...{ text: 'Fjord University is your best match.', author: 'built-in' },
          others: [{ id: 2, schoolName: 'Harbour College' }],
          school: { id: 1, schoolName: 'Fjord University' },
          evidence: [
            {
              field: 'living',
              wish: 'quiet',
              named: [{ in: 'name', word: 'Quiet' }],
              quotes: ['It was quiet.', 'As quiet as a library.'].map((quote, index) => ({
                ...{ reviewId: index + 1, category: 'clubs', entryId: 3, entryName: 'Choir', quote, rating: 4 },
              })),
            },
            { field: 'goals', wish: 'research', named: [], quotes: [] },
          ],
        },
      }),
    );
    await button.click();
    await expect(page.getByRole('link', { name: 'It was quiet.' })).toHaveAttribute('href', '/review/1');
    await expect(page.getByText('Choir, 4 stars').first()).toBeVisible();
    await expect(page.getByText('Its own words: “Quiet”')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'What reviews of Fjord University say' })).toBeVisible();
    const further = page.getByRole('link', { name: 'As quiet as a library.' });
    await expect(further).toBeHidden();
    await page.getByText('More evidence').click();
    await expect(further).toBeVisible();
    await expectAxeClean(page);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const answer = await page.getByRole('region', { name: 'Find Your Best Match' }).boundingBox();
      const wide = await page.getByRole('main').boundingBox();
      expect(answer?.width).toBeGreaterThan(0.8 * (wide?.width ?? width));
    }
    const school = page.getByRole('heading', { level: 3, name: 'Fjord University', exact: true });
    await expect(school.getByRole('link')).toHaveAttribute('href', '/school/1');
    await expect(page.getByText('Next best: Harbour College').getByRole('link')).toHaveAttribute('href', '/school/2');
    await expect(page.getByText('No reviews speak to: Academic or Career Goals.')).toHaveCount(1);
    await page.unroute('**/auth/recommendSchool');
    await page.route('**/auth/recommendSchool', (route) => route.abort());
    await button.click();
    const failed = page.getByText('❌ Failed to get a recommendation. Please try again.');
    await expect(failed).toBeVisible();
    // The mark is drawn: not every font has it.
    await expect(failed.locator('svg')).toBeVisible();
    await expect(page.getByText(/is your best match/)).toHaveCount(0);
    for (const empty of [
      { contentType: 'text/plain', body: '' },
      { contentType: 'application/json', body: 'null' },
      { status: 204 },
    ]) {
      await page.route('**/auth/recommendSchool', (route) => route.fulfill({ json: { data: 'Go to the Fjord.' } }));
      await button.click();
      await expect(page.getByText('Go to the Fjord.', { exact: true })).toBeVisible();
      await page.route('**/auth/recommendSchool', (route) => route.fulfill(empty));
      await button.click();
      await expect(page.getByText('No recommendation received.')).toBeVisible();
    }
  });

  test('the password is changed and all sessions are ended under a closed disclosure', async ({ page }) => {
    await page.goto('/profile');
    await expect(page.getByLabel('Current Password')).toBeHidden();
    await page.getByText('Your account').click();
    await fillIn(page, {
      'Current Password': 'not it',
      'New Password': 'an entirely new secret',
      'Confirm New Password': 'an entirely new secret',
    });
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(notice(page, 'alert', 'The current password is wrong.')).toBeVisible();
    await fillIn(page, {
      'Current Password': PASSWORD,
      'New Password': 'an entirely new secret',
      'Confirm New Password': 'an entirely new secret',
    });
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(notice(page, 'status', 'Password changed!')).toBeVisible();
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
  });
});
