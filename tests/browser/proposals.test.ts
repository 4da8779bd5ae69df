import type { Page } from 'playwright/test';
import {
  button,
  expect,
  expectAxeClean,
  fillIn,
  logIn,
  notice,
  openAs,
  openPage,
  startBuilt,
  test,
} from '../support/browser.ts';
import { call } from '../support/call.ts';
import { startMailServer } from '../support/mail-server.ts';
import { accept, proposeEntry, proposeSchool } from '../support/proposals.ts';
import { category, createEntry, createSchool, createUser, unique } from '../support/rows.ts';

test.use({ database: 'proposals' });

const panelOf = (page: Page) => page.getByRole('region', { name: 'Proposal to decide about' });

test('a newcomer finds nothing, proposes it with a review, and reads by mail that it is there', async ({ newPage }) => {
  const mail = await startMailServer();
  const product = await startBuilt('proposals-mail', { SMTP_URL: mail.url });
  const mailsTo = (email: string) =>
    mail.received.filter(({ recipients }) => recipients.includes(email)).map(({ text }) => text);
  const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];

  const page = await newPage(product);
  await openPage(page, '/allschools?q=Nowhere+College');
  await expect(page.getByText('No schools found')).toBeVisible();
  await button(page, 'Add a missing school').click();
  await expect(page.getByText('Log in to add what is missing.')).toBeVisible();
  await logIn(page, user.email);
  await expect(page.getByRole('dialog', { name: 'Add a missing school' })).toBeVisible();
  await expect(page.getByLabel('School name')).toHaveValue('Nowhere College');
  await expectAxeClean(page);
  await button(page, 'Send').click();
  await expect(page.getByText('Please say where it is.').first()).toBeVisible();
  await page.getByLabel('Location').fill('Kiel, Germany');
  await button(page, 'Send').click();
  await expect(notice(page, 'status', 'Thank you. An admin will look at it and mail you.')).toBeVisible();

  const deciding = await openAs(await newPage(product), admin, '/admin');
  await expect(deciding.getByRole('link', { name: '1 proposal', exact: true })).toBeVisible();
  await deciding.getByRole('link', { name: 'Proposals', exact: true }).click();
  await expect(panelOf(deciding).getByLabel('School name')).toHaveValue('Nowhere College');
  await expect(panelOf(deciding)).not.toContainText(user.username);
  await panelOf(deciding).getByLabel('Description').fill('By the sea.');
  await button(deciding, 'Accept').click();
  await expect(notice(deciding, 'status', 'Proposal accepted.')).toBeVisible();
  await expect(deciding.getByText('No open proposals.')).toBeVisible();
  await expect(deciding.getByRole('heading', { level: 1, name: 'Proposals' })).toBeFocused();
  await expect.poll(() => mailsTo(user.email).at(-1)).toContain('Your proposal of Nowhere College was accepted.');

  await openPage(page, '/myreviews');
  const own = page.getByRole('region', { name: 'Your proposals' });
  await expect(own).toContainText('Accepted');
  await own.getByRole('link', { name: 'Nowhere College' }).click();
  await expect(page.getByText('By the sea.')).toBeVisible();
  await page.getByRole('link', { name: new RegExp(`^${category.label}`) }).click();
  await button(page, 'Add what is missing').click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Rowng');
  await page.getByRole('radio', { name: '4.5 stars' }).press('Space');
  await page.getByLabel('Your review').fill('They sail at dawn.');
  await expectAxeClean(page);
  await button(page, 'Send').click();
  await expect(notice(page, 'status', 'Thank you.')).toBeVisible();

  await deciding.reload();
  await panelOf(deciding).getByLabel('Name', { exact: true }).fill('Rowing');
  await button(deciding, 'Next').press('a');
  await expect(notice(deciding, 'status', 'Proposal accepted.')).toBeVisible();
  await expect.poll(() => mailsTo(user.email)).toHaveLength(2);
  expect(mailsTo(user.email).at(-1)).toContain('Your review is posted there, dated when you proposed it.');

  await openPage(page, '/myreviews');
  await page.getByRole('region', { name: 'Your proposals' }).getByRole('link', { name: 'Rowng' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Rowing');
  const review = page.getByRole('article').filter({ hasText: 'They sail at dawn.' });
  await expect(review.first()).toContainText(user.username);
  const today = new Date().toISOString().slice(0, 10);
  await expect(review.first().locator('time').first()).toHaveAttribute('datetime', new RegExp(`^${today}`));
  await product.stop();
  await mail.close();
});

test('an admin refuses with a reason by keys, which can be turned off; the proposer reads it', async ({
  page,
  newPage,
  product,
}) => {
  const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
  const near = await createSchool(product, 'University of Quillon');
  const review = { rating: 2, review: 'Far too cold there.', isAnonymous: true };
  await proposeSchool(product, user, { schoolName: 'Quilon University', location: 'Here' });
  await proposeEntry(product, user, { schoolId: near.id, name: 'Luge', review });
  await openAs(page, admin, '/proposals');
  const panel = panelOf(page);
  await expect(panel.getByRole('link', { name: 'University of Quillon' })).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectAxeClean(page);
  }
  await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).uncheck();
  await button(page, 'Next').press('r');
  await expect(page.getByLabel('Reason')).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Keyboard shortcuts' }).check();
  await button(page, 'Next').click();
  await expect(panel).toContainText('Far too cold there.');
  await expect(panel).toContainText('anonymous');
  await page.keyboard.press('r');
  await expect(page.getByLabel('Reason')).toBeFocused();
  // A letter typed into a field is no shortcut.
  await page.keyboard.type('a rink, not a club');
  await page.keyboard.press('Enter');
  await expect(notice(page, 'status', 'Proposal refused.')).toBeVisible();
  await expect(panel.getByLabel('School name')).toHaveValue('Quilon University');
  const reading = await openAs(await newPage(), user, '/myreviews');
  const own = reading.getByRole('region', { name: 'Your proposals' });
  await expect(own).toContainText('Refused: a rink, not a club');
  await expect(own).toContainText('Waiting for an admin.');
  await expectAxeClean(reading);
});

test('an admin sees the reviews of all who propose the same entry', async ({ page, product, user, admin }) => {
  const { id: schoolId } = await createSchool(product);
  const review = { rating: 4, review: 'The lake is near.' };
  await proposeEntry(product, user, { schoolId, name: 'Sculling', review });
  const another = { rating: 1, review: 'The boats leak.', isAnonymous: true };
  await proposeEntry(product, await createUser(product), { schoolId, name: 'Sculling', review: another });
  await openAs(page, admin, '/proposals');
  await page.getByRole('button', { name: 'Sculling' }).click();
  await expect(panelOf(page).getByRole('region', { name: 'Its first review' })).toContainText('The lake is near.');
  await expect(panelOf(page).getByRole('region', { name: 'Another review' })).toContainText('The boats leak.');
  await expect(panelOf(page).getByRole('heading', { name: 'Another review, anonymous' })).toBeVisible();
  await expectAxeClean(page);
});

test('a refusal asks for its reason once, above the bar of decisions', async ({ page, product }) => {
  const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
  await proposeSchool(product, user, { schoolName: unique('Refused'), location: 'Here' });
  await page.setViewportSize({ width: 360, height: 740 });
  await openAs(page, admin, '/proposals');
  await button(page, 'Refuse').click();
  const reason = page.getByLabel('Reason');
  await expect(reason).toBeFocused();
  await expect(page.getByText('Please give a reason.')).toHaveCount(0);
  const [field, bar] = [await reason.boundingBox(), await button(page, 'Refuse').boundingBox()];
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  await button(page, 'Refuse').click();
  await expect(page.getByText('Please give a reason.').first()).toBeVisible();
});

test('an admin sees that the school of a proposal is deleted, and that accepting changes nothing', async ({
  newPage,
}) => {
  const product = await startBuilt('proposals-deleted-school');
  const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
  const school = await createSchool(product);
  await proposeEntry(product, user, { schoolId: school.id, name: 'Luge' });
  const page = await openAs(await newPage(product), admin, '/proposals');
  const panel = panelOf(page);
  const link = panel.getByRole('link', { name: school.schoolName });
  await expect(link).toBeVisible();
  // Somebody else deletes the school while the page is open.
  await call(product, `DELETE /auth/deleteSchool/${school.id}`, { token: admin.token });
  await button(page, 'Accept').click();
  await expect(panel).toContainText('The school of this proposal is deleted.');
  await page.reload();
  await expect(panel).toContainText('This school is deleted.');
  await expect(link).toHaveCount(0);
  await expect(panel.getByRole('link', { name: 'Recently deleted' })).toHaveAttribute(
    'href',
    '/moderation?state=deleted',
  );
  await expectAxeClean(page);
  await button(page, 'Refuse').click();
  await page.getByLabel('Reason').fill('The school has closed.');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No open proposals.')).toBeVisible();
  await product.stop();
});

test('the proposer is led to what was accepted, and told once that is deleted', async ({ page, product }) => {
  const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
  const schoolName = unique('Nordlys');
  const { body: proposed } = await proposeSchool(product, user, { schoolName, location: 'Norway' });
  const { body: accepted } = await accept(product, admin, proposed.id);
  await openAs(page, user, '/myreviews');
  const own = page.getByRole('region', { name: 'Your proposals' });
  const link = own.getByRole('link', { name: schoolName });
  await expect(link).toHaveAttribute('href', `/school/${accepted.schoolId}`);
  await call(product, `DELETE /auth/deleteSchool/${accepted.schoolId}`, { token: admin.token });
  await page.reload();
  await expect(own).toContainText('Accepted. It has since been deleted.');
  await expect(own).toContainText(schoolName);
  await expect(link).toHaveCount(0);
});

test('what is there already is told while typing, and again when it is sent all the same', async ({
  page,
  product,
}) => {
  const entry = await createEntry(product, category);
  const school = await createSchool(product, unique('Harbourmouth'));
  await openAs(page, await createUser(product), '/allschools?q=zzzz');
  await button(page, 'Add a missing school').click();
  await page.getByLabel('School name').fill('Harbourmuth');
  await expect(page.getByRole('dialog').getByRole('link', { name: school.schoolName })).toBeVisible();
  await fillIn(page, { 'School name': school.schoolName, Location: 'Elsewhere, Testland' });
  await button(page, 'Send').click();
  await expect(page.getByRole('dialog')).toContainText('This school is there already.');

  await openPage(page, `${category.pages.list}/${entry.schoolId}`);
  await button(page, 'Add what is missing').click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(entry.name.toUpperCase());
  await page.getByRole('dialog').getByRole('link', { name: entry.name }).click();
  await expect(page).toHaveURL(new RegExp(`${category.pages.reviews}/${entry.id}$`));
});

test('an address in what somebody added at once is a link only when an admin has changed it', async ({ newPage }) => {
  const product = await startBuilt('proposals-links', { PROPOSALS: 'open' });
  const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
  const address = 'https://cheap.example/';
  const fields = { schoolName: 'Cheap College', location: 'Oslo, Norway', description: `See ${address} for more.` };
  const { schoolId: id } = (await proposeSchool(product, user, fields)).body;
  const page = await newPage(product);
  const link = page.getByRole('link', { name: address });
  await openPage(page, `/school/${id}`);
  await expect(page.getByText(fields.description)).toBeVisible();
  await expect(link).toHaveCount(0);
  await call(product, 'PUT /auth/updateSchool', { token: admin.token, body: { id, ...fields } });
  await openPage(page, `/school/${id}`);
  await expect(link).toHaveAttribute('rel', 'nofollow noopener noreferrer');
  await product.stop();
});

test('PROPOSALS=open adds in one step, off shows no button', async ({ newPage }) => {
  for (const mode of ['open', 'off']) {
    const product = await startBuilt(`proposals-${mode}`, { PROPOSALS: mode });
    const { id } = await createSchool(product);
    const page = await openAs(await newPage(product), await createUser(product), `${category.pages.list}/${id}`);
    if (mode === 'off') {
      await expect(page.getByText('has been added for this school yet.')).toBeVisible();
      await expect(button(page, 'Add what is missing')).toHaveCount(0);
      // The page asks for its code until it is hydrated: the product must not be stopped before that.
      await openPage(page, '/allschools?q=zzzz');
      await expect(page.getByText('No schools found')).toBeVisible();
      await expect(button(page, 'Add a missing school')).toHaveCount(0);
    } else {
      await button(page, 'Add what is missing').click();
      await expect(page.getByText('It is added at once.')).toBeVisible();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Rowing');
      await button(page, 'Send').click();
      await expect(page.getByRole('heading', { level: 1 })).toContainText('Rowing');
    }
    await product.stop();
  }
});
