import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { storeAliases } from '../../src/server/schools/queries.ts';
import { expect, expectAxeClean, notice, seedToken, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createReviewOf, report } from '../support/moderation.ts';
import { createSchool, createUser, unique } from '../support/rows.ts';

const [category] = CATEGORIES as [Category];

test.describe('the pages of those who run the site', () => {
  test.beforeEach(async ({ page, product }) => {
    await seedToken(page, (await createUser(product, { isAdmin: true })).token);
  });

  test('somebody who cannot log in is found by email, and helped', async ({ page, product }) => {
    const username = unique('jane');
    const email = `${username}@example.org`;
    const values = { username, email, passwordHash: 'none', verifiedAt: null };
    await product.app.database.write((db) => insertUser(db, values, Date.now()));
    await page.goto('/admin');
    await page.getByLabel('Find by email').fill('nobody@example.org');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await expect(notice(page, 'alert', 'No account has this email.')).toBeVisible();
    await page.getByLabel('Find by email').fill(email);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await expect(page).toHaveURL(/\/admin\/users\/\d+$/);
    await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible();
    await expect(page.getByText('Cannot log in: the email is not verified. No passcode was mailed')).toBeVisible();
    await page.getByRole('button', { name: 'Mail a passcode' }).click();
    await expect(notice(page, 'status', `${username} gets a new passcode.`)).toBeVisible();
    await product.app.outbox.flush();
    await page.reload();
    await expect(
      page.getByText(/not verified\. A passcode was handed over on \w{3} \d+, \d\d:\d\d UTC\./),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect(notice(page, 'status', `${username} is not locked any more.`)).toBeVisible();
    await expectAxeClean(page);
    await page.goto(`/admin/users/${(await createUser(product)).id}`);
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await expect(page.getByRole('button', { name: 'Log out everywhere' })).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Logging in' })).toBeFocused();
    await page.goto('/admin/users/999999');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  });

  test('what waits and how the site goes is said', async ({ page, product }) => {
    const { reviewId } = await createReviewOf(product, await createUser(product));
    await report(product, await createUser(product), reviewId);
    await page.goto('/admin');
    const waiting = page.getByRole('link', { name: /^\d+ reviews? to decide about$/ });
    await expect(waiting).toHaveAttribute('href', '/moderation');
    await page.getByRole('link', { name: 'Numbers' }).click();
    await expect(page.getByRole('img', { name: /^Reports: \d+ in all/ })).toBeVisible();
    await page.getByLabel('Period').selectOption('7 days');
    await expect(page.getByRole('row')).toHaveCount(8);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^numbers-\d{4}-\d\d-\d\d\.csv$/);
    await expectAxeClean(page);
  });

  test("a spreadsheet's forty entries in UTF-16 are looked at and then imported", async ({ page, product }) => {
    const school = await createSchool(product);
    const alias = unique('Also');
    await product.app.database.write((db) => storeAliases(db, school.id, [alias]));
    const names = Array.from({ length: 40 }, (_, index) => `Röwing ${index + 10}`);
    const lines = [
      'school;category;name;description',
      ...names.map((name, index) => `${index % 2 === 0 ? school.schoolName : alias};${category.label};${name};`),
      'Nowhere;Clubs;Chess;',
    ];
    await page.goto('/adminschool');
    await page.getByText('Import a file').click();
    const buffer = Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le');
    const announced = page.locator('details [aria-live=polite]');
    await expect(announced).toHaveText('');
    await page.getByLabel('File').setInputFiles({ name: 'entries.csv', mimeType: 'text/csv', buffer });
    await expect(announced.getByText('40 to add, 0 there already, 1 refused.')).toBeVisible();
    await expect(page.getByText('There is no school Nowhere.')).toBeVisible();
    await expectAxeClean(page);
    await page.getByRole('button', { name: 'Add 40 rows' }).click();
    await expect(notice(page, 'status', '40 rows added.')).toBeVisible();
    await expect(page.getByLabel('File')).toBeFocused();
    const { body } = await call(product, `GET /auth/${category.calls.list}/${school.id}`);
    expect(body).toMatchObject(names.map((name) => ({ [category.nameField]: name, description: '' })));
  });

  test('an import that breaks off says so, and not what the file would have added', async ({ page, product }) => {
    const school = await createSchool(product);
    await page.goto('/adminschool');
    await page.getByText('Import a file').click();
    const buffer = Buffer.from(`school;category;name;description\n${school.schoolName};${category.label};Rowing;`);
    await page.getByLabel('File').setInputFiles({ name: 'entries.csv', mimeType: 'text/csv', buffer });
    // As nginx answers when the process has died in the middle.
    const json = { error: 'The service cannot do this right now. Please try again shortly.' };
    await page.route('**/auth/runImport', (route) => route.fulfill({ status: 503, json }));
    await page.getByRole('button', { name: 'Add 1 row' }).click();
    await expect(page.getByText('The file was not imported to its end: The service cannot do this')).toBeVisible();
    await expect(page.getByText('Choose it again to see what is there already.')).toBeVisible();
    await expect(page.getByText('1 to add')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Add 1 row' })).toBeHidden();
  });
});
