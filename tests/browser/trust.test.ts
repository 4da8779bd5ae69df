import { expect, expectAxeClean, logIn, notice, openAs, openPage, seedToken, test } from '../support/browser.ts';
import { call } from '../support/call.ts';
import { createReviewOf, endHolding, hide, moderate, report } from '../support/moderation.ts';
import { category, createUser, postReview, readMailsTo, signIn } from '../support/rows.ts';

test.use({ database: 'trust' });

const pageOf = (entryId: number) => `${category.pages.reviews}/${entryId}`;

test.describe('reviews that can be trusted', () => {
  test('a reader reports by keyboard alone, an admin hides, the author appeals, the admin restores', async ({
    page,
    newPage,
    product,
  }) => {
    const [author, reader] = [await createUser(product), await createUser(product)];
    const admin = await createUser(product, { isAdmin: true });
    const { entry } = await createReviewOf(product, author, 1);
    await postReview(product, category, entry.id, admin, { rating: 4, review: 'Not bad at all.' });
    const reading = await openAs(page, reader, pageOf(entry.id));
    const review = reading.getByRole('article').filter({ hasText: 'Good.' });
    await review.getByRole('button', { name: 'Report' }).focus();
    await reading.keyboard.press('Enter');
    await expect(reading.getByRole('heading', { name: 'Report this review' })).toBeVisible();
    await expectAxeClean(reading);
    await expect(reading.getByRole('radio', { name: 'It names or attacks a person' })).toBeFocused();
    await reading.keyboard.press('Space');
    await reading.keyboard.press('Enter');
    await expect(notice(reading, 'status', 'Thank you. An admin will look at it.')).toBeVisible();

    const deciding = await openAs(await newPage(), admin, '/moderation');
    const item = deciding.getByRole('region', { name: 'Review to decide about' });
    await expect(item).toContainText('Good.');
    await expect(item).toContainText('It names or attacks a person');
    await expect(
      deciding.getByRole('button', { name: 'It names or attacks a person · 1 report · today' }),
    ).toBeVisible();
    await expect(item).not.toContainText(author.username);
    await expectAxeClean(deciding);
    await item.getByRole('button', { name: 'Next' }).focus();
    await deciding.keyboard.press('h');
    await expect(deciding.getByRole('radio', { name: 'It names or attacks a person' })).toBeFocused();
    await expect(deciding.getByRole('radio', { name: 'It names or attacks a person' })).toBeChecked();
    await deciding.keyboard.press('Enter');
    await expect(notice(deciding, 'status', 'Review hidden.')).toBeVisible();
    await expect(deciding.getByText('Nothing to look at.')).toBeVisible();
    await expect(deciding.getByRole('heading', { level: 1, name: 'Moderation' })).toBeFocused();

    await endHolding(product);
    await reading.reload();
    await expect(reading.getByText('Not bad at all.')).toBeVisible();
    await expect(reading.getByText('Good.', { exact: true })).toHaveCount(0);
    expect((await call(product, `GET /auth/${category.calls.averageRating}/${entry.id}`)).body).toEqual({
      averageRating: 4,
    });
    expect((await readMailsTo(product, author.email)).at(-1)).toContain('Reason: It names or attacks a person.');

    const answering = await openAs(await newPage(), author, '/myreviews');
    await expect(answering.getByText('Hidden: It names or attacks a person')).not.toHaveCount(0);
    await expectAxeClean(answering);
    await answering.getByRole('button', { name: 'Appeal' }).click();
    await expect(answering.getByLabel('Your appeal')).toBeFocused();
    await answering.getByRole('button', { name: 'Cancel' }).click();
    await expect(answering.getByRole('button', { name: 'Appeal' })).toBeFocused();
    await answering.getByRole('button', { name: 'Appeal' }).click();
    await answering.getByLabel('Your appeal').fill('There is no name in it.');
    await answering.getByRole('button', { name: 'Send appeal' }).click();
    await expect(notice(answering, 'status', 'Appeal sent.')).toBeVisible();
    await expect(answering.getByRole('button', { name: 'Appeal' })).toHaveCount(0);
    const state = answering
      .getByRole('paragraph')
      .filter({ hasText: 'You have appealed: an admin will look at it again.' });
    await expect(state).toBeFocused();

    await deciding.reload();
    await expect(item).toContainText('There is no name in it.');
    await expect(item).toContainText('Hidden: It names or attacks a person');
    await expect(item.getByRole('list', { name: 'Reports decided before' })).toContainText(
      'It names or attacks a person',
    );
    // Nobody ends an appeal with one key.
    await expect(item.getByRole('button', { name: 'Keep hidden' })).toBeVisible();
    await item.getByRole('button', { name: 'Show again' }).press('k');
    await expect(item.getByRole('button', { name: 'Keep hidden' })).toBeFocused();
    await item.getByRole('button', { name: 'Show again' }).click();
    await expect(notice(deciding, 'status', 'Review restored.')).toBeVisible();
    await reading.reload();
    await expect(reading.getByText('Good.', { exact: true })).toBeVisible();
  });

  test('a form whose code does not come leaves the page as it is, and says so', async ({ page, product }) => {
    const { entry } = await createReviewOf(product, await createUser(product));
    await openAs(page, await createUser(product), pageOf(entry.id));
    await page.getByLabel('Your review').fill('Half a review.');
    await page.route('**/report-dialog*.js', (route) => route.abort());
    const report = page.getByRole('button', { name: 'Report' });
    await report.click();
    await expect(notice(page, 'alert', /^This form could not be loaded\. Please reload/)).toBeVisible();
    await expect(page.getByLabel('Your review')).toHaveValue('Half a review.');
    await expect(report).toBeFocused();
  });

  test('a visitor who reports is led to the login page and back', async ({ page, product }) => {
    const reader = await createUser(product);
    const { entry } = await createReviewOf(product, await createUser(product));
    await page.goto(pageOf(entry.id));
    await page.getByRole('button', { name: 'Report' }).click();
    await expect(page).toHaveURL(`/login?next=${pageOf(entry.id)}`);
    await expect(page.getByText('Log in to report a review.')).toBeVisible();
    await logIn(page, reader.email);
    await expect(page).toHaveURL(new RegExp(`${pageOf(entry.id)}$`));
    await expect(page.getByLabel('Note')).toBeVisible();
    await page.getByRole('radio', { name: 'Something else' }).check();
    await page.getByRole('button', { name: 'Send report' }).click();
    await expect(page.getByRole('alert')).toContainText('Please say in the note what is wrong.');
    await page.getByLabel('Note').fill('It is a recipe.');
    await page.getByRole('button', { name: 'Send report' }).click();
    await expect(notice(page, 'status', 'Thank you.')).toBeVisible();
  });

  test('a report begun before the login whose form does not come is given up', async ({ page, product }) => {
    const reader = await createUser(product);
    const { entry } = await createReviewOf(product, await createUser(product));
    await page.route('**/report-dialog*.js', (route) => route.abort());
    await page.goto(pageOf(entry.id));
    await page.getByRole('button', { name: 'Report' }).click();
    await logIn(page, reader.email);
    const told = notice(page, 'alert', /^This form could not be loaded\. Please reload/);
    await expect(told).toBeVisible();
    // Were it opened again, a new notice would take the place of this one.
    const isKept = await told.evaluate(
      (shown) =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(shown.isConnected)))),
    );
    expect(isKept).toBe(true);
  });

  test('an admin undoes a decision, goes on with J, and the keys can be switched off', async ({ page, product }) => {
    const admin = await createUser(product, { isAdmin: true });
    const author = await createUser(product);
    const reviewIds: number[] = [];
    for (const _ of Array(2)) {
      const { reviewId } = await createReviewOf(product, author);
      reviewIds.push(reviewId);
      await report(product, admin, reviewId);
    }
    await seedToken(page, await signIn(product, admin.id));
    await page.goto('/moderation');
    const item = page.getByRole('region', { name: 'Review to decide about' });
    await expect(item).toContainText(/1 of \d+/);
    await page.getByLabel('Keyboard shortcuts').uncheck();
    await item.getByRole('button', { name: 'Next' }).press('j');
    await expect(item).toContainText(/1 of \d+/);
    await page.getByLabel('Keyboard shortcuts').check();
    await item.getByRole('button', { name: 'Next' }).press('j');
    await expect(item).toContainText(/2 of \d+/);
    const lines = page.getByRole('button', { name: 'It is fake · 1 report · today' });
    const open = await lines.count();
    await item.getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('radio', { name: 'It is spam' }).check();
    await item.getByRole('button', { name: 'Hide' }).click();
    await expect(lines).toHaveCount(open - 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(notice(page, 'status', 'Review restored.')).toBeVisible();
    await expect(lines).toHaveCount(open);
    await endHolding(product);
    expect(await readMailsTo(product, author.email)).toEqual([]);
  });

  test('an admin hides a review where they read it, and nobody else is offered that', async ({
    page,
    newPage,
    product,
    admin,
    user,
  }) => {
    const { entry, reviewId } = await createReviewOf(product, await createUser(product));
    const reading = await openAs(await newPage(), user, pageOf(entry.id));
    await expect(reading.getByRole('button', { name: 'Report' })).toBeVisible();
    await expect(reading.getByRole('button', { name: 'Hide…' })).toHaveCount(0);

    await page.setViewportSize({ width: 360, height: 740 });
    await openAs(page, admin, pageOf(entry.id));
    await page.getByRole('button', { name: 'Hide…' }).click();
    await expect(page.getByRole('radio', { name: 'It names or attacks a person' })).toBeFocused();
    await expectAxeClean(page);
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Please choose a reason.');
    await page.getByRole('radio', { name: 'It is off topic' }).check();
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(notice(page, 'status', 'Review hidden.')).toBeVisible();
    await expect(page.getByText('No reviews yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Good.', { exact: true })).toBeVisible();

    await page.goto(`/review/${reviewId}`);
    await page.getByRole('button', { name: 'Hide…' }).click();
    await page.getByRole('radio', { name: 'It is off topic' }).check();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${pageOf(entry.id)}$`));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Good.', { exact: true })).toBeVisible();

    await page.goto('/adminnewest');
    await page.getByRole('button', { name: 'Hide…' }).first().click();
    await page.getByRole('radio', { name: 'It is off topic' }).check();
    await page.keyboard.press('Enter');
    await expect(notice(page, 'status', 'Review hidden.')).toBeVisible();
    expect((await call(product, `GET /auth/getReview/${reviewId}`)).status).toBe(404);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(notice(page, 'status', 'Review restored.')).toBeVisible();
  });

  test('an admin learns who wrote a review only by saying why', async ({ page, product, admin }) => {
    const author = await createUser(product);
    const { entry, reviewId } = await createReviewOf(product, author);
    await hide(product, admin, reviewId, 'illegal');
    await openAs(page, admin, '/moderation?state=closed');
    await expect(page.getByRole('button', { name: `Hidden ${entry.name}` })).toBeVisible();
    const item = page.getByRole('region', { name: 'Review to decide about' });
    await item.getByText('Who wrote this?').click();
    await item.getByRole('button', { name: 'Reveal author' }).click();
    const reason = item.getByLabel('Reason');
    await expect(reason).toHaveAccessibleDescription(/Please give a reason of at least 10 characters\./);
    await expect(reason).toBeFocused();
    // Letters typed into the reason are no shortcuts.
    await reason.pressSequentially('hkj: a court asks who wrote it.');
    await expectAxeClean(page);
    await reason.press('Enter');
    await expect(item.getByText(`Written by ${author.username} (user ${author.id}).`)).toBeVisible();
    await expect(item).toBeFocused();
    await page.goto('/adminacts');
    await expect(page.getByRole('row').filter({ hasText: 'Asked who wrote review' }).first()).toContainText(
      'hkj: a court asks who wrote it.',
    );
  });

  test('everyone sees what was removed and can check it', async ({ page, product, admin }) => {
    const { reviewId } = await createReviewOf(product, await createUser(product), 1);
    await hide(product, admin, reviewId, 'hateful');
    await page.goto('/about');
    await page.getByRole('link', { name: 'removed reviews' }).click();
    await expect(page.getByRole('heading', { name: 'Removed reviews' })).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'It is hateful' }).first()).toContainText('1 star');
    await expect(page.getByText(/Of the reviews with one or two stars/)).toBeVisible();
    await page.getByText('Check this list yourself').click();
    await expect(page.getByText("import { hash } from 'node:crypto'")).toBeVisible();
    await expectAxeClean(page);
    await moderate(product, admin, reviewId, { action: 'restore' });
  });

  test('a list says when its next page could not be loaded, and loads it at the next press', async ({
    page,
    product,
  }) => {
    const admin = await createUser(product, { isAdmin: true });
    const { reviewId } = await createReviewOf(product, await createUser(product), 2);
    await hide(product, admin, reviewId, 'spam');
    await page.route(/getRemovals$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        headers: { ...answer.headers(), link: '</getRemovals?after=1>; rel="next"' },
      });
    });
    const next = /getRemovals\?after=/;
    await page.route(next, (route) => route.fulfill({ status: 400, json: { error: 'The line is not there.' } }));
    await openPage(page, '/about');
    await page.getByRole('link', { name: 'removed reviews' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(page.getByText('More could not be loaded.')).toBeVisible();
    await page.unroute(next);
    const [line] = (await call(product, 'GET /auth/getRemovals')).body;
    await page.route(next, (route) => route.fulfill({ json: [{ ...line, id: 0 }] }));
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(page.getByText('More could not be loaded.')).toBeHidden();
    await expect(page.getByRole('main').getByRole('listitem').last()).toBeFocused();
    await moderate(product, admin, reviewId, { action: 'restore' });
  });

  test('an author reads why a review was hidden, and appeals', async ({ page, product, admin }) => {
    const author = await createUser(product);
    await openAs(page, author, '/profile');
    await page.getByRole('link', { name: 'Your reviews' }).first().click();
    await expect(page.getByText('You have not written a review yet.')).toBeVisible();
    const { entry, reviewId } = await createReviewOf(product, author);
    await page.reload();
    await expect(page.getByText('Good.')).toBeVisible();
    // That it was posted, and when, is said above.
    await expect(page.getByText('History')).toHaveCount(0);
    await hide(product, admin, reviewId, 'fake');
    await page.reload();
    await expect(page.getByRole('link', { name: entry.name })).toBeVisible();
    await expect(page.getByText('Hidden: It is fake').first()).toBeVisible();
    await page.getByText('History (2)').click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Posted' }).last()).toBeVisible();
  });
});
