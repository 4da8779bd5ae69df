import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { call } from './call.ts';
import type { Product } from './product.ts';
import {
  createEntry,
  createSchool,
  createUser,
  PASSWORD,
  postReview,
  readPasscode,
  signIn,
  type TestUser,
  unique,
} from './rows.ts';

/** A product and its users. Each has a profile. */
export interface World {
  readonly product: Product;
  /** The user who owns the rows that requests are about. */
  readonly user: TestUser;
  readonly other: TestUser;
  readonly admin: TestUser;
}

/** Everything a call needs beside a token. */
export interface ValidRequest {
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Makes the rows that a request is about. @returns the request, which succeeds for whoever may make it */
export type Prepare = (world: World) => Promise<ValidRequest>;

/** What the author of a review says of themselves. A last year needs a first one. */
const BACKGROUND = { relation: 'alumnus', since: 1990, until: 1994 } as const;

const WISHES = {
  location: 'Norway',
  major: 'Marine biology',
  academicLevel: 'Bachelor',
  campusSetting: 'by the sea',
  finance: 'scholarship',
  goals: 'research',
  living: 'quiet hall',
  personal: 'boats',
};

export async function createWorld(product: Product): Promise<World> {
  const user = await createUser(product);
  const other = await createUser(product);
  const admin = await createUser(product, { isAdmin: true });
  for (const { id: userId, token } of [user, other, admin]) {
    const { status } = await call(product, 'POST /auth/postProfile', { token, body: { userId, ...WISHES } });
    if (status !== 201) throw new Error(`a profile was answered with ${status}`);
  }
  return { product, user, other, admin };
}

/** An account that nobody has verified yet. @returns its email */
async function createUnverified({ product }: World): Promise<string> {
  const username = unique('new');
  const user = { username, email: `${username}@example.org`, passwordHash: 'none', verifiedAt: null };
  await product.app.database.write((db) => insertUser(db, user, Date.now() + product.clock.ahead));
  return user.email;
}

const schoolFields = () => ({
  schoolName: unique('School'),
  description: 'A school.',
  location: 'Here',
  aliases: ['The Old Place'],
});

const ACCOUNTS: Record<string, Prepare> = {
  'POST /auth/login': async ({ product }) => {
    const { email } = await createUser(product);
    return { path: '/auth/login', body: { email, password: PASSWORD } };
  },
  'POST /auth/signup': async () => {
    const username = unique('signup');
    return { path: '/auth/signup', body: { username, email: `${username}@example.org`, password: PASSWORD } };
  },
  'POST /auth/verify': async (world) => {
    const email = await createUnverified(world);
    await call(world.product, `POST /auth/resend?email=${email}`);
    const verificationCode = await readPasscode(world.product, email);
    return { path: '/auth/verify', body: { email, verificationCode } };
  },
  'POST /auth/resend': async (world) => ({ path: `/auth/resend?email=${await createUnverified(world)}` }),
  'POST /auth/forgotPassword': async ({ product }) => {
    const { email } = await createUser(product);
    return { path: '/auth/forgotPassword', body: { email } };
  },
  'POST /auth/resetPassword': async ({ product }) => {
    const { email } = await createUser(product);
    await call(product, 'POST /auth/forgotPassword', { body: { email } });
    const forgotCode = await readPasscode(product, email);
    return { path: '/auth/resetPassword', body: { email, forgotCode, newPassword: 'a brand new secret' } };
  },
  'POST /auth/resendForgot': async ({ product }) => {
    const { email } = await createUser(product);
    return { path: `/auth/resendForgot?email=${email}` };
  },
  'POST /auth/logout': async () => ({ path: '/auth/logout' }),
  'POST /auth/logoutAll': async () => ({ path: '/auth/logoutAll' }),
  // The new password is the old one, so that the next request can still log in.
  'POST /auth/changePassword': async () => ({
    path: '/auth/changePassword',
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  }),
};

const SCHOOLS: Record<string, Prepare> = {
  'GET /auth/schools': async ({ product }) => {
    await createSchool(product);
    return { path: '/auth/schools' };
  },
  'GET /auth/getSchool/:id': async ({ product }) => ({ path: `/auth/getSchool/${(await createSchool(product)).id}` }),
  'GET /auth/searchSchools': async ({ product }) => {
    const { schoolName } = await createSchool(product);
    return { path: `/auth/searchSchools?q=${schoolName}` };
  },
  'POST /auth/postSchool': async () => ({ path: '/auth/postSchool', body: schoolFields() }),
  'PUT /auth/updateSchool': async ({ product }) => {
    const { id } = await createSchool(product);
    return { path: '/auth/updateSchool', body: { id, ...schoolFields() } };
  },
  'DELETE /auth/deleteSchool/:id': async ({ product }) => {
    const { id } = await createSchool(product);
    return { path: `/auth/deleteSchool/${id}` };
  },
};

function entryRequests(category: Category): Record<string, Prepare> {
  const { calls, nameField } = category;
  const fields = () => ({ [nameField]: unique('Entry'), description: 'An entry.' });
  const about =
    (name: string): Prepare =>
    async ({ product }) => ({ path: `/auth/${name}/${(await createEntry(product, category)).id}` });
  return {
    [`GET /auth/${calls.list}/:id`]: async ({ product }) => {
      const { schoolId } = await createEntry(product, category);
      return { path: `/auth/${calls.list}/${schoolId}` };
    },
    [`GET /auth/${calls.nameLookup}/:id`]: about(calls.nameLookup),
    [`GET /auth/${calls.details}/:id`]: about(calls.details),
    [`POST /auth/${calls.create}`]: async ({ product }) => {
      const { id: schoolId } = await createSchool(product);
      return { path: `/auth/${calls.create}`, body: { ...fields(), schoolId } };
    },
    [`PUT /auth/${calls.update}`]: async ({ product }) => {
      const { id, schoolId } = await createEntry(product, category);
      const body = { id, ...fields(), ...(!category.updateOmitsSchoolId && { schoolId }) };
      return { path: `/auth/${calls.update}`, body };
    },
    [`DELETE /auth/${calls.remove}/:id`]: about(calls.remove),
  };
}

/** A review, by the user unless told, of an entry of its own. */
async function createReview({ product, user }: World, category: Category, by = user) {
  const { id } = await createEntry(product, category);
  // Signed in anew: the calls that end sessions end this one too.
  const author = { ...by, token: await signIn(product, by.id) };
  const { body } = await postReview(product, category, id, author, BACKGROUND);
  return { entryId: id, reviewId: body.id as number };
}

function reviewRequests(category: Category): Record<string, Prepare> {
  const { calls, itemKey } = category;
  const reviewed = (world: World) => createReview(world, category);
  const about =
    (name: string): Prepare =>
    async (world) => ({ path: `/auth/${name}/${(await reviewed(world)).entryId}` });
  return {
    [`GET /auth/${calls.reviews}/:id`]: about(calls.reviews),
    [`GET /auth/${calls.averageRating}/:id`]: about(calls.averageRating),
    [`GET /auth/${calls.totalReviews}/:id`]: about(calls.totalReviews),
    [`GET /auth/${calls.myReview}/:id`]: about(calls.myReview),
    // Without a username, which must be the caller's own and would be refused before the other rules are checked.
    [`POST /auth/${calls.postReview}`]: async ({ product, user }) => {
      const { id } = await createEntry(product, category);
      const body = { [itemKey]: { id }, userId: user.id, rating: 3.5, review: 'Fine.', ...BACKGROUND };
      return { path: `/auth/${calls.postReview}`, body };
    },
    [`PUT /auth/${calls.updateReview}`]: async (world) => {
      const { reviewId } = await reviewed(world);
      return {
        path: `/auth/${calls.updateReview}`,
        body: { id: reviewId, rating: 2, review: 'On reflection.', ...BACKGROUND },
      };
    },
    [`DELETE /auth/${calls.removeReview}/:id`]: async (world) => ({
      path: `/auth/${calls.removeReview}/${(await reviewed(world)).reviewId}`,
    }),
    [`GET /auth/${calls.leaderboard}`]: async (world) => {
      await reviewed(world);
      return { path: `/auth/${calls.leaderboard}` };
    },
  };
}

const DECIDING: Record<string, Prepare> = {
  'GET /auth/getRanking': async (world) => {
    const category = CATEGORIES[0] as Category;
    await createReview(world, category);
    return { path: `/auth/getRanking?category=${category.kind}` };
  },
  'GET /auth/getSchoolSummary/:schoolId': async ({ product }) => ({
    path: `/auth/getSchoolSummary/${(await createSchool(product)).id}`,
  }),
  'GET /auth/compareSchools': async ({ product }) => {
    const [one, other] = [await createSchool(product), await createSchool(product)];
    return { path: `/auth/compareSchools?ids=${one.id},${other.id}` };
  },
  'PUT /auth/saveSchool/:schoolId': async ({ product }) => ({
    path: `/auth/saveSchool/${(await createSchool(product)).id}`,
  }),
  'DELETE /auth/saveSchool/:schoolId': async ({ product }) => ({
    path: `/auth/saveSchool/${(await createSchool(product)).id}`,
  }),
  'GET /auth/getSavedSchools': async ({ product, user, other, admin }) => {
    const { id } = await createSchool(product);
    for (const { id: userId } of [user, other, admin]) {
      const token = await signIn(product, userId);
      await call(product, `PUT /auth/saveSchool/${id}`, { token });
    }
    return { path: '/auth/getSavedSchools' };
  },
};

const [SOME] = CATEGORIES as [Category];

/** A review of the user that an admin has hidden. */
async function createHidden(world: World) {
  const { reviewId } = await createReview(world, SOME);
  const { product } = world;
  const token = await signIn(product, world.admin.id);
  await call(product, `PUT /auth/moderateReview/${reviewId}`, { token, body: { action: 'hide', reason: 'fake' } });
  return reviewId;
}

const MODERATION: Record<string, Prepare> = {
  'GET /auth/getReports': async (world) => {
    const { reviewId } = await createReview(world, SOME);
    const { token } = await createUser(world.product);
    await call(world.product, `POST /auth/reportReview/${reviewId}`, { token, body: { reason: 'spam' } });
    return { path: '/auth/getReports' };
  },
  'GET /auth/getOpenCounts': async () => ({ path: '/auth/getOpenCounts' }),
  'PUT /auth/moderateReview/:reviewId': async (world) => {
    const { reviewId } = await createReview(world, SOME);
    return { path: `/auth/moderateReview/${reviewId}`, body: { action: 'hide', reason: 'spam', note: 'An advert.' } };
  },
  'POST /auth/revealAuthor/:reviewId': async (world) => {
    const { reviewId } = await createReview(world, SOME);
    return { path: `/auth/revealAuthor/${reviewId}`, body: { reason: 'A court asks for it.' } };
  },
  // Of somebody else's: nobody reports their own.
  'POST /auth/reportReview/:reviewId': async (world) => {
    const { reviewId } = await createReview({ ...world, user: world.other }, SOME);
    return { path: `/auth/reportReview/${reviewId}`, body: { reason: 'spam' } };
  },
  'GET /auth/getMyReviews': async ({ product, user, other, admin }) => {
    const { id } = await createEntry(product, SOME);
    for (const one of [user, other, admin]) {
      await postReview(product, SOME, id, { ...one, token: await signIn(product, one.id) }, BACKGROUND);
    }
    return { path: '/auth/getMyReviews?limit=1' };
  },
  'POST /auth/appealReview/:reviewId': async (world) => ({
    path: `/auth/appealReview/${await createHidden(world)}`,
    body: { text: 'I was there.' },
  }),
  'GET /auth/getRemovals': async (world) => {
    await createHidden(world);
    return { path: '/auth/getRemovals' };
  },
  'GET /auth/getRemovalTotals': async () => ({ path: '/auth/getRemovalTotals' }),
};

const reviewOf = (world: World, by = world.user) => createReview(world, CATEGORIES[0] as Category, by);

const markOfOthers: Prepare = async (world) => ({
  path: `/auth/markHelpful/${(await reviewOf(world, world.other)).reviewId}`,
});

/** Where a review or an entry is named by its id alone. */
const REVIEWS_BY_ID: Record<string, Prepare> = {
  'GET /auth/getReview/:reviewId': async (world) => ({ path: `/auth/getReview/${(await reviewOf(world)).reviewId}` }),
  'GET /auth/getEntrySummary/:entryId': async (world) => ({
    path: `/auth/getEntrySummary/${(await reviewOf(world)).entryId}`,
  }),
  'POST /auth/markHelpful/:reviewId': markOfOthers,
  'DELETE /auth/markHelpful/:reviewId': markOfOthers,
  'GET /auth/getMyHelpful/:entryId': async (world) => ({
    path: `/auth/getMyHelpful/${(await reviewOf(world)).entryId}`,
  }),
};

const USERS: Record<string, Prepare> = {
  'GET /auth/getUsers': async () => ({ path: '/auth/getUsers' }),
  'GET /auth/getAdminActs': async ({ product }) => {
    const { id, token } = await createUser(product, { isAdmin: true });
    const body = { schoolName: 'Noted', description: 'For the trail.', location: 'Here' };
    await call(product, 'POST /auth/postSchool', { token, body });
    return { path: `/auth/getAdminActs?userId=${id}` };
  },
  'GET /auth/getNewestReviews': async (world) => {
    await createReview(world, CATEGORIES[0] as Category);
    return { path: '/auth/getNewestReviews' };
  },
  'PUT /auth/updateUser/:id': async ({ product }) => {
    const { id } = await createUser(product);
    return { path: `/auth/updateUser/${id}`, body: { isAdmin: true } };
  },
  'PUT /auth/blockUser/:userId': async ({ product }) => {
    const { id } = await createUser(product);
    return { path: `/auth/blockUser/${id}`, body: { isBlocked: true, reason: 'Many adverts.' } };
  },
  'DELETE /auth/deleteUser/:id': async ({ product }) => ({
    path: `/auth/deleteUser/${(await createUser(product)).id}`,
  }),
  'GET /auth/getProfile/:userId': async ({ user }) => ({ path: `/auth/getProfile/${user.id}` }),
  'POST /auth/postProfile': async ({ user }) => ({
    path: '/auth/postProfile',
    body: { userId: user.id, ...WISHES, personal: unique('wish') },
  }),
  'POST /auth/recommendSchool': async ({ product }) => {
    await createSchool(product);
    return { path: '/auth/recommendSchool', body: { profile: {}, schools: [] } };
  },
};

/** How to ask each call for something that it does: `GET /auth/getSchool/:id` and the request. */
export const VALID_REQUESTS: Readonly<Record<string, Prepare>> = {
  ...ACCOUNTS,
  ...SCHOOLS,
  ...Object.assign({}, ...CATEGORIES.map(entryRequests)),
  ...Object.assign({}, ...CATEGORIES.map(reviewRequests)),
  ...DECIDING,
  ...MODERATION,
  ...REVIEWS_BY_ID,
  ...USERS,
};
