import { expect } from 'vitest';
import type { Ranking } from '../../src/contract/leaderboard.ts';
import { call } from './call.ts';
import type { Product } from './product.ts';
import { createRatedEntry } from './ratings.ts';
import { category, createSchool, createUser, postReview, type TestUser } from './rows.ts';

const DAY = 24 * 60 * 60_000;

/** The steps of a burst. @param given returns the product, which may be started later, and an admin */
export function createBurstSteps(given: () => { product: Product; admin: TestUser }) {
  const product = () => given().product;

  async function post(entryId: number, { age = 0, rating = 5 } = {}) {
    const author = await createUser(product(), { age });
    const { status, body } = await postReview(product(), category, entryId, author, { rating });
    expect(status).toBe(201);
    return { author, reviewId: body.id as number };
  }

  return {
    /** An entry of a new school, with two reviews of 3 stars. */
    async createTarget() {
      const { id: schoolId } = await createSchool(product());
      const { id: entryId } = await createRatedEntry(product(), category, schoolId, [3, 3], {
        createdAt: Date.now() - DAY,
      });
      return { schoolId, entryId };
    },

    /** Posts a review by a new account. */
    post,

    async postMany(entryId: number, amount: number, options = {}): Promise<number[]> {
      const ids: number[] = [];
      while (ids.length < amount) ids.push((await post(entryId, options)).reviewId);
      return ids;
    },

    isBeingChecked: async (entryId: number) =>
      (await call(product(), `GET /auth/getEntrySummary/${entryId}`)).body.isBeingChecked,

    ranking: async (): Promise<Ranking> =>
      (await call(product(), `GET /auth/getRanking?category=${category.kind}`)).body,

    /** The open items of reviews that are part of a burst, in the order of the queue. */
    async openBursts(entryId: number): Promise<number[]> {
      const { body } = await call(product(), 'GET /auth/getReports', { token: given().admin.token });
      const items = body.filter(
        (item: { entryId: number; isBurst: boolean }) => item.entryId === entryId && item.isBurst,
      );
      return items.map(({ reviewId }: { reviewId: number }) => reviewId);
    },
  };
}
