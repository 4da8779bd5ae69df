import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import {
  expect,
  expectAxeClean,
  fillIn,
  notice,
  openAs,
  openPage,
  rowOf,
  seedToken,
  test,
} from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createEntry, createSchool, createUser, PASSWORD, postReview, unique } from '../support/rows.ts';

const [category] = CATEGORIES as [Category];

test.describe('rows of the admin area', () => {
  test.beforeEach(async ({ page, product }) => {
    await seedToken(page, (await createUser(product, { isAdmin: true })).token);
  });

  test('a changed admin flag is told of and taken back by Undo; a deletion is told of', async ({ page, product }) => {
    const { username } = await createUser(product);
    await page.goto('/admin');
    await page.getByLabel('Filter').fill(username);
    const flag = rowOf(page, username).getByRole('checkbox');
    await flag.click();
    await expect(notice(page, 'status', `${username} is an admin now.`)).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(notice(page, 'status', `${username} is no longer an admin.`)).toBeVisible();
    await expect(flag).not.toBeChecked();
    await rowOf(page, username).getByRole('button', { name: 'Delete', exact: true }).click();
    const told = `${username} was deleted. Their reviews stay, without a name. This has no Undo.`;
    await expect(notice(page, 'status', told)).toBeVisible();
    // At once, because older notices go by themselves after a while.
    expect(await page.getByRole('status').allTextContents()).toEqual([told]);
  });

  test('an admin who was demoted is led away at the first call that is refused', async ({ page, product, admin }) => {
    const demoted = await createUser(product, { isAdmin: true });
    const { username } = await createUser(product);
    await page.addInitScript((token) => sessionStorage.setItem('token', token), demoted.token);
    await openPage(page, '/admin');
    await page.getByLabel('Filter').fill(username);
    await expect(rowOf(page, username)).toBeVisible();
    const body = { isAdmin: false };
    await call(product, `PUT /auth/updateUser/${demoted.id}`, { token: admin.token, body });
    await rowOf(page, username).getByRole('checkbox').click();
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('Only an admin may open that page.')).toBeVisible();
    await page.goto('/moderation');
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('Only an admin may open that page.')).toBeVisible();
  });

  test('a user is blocked for a reason, reads it at the login, and is let in again', async ({
    page,
    product,
    newPage,
  }) => {
    const user = await createUser(product);
    await page.goto('/admin');
    await page.getByLabel('Filter').fill(user.username);
    const row = rowOf(page, user.username);
    await row.getByRole('button', { name: 'Block' }).click();
    const dialog = page.getByRole('dialog', { name: `Block ${user.username}?` });
    await dialog.getByRole('button', { name: 'Block' }).click();
    const reason = dialog.getByLabel('Reason');
    await expect(reason).toHaveAccessibleDescription(/Please give a reason of at least 3 characters\./);
    await expect(reason).toBeFocused();
    await expectAxeClean(page);
    await reason.fill('Many adverts.');
    await reason.press('Enter');
    await expect(notice(page, 'status', `${user.username} is blocked and cannot log in any more.`)).toBeVisible();
    await expect(row.getByText('Blocked', { exact: true })).toBeVisible();

    const theirs = await newPage();
    const logIn = async () => {
      await theirs.goto('/login');
      await fillIn(theirs, { Email: user.email, Password: PASSWORD });
      await theirs.getByRole('button', { name: 'Login' }).click();
    };
    await logIn();
    await expect(notice(theirs, 'alert', 'Your account is blocked. Reason: Many adverts.')).toBeVisible();
    await expect(theirs).toHaveURL(/\/login$/);

    await row.getByRole('button', { name: 'Unblock' }).click();
    await expect(notice(page, 'status', `${user.username} can log in again.`)).toBeVisible();
    expect(await notice(page, 'status', 'is blocked').count()).toBe(0);
    await expect(row.getByRole('button', { name: 'Block' })).toBeVisible();
    await logIn();
    await expect(theirs).toHaveURL(/\/dashboard$/);
  });

  test('a user is deleted with their reviews after a question, which Enter pressed twice does not answer', async ({
    page,
    product,
  }) => {
    const user = await createUser(product);
    const entry = await createEntry(product, category);
    await postReview(product, category, entry.id, user);
    await page.goto('/admin');
    await page.getByLabel('Filter').fill(user.username);
    const row = rowOf(page, user.username);
    const open = row.getByRole('button', { name: 'Delete with reviews' });
    const dialog = page.getByRole('dialog', { name: `Delete ${user.username} with all reviews?` });
    await open.focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await expectAxeClean(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(open).toBeFocused();

    await open.click();
    await page.route(/deleteUser/, (route) => route.fulfill({ status: 409, json: { error: 'Not today.' } }));
    await dialog.getByRole('button', { name: 'Delete with reviews' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(/Not today\./);
    await page.unroute(/deleteUser/);
    await dialog.getByRole('button', { name: 'Delete with reviews' }).click();
    await expect(
      notice(page, 'status', `${user.username} was deleted. Their reviews are hidden. This has no Undo.`),
    ).toBeVisible();
    await expect(row).toHaveCount(0);
    expect((await call(product, `GET /auth/${category.calls.reviews}/${entry.id}`)).body).toEqual([]);
  });

  test('the row being edited is marked, and an empty field is told beside it in our own words', async ({
    page,
    product,
  }) => {
    const first = await createEntry(product, category);
    const second = await createEntry(product, category, first.schoolId);
    await page.goto(`${category.pages.adminEntries}/${first.schoolId}`);
    await rowOf(page, first.name).getByRole('button', { name: 'Update' }).click();
    await expect(rowOf(page, first.name)).toHaveAttribute('aria-current', 'true');
    await rowOf(page, second.name).getByRole('button', { name: 'Update' }).click();
    await expect(rowOf(page, second.name)).toHaveAttribute('aria-current', 'true');
    await expect(rowOf(page, first.name)).not.toHaveAttribute('aria-current');
    await page.getByLabel(category.nameLabel, { exact: true }).fill(' ');
    await page.getByLabel('Description').fill('');
    await page.locator('form').getByRole('button', { name: 'Update' }).click();
    const name = page.getByLabel(category.nameLabel, { exact: true });
    await expect(name).toHaveAccessibleDescription(`Please enter the ${category.nameLabel.toLowerCase()}.`);
    await expect(name).toBeFocused();
    await expect(page.getByLabel('Description')).toHaveAccessibleDescription('Please enter the description.');
  });

  test('the reviews of an entry are filtered, counted, reached by their address, and hidden ones restored', async ({
    page,
    product,
  }) => {
    const entry = await createEntry(product, category);
    const { body: wanted } = await postReview(product, category, entry.id, await createUser(product), {
      review: 'The wanted one.',
    });
    await postReview(product, category, entry.id, await createUser(product), { review: 'Another.' });
    await page.goto(`${category.pages.adminReviews}/${entry.id}#${wanted.id}`);
    await expect(rowOf(page, 'The wanted one.')).toHaveAttribute('aria-current', 'true');
    await page.getByLabel('Filter').fill('another');
    await expect(rowOf(page, 'The wanted one.')).toHaveCount(0);
    await expect(page.getByText('1 of 2 reviews')).toBeVisible();

    await page.route(`**/auth/${category.calls.reviews}/*`, async (route) => {
      const answer = await route.fetch();
      const headers = { ...answer.headers(), link: `<${route.request().url()}?before=1-1>; rel="next"` };
      await route.fulfill({ response: answer, headers });
    });
    await page.route(`**/auth/${category.calls.totalReviews}/*`, (route) =>
      route.fulfill({ json: { totalReviews: 130 } }),
    );
    await page.goto('/about');
    await page.goto(`${category.pages.adminReviews}/${entry.id}`);
    await expect(page.getByText('The newest 2 of 130 reviews')).toBeVisible();
    await page.unrouteAll({ behavior: 'wait' });
    await rowOf(page, 'Another.').getByRole('button', { name: 'Delete' }).click();
    await expect(notice(page, 'status', 'The review is hidden from readers.')).toBeVisible();
    await expect(rowOf(page, 'Another.')).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(notice(page, 'status', 'The review is back.')).toBeVisible();
    await expect(rowOf(page, 'Another.')).toHaveCount(1);
  });

  test('an admin who deletes their own review among others reads that it is deleted, without Undo', async ({
    product,
    newPage,
  }) => {
    const entry = await createEntry(product, category);
    const admin = await createUser(product, { isAdmin: true });
    await postReview(product, category, entry.id, admin, { review: 'My own.', username: null });
    const page = await openAs(await newPage(), admin, `${category.pages.adminReviews}/${entry.id}`);
    await rowOf(page, 'My own.').getByRole('button', { name: 'Delete' }).click();
    await expect(notice(page, 'status', 'Your review was deleted.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  });

  test('a failure without an answer says what was not done and what to do', async ({ page, product }) => {
    const { name, schoolId } = await createEntry(product, category);
    await page.goto(`${category.pages.adminEntries}/${schoolId}`);
    await page.route(`**/auth/${category.calls.remove}/*`, (route) => route.abort());
    await rowOf(page, name).getByRole('button', { name: 'Delete' }).click();
    await expect(
      notice(page, 'alert', 'The entry was not deleted. Check your connection and try again.'),
    ).toBeVisible();
    await page.context().setOffline(true);
    await page.getByLabel(category.nameLabel, { exact: true }).fill('Anything');
    await page.getByLabel('Description').fill('Anything.');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(
      page.locator('form').getByText('Nothing was saved. You are offline. Connect to the internet and try again.'),
    ).toBeVisible();
    await page.context().setOffline(false);
  });

  test('an admin gets from a public page to where its content is managed, and nobody else sees the way', async ({
    page,
    product,
    browser,
  }) => {
    const entry = await createEntry(product, category);
    const { pages } = category;
    for (const { path, to } of [
      { path: `/school/${entry.schoolId}`, to: `/adminschool#${entry.schoolId}` },
      { path: `${pages.list}/${entry.schoolId}`, to: `${pages.adminEntries}/${entry.schoolId}` },
      { path: `${pages.reviews}/${entry.id}`, to: `${pages.adminReviews}/${entry.id}` },
    ]) {
      await page.goto(path);
      await expect(page.getByRole('link', { name: 'Manage', exact: true })).toHaveAttribute('href', to);
    }
    await page.goto(`/school/${entry.schoolId}`);
    await page.getByRole('link', { name: 'Manage', exact: true }).click();
    await expect(page.locator('tr[aria-current]')).toContainText(String(entry.schoolId));
    const visitor = await browser.newPage();
    await visitor.goto(`${product.url}/school/${entry.schoolId}`);
    await expect(visitor.getByRole('link', { name: 'Athletics' })).toBeVisible();
    await expect(visitor.getByRole('link', { name: 'Manage', exact: true })).toHaveCount(0);
    await visitor.close();
  });

  test('at 320, 360, 768 and 1280 pixels every action is in sight, whatever the words', async ({
    page,
    product,
    admin,
  }) => {
    const word = unique('W').padEnd(60, 'w');
    const school = await createSchool(product, word);
    const { body: entry } = await call(product, `POST /auth/${category.calls.create}`, {
      token: admin.token,
      body: { schoolId: school.id, [category.nameField]: word, description: word },
    });
    const author = await createUser(product);
    await postReview(product, category, entry.id, author, { review: word });
    for (const { path, filter } of [
      { path: '/admin', filter: author.username },
      { path: '/adminschool', filter: word },
      { path: `${category.pages.adminEntries}/${school.id}`, filter: word },
      { path: `${category.pages.adminReviews}/${entry.id}`, filter: word },
    ]) {
      await openPage(page, path);
      await page.getByLabel('Filter').fill(filter);
      // The head and the one that matches.
      await expect(page.getByRole('row')).toHaveCount(2);
      const row = page.getByRole('row').nth(1);
      const region = page.getByRole('region').filter({ has: page.getByRole('table') });
      // Scrolling can leave a fraction of a pixel outside.
      const inSight = { ratio: 0.99 };
      for (const width of [320, 360, 768, 1280]) {
        const at = `${path} at ${width}`;
        await page.setViewportSize({ width, height: 740 });
        await row.getByRole('button', { name: 'Delete', exact: true }).scrollIntoViewIfNeeded();
        await expect(row.getByRole('button', { name: 'Delete', exact: true }), at).toBeInViewport(inSight);
        const withReviews = row.getByRole('button', { name: 'Delete with reviews' });
        for (const button of await withReviews.all()) await expect(button, at).toBeInViewport(inSight);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), at).toBe(width);
        expect(await region.evaluate((element) => element.scrollWidth - element.clientWidth), at).toBe(0);
      }
    }
  });

  test('on phones a link to the entry of a new review is 24 pixels high', async ({ page, product, entry }) => {
    await postReview(product, category, entry.id, await createUser(product));
    await page.setViewportSize({ width: 360, height: 740 });
    await openPage(page, '/adminnewest');
    const link = page.getByRole('link', { name: entry.name });
    // WCAG 2.5.8.
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  });
});
