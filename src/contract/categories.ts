/**
 * The registry of the review categories. Every difference between them is a field of a row here; calls, pages, forms,
 * tables, tests and the API document are made by iterating over it. Another category is one more row, and the shape of
 * its icon. The names are those of the specification (spec §2, §3 and §7), many of which follow no rule: those are
 * copied, not derived.
 */

import type { ProfileField } from './profiles.ts';

/** The name of the field that contains an entry's name. */
export type NameField = 'category' | 'clubName' | 'type' | 'majorName';

/** The symbol of the category's icon (`client/components/school/category-icon.tsx`). */
export type CategoryIconName = 'cup' | 'people' | 'house' | 'case' | 'moon' | 'book' | 'compass';

interface CallNames {
  list: string;
  create: string;
  update: string;
  remove: string;
  nameLookup: string;
  details: string;
  reviews: string;
  averageRating: string;
  totalReviews: string;
  myReview: string;
  postReview: string;
  updateReview: string;
  removeReview: string;
  leaderboard: string;
}

export interface Category {
  /** Stored in the database and never shown. */
  readonly kind: string;
  readonly icon: CategoryIconName;
  /** The OKLCH hue of its tiles, avatars and charts, in degrees. The style sheet adds lightness and chroma. */
  readonly hue: number;
  /** Its name on tiles, in headings and in the chooser. */
  readonly label: string;
  /** Its name on the leaderboard. */
  readonly leaderboardLabel: string;
  /** The word for one entry in success notices: "Club added!". */
  readonly entryLabel: string;
  /** One line for the tiles of the school page and of the admin chooser. */
  readonly summary: string;
  /** The name of an entry as people would write it. */
  readonly example: string;
  /** Asks which entry a review is about. */
  readonly question: string;
  readonly nameField: NameField;
  /** The label of the name field in the admin form. */
  readonly nameLabel: string;
  /** The property of a posted review that contains the `{ id }` of its entry. */
  readonly itemKey: string;
  readonly calls: CallNames;
  readonly pages: {
    readonly list: string;
    readonly reviews: string;
    readonly adminEntries: string;
    readonly adminReviews: string;
  };
  /** The update call has no schoolId. */
  readonly updateOmitsSchoolId?: true;
  /**
   * The schema.org type of an entry, for which search engines show ratings, and the property that refers to its school.
   * Without it, as for "The rain", an entry is described as an aspect of its school.
   */
  readonly schema?: {
    readonly type: 'SportsOrganization' | 'Organization' | 'LodgingBusiness' | 'Course';
    readonly schoolAs: 'parentOrganization' | 'provider';
    /** Entries have the address of their school. */
    readonly isPlace?: true;
  };
  /** The preferences of a profile that entries of this category can satisfy. */
  readonly fulfils?: readonly ProfileField[];
  /** The submit button of the review form is never disabled. */
  readonly submitAlwaysEnabled?: true;
  /** The review text area carries the `required` attribute. */
  readonly requiresReviewText?: true;
  /** The review page shows "Program Areas", the number of words in the entry's name. */
  readonly showsProgramAreas?: true;
}

/** The names that follow from a stem by the rule of spec §7 ("For each kind X"), and the irregular ones. */
function callNames(stem: string, irregularNames: { nameLookup: string; leaderboard: string }): CallNames {
  return {
    list: `get${stem}`,
    create: `post${stem}`,
    update: `update${stem}`,
    remove: `delete${stem}`,
    details: `get${stem}Entry`,
    reviews: `get${stem}Review`,
    averageRating: `get${stem}AverageRating`,
    totalReviews: `get${stem}TotalReviews`,
    myReview: `getMy${stem}Review`,
    postReview: `post${stem}Review`,
    updateReview: `update${stem}Review`,
    removeReview: `delete${stem}Review`,
    ...irregularNames,
  };
}

export const CATEGORIES: readonly Category[] = [
  {
    kind: 'athletics',
    icon: 'cup',
    hue: 40,
    label: 'Athletics',
    leaderboardLabel: 'Athletics',
    entryLabel: 'Athletics',
    summary: 'Teams, training and the grounds they play on',
    example: 'Women’s rowing',
    question: 'Which team or sport?',
    nameField: 'category',
    nameLabel: 'Category',
    itemKey: 'athletics',
    calls: callNames('Athletics', { nameLookup: 'getCategory', leaderboard: 'getAllSchoolsAthleticsAverage' }),
    pages: { list: '/athletics', reviews: '/athleticsreview', adminEntries: '/AA', adminReviews: '/AAR' },
    schema: { type: 'SportsOrganization', schoolAs: 'parentOrganization' },
    fulfils: ['personal'],
  },
  {
    kind: 'clubs',
    icon: 'people',
    hue: 308,
    label: 'Clubs',
    leaderboardLabel: 'Clubs',
    entryLabel: 'Club',
    summary: 'Societies, student groups and who runs them',
    example: 'Chess Club',
    question: 'Which club?',
    nameField: 'clubName',
    nameLabel: 'Category',
    itemKey: 'clubs',
    calls: callNames('Clubs', { nameLookup: 'getClubName', leaderboard: 'getAllSchoolsClubsAverage' }),
    pages: { list: '/clubs', reviews: '/clubsreview', adminEntries: '/AC', adminReviews: '/ACR' },
    schema: { type: 'Organization', schoolAs: 'parentOrganization' },
    updateOmitsSchoolId: true,
    requiresReviewText: true,
    fulfils: ['personal'],
  },
  {
    kind: 'housing',
    icon: 'house',
    hue: 150,
    label: 'Housing',
    leaderboardLabel: 'Housing',
    entryLabel: 'Housing',
    summary: 'Halls, flats and what living there is like',
    example: 'North Hall',
    question: 'Which hall or flat?',
    nameField: 'type',
    nameLabel: 'Type',
    itemKey: 'housing',
    calls: callNames('Housing', { nameLookup: 'getHousingType', leaderboard: 'getAllSchoolsHousingAverage' }),
    pages: { list: '/housing', reviews: '/housingreview', adminEntries: '/AH', adminReviews: '/AHR' },
    schema: { type: 'LodgingBusiness', schoolAs: 'parentOrganization', isPlace: true },
    requiresReviewText: true,
    fulfils: ['living'],
  },
  {
    kind: 'jobs',
    icon: 'case',
    hue: 235,
    label: 'Jobs',
    leaderboardLabel: 'Jobs',
    entryLabel: 'Job',
    summary: 'Work on campus, placements and careers',
    example: 'Library assistant',
    question: 'Which job?',
    nameField: 'category',
    nameLabel: 'Category',
    itemKey: 'jobs',
    calls: callNames('Jobs', { nameLookup: 'getJobsCategory', leaderboard: 'getAllSchoolsJobsAverage' }),
    pages: { list: '/jobs', reviews: '/jobsreview', adminEntries: '/AJ', adminReviews: '/AJR' },
    submitAlwaysEnabled: true,
    fulfils: ['goals', 'finance'],
  },
  {
    kind: 'lifestyles',
    icon: 'moon',
    hue: 0,
    label: 'LifeStyles',
    leaderboardLabel: 'Lifestyle',
    entryLabel: 'Lifestyle',
    summary: 'Food, nightlife, quiet corners and the town',
    example: 'Food on campus',
    question: 'Which side of life?',
    nameField: 'category',
    nameLabel: 'Category',
    itemKey: 'lifeStyle',
    calls: callNames('LifeStyles', {
      nameLookup: 'getLifeStylesCategory',
      leaderboard: 'getAllSchoolsLifeStyleAverage',
    }),
    pages: { list: '/lifestyles', reviews: '/lifestylesreview', adminEntries: '/AL', adminReviews: '/ALR' },
    requiresReviewText: true,
    fulfils: ['campusSetting', 'personal'],
  },
  {
    kind: 'majors',
    icon: 'book',
    hue: 275,
    label: 'Majors',
    leaderboardLabel: 'Majors',
    entryLabel: 'Major',
    summary: 'Programmes, teaching and how hard they are',
    example: 'Marine Biology',
    question: 'Which major?',
    nameField: 'majorName',
    nameLabel: 'Category',
    itemKey: 'major',
    calls: callNames('Majors', { nameLookup: 'getMajorsName', leaderboard: 'getAllSchoolsMajorsAverage' }),
    pages: { list: '/majors', reviews: '/majorsreview', adminEntries: '/AM', adminReviews: '/AMR' },
    schema: { type: 'Course', schoolAs: 'provider' },
    showsProgramAreas: true,
    fulfils: ['major', 'academicLevel'],
  },
  {
    kind: 'others',
    icon: 'compass',
    hue: 95,
    label: 'Other',
    leaderboardLabel: 'Others',
    entryLabel: 'Other',
    summary: 'Everything else worth knowing before you choose',
    example: 'The bus from town',
    question: 'What is it about?',
    nameField: 'category',
    nameLabel: 'Category',
    itemKey: 'other',
    calls: callNames('Others', { nameLookup: 'getOthersCategory', leaderboard: 'getAllSchoolsOthersAverage' }),
    pages: { list: '/others', reviews: '/othersreview', adminEntries: '/AO', adminReviews: '/AOR' },
  },
];

/** The category of a kind; undefined for a kind that is not in the registry. */
export function findCategory(kind: string | undefined): Category | undefined {
  return CATEGORIES.find((category) => category.kind === kind);
}

/** The category of a stored kind. @throws when it is not in the registry */
export function categoryOf(kind: string | undefined): Category {
  const category = findCategory(kind);
  if (!category) throw new Error(`There is no category ${kind}.`);
  return category;
}

/** Defines something for each category, once: the function that is returned gives the same object at every call. */
/* @__NO_SIDE_EFFECTS__ */
export function perCategory<Defined>(define: (category: Category) => Defined): (category: Category) => Defined {
  const defined = new Map<Category, Defined>();
  return (category) => {
    const found = defined.get(category) ?? define(category);
    defined.set(category, found);
    return found;
  };
}
