import { expect, test } from 'vitest';
import { createBurstSteps } from '../support/bursts.ts';
import { call } from '../support/call.ts';
import { moderate } from '../support/moderation.ts';
import { createRatedEntry } from '../support/ratings.ts';
import { category, createSchool, createUser, postReview } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

describeProduct('marks of figures that count reviews being checked on %s', (product) => {
  const admin = adminOf(product);
  const steps = createBurstSteps(() => ({ product, admin }));

  test('are shown with every figure until all reviews are decided', async () => {
    const { schoolId, entryId } = await steps.createTarget();
    const quiet = await createRatedEntry(product, category, schoolId, [4]);
    const other = await createSchool(product);
    const reader = await createUser(product);
    for (const id of [other.id, schoolId]) {
      await call(product, `PUT /auth/saveSchool/${id}`, { token: reader.token });
    }
    const read = async (path: string, token?: string) =>
      (await call(product, `GET /auth/${path}`, token ? { token } : {})).body;
    type Found = { id?: number; schoolId?: number; category?: string; isBeingChecked: boolean };
    const of = (rows: Found[], id: number) => rows.find((row) => (row.schoolId ?? row.id) === id)?.isBeingChecked;

    /** The places that can show the mark, and whether each shows it for the school or entry with the burst. */
    async function places(reviewId: number) {
      const entries: (Found & { id: number })[] = await read(`${category.calls.list}/${schoolId}`);
      const summary = await read(`getSchoolSummary/${schoolId}`);
      const compared = await read(`compareSchools?ids=${other.id},${schoolId}`);
      return {
        entry: entries.find(({ id }) => id === entryId)?.isBeingChecked,
        otherEntry: entries.find(({ id }) => id === quiet.id)?.isBeingChecked,
        entrySummary: (await read(`getEntrySummary/${entryId}?relation=parent`)).isBeingChecked,
        categorySummary: (await read(`getCategorySummary/${schoolId}?category=${category.kind}`)).isBeingChecked,
        schoolSummary: summary.isBeingChecked,
        categories: summary.categories.filter((one: Found) => one.isBeingChecked).map((one: Found) => one.category),
        compared: [of(compared.schools, other.id), of(compared.schools, schoolId)],
        found: of((await read('searchSchools?limit=100')).schools, schoolId),
        otherFound: of((await read('searchSchools?limit=100')).schools, other.id),
        saved: of(await read('getSavedSchools', reader.token), schoolId),
        leaderboard: of(await read(category.calls.leaderboard), schoolId),
        ranking: of((await steps.ranking()).rows as Found[], schoolId),
        review: (await read(`getReview/${reviewId}`)).isBeingChecked,
      };
    }
    const nowhere = {
      ...{ entry: false, otherEntry: false, entrySummary: false, categorySummary: false, schoolSummary: false },
      ...{ categories: [], compared: [false, false], found: false, otherFound: false, saved: false },
      ...{ leaderboard: false, ranking: false, review: false },
    };
    const ids = await steps.postMany(entryId, 9);
    expect(await places(ids[0] as number)).toEqual(nowhere);
    ids.push(...(await steps.postMany(entryId, 1)));
    expect(await places(ids[0] as number)).toEqual({
      ...{ entry: true, otherEntry: false, entrySummary: true, categorySummary: true, schoolSummary: true },
      ...{ categories: [category.kind], compared: [false, true], found: true, otherFound: false, saved: true },
      ...{ leaderboard: true, ranking: true, review: true },
    });
    for (const [index, id] of ids.entries()) {
      expect(
        (await moderate(product, admin, id, index % 2 === 0 ? { action: 'keep' } : { action: 'hide', reason: 'fake' }))
          .status,
      ).toBe(200);
    }
    expect(await places(ids[0] as number)).toEqual(nowhere);
  });
});

describeProduct('the first light on %s', (product) => {
  const admin = adminOf(product);

  test('is the first visible review of a category at a school', async () => {
    const { id: schoolId } = await createSchool(product);
    const [one, other] = [
      await createRatedEntry(product, category, schoolId, []),
      await createRatedEntry(product, category, schoolId, []),
    ];
    const post = async (entryId: number) => {
      const { status, body } = await postReview(product, category, entryId, await createUser(product));
      expect(status).toBe(201);
      return body as { id: number; isFirst: boolean };
    };
    const first = await post(one.id);
    expect(first.isFirst).toBe(true);
    expect((await post(one.id)).isFirst).toBe(false);
    expect((await post(other.id)).isFirst).toBe(false);
    await call(product, `DELETE /auth/${category.calls.remove}/${other.id}`, { token: admin.token });
    const reviews = (await call(product, `GET /auth/${category.calls.reviews}/${one.id}`)).body;
    for (const { id } of reviews) await moderate(product, admin, id, { action: 'hide', reason: 'spam' });
    expect((await post(one.id)).isFirst).toBe(true);
  });

  test('is one of several that are posted to different entries at once', async () => {
    const { id: schoolId } = await createSchool(product);
    const posting: Promise<{ body: { isFirst: boolean } }>[] = [];
    for (let index = 0; index < 4; index += 1) {
      const { id } = await createRatedEntry(product, category, schoolId, []);
      const author = await createUser(product);
      posting.push(postReview(product, category, id, author));
    }
    const posted = await Promise.all(posting);
    expect(posted.filter(({ body }) => body.isFirst)).toHaveLength(1);
  });
});
