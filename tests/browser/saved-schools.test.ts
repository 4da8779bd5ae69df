import type { Page } from 'playwright/test';
import { expect, fillIn, notice, openAs, openPage, seedToken, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createSchool, createUser, PASSWORD } from '../support/rows.ts';

const saveButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Save', exact: true });
const savedOnProfile = (page: Page) => page.getByRole('region', { name: 'Saved schools' });

const openSchool = (page: Page, id: number) => openPage(page, `/school/${id}`);

test.describe('saving schools', () => {
  test('a school is saved by mouse and removed by keyboard, and the list on the profile follows', async ({
    page,
    product,
  }) => {
    const user = await createUser(product);
    const { id, schoolName } = await createSchool(product);
    await openAs(page, user, '/profile');
    await expect(savedOnProfile(page)).toContainText('No saved schools yet.');
    await page.getByRole('combobox', { name: 'Search for a school' }).fill(schoolName);
    await page.getByRole('option').click();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'false');
    await saveButton(page).click();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'true');
    await page.goBack();
    await savedOnProfile(page).getByRole('link', { name: schoolName }).click();
    await expect(page).toHaveURL(`/school/${id}`);
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'true');
    await saveButton(page).press('Space');
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'false');
    await expect(saveButton(page)).toBeFocused();
    await expect
      .poll(async () => (await call(product, 'GET /auth/getSavedSchools', { token: user.token })).body)
      .toEqual([]);
    await page.goto('/profile');
    await expect(savedOnProfile(page)).toContainText('No saved schools yet.');
  });

  test('a visitor is led to the login page and back', async ({ page, product, user }) => {
    const { id } = await createSchool(product);
    await openSchool(page, id);
    await saveButton(page).click();
    await expect(page).toHaveURL('/login');
    await expect(page.getByText('Log in to save a school.')).toBeVisible();
    await fillIn(page, { Email: user.email, Password: PASSWORD });
    await page.getByRole('main').getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(`/school/${id}`);
    await saveButton(page).click();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'true');
    await expect
      .poll(async () => (await call(product, 'GET /auth/getSavedSchools', { token: user.token })).body)
      .toMatchObject([{ id }]);
  });

  test('the 101st school is refused with its sentence, and the button says that it is not saved', async ({
    page,
    product,
  }) => {
    const user = await createUser(product);
    const schools = await Promise.all(Array.from({ length: 101 }, () => createSchool(product)));
    const last = schools.pop()?.id as number;
    for (const { id } of schools) {
      expect((await call(product, `PUT /auth/saveSchool/${id}`, { token: user.token })).status).toBe(204);
    }
    await seedToken(page, user.token);
    await openSchool(page, last);
    await saveButton(page).click();
    await expect(notice(page, 'alert', 'You have saved 100 schools. Remove one to save another.')).toBeVisible();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'false');
  });

  test('a change that does not arrive is said, and the button shows what is saved', async ({ page, product, user }) => {
    const { id } = await createSchool(product);
    await seedToken(page, user.token);
    await openSchool(page, id);
    await page.route('**/auth/saveSchool/*', (route) => route.abort());
    await saveButton(page).click();
    await expect(notice(page, 'alert', 'The school was not saved. Check your connection')).toBeVisible();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'false');
    await page.unroute('**/auth/saveSchool/*');
    await saveButton(page).click();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'true');
    await expect
      .poll(async () => (await call(product, 'GET /auth/getSavedSchools', { token: user.token })).body)
      .toHaveLength(1);
    await page.route('**/auth/saveSchool/*', (route) => route.abort());
    await saveButton(page).click();
    await expect(notice(page, 'alert', 'The school is still saved. Check your connection')).toBeVisible();
    await expect(saveButton(page)).toHaveAttribute('aria-pressed', 'true');
  });

  test('Save and Compare stand in one row at 360 pixels, high enough for a finger', async ({ page, product }) => {
    const { id } = await createSchool(product);
    await page.setViewportSize({ width: 360, height: 740 });
    await openSchool(page, id);
    const save = await saveButton(page).boundingBox();
    const compare = await page.getByRole('main').getByRole('button', { name: 'Compare' }).boundingBox();
    expect(save?.y).toBe(compare?.y);
    expect(save?.height).toBeGreaterThanOrEqual(44);
    expect(compare?.height).toBeGreaterThanOrEqual(44);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
