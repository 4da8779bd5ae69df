import { button, endSessions, expect, logIn, notice, openAs, openPage, test } from '../support/browser.ts';
import { category, createSchool, signIn } from '../support/rows.ts';

const ENDED = 'Your session has ended. Please log in again.';

test.describe('when the token of a guarded page is refused', () => {
  test('/myreviews leads to the login page, and back', async ({ page, product, user }) => {
    await openAs(page, user, '/about');
    await endSessions(product, user);
    await page.goto('/myreviews');
    await expect(page).toHaveURL('/login?next=/myreviews');
    await expect(notice(page, 'alert', ENDED)).toBeVisible();
    await logIn(page, user.email);
    await expect(page).toHaveURL('/myreviews');
    await expect(page.getByText('You have not written a review yet.')).toBeVisible();
  });

  test('other pages lead to the dashboard, which says why', async ({ page, product, admin }) => {
    for (const address of ['/profile', '/moderation', '/proposals', '/adminacts', '/numbers', '/admin']) {
      await openAs(page, { token: await signIn(product, admin.id) }, '/about');
      await endSessions(product, admin);
      await page.goto(address);
      await expect(page).toHaveURL('/dashboard');
      await expect(notice(page, 'alert', ENDED)).toBeVisible();
      await expect(page.getByText('Log in to see that page.')).toBeVisible();
    }
  });

  test('a page with something typed stays', async ({ page, product, admin }) => {
    await openAs(page, admin, '/adminschool');
    const name = page.getByLabel('School Name');
    await name.fill('Half a school');
    await endSessions(product, admin);
    await page.getByLabel('Description').fill('Half a description.');
    await page.getByLabel('Location').fill('Nowhere');
    await button(page, 'Add').click();
    await expect(notice(page, 'alert', ENDED)).toBeVisible();
    await expect(page).toHaveURL('/adminschool');
    await expect(name).toHaveValue('Half a school');
  });

  test('a button that is disabled for it passes the focus on', async ({ page, product, user }) => {
    await createSchool(product);
    await openAs(page, user, '/profile');
    await page.getByLabel('Major').fill('History');
    await button(page, 'Save Profile').click();
    const ask = button(page, 'Get Recommendation');
    await expect(ask).toBeEnabled();
    await endSessions(product, user);
    await ask.press('Enter');
    await expect(ask).toBeDisabled();
    await expect(page.getByRole('region', { name: 'Find Your Best Match' })).toBeFocused();
  });

  test('a draft that is back stays beside a newer one, and what else the page reads says that it failed', async ({
    page,
    product,
    user,
    entry,
  }) => {
    await openAs(page, user, '/profile');
    await page.getByLabel('Major').fill('Half a wish');
    await openPage(page, `${category.pages.reviews}/${entry.id}`);
    await page.getByLabel('Your review').fill('Half a review.');
    await endSessions(product, user);
    await page.goto('/profile');
    await expect(notice(page, 'alert', ENDED)).toBeVisible();
    await expect(page).toHaveURL('/profile');
    await expect(page.getByLabel('Major')).toHaveValue('Half a wish');
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
  });
});
