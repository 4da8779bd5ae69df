import { CATEGORIES } from '../../../src/contract/categories.ts';

/**
 * What every field of every body is answered when it is wrong, written out by hand: a kind of field is a row of
 * statuses, one for each way to be wrong. `ok`: the call succeeds; `-`: makes no sense for the kind, or another
 * case covers it.
 */
export const MUTATIONS = [
  ...['missing', 'null', 'fraction', 'true', 'empty list', 'list of a right one', 'empty object', 'nested object'],
  ...['number as text', 'empty text', 'blank', 'too small', 'too large', 'smallest', 'largest', 'NUL inside'],
  ...['lone surrogate', '100 kB', 'minus one', 'infinite'],
] as const;
export type Mutation = (typeof MUTATIONS)[number];
type Expected = number | 'ok' | '-';

export interface FieldKind {
  readonly expected: Readonly<Record<Mutation, Expected>>;
  /** The values at the ends and beyond them. */
  readonly smallest?: unknown;
  readonly largest?: unknown;
  readonly tooSmall?: unknown;
  readonly tooLarge?: unknown;
  /** How the sentence of a 400 begins. */
  readonly says: RegExp;
}

const SAFE_MAX = Number.MAX_SAFE_INTEGER;

//              miss null frac true []  [ok] {}  {{}} "7"  ""  "  " small large min max NUL  surr 100k -1  1e400
const TABLE = `
prose         | 400 400 400 400 400 400 400 400 ok  400 400 -   400 ok  ok  400 400 413 400 400
longProse     | 400 400 400 400 400 400 400 400 400 400 400 400 400 ok  ok  400 400 413 400 400
optionalProse | ok  400 400 400 400 400 400 400 ok  400 400 -   400 ok  ok  400 400 413 400 400
optionalText  | ok  400 400 400 400 400 400 400 ok  ok  ok  -   400 ok  ok  400 400 413 400 400
email         | 400 400 400 400 400 400 400 400 400 400 400 400 400 -   -   400 400 413 400 400
username      | 400 400 400 400 400 400 400 400 400 400 400 400 400 ok  ok  400 400 413 400 400
optionalEmail | ok  400 400 400 400 400 400 400 400 400 400 400 400 -   -   400 400 413 400 400
optionalName  | ok  400 400 400 400 400 400 400 400 400 400 400 400 ok  ok  400 400 413 400 400
newPassword   | 400 400 400 400 400 400 400 400 400 400 400 400 400 ok  ok  400 400 413 400 400
typedPassword | 400 400 400 400 400 400 400 400 401 400 401 -   400 401 401 400 400 413 400 400
passcode      | 400 400 400 400 400 400 400 400 400 400 400 -   400 400 400 400 400 413 400 400
id            | 400 400 400 400 400 400 400 400 400 400 400 400 400 -   404 400 400 413 400 400
lastId        | 400 400 400 400 400 400 400 400 400 400 400 400 400 -   ok  400 400 413 400 400
ownSchoolId   | ok  400 400 400 400 400 400 400 400 400 400 400 400 -   409 400 400 413 400 400
ownUserId     | ok  400 400 400 400 400 400 400 400 400 400 400 400 -   403 400 400 413 400 400
reference     | 400 400 400 400 400 400 400 400 400 400 400 400 400 -   404 400 400 413 400 400
rating        | 400 400 400 400 400 400 400 400 400 400 400 400 400 ok  ok  400 400 413 400 400
neededChoice  | 400 400 400 400 400 400 400 400 400 400 400 -   -   -   -   400 400 413 400 400
optionalChoice| ok  400 400 400 400 400 400 400 400 400 400 -   400 ok  ok  400 400 413 400 400
nested        | ok  400 400 400 400 400 400 400 400 400 400 400 400 ok  ok  400 400 413 400 400
flag          | 400 400 400 ok  400 400 400 400 400 400 400 -   -   -   -   400 400 413 400 400
optionalFlag  | ok  400 400 ok  400 400 400 400 400 400 400 -   -   -   -   400 400 413 400 400
signature     | ok  ok  400 400 400 400 400 400 403 ok  403 -   400 403 403 400 400 413 400 400
choice        | ok  ok  400 400 400 400 400 400 400 ok  400 -   400 ok  ok  400 400 413 400 400
year          | ok  ok  400 400 400 400 400 400 400 ok  400 400 400 ok  ok  400 400 413 400 400
firstYear     | 400 400 400 400 400 400 400 400 400 400 400 400 400 ok  -   400 400 413 400 400
instant       | ok  400 400 400 400 400 400 400 400 400 400 -   -   -   -   400 400 413 400 400
texts         | ok  400 400 400 ok  400 400 400 400 400 400 400 400 ok  ok  400 400 413 400 400
file          | 400 400 400 400 400 400 400 400 400 400 400 -   -   -   -   400 400 400 400 400
checkedFile   | 400 400 400 400 400 400 400 400 409 400 409 -   -   -   -   400 400 409 400 400
digest        | 400 400 400 400 400 400 400 400 409 400 409 -   400 409 409 400 400 400 400 400
hint          | ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  ok  -   -   -   -   ok  ok  ok  ok  ok
`;

const ROWS = Object.fromEntries(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [kind = '', cells = ''] = line.split('|').map((part) => part.trim());
      const statuses = cells.split(/ +/).map((cell) => (/^\d/.test(cell) ? Number(cell) : cell));
      return [kind, Object.fromEntries(MUTATIONS.map((mutation, column) => [mutation, statuses[column]]))];
    }),
) as Record<string, Record<Mutation, Expected>>;

function kind(row: string, rest: Omit<FieldKind, 'expected'>): FieldKind {
  const expected = ROWS[row];
  if (!expected) throw new Error(`there is no row ${row}`);
  return { expected, ...rest };
}

const prose = (title: string, max: number, row = 'prose') =>
  kind(row, {
    smallest: 'x',
    largest: 'x'.repeat(max),
    // An emoji is one character: a limit of code units would be reached at half of it.
    tooLarge: '🎓'.repeat(max + 1),
    says: new RegExp(`^${title} `),
  });

const wholeNumber = (row: string, title: string) =>
  kind(row, { tooSmall: 0, tooLarge: SAFE_MAX + 1, largest: SAFE_MAX, says: new RegExp(`^${title} `) });

const optionalText = (title: string, max: number) =>
  kind('optionalText', {
    ...{ smallest: '', largest: '🎓'.repeat(max), tooLarge: 'x'.repeat(max + 1) },
    says: new RegExp(`^${title} `),
  });

const reason = (min: number) =>
  kind('longProse', {
    tooSmall: 'x'.repeat(min - 1),
    smallest: 'x'.repeat(min),
    largest: '🎓'.repeat(500),
    tooLarge: 'x'.repeat(501),
    says: /^The reason /,
  });

const newPassword = kind('newPassword', {
  tooSmall: 'xvbnm73',
  smallest: 'xvbnm73 ',
  largest: '🔑'.repeat(256),
  tooLarge: 'x'.repeat(257),
  says: /^The password /,
});
const typedPassword = kind('typedPassword', {
  smallest: 'x',
  largest: 'x'.repeat(1_024),
  tooLarge: 'x'.repeat(1_025),
  says: /^The password /,
});
const passcode = kind('passcode', {
  smallest: '0',
  largest: '1'.repeat(64),
  tooLarge: '1'.repeat(65),
  says: /^Th(e|is) passcode /,
});
const emailEnds = {
  tooSmall: 'a@b',
  tooLarge: `${'x'.repeat(243)}@example.org`,
  says: /^Please enter a valid email address\.$/,
};
const usernameEnds = (letter: string) => ({
  tooSmall: 'xy',
  tooLarge: letter.repeat(33),
  smallest: letter.repeat(3),
  largest: letter.repeat(32),
  says: /^The username must be 3 to 32 /,
});
const reference = kind('reference', {
  tooSmall: { id: 0 },
  tooLarge: { id: SAFE_MAX + 1 },
  largest: { id: SAFE_MAX },
  says: new RegExp(`^The (id|${CATEGORIES.map(({ itemKey }) => itemKey).join('|')}) `),
});

const THIS_YEAR = new Date().getUTCFullYear();

const year = (row: string, title: string, smallest: number) =>
  kind(row, {
    ...{ tooSmall: smallest - 1, smallest, largest: THIS_YEAR, tooLarge: THIS_YEAR + 1 },
    says: new RegExp(`^The (${title}) year `),
  });

/** The kind of a field, by its name. */
export const FIELD_KINDS: Readonly<Record<string, FieldKind>> = {
  email: kind('email', emailEnds),
  password: typedPassword,
  currentPassword: typedPassword,
  newPassword,
  verificationCode: passcode,
  forgotCode: passcode,
  code: passcode,
  reviews: kind('neededChoice', { says: /^The reviews / }),
  id: wholeNumber('id', 'The id'),
  schoolId: wholeNumber('id', 'The schoolId'),
  from: wholeNumber('id', 'The id from'),
  into: wholeNumber('id', 'The id into'),
  userId: wholeNumber('ownUserId', 'The id'),
  schoolName: prose('The school name', 200),
  description: prose('The description', 5_000),
  location: prose('The location', 200),
  aliases: kind('texts', {
    smallest: ['x'],
    largest: Array(20).fill('🎓'.repeat(200)),
    tooSmall: [''],
    tooLarge: Array(21).fill('x'),
    says: /^(The|Each of the) aliases /,
  }),
  ...Object.fromEntries(CATEGORIES.map(({ nameField }) => [nameField, prose(`The ${nameField}`, 120)])),
  review: prose('The review', 5_000),
  rating: kind('rating', {
    tooSmall: 0,
    smallest: 0.5,
    largest: 5,
    tooLarge: 5.5,
    says: /^The rating must be 0\.5 to 5/,
  }),
  username: kind('signature', {
    smallest: 'x',
    largest: 'x'.repeat(64),
    tooLarge: 'x'.repeat(65),
    says: /^The username /,
  }),
  relation: kind('choice', {
    ...{ smallest: 'student', largest: 'educator', tooLarge: 'neighbour' },
    says: /^The relation must be student, alumnus, parent, or educator\.$/,
  }),
  // The valid requests have `until: 1994`: without a first year, or with a later one, they are refused.
  since: year('firstYear', 'first', 1950),
  until: year('year', 'last', 1990),
  isAdmin: kind('flag', { says: /^The isAdmin flag / }),
  isHeld: kind('optionalFlag', { says: /^Whether it is held / }),
  upTo: wholeNumber('lastId', 'The last review'),
  unchangedSince: kind('instant', { says: /^The time of the last change / }),
  action: kind('neededChoice', { says: /^The action / }),
  kind: kind('neededChoice', { says: /^The kind / }),
  reason: kind('neededChoice', { says: /^(The reason|Give a reason) / }),
  note: optionalText('The note', 1_000),
  text: prose('The appeal', 2_000),
  profile: kind('hint', { says: /^The profile / }),
  schools: kind('hint', { says: /^The schools / }),
  ...Object.fromEntries(CATEGORIES.map(({ itemKey }) => [itemKey, reference])),
};

/** What can be corrected of a proposal. */
const CORRECTED = {
  schoolName: prose('The school name', 200, 'optionalProse'),
  location: prose('The location', 200, 'optionalProse'),
  name: prose('The name', 120, 'optionalProse'),
};

const proposedReview = kind('nested', {
  smallest: { rating: 0.5, review: 'x' },
  largest: { rating: 5, review: '🎓'.repeat(5_000), isAnonymous: false },
  tooSmall: { rating: 0, review: 'x' },
  tooLarge: { rating: 5, review: 'x'.repeat(5_001) },
  says: /^The (review|rating) /,
});

/** Where the same name is another kind of field in one call. */
export const KINDS_BY_CALL: Readonly<Record<string, Readonly<Record<string, FieldKind>>>> = {
  signup: {
    username: kind('username', usernameEnds('x')),
    password: newPassword,
  },
  updateMyAccount: {
    username: kind('optionalName', usernameEnds('w')),
    email: kind('optionalEmail', emailEnds),
  },
  postProfile: Object.fromEntries(
    ['location', 'major', 'academicLevel', 'campusSetting', 'finance', 'goals', 'living', 'personal'].map((name) => [
      name,
      optionalText(`The ${name}`, 2_000),
    ]),
  ),
  checkImport: { csv: kind('file', { says: /^The (csv|file) / }) },
  runImport: {
    csv: kind('checkedFile', { says: /^The csv / }),
    digest: kind('digest', {
      ...{ smallest: 'x', largest: 'x'.repeat(200), tooLarge: 'x'.repeat(201) },
      says: /^The digest /,
    }),
  },
  blockUser: {
    isBlocked: kind('flag', { says: /^The isBlocked flag / }),
    reason: reason(3),
  },
  proposeSchool: { description: optionalText('The description', 5_000) },
  proposeEntry: {
    category: kind('neededChoice', { says: /^The category / }),
    name: prose('The name', 120),
    description: optionalText('The description', 5_000),
    review: proposedReview,
  },
  updateMyProposal: {
    ...CORRECTED,
    description: optionalText('The description', 5_000),
    review: proposedReview,
  },
  // The valid request refuses the proposal: corrections are checked all the same.
  decideProposal: {
    ...CORRECTED,
    category: kind('optionalChoice', {
      smallest: 'athletics',
      largest: 'others',
      tooLarge: 'sports',
      says: /^The category /,
    }),
    description: optionalText('The description', 5_000),
    reason: reason(3),
  },
  revealAuthor: {
    reason: reason(10),
  },
  ...Object.fromEntries(
    CATEGORIES.filter(({ updateOmitsSchoolId }) => !updateOmitsSchoolId).map(({ calls }) => [
      calls.update,
      { schoolId: wholeNumber('ownSchoolId', 'The schoolId') },
    ]),
  ),
};
