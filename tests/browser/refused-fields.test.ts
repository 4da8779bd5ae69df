import {
  button,
  expect,
  fillIn,
  fillPasswords,
  notice,
  openAs,
  openPage,
  test,
  writeReview,
} from '../support/browser.ts';
import { category, createEntry, createUser, unique } from '../support/rows.ts';

test.describe('forms that the server refuses', () => {
  test('a refusal stands beside the field that the server names', async ({ page, product }) => {
    const { username } = await createUser(product);
    await page.goto('/signup');
    await fillIn(page, { Username: username, Email: `${unique('new')}@example.org` });
    await fillPasswords(page, ['Password', 'Confirm Password']);
    await button(page, 'Sign Up').click();
    await expect(notice(page, 'alert', 'This username is already taken.')).toBeVisible();
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/This username is already taken\.$/);
    await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid');

    await page.goto('/verify?email=somebody@example.org');
    await page.getByLabel('Passcode').fill('123456');
    await button(page, 'Verify').click();
    await expect(page.getByLabel('Passcode')).toHaveAccessibleDescription(
      /This passcode is wrong, used up or expired\./,
    );
  });

  test('a refusal that names no field stands beside none, whatever words it has', async ({ page }) => {
    await page.route('**/auth/login', (route) =>
      route.fulfill({ status: 401, json: { error: 'No such email is known here.' } }),
    );
    await page.goto('/login');
    await page.getByLabel('Email').fill('somebody@example.org');
    await fillPasswords(page, ['Password']);
    await button(page, 'Login').click();
    await expect(notice(page, 'alert', 'No such email is known here.')).toBeVisible();
    await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid');
  });

  test('a field that the form of an admin or of a review has is told beside it, another one below', async ({
    page,
    product,
  }) => {
    const refuse = (call: string, field: string) =>
      page.route(`**/auth/${call}`, (route) =>
        route.fulfill({ status: 400, json: { error: 'This is not right.', field } }),
      );
    await openAs(page, await createUser(product, { isAdmin: true }), '/adminschool');
    await refuse('postSchool', 'location');
    for (const label of ['School Name', 'Description', 'Location']) await page.getByLabel(label).fill('Anything');
    await button(page, 'Add').click();
    await expect(page.getByLabel('Location')).toHaveAccessibleDescription('This is not right.');

    const entry = await createEntry(product, category);
    await openPage(page, `${category.pages.reviews}/${entry.id}`);
    await writeReview(page, 4, 'Good.');
    await refuse(category.calls.postReview, 'review');
    await button(page, 'Submit Review').click();
    await expect(page.getByLabel('Your review')).toHaveAccessibleDescription(/This is not right\.$/);
    await refuse(category.calls.postReview, `${category.itemKey}.id`);
    await button(page, 'Submit Review').click();
    await expect(page.getByLabel('Your review')).not.toHaveAttribute('aria-invalid');
    await expect(page.locator('form').getByText('This is not right.')).toBeVisible();
  });
});
