import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { LINE } from '../../src/contract/fields.ts';
import { call } from '../support/call.ts';
import { isVisible } from '../support/properties/arbitraries.ts';
import { FUZZ_RUNS, FUZZ_SEED } from '../support/properties/fuzz.ts';
import type { TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, usersOf } from '../support/site.ts';

/** Each category about five times, each way to delete about twelve times. */
const RUNS = FUZZ_RUNS ?? 36;

const text = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }).filter((one) => {
  const stored = one.normalize('NFC').trim();
  return isVisible(stored) && stored.isWellFormed() && !stored.includes('\0');
});
const name = text.filter((one) => new RegExp(LINE).test(one));
const stars = fc.integer({ min: 1, max: 10 }).map((halves) => halves / 2);
const asStored = (one: string) => one.normalize('NFC').trim();

describeProduct('chains of changes on %s', (product) => {
  const admin = adminOf(product);
  const authors = usersOf(product, 3);

  const as = async (user: TestUser, request: string, body?: object) =>
    call(product, request, { token: user.token, body });

  test('what is created can be read, what is changed is read as changed, what is deleted is gone with all below it', {
    timeout: 30_000 + RUNS * 100,
  }, async () => {
    const link = fc.record({
      category: fc.constantFrom(...CATEGORIES),
      names: fc.tuple(name, text, text),
      ratings: fc.array(stars, { minLength: 1, maxLength: 3 }),
      changed: stars,
      deleted: fc.constantFrom('review', 'entry', 'school'),
    });
    await fc.assert(
      fc.asyncProperty(link, async ({ category, names: [name, description, review], ratings, changed, deleted }) => {
        const { calls, nameField, itemKey, pages } = category;
        const get = async (path: string) => call(product, `GET /auth/${path}`);
        const { body: school } = await as(admin, 'POST /auth/postSchool', {
          ...{ schoolName: name, description, location: name },
        });
        expect((await get(`getSchool/${school.id}`)).body.schoolName).toBe(asStored(name));
        const fields = { [nameField]: name, description, schoolId: school.id };
        const { body: entry } = await as(admin, `POST /auth/${calls.create}`, fields);
        expect((await get(`${calls.nameLookup}/${entry.id}`)).body[nameField]).toBe(asStored(name));

        const posted = [];
        for (const [index, rating] of ratings.entries()) {
          const author = authors[index] as TestUser;
          const answer = await as(author, `POST /auth/${calls.postReview}`, {
            ...{ [itemKey]: { id: entry.id }, rating, review },
          });
          expect(answer.status).toBe(201);
          posted.push(answer.body);
        }
        const first = { id: posted[0].id, rating: changed, review };
        expect((await as(authors[0] as TestUser, `PUT /auth/${calls.updateReview}`, first)).status).toBe(200);
        const now = [changed, ...ratings.slice(1)];
        const mean = now.reduce((sum, rating) => sum + rating, 0) / now.length;
        expect((await get(`${calls.averageRating}/${entry.id}`)).body.averageRating).toBeCloseTo(mean, 9);
        expect(
          (await get(`${calls.reviews}/${entry.id}`)).body.map(({ rating }: { rating: number }) => rating),
        ).toEqual(now.toReversed());

        if (deleted === 'review') {
          expect((await as(authors[0] as TestUser, `DELETE /auth/${calls.removeReview}/${posted[0].id}`)).status).toBe(
            204,
          );
          expect((await get(`${calls.totalReviews}/${entry.id}`)).body.totalReviews).toBe(now.length - 1);
          const again = await as(authors[0] as TestUser, `DELETE /auth/${calls.removeReview}/${posted[0].id}`);
          expect(again.status).toBe(404);
          return;
        }
        const path = deleted === 'entry' ? `${calls.remove}/${entry.id}` : `deleteSchool/${school.id}`;
        expect((await as(admin, `DELETE /auth/${path}`)).status).toBe(204);
        for (const gone of [calls.nameLookup, calls.details, calls.reviews, calls.averageRating, calls.totalReviews]) {
          expect((await get(`${gone}/${entry.id}`)).status, gone).toBe(404);
        }
        expect((await call(product, `GET ${pages.reviews}/${entry.id}`)).status).toBe(404);
        expect((await get(`getSchool/${school.id}`)).status).toBe(deleted === 'school' ? 404 : 200);
      }),
      { numRuns: RUNS, seed: FUZZ_SEED },
    );
  });
});
