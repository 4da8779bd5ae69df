import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { recordCommand } from '../../src/server/audit/queries.ts';
import { expect, fillIn, notice, rowOf, seedToken, test } from '../support/browser.ts';
import { createEntry, createSchool, createUser, postReview, unique } from '../support/rows.ts';

test.describe('the admin area', () => {
  test.beforeEach(async ({ page, product }) => {
    await seedToken(page, (await createUser(product, { isAdmin: true })).token);
  });

  test('the users panel ticks the flag, deletes, and leads to the schools', async ({ page, product, user }) => {
    await page.goto('/admin');
    await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible();
    // The columns of the specification come first, and the cell of "Delete" has nothing else.
    await expect(page.getByRole('columnheader')).toHaveText(['Id', 'Username', 'Is Admin', 'Delete', 'More']);
    await page.getByLabel('Filter').fill(user.username);
    const row = rowOf(page, user.username);
    await expect(row.getByRole('cell').nth(2).getByRole('button')).toHaveText(['Delete']);
    await expect(row.getByRole('cell').nth(3).getByRole('button')).toHaveText(['Block', 'Delete with reviews']);
    await row.getByRole('checkbox').click();
    await expect(row.getByRole('checkbox')).toBeChecked();
    const flag = () =>
      product.app.database.read.selectFrom('users').select('is_admin').where('id', '=', user.id).executeTakeFirst();
    expect(await flag()).toEqual({ is_admin: 1 });
    await row.getByRole('checkbox').click();
    await expect(row.getByRole('checkbox')).not.toBeChecked();
    expect(await flag()).toEqual({ is_admin: 0 });
    await row.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(row).toHaveCount(0);
    expect(await flag()).toBeUndefined();
    // The notice is still there, and must not cover the link.
    await page.getByRole('link', { name: 'Go To Schools' }).click({ timeout: 4_000 });
    await expect(page).toHaveURL(/\/adminschool$/);
  });

  test('the audit trail says of how many entries it shows the newest', async ({ page, product }) => {
    const { id } = await createUser(product);
    await product.app.database.write(async (db) => {
      for (let times = 0; times < 130; times += 1) await recordCommand(db, 'admin grant', id, Date.now());
    });
    await page.goto(`/adminacts?subjectKind=user&subjectId=${id}`);
    await expect(page.getByText('The newest 100 of 130 entries')).toBeVisible();
    await page.getByRole('button', { name: 'Load more' }).press('Enter');
    await expect(page.getByText('130 entries', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'What admins did' })).toBeFocused();
  });

  test('the audit trail says in words who did what to what, newest first, and is filtered', async ({
    page,
    product,
  }) => {
    const name = unique('Noted School');
    await page.goto('/adminschool');
    await fillIn(page, { 'School Name': name, Description: 'Built for a test.', Location: 'Here' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(notice(page, 'status', 'School added!')).toBeVisible();
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Audit Trail' }).click();
    const heading = page.getByRole('heading', { level: 1, name: 'Audit Trail' });
    await expect(heading).toBeVisible();
    for (const head of ['When', 'Who', 'What', 'History'])
      await expect(page.getByRole('columnheader', { name: head })).toBeVisible();
    const newest = page.getByRole('row').nth(1);
    await expect(newest.getByRole('rowheader')).toHaveText(`Added school: ${name}`);
    await expect(newest.getByRole('link', { name })).toHaveAttribute('href', /^\/school\/\d+$/);
    await page.getByLabel('Filter').fill('no such thing');
    await expect(page.getByText('No entries match the filter.')).toBeVisible();
    await page.getByLabel('Filter').fill('');

    await newest.getByRole('link', { name: 'History' }).click();
    await expect(page).toHaveURL(/\?subjectKind=school&subjectId=\d+$/);
    await expect(page.getByText(`Only ${name}`)).toBeVisible();
    // The link was in the list that another one replaces.
    await expect(heading).toBeFocused();
    await expect(page.getByLabel('Subject')).toHaveValue('school');
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByLabel('Action').selectOption('Deleted school');
    await expect(page).toHaveURL(/act=deleteSchool/);
    await expect(page.getByText('Nothing to show.')).toBeVisible();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(/\/adminacts$/);
    await expect(heading).toBeFocused();

    const stranger = await createUser(product, { isAdmin: true });
    await page.goto('/adminacts?userId=x&act=&subjectKind=club&subjectId=0&before=-1');
    await expect(newest.getByRole('rowheader')).toHaveText(`Added school: ${name}`);
    await page.getByLabel('Person').selectOption(stranger.username);
    await expect(page).toHaveURL(new RegExp(`userId=${stranger.id}$`));
    await expect(page.getByText('Nothing to show.')).toBeVisible();
  });

  test('the newest reviews tell where they stand and that an account is new, and lead to where they are deleted', async ({
    page,
    product,
  }) => {
    const text = unique('Posted a moment ago');
    const author = await createUser(product);
    const category = CATEGORIES[1] as Category;
    const entry = await createEntry(product, category);
    await postReview(product, category, entry.id, author, { review: text, rating: 1.5 });
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Newest Reviews' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Newest Reviews' })).toBeVisible();
    for (const head of ['When', 'Entry', 'Rating', 'Account', 'Review'])
      await expect(page.getByRole('columnheader', { name: head })).toBeVisible();
    const row = rowOf(page, text);
    for (const part of [entry.name, category.label, '1.5', 'New account']) await expect(row).toContainText(part);
    await expect(row).not.toContainText(author.username);
    await page.getByLabel('Filter').fill('no such review');
    await expect(page.getByText('No reviews match the filter.')).toBeVisible();
    await page.getByLabel('Filter').fill(text);
    await row.getByRole('link', { name: entry.name }).click();
    await expect(page).toHaveURL(new RegExp(`${category.pages.adminReviews}/${entry.id}#\\d+$`));
    await expect(rowOf(page, text).getByRole('button', { name: 'Delete' })).toBeVisible();
  });

  test('aliases are typed one a line, shown at the school, and left out of an update that does not touch them', async ({
    page,
    product,
  }) => {
    const sent: unknown[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON().aliases));
    const name = unique('Known School');
    await page.goto('/adminschool');
    for (const label of ['School Name', 'Description', 'Location']) await page.getByLabel(label).fill(name);
    const field = page.getByLabel('Also known as');
    await expect(field).not.toHaveAttribute('required');
    await field.fill('  KS \n\nالمدرسة\n');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(notice(page, 'status', 'School added!')).toBeVisible();
    await page.getByLabel('Filter').fill(name);
    const row = rowOf(page, name);
    const update = async (change: () => Promise<void>) => {
      await row.getByRole('button', { name: 'Update' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Update School' })).toBeVisible();
      await expect(field).toHaveValue('KS\nالمدرسة');
      await change();
      await page.getByRole('form').getByRole('button', { name: 'Update' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Add School' })).toBeVisible();
    };
    await update(() => page.getByLabel('Location').fill('Elsewhere'));
    const { id } = await product.app.database.read
      .selectFrom('schools')
      .select('id')
      .where('school_name', '=', name)
      .executeTakeFirstOrThrow();
    const school = await page.context().newPage();
    await school.goto(`/school/${id}`);
    await expect(school.getByText('Also known as KS, المدرسة')).toBeVisible();
    await update(() => field.fill(''));
    expect(sent).toEqual([undefined, []]);
    await school.reload();
    await expect(school.getByText('Elsewhere')).toBeVisible();
    await expect(school.getByText('Also known as')).toHaveCount(0);
  });

  test('a school is added, updated, cleared and deleted', async ({ page }) => {
    const name = unique('Admin School');
    await page.goto('/adminschool');
    await expect(page.getByRole('heading', { level: 1, name: 'Add School' })).toBeVisible();
    for (const label of ['School Name', 'Description', 'Location'])
      await expect(page.getByLabel(label)).toHaveAttribute('required', '');
    await fillIn(page, { 'School Name': name, Description: 'Built for a test.', Location: 'Here' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(notice(page, 'status', 'School added!')).toBeVisible();
    await expect(page.getByLabel('School Name')).toHaveValue('');
    await page.getByLabel('Filter').fill(name);
    const row = rowOf(page, name);
    await row.getByRole('button', { name: 'Update' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Update School' })).toBeVisible();
    await expect(page.getByLabel('Location')).toHaveValue('Here');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Add School' })).toBeVisible();
    await row.getByRole('button', { name: 'Update' }).click();
    await expect(page.getByLabel('Location')).toHaveValue('Here');
    await page.getByLabel('Location').fill('There');
    await page.locator('form').getByRole('button', { name: 'Update' }).click();
    await expect(notice(page, 'status', 'School updated!')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Add School' })).toBeVisible();
    await expect(row.getByRole('link', { name })).toHaveAttribute('href', /^\/select\/\d+$/);
    await row.getByRole('button', { name: 'Delete' }).click();
    await expect(row).toHaveCount(0);
  });

  test('the chooser leads to the entry pages of a school', async ({ page, product }) => {
    const school = await createSchool(product);
    await page.goto(`/select/${school.id}`);
    for (const { label, pages } of CATEGORIES) {
      await expect(page.getByRole('main').getByRole('link', { name: label })).toHaveAttribute(
        'href',
        `${pages.adminEntries}/${school.id}`,
      );
    }
  });

  test('in each category an entry is added, updated and deleted, its reviews listed and deleted', async ({
    page,
    product,
  }) => {
    test.slow();
    const school = await createSchool(product);
    for (const category of CATEGORIES) {
      const name = unique('Thing');
      await page.goto(`${category.pages.adminEntries}/${school.id}`);
      for (const label of [category.nameLabel, 'Description'])
        await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('required', '');
      await page.getByLabel(category.nameLabel, { exact: true }).fill(name);
      await page.getByLabel('Description').fill('Something.');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(notice(page, 'status', `${category.entryLabel} added!`)).toBeVisible();
      const row = rowOf(page, name);
      await row.getByRole('button', { name: 'Update' }).click();
      await expect(page.getByLabel(category.nameLabel, { exact: true })).toHaveValue(name);
      await page.getByLabel('Description').fill('Something else.');
      const sent = page.waitForRequest((request) => request.method() === 'PUT');
      await page.locator('form').getByRole('button', { name: 'Update' }).click();
      await expect(notice(page, 'status', `${category.entryLabel} updated!`)).toBeVisible();
      expect(Object.hasOwn((await sent).postDataJSON(), 'schoolId')).toBe(!category.updateOmitsSchoolId);

      await row.getByRole('link', { name }).click();
      await expect(page).toHaveURL(new RegExp(`${category.pages.adminReviews}/\\d+$`));
      await expect(page.getByText('No reviews available.')).toBeVisible();
      const entryId = Number(page.url().split('/').at(-1));
      await postReview(product, category, entryId, await createUser(product), {
        rating: 2.5,
        review: 'To be deleted.',
      });
      await page.reload();
      const review = rowOf(page, 'To be deleted.');
      await expect(review).toContainText('2.5');
      await review.getByRole('button', { name: 'Delete' }).click();
      await expect(review).toHaveCount(0);

      await page.goBack();
      await row.getByRole('button', { name: 'Delete' }).click();
      await expect(row).toHaveCount(0);
      // It was the last row, so the list is gone.
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    }
  });

  test('a failure keeps what was typed and says what is wrong', async ({ page, product }) => {
    const entry = await createEntry(product, CATEGORIES[0] as (typeof CATEGORIES)[number]);
    await page.goto(`${CATEGORIES[0]?.pages.adminEntries}/${entry.schoolId}`);
    await page.route(`**/auth/${CATEGORIES[0]?.calls.create}`, (route) =>
      route.fulfill({
        status: 503,
        json: { error: 'The service cannot do this right now. Please try again shortly.' },
      }),
    );
    await fillIn(page, { Category: 'Kept', Description: 'Kept too.' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Please try again shortly.');
    await expect(page.getByLabel('Category', { exact: true })).toHaveValue('Kept');
  });
});
