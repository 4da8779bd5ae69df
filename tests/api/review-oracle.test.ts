import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { RELATIONS } from '../../src/contract/review-filters.ts';
import { checkCounts } from '../../src/server/commands/count-checks/check.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { call } from '../support/call.ts';
import { dataOf, type Product, startProduct } from '../support/product.ts';
import { FUZZ_RUNS, FUZZ_SEED } from '../support/properties/fuzz.ts';
import { publicAddresses } from '../support/public-answers.ts';
import { createEntry, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

/** Enough for each kind of write to be made three times. `npm run fuzz` goes on. */
const WRITES = Math.max(66, FUZZ_RUNS ?? 0);
const category = CATEGORIES[4] as Category;
const { calls } = category;

/** The search follows changes in memory, and the others are made anew once a minute: a change need not be seen at once. */
const NOT_AT_ONCE = ['searchSchools', 'getSchoolFigures', 'getSchoolTotals', 'getVoices'];

/** What is asked of other categories says nothing of this one. */
const OTHERS = CATEGORIES.filter((one) => one !== category);
const NOT_COMPARED = [...NOT_AT_ONCE, ...OTHERS.flatMap((one) => Object.values(one.calls))];

function isCompared(address: string): boolean {
  const [, auth, name = ''] = address.split(/[/?]/);
  const isOfOther = OTHERS.some(({ kind }) => address.includes(`category=${kind}`));
  return auth === 'auth' && !NOT_COMPARED.includes(name) && !isOfOther;
}

/** Two products on one database: one answers from its cache, the other without a cache. */
describeProduct('writes in any order on %s', (product, engine) => {
  let oracle: Product;
  let admin: TestUser;

  beforeAll(async () => {
    oracle = await startProduct(engine, { ...dataOf(product), CACHE_MB: '0' });
    admin = await createUser(product, { isAdmin: true });
  });
  afterAll(async () => {
    await oracle.stop();
  });

  test('leave counters that equal the rows, and cached answers that equal new ones', {
    timeout: 60_000 + WRITES * 500,
  }, async () => {
    const random = createRandom(FUZZ_SEED ?? 12);
    const entries = [await createEntry(product, category), await createEntry(product, category)];
    const users = await Promise.all(Array.from({ length: 6 }, () => createUser(product)));
    const written: { id: number; author: TestUser }[] = [];
    const background = () => {
      const relation = random.pick([undefined, ...RELATIONS]);
      return { rating: (random.below(10) + 1) / 2, ...(relation && { relation }) };
    };
    const entryAt = (schoolId: number) => ({
      [category.nameField]: unique('Entry'),
      description: 'As an admin says.',
      schoolId,
    });
    const as = (user: TestUser, request: string, body?: object) => call(product, request, { token: user.token, body });

    const schoolIds = entries.map(({ schoolId }) => schoolId);
    const standings = `/auth/${calls.leaderboard}`;
    const ranking = `/auth/getRanking?category=${category.kind}`;

    const subjects = {
      schools: schoolIds,
      entries: entries.map(({ id }) => ({ id, kind: category.kind })),
      reviews: [],
    };
    const reads = [
      ...publicAddresses(subjects).filter(isCompared),
      ...[`/auth/compareSchools?ids=${schoolIds.join()}`, '/auth/getRemovals', '/auth/getRemovalTotals'],
    ];

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
        await expectSame(reads);
        const { kind, id } = subject;
        expect((await as(admin, 'POST /auth/restoreDeleted', { kind, id })).status).toBe(200);
      },
      async addEntry() {
        const { status } = await as(admin, `POST /auth/${calls.create}`, entryAt(random.pick(schoolIds)));
        expect(status).toBe(201);
      },
      async renameEntry() {
        const { id, schoolId } = random.pick(entries);
        expect((await as(admin, `PUT /auth/${calls.update}`, { id, ...entryAt(schoolId) })).status).toBe(200);
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

    const ofReview = () => `/auth/getReview/${written.length > 0 ? random.pick(written).id : 0}`;
    const done = new Map<string, number>();
    let left: string[] = [];
    for (let count = 0; count < WRITES; count += 1) {
      if (left.length === 0) left = [...names];
      const [next = ''] = left.splice(random.below(left.length), 1);
      const name = written.length === 0 ? 'post' : next;
      const times = done.get(name) ?? 0;
      done.set(name, times + 1);
      // What a write leaves stale, a later one may make anew: twice each write is looked at by itself, all cached before.
      const some = times < 2 ? reads : [random.pick(reads), random.pick(reads), standings, ranking];
      await expectSame(some);
      await changes[name]?.();
      const { faults } = await checkCounts(product.app.database.read);
      expect(faults, `${count}: ${name}`).toEqual([]);
      await expectSame([...some, ofReview()], `${count}: ${name}`);
    }
    await expectSame(reads);
    for (const name of Object.keys(changes)) expect(done.get(name), name).toBeGreaterThan(1);
  });
});
