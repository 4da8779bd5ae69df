import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { RELATIONS } from '../../src/contract/review-filters.ts';
import { checkCounts } from '../../src/server/commands/count-checks/check.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { call } from '../support/call.ts';
import { dataOf, type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const WRITES = 200;
const category = CATEGORIES[4] as Category;
const { calls } = category;

/** The search follows changes in memory, and the others are made anew once a minute: a change need not be seen at once. */
const NOT_AT_ONCE = ['searchSchools', 'getSchoolFigures', 'getSchoolTotals', 'getVoices'];

const OTHERS = CATEGORIES.filter((one) => one !== category).flatMap((one) => Object.values(one.calls));

/** All public reads, those of one category alone: a new one needs an address below. */
const COMPARED = CALLS.filter(({ method, access }) => method === 'GET' && access === 'everyone')
  .filter(({ name }) => !NOT_AT_ONCE.includes(name) && !OTHERS.includes(name))
  .map(({ path }) => path);

/** The calls of some addresses. */
const namesOf = (addresses: readonly string[]) =>
  [...new Set(addresses.map((address) => address.split(/[/?]/)[2]))].sort();

/** Two products on one database: one answers from its cache, the other without a cache. */
describeProduct('two hundred writes in any order on %s', (product, engine) => {
  let oracle: Product;
  let admin: TestUser;

  beforeAll(async () => {
    oracle = await startProduct(engine, { ...dataOf(product), CACHE_MB: '0' });
    admin = await createUser(product, { isAdmin: true });
  });
  afterAll(async () => {
    await oracle.stop();
  });

  test('leave counters that equal the rows, and cached answers that equal new ones', { timeout: 120_000 }, async () => {
    const random = createRandom(12);
    const entries = [await createEntry(product, category), await createEntry(product, category)];
    const users = await Promise.all(Array.from({ length: 6 }, () => createUser(product)));
    const written: { id: number; author: TestUser }[] = [];
    const background = () => {
      const relation = random.pick([undefined, ...RELATIONS]);
      return { rating: (random.below(10) + 1) / 2, ...(relation && { relation }) };
    };
    const as = (user: TestUser, request: string, body?: object) => call(product, request, { token: user.token, body });

    const schoolIds = entries.map(({ schoolId }) => schoolId);
    const standings = `/auth/${calls.leaderboard}`;
    const ranking = `/auth/getRanking?category=${category.kind}`;

    async function expectSame(addresses: readonly string[], what = '') {
      for (const address of addresses) {
        const [cached, made] = await Promise.all([call(product, `GET ${address}`), call(oracle, `GET ${address}`)]);
        expect([cached.status, cached.text], `${what} ${address}`).toEqual([made.status, made.text]);
      }
    }

    const changes: Record<string, () => Promise<unknown>> = {
      async post() {
        const author = random.pick(users);
        const { status, body } = await postReview(product, category, random.pick(entries).id, author, background());
        if (status === 201) written.push({ id: body.id, author });
      },
      async edit() {
        const { id, author } = random.pick(written);
        await as(author, `PUT /auth/${calls.updateReview}`, { id, review: 'Edited.', ...background() });
      },
      async withdraw() {
        const [{ id, author } = { id: 0, author: admin }] = written.splice(random.below(written.length), 1);
        await as(author, `DELETE /auth/${calls.removeReview}/${id}`);
      },
      mark: () => as(random.pick(users), `POST /auth/markHelpful/${random.pick(written).id}`),
      unmark: () => as(random.pick(users), `DELETE /auth/markHelpful/${random.pick(written).id}`),
      async hide() {
        const body = { action: random.pick(['hide', 'restore']), reason: 'spam' };
        await as(admin, `PUT /auth/moderateReview/${random.pick(written).id}`, body);
      },
      async deleteUser() {
        const index = random.below(users.length);
        await as(admin, `DELETE /auth/deleteUser/${(users[index] as TestUser).id}`);
        users[index] = await createUser(product);
      },
      async rename() {
        const school = { schoolName: unique('School'), location: 'Oslo, Norway', description: 'Renamed.' };
        const { status } = await as(admin, 'PUT /auth/updateSchool', { id: random.pick(schoolIds), ...school });
        expect(status).toBe(200);
      },
      async deleteAndRestore() {
        const subject = random.pick([
          { kind: 'entry', id: random.pick(entries).id, request: `DELETE /auth/${calls.remove}` },
          { kind: 'school', id: random.pick(schoolIds), request: 'DELETE /auth/deleteSchool' },
        ]);
        expect((await as(admin, `${subject.request}/${subject.id}`)).status).toBe(204);
        await expectSame([standings, ranking]);
        const { kind, id } = subject;
        expect((await as(admin, 'POST /auth/restoreDeleted', { kind, id })).status).toBe(200);
      },
      async merge() {
        const entry = await createEntry(product, category);
        await postReview(product, category, entry.id, random.pick(users), background());
        await expectSame([standings, ranking]);
        const asked = { from: entry.schoolId, into: random.pick(schoolIds) };
        expect((await as(admin, 'POST /auth/mergeSchools', asked)).status).toBe(200);
      },
    };
    // Most of all what changes counts.
    const names = [
      ...Array(4).fill('post'),
      ...Array(3).fill('edit'),
      ...Array(3).fill('mark'),
      ...Object.keys(changes),
    ];

    const reads = entries.flatMap(({ id, schoolId }) => [
      ...['', '?sort=lowest', '?sort=helpful&limit=2', '?relation=parent', '?stars=3&sort=oldest'].map(
        (query) => `/auth/${calls.reviews}/${id}${query}`,
      ),
      ...['', '?relation=student'].map((query) => `/auth/getEntrySummary/${id}${query}`),
      ...[calls.averageRating, calls.totalReviews, calls.nameLookup, calls.details].map(
        (name) => `/auth/${name}/${id}`,
      ),
      ...[calls.list, 'getSchool', 'getSchoolSummary', 'getSchoolVoices'].map((name) => `/auth/${name}/${schoolId}`),
      ...['getCategoryReviews', 'getCategorySummary', 'getEntryVoices'].map(
        (name) => `/auth/${name}/${schoolId}?category=${category.kind}`,
      ),
    ]);
    reads.push(
      `/auth/compareSchools?ids=${schoolIds.join()}`,
      ...[standings, ranking],
      ...['schools', 'getRemovals', 'getRemovalTotals'].map((name) => `/auth/${name}`),
    );
    const ofReview = () => `/auth/getReview/${written.length > 0 ? random.pick(written).id : 0}`;
    expect(namesOf([...reads, ofReview()])).toEqual(namesOf(COMPARED));
    for (let count = 0; count < WRITES; count += 1) {
      const name = written.length === 0 ? 'post' : random.pick(names);
      await changes[name]?.();
      const { faults } = await checkCounts(product.app.database.read);
      expect(faults, `${count}: ${name}`).toEqual([]);
      await expectSame([random.pick(reads), random.pick(reads), ofReview(), standings, ranking], `${count}: ${name}`);
    }
    await expectSame(reads);
  });
});
