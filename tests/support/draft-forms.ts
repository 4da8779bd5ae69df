import { expect, type Locator, type Page } from 'playwright/test';
import { PROFILE_LABELS } from '../../src/contract/profiles.ts';
import { chooseStars } from './browser.ts';
import { createReviewOf, hide } from './moderation.ts';
import { proposeEntry } from './proposals.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  postReview,
  type RunningProduct,
  type TestUser,
} from './rows.ts';

/** One form whose text is kept. */
export interface DraftForm {
  /** Makes what the form is about. @returns the address of the form's page */
  create(product: RunningProduct, user: TestUser): Promise<string>;
  /** Does what is needed before the button that opens it is there. */
  prepare?(page: Page): Promise<unknown>;
  /** The button that opens it. With a draft it may be open at once. */
  opener?: string;
  /** The button that sends it. */
  submit: string;
  isDialog?: true;
  /** Whether it is opened by "Edit" in the place of what it edits, whose text is "As it was.". */
  isEdit?: true;
  /** Whether its Cancel closes it and leaves the draft. */
  outlivesCancel?: true;
  /** The label of the field with the text. */
  label: string;
  alsoType?(form: Page | Locator): Promise<unknown>;
  expectAlso?(form: Page | Locator): Promise<unknown>;
}

/** Makes an entry. @returns the address of its reviews */
export const reviewPage = async (product: RunningProduct) =>
  `${category.pages.reviews}/${(await createEntry(product, category)).id}`;

const typeExperience = async (form: Page | Locator) => {
  await chooseStars(form, 4.5);
  await form.getByLabel('Post anonymously').check();
  await form.getByLabel('I am a').selectOption('student');
  await form.getByText('More about your experience').click();
  await form.getByLabel('From year').fill('2019');
};

const expectExperience = async (form: Page | Locator) => {
  await expect(form.getByRole('radio', { name: '4.5 stars', exact: true })).toBeChecked();
  await expect(form.getByLabel('Post anonymously')).toBeChecked();
  await expect(form.getByLabel('I am a')).toHaveValue('student');
  await expect(form.getByLabel('From year')).toHaveValue('2019');
};

/** The forms whose text is kept, by what they are called in a test's title. */
export const DRAFT_FORMS: Readonly<Record<string, DraftForm>> = {
  'a review': {
    create: reviewPage,
    submit: 'Submit Review',
    label: 'Your review',
    alsoType: typeExperience,
    expectAlso: expectExperience,
  },
  'a review on the list of a category': {
    create: async (product) => `${category.pages.list}/${(await createSchool(product)).id}`,
    submit: 'Submit Review',
    label: 'Your review',
    async alsoType(form) {
      await form.getByRole('combobox', { name: category.question }).fill('Luge');
      await typeExperience(form);
    },
    async expectAlso(form) {
      await expect(form.getByRole('combobox', { name: category.question })).toHaveValue('Luge');
      await expectExperience(form);
    },
  },
  'an edit of one’s proposal': {
    async create(product, user) {
      const { id: schoolId } = await createSchool(product);
      await proposeEntry(product, user, { schoolId, name: 'Luge', review: { rating: 3, review: 'As it was.' } });
      return '/myreviews';
    },
    opener: 'Edit',
    isEdit: true,
    submit: 'Save changes',
    label: 'Your review',
  },
  'an edit of one’s review': {
    async create(product, user) {
      const entry = await createEntry(product, category);
      await postReview(product, category, entry.id, user, { review: 'As it was.' });
      return `${category.pages.reviews}/${entry.id}`;
    },
    opener: 'Edit',
    isEdit: true,
    submit: 'Save changes',
    label: 'Your review',
  },
  'an edit of one’s review on the list of a category': {
    async create(product, user) {
      const entry = await createEntry(product, category, undefined, 'Rowing');
      await postReview(product, category, entry.id, user, { review: 'As it was.' });
      return `${category.pages.list}/${entry.schoolId}`;
    },
    prepare: (page) => page.getByRole('combobox', { name: category.question }).fill('Rowing'),
    opener: 'Edit your review',
    submit: 'Save changes',
    label: 'Your review',
  },
  'Add what is missing': {
    create: async (product) => `${category.pages.list}/${(await createSchool(product)).id}`,
    opener: 'Add what is missing',
    submit: 'Send',
    isDialog: true,
    outlivesCancel: true,
    label: 'Your review',
    async alsoType(form) {
      await form.getByLabel('Name', { exact: true }).fill('Luge');
      await form.getByLabel('Description').fill('In winter.');
      await typeExperience(form);
    },
    async expectAlso(form) {
      await expect(form.getByLabel('Name', { exact: true })).toHaveValue('Luge');
      await expect(form.getByLabel('Description')).toHaveValue('In winter.');
      await expectExperience(form);
    },
  },
  'Add a missing school': {
    create: async () => '/allschools?q=zzzz',
    opener: 'Add a missing school',
    submit: 'Send',
    isDialog: true,
    outlivesCancel: true,
    label: 'Description',
    alsoType: (form) => form.getByLabel('Location').fill('Kiel, Germany'),
    async expectAlso(form) {
      await expect(form.getByLabel('Location')).toHaveValue('Kiel, Germany');
      await expect(form.getByLabel('School name')).toHaveValue('zzzz');
    },
  },
  'an appeal': {
    async create(product, user) {
      const { reviewId } = await createReviewOf(product, user);
      await hide(product, await createUser(product, { isAdmin: true }), reviewId);
      return '/myreviews';
    },
    opener: 'Appeal',
    submit: 'Send appeal',
    outlivesCancel: true,
    label: 'Your appeal',
  },
  'the note of a report': {
    async create(product) {
      const { entry } = await createReviewOf(product);
      return `${category.pages.reviews}/${entry.id}`;
    },
    opener: 'Report',
    submit: 'Send report',
    isDialog: true,
    outlivesCancel: true,
    label: 'Note',
    alsoType: (form) => form.getByRole('radio', { name: 'Something else' }).check(),
    expectAlso: (form) => expect(form.getByRole('radio', { name: 'Something else' })).toBeChecked(),
  },
  'the profile': {
    create: async () => '/profile',
    submit: 'Save Profile',
    label: PROFILE_LABELS.goals,
    alsoType: (form) => form.getByLabel(PROFILE_LABELS.location, { exact: true }).fill('By the sea'),
    expectAlso: (form) => expect(form.getByLabel(PROFILE_LABELS.location, { exact: true })).toHaveValue('By the sea'),
  },
};
