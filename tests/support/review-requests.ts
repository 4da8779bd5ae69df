import type { Category } from '../../src/contract/categories.ts';
import { call } from './call.ts';
import { putIntoBurst } from './moderation.ts';
import { category, createEntry, createUser, postReview, signIn } from './rows.ts';
import type { Prepare, World } from './world.ts';

/** What the author of a review says of themselves. A last year needs a first one. */
export const BACKGROUND = { relation: 'alumnus', since: 1990, until: 1994 } as const;

/** A review of a new entry, by default by the user of the world. */
export async function createReview({ product, user }: World, category: Category, by = user) {
  const { id, schoolId } = await createEntry(product, category);
  // A new session, because the calls that end sessions end this one too.
  const author = { ...by, token: await signIn(product, by.id) };
  const { body } = await postReview(product, category, id, author, BACKGROUND);
  return { entryId: id, schoolId, reviewId: body.id as number };
}

export function reviewRequests(category: Category): Record<string, Prepare> {
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
    // No username: it would have to be the caller's own, and another is refused before the other rules are checked.
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

/** A review of the user that an admin has hidden. */
async function createHidden(world: World) {
  const { reviewId } = await createReview(world, category);
  const { product } = world;
  const token = await signIn(product, world.admin.id);
  await call(product, `PUT /auth/moderateReview/${reviewId}`, { token, body: { action: 'hide', reason: 'fake' } });
  return reviewId;
}

/** An entry that an admin has deleted. */
async function createDeleted({ product, admin }: World) {
  const { id } = await createEntry(product, category);
  const token = await signIn(product, admin.id);
  await call(product, `DELETE /auth/${category.calls.remove}/${id}`, { token });
  return id;
}

export const MODERATION: Record<string, Prepare> = {
  'GET /auth/getReports': async (world) => {
    const { reviewId } = await createReview(world, category);
    const { token } = await createUser(world.product);
    await call(world.product, `POST /auth/reportReview/${reviewId}`, { token, body: { reason: 'spam' } });
    return { path: '/auth/getReports' };
  },
  'PUT /auth/moderateReview/:reviewId': async (world) => {
    const { reviewId } = await createReview(world, category);
    return { path: `/auth/moderateReview/${reviewId}`, body: { action: 'hide', reason: 'spam', note: 'An advert.' } };
  },
  'PUT /auth/moderateBurst/:entryId': async (world) => {
    const { entryId, reviewId } = await createReview(world, category);
    await putIntoBurst(world.product, entryId, [reviewId]);
    return { path: `/auth/moderateBurst/${entryId}`, body: { action: 'hide', reason: 'fake', upTo: reviewId } };
  },
  'POST /auth/revealAuthor/:reviewId': async (world) => {
    const { reviewId } = await createReview(world, category);
    return { path: `/auth/revealAuthor/${reviewId}`, body: { reason: 'A court asks for it.' } };
  },
  // A review by somebody else: nobody reports their own.
  'POST /auth/reportReview/:reviewId': async (world) => {
    const { reviewId } = await createReview({ ...world, user: world.other }, category);
    return { path: `/auth/reportReview/${reviewId}`, body: { reason: 'spam' } };
  },
  'GET /auth/getMyReviews': async ({ product, user, other, admin }) => {
    const { id } = await createEntry(product, category);
    for (const one of [user, other, admin]) {
      await postReview(product, category, id, { ...one, token: await signIn(product, one.id) }, BACKGROUND);
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
  'GET /auth/getDeleted': async (world) => {
    await createDeleted(world);
    return { path: '/auth/getDeleted' };
  },
  'POST /auth/restoreDeleted': async (world) => ({
    path: '/auth/restoreDeleted',
    body: { kind: 'entry', id: await createDeleted(world) },
  }),
};

const reviewOf = (world: World, by = world.user) => createReview(world, category, by);

const ofCategory =
  (name: string): Prepare =>
  async (world) => ({ path: `/auth/${name}/${(await reviewOf(world)).schoolId}?category=${category.kind}` });

const markOfOthers: Prepare = async (world) => ({
  path: `/auth/markHelpful/${(await reviewOf(world, world.other)).reviewId}`,
});

/** Where a review or an entry is named by its id alone. */
export const REVIEWS_BY_ID: Record<string, Prepare> = {
  'GET /auth/getReview/:reviewId': async (world) => ({ path: `/auth/getReview/${(await reviewOf(world)).reviewId}` }),
  'GET /auth/getEntrySummary/:entryId': async (world) => ({
    path: `/auth/getEntrySummary/${(await reviewOf(world)).entryId}`,
  }),
  'GET /auth/getCategoryReviews/:schoolId': ofCategory('getCategoryReviews'),
  'GET /auth/getCategorySummary/:schoolId': ofCategory('getCategorySummary'),
  'GET /auth/getEntryVoices/:schoolId': ofCategory('getEntryVoices'),
  'GET /auth/getSchoolVoices/:schoolId': async (world) => ({
    path: `/auth/getSchoolVoices/${(await reviewOf(world)).schoolId}`,
  }),
  'GET /auth/getVoices': async (world) => {
    const { path } = await markOfOthers(world);
    await call(world.product, `POST ${path}`, { token: (await createUser(world.product)).token });
    return { path: '/auth/getVoices' };
  },
  'POST /auth/markHelpful/:reviewId': markOfOthers,
  'DELETE /auth/markHelpful/:reviewId': markOfOthers,
  'GET /auth/getMyHelpful/:entryId': async (world) => ({
    path: `/auth/getMyHelpful/${(await reviewOf(world)).entryId}`,
  }),
};
