import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { findUserByEmail, insertUser } from '../../src/server/accounts/queries.ts';
import { call } from './call.ts';
import { PROPOSALS } from './proposal-requests.ts';
import { createReview, MODERATION, REVIEWS_BY_ID, reviewRequests } from './review-requests.ts';
import { category, createEntry, createSchool, createUser, PASSWORD, readPasscode, signIn, unique } from './rows.ts';
import { PREFERENCES, type Prepare, type ValidRequest, type World } from './world.ts';

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
  // The new password is the old one, so that the next request can still log in.
  'POST /auth/changePassword': async () => ({
    path: '/auth/changePassword',
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  }),
  'DELETE /auth/endMySession/:id': async ({ product, user }) => {
    const { body } = await call(product, 'GET /auth/getMySessions', { token: await signIn(product, user.id) });
    return { path: `/auth/endMySession/${body[0].id}` };
  },
  'PUT /auth/updateMyAccount': async () => {
    const username = unique('renamed');
    const body = { password: PASSWORD, username, email: `${username}@example.org` };
    return { path: '/auth/updateMyAccount', body };
  },
  'POST /auth/confirmMyEmail': async ({ product, user }) => {
    const email = `${unique('moved')}@example.org`;
    const token = await signIn(product, user.id);
    // The count is reset, because a test may ask for this more often than a day allows.
    await product.app.database.write((db) =>
      db.deleteFrom('throttles').where('key', '>', 'email-changes:').where('key', '<', 'email-changes;').execute(),
    );
    await call(product, 'PUT /auth/updateMyAccount', { token, body: { password: PASSWORD, email } });
    return { path: '/auth/confirmMyEmail', body: { code: await readPasscode(product, email) } };
  },
  'POST /auth/deleteMyAccount': async () => ({
    path: '/auth/deleteMyAccount',
    body: { password: PASSWORD, reviews: 'keep' },
  }),
};

const SCHOOLS: Record<string, Prepare> = {
  'GET /auth/getSchool/:id': async ({ product }) => ({ path: `/auth/getSchool/${(await createSchool(product)).id}` }),
  'GET /auth/searchSchools': async ({ product }) => {
    const { schoolName } = await createSchool(product);
    return { path: `/auth/searchSchools?q=${schoolName}` };
  },
  'GET /auth/getSchoolFigures': async (world) => {
    await createReview(world, category);
    return { path: '/auth/getSchoolFigures' };
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
  'GET /auth/previewMerge': async ({ product }) => {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    return { path: `/auth/previewMerge?from=${from.id}&into=${into.id}` };
  },
  'POST /auth/mergeSchools': async ({ product }) => {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    return { path: '/auth/mergeSchools', body: { from: from.id, into: into.id } };
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

const DECIDING: Record<string, Prepare> = {
  'GET /auth/getRanking': async (world) => {
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

const schoolsAsCsv = () => `schoolName,description,location\n${unique('Imported')},,Here\n`;

const USERS: Record<string, Prepare> = {
  'GET /auth/getAdminActs': async ({ product }) => {
    const { id, token } = await createUser(product, { isAdmin: true });
    const body = { schoolName: 'Noted', description: 'For the trail.', location: 'Here' };
    await call(product, 'POST /auth/postSchool', { token, body });
    return { path: `/auth/getAdminActs?userId=${id}` };
  },
  'GET /auth/getAdminActTotal': async () => ({ path: '/auth/getAdminActTotal?act=postSchool' }),
  'POST /auth/checkImport': async () => ({ path: '/auth/checkImport', body: { csv: schoolsAsCsv() } }),
  'POST /auth/runImport': async ({ product, admin }) => {
    const csv = schoolsAsCsv();
    const { body } = await call(product, 'POST /auth/checkImport', {
      token: await signIn(product, admin.id),
      body: { csv },
    });
    return { path: '/auth/runImport', body: { csv, digest: body.digest } };
  },
  'GET /auth/getSiteNumbers': async () => ({ path: '/auth/getSiteNumbers?days=3' }),
  'GET /auth/getNewestReviews': async (world) => {
    await createReview(world, category);
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
  'GET /auth/getUserState/:userId': async ({ product }) => ({
    path: `/auth/getUserState/${(await createUser(product)).id}`,
  }),
  'POST /auth/findUser': async ({ product }) => {
    const { email } = await createUser(product);
    return { path: '/auth/findUser', body: { email } };
  },
  'POST /auth/unlockUser/:userId': async ({ product }) => ({
    path: `/auth/unlockUser/${(await createUser(product)).id}`,
  }),
  'POST /auth/mailPasscode/:userId': async (world) => {
    const user = await findUserByEmail(world.product.app.database.read, await createUnverified(world));
    return { path: `/auth/mailPasscode/${user?.id}` };
  },
  'POST /auth/endUserSessions/:userId': async ({ product }) => ({
    path: `/auth/endUserSessions/${(await createUser(product)).id}`,
  }),
  'DELETE /auth/deleteUser/:id': async ({ product }) => ({
    path: `/auth/deleteUser/${(await createUser(product)).id}`,
  }),
  'GET /auth/getProfile/:userId': async ({ user }) => ({ path: `/auth/getProfile/${user.id}` }),
  'POST /auth/postProfile': async ({ user }) => ({
    path: '/auth/postProfile',
    body: { userId: user.id, ...PREFERENCES, personal: unique('wish') },
  }),
  'POST /auth/recommendSchool': async () => ({
    path: '/auth/recommendSchool',
    body: { profile: {}, schools: [] },
  }),
};

/** The requests of the calls that need a param, a query, a body or more rows than the world has. */
const REQUESTS: Readonly<Record<string, Prepare>> = {
  ...ACCOUNTS,
  ...SCHOOLS,
  ...Object.assign({}, ...CATEGORIES.map(entryRequests)),
  ...Object.assign({}, ...CATEGORIES.map(reviewRequests)),
  ...DECIDING,
  ...MODERATION,
  ...PROPOSALS,
  ...REVIEWS_BY_ID,
  ...USERS,
};

/**
 * Makes a request that a call answers as it should.
 * @param title as in `GET /auth/getSchool/:id`
 * @throws when a call with a param has no example
 */
export async function prepareRequest(title: string, world: World): Promise<ValidRequest> {
  const path = title.slice(title.indexOf('/'));
  const request = (await REQUESTS[title]?.(world)) ?? (path.includes(':') ? undefined : { path });
  if (!request) throw new Error(`There is no request to make of ${title}.`);
  return request;
}
