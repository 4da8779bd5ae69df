import type { Locator, Page } from 'playwright/test';
import {
  button,
  chooseStars,
  expect,
  fillIn,
  notice,
  openAs,
  startBuilt,
  test,
  writeReview,
} from '../support/browser.ts';
import { proposeEntry, proposeSchool } from '../support/proposals.ts';
import { category, createSchool, createUser, type RunningProduct, unique } from '../support/rows.ts';

/** A bad value in a form for proposals, and the label of the field that the sentence stands beside. */
interface BadInput {
  readonly name: string;
  readonly fill: (form: Locator) => Promise<unknown>;
  readonly label: string;
  readonly sentence: string;
}

/** Sends a form with bad values, and expects the sentence beside the field, and the focus in it. */
async function expectRefused(form: Locator, { fill, label, sentence }: BadInput): Promise<void> {
  await fill(form);
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await expectProblem(form.getByLabel(label, { exact: true }), sentence);
}

async function expectProblem(field: Locator, sentence: string): Promise<void> {
  await expect(notice(field.page(), 'alert', sentence)).toBeVisible();
  await expect(field).toHaveAccessibleDescription(new RegExp(`${sentence.replaceAll('.', '\\.')}$`));
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toBeFocused();
}

/** Answers a call as if the server had found fault with a field. */
const refuseField = (page: Page, call: string, field: string) =>
  page.route(`**/auth/${call}*`, (route) =>
    route.fulfill({ status: 400, json: { error: `This is not right: ${field}.`, field } }),
  );

async function openSchoolForm(page: Page, product: RunningProduct): Promise<Locator> {
  await openAs(page, await createUser(product), '/allschools?q=zzzz');
  await button(page, 'Add a missing school').click();
  return page.getByRole('dialog', { name: 'Add a missing school' });
}

async function openEntryForm(page: Page, product: RunningProduct): Promise<Locator> {
  await openAs(page, await createUser(product), `${category.pages.list}/${(await createSchool(product)).id}`);
  await button(page, 'Add what is missing').click();
  return page.getByRole('dialog', { name: 'Add what is missing' });
}

const nameIt = (form: Locator) => form.getByLabel('Name', { exact: true }).fill('Rowing');

const SCHOOL_INPUTS: readonly BadInput[] = [
  {
    name: 'no name',
    fill: (form) => form.getByLabel('School name').fill(''),
    label: 'School name',
    sentence: 'Please name the school.',
  },
  {
    name: 'a name of blanks',
    fill: (form) => form.getByLabel('School name').fill('   '),
    label: 'School name',
    sentence: 'Please name the school.',
  },
  {
    name: 'no location',
    fill: (form) => form.getByLabel('School name').fill('zzzz'),
    label: 'Location',
    sentence: 'Please say where it is.',
  },
  {
    name: 'a location of blanks',
    fill: (form) => form.getByLabel('Location').fill('  '),
    label: 'Location',
    sentence: 'Please say where it is.',
  },
];

const ENTRY_INPUTS: readonly BadInput[] = [
  { name: 'no name', fill: async () => {}, label: 'Name', sentence: 'Please name it.' },
  {
    name: 'stars without words',
    async fill(form) {
      await nameIt(form);
      await chooseStars(form, 4);
    },
    label: 'Your review',
    sentence: 'Please write your review.',
  },
  {
    name: 'a last year without a first, in a disclosure that is closed again',
    async fill(form) {
      await nameIt(form);
      await writeReview(form, 4, 'At dawn.');
      await form.getByText('More about your experience').click();
      await form.getByLabel('To year').fill('2020');
      await form.getByText('More about your experience').click();
      await expect(form.getByLabel('To year')).toBeHidden();
    },
    label: 'From year',
    sentence: 'The first year is missing.',
  },
];

test.describe('the form of a missing school', () => {
  test('tells a missing name or location, and what the server refuses, beside its field', async ({ page, product }) => {
    const form = await openSchoolForm(page, product);
    for (const input of SCHOOL_INPUTS) await test.step(input.name, () => expectRefused(form, input));
    await fillIn(form, { 'School name': 'zzzz', Location: 'Kiel, Germany' });
    for (const [field, label] of [
      ['schoolName', 'School name'],
      ['location', 'Location'],
      ['description', 'Description'],
    ] as const) {
      await refuseField(page, 'proposeSchool', field);
      await button(page, 'Send').click();
      await expectProblem(form.getByLabel(label), `This is not right: ${field}.`);
    }
  });

  test('tells above all fields that the school is there, and keeps what was typed', async ({ page, product }) => {
    const { schoolName } = await createSchool(product);
    const form = await openSchoolForm(page, product);
    await fillIn(form, { 'School name': schoolName, Location: 'Elsewhere, Testland' });
    await button(page, 'Send').click();
    await expect(form.locator('form')).toContainText('This school is there already.');
    await expect(form.getByLabel('School name')).toBeFocused();
    await expect(form.getByLabel('School name')).not.toHaveAttribute('aria-invalid');
    await expect(form.getByLabel('Location')).toHaveValue('Elsewhere, Testland');
  });

  test('asks whether it is one that is there while its name is typed, and sends it all the same', async ({
    page,
    product,
  }) => {
    const { schoolName } = await createSchool(product, unique('Quayside'));
    const form = await openSchoolForm(page, product);
    await expect(form.getByText('Is it one of these?')).toHaveCount(0);
    await fillIn(form, { 'School name': `The ${schoolName} at Kiel`, Location: 'Kiel, Germany' });
    await expect(form.getByText('Is it one of these?')).toBeVisible();
    await expect(form.getByRole('link', { name: schoolName })).toBeVisible();
    await button(page, 'Send').click();
    await expect(notice(page, 'status', 'Thank you. An admin will look at it and mail you.')).toBeVisible();
  });
});

test.describe('the form of a missing entry', () => {
  test('tells beside each field what is missing there', async ({ page, product }) => {
    const form = await openEntryForm(page, product);
    for (const input of ENTRY_INPUTS) await test.step(input.name, () => expectRefused(form, input));
  });

  test('says where it is added, with a name as an example', async ({ page, product }) => {
    const form = await openEntryForm(page, product);
    const school = await page.getByRole('list', { name: 'Breadcrumb' }).textContent();
    await expect(form.getByText(`${category.label} at ${school}`, { exact: true })).toBeVisible();
    await expect(form.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(`Such as “${category.example}”`);
  });

  test('leaves the button that opened it in sight, which the form of the page moves', async ({ page, product }) => {
    await openAs(page, await createUser(product), `${category.pages.list}/${(await createSchool(product)).id}`);
    const opener = page.getByRole('button', { name: 'Add what is missing' });
    await opener.press('Enter');
    await page.getByRole('dialog').press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(opener).toBeFocused();
    await expect(opener).toBeInViewport();
  });

  test('tells words without stars beside the stars', async ({ page, product }) => {
    const form = await openEntryForm(page, product);
    await nameIt(form);
    await form.getByLabel('Your review').fill('At dawn.');
    await button(page, 'Send').click();
    await expect(form.getByRole('radiogroup', { name: 'Rating' })).toHaveAccessibleDescription(
      'Please choose a rating.',
    );
    await expect(form.getByRole('radio').first()).toBeFocused();
  });

  test('tells beside each field what the server refuses there', async ({ page, product }) => {
    const form = await openEntryForm(page, product);
    await nameIt(form);
    for (const [field, label] of [
      ['name', 'Name'],
      ['description', 'Description'],
      ['review.review', 'Your review'],
      ['review.relation', 'I am a'],
      ['review.until', 'To year'],
    ] as const) {
      await refuseField(page, 'proposeEntry', field);
      await button(page, 'Send').click();
      await expectProblem(form.getByLabel(label, { exact: true }), `This is not right: ${field}.`);
    }
  });
});

test.describe('the form of a decision', () => {
  test('tells beside each field of a school what is wrong with the correction', async ({ newPage }) => {
    const product = await startBuilt('proposal-forms-school');
    const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
    await proposeSchool(product, user, { schoolName: unique('Proposed'), location: 'Kiel, Germany' });
    const page = await openAs(await newPage(product), admin, '/proposals');
    for (const [label, sentence] of [
      ['School name', 'The school name must not be empty.'],
      ['Location', 'The location must not be empty.'],
    ] as const) {
      const field = page.getByLabel(label, { exact: true });
      const before = await field.inputValue();
      await field.fill('  ');
      await button(page, 'Accept').click();
      await expectProblem(field, sentence);
      await field.fill(before);
    }
    await refuseField(page, 'decideProposal/', 'description');
    await button(page, 'Accept').click();
    await expectProblem(page.getByLabel('Description'), 'This is not right: description.');
    await product.stop();
  });

  test('tells beside each field of an entry, and beside the reason, what is wrong with them', async ({ newPage }) => {
    const product = await startBuilt('proposal-forms-entry');
    const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
    const { id: schoolId } = await createSchool(product);
    await proposeEntry(product, user, { schoolId, name: 'Luge' });
    const page = await openAs(await newPage(product), admin, '/proposals');
    await page.getByLabel('Name', { exact: true }).fill('');
    await button(page, 'Accept').click();
    await expectProblem(page.getByLabel('Name', { exact: true }), 'The name must not be empty.');
    await page.getByLabel('Name', { exact: true }).fill('Luge');

    await button(page, 'Refuse').click();
    const reason = page.getByLabel('Reason');
    await expect(reason).toBeFocused();
    await button(page, 'Refuse').click();
    await expectProblem(reason, 'Please give a reason.');
    await reason.fill('No');
    await button(page, 'Refuse').click();
    await expectProblem(reason, 'The reason must have at least 3 characters.');

    await refuseField(page, 'decideProposal/', 'category');
    await button(page, 'Accept').click();
    await expectProblem(page.getByLabel('Category'), 'This is not right: category.');
    await product.stop();
  });
});
