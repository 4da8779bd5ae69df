import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BURST_REVIEWS } from '../../src/contract/bursts.ts';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { importSchools } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import { createNamed, merge, type Written, writeReview } from '../support/merging.ts';
import { findFaults, hide, moderate, report } from '../support/moderation.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createEntry, createSchool, createUser, postReview, type TestUser, unique } from '../support/rows.ts';

const [category, other] = CATEGORIES as readonly Category[] as [Category, Category];
const { calls, pages } = category;

describe.each(ENGINES)('merging schools on %s', (engine) => {
  let product: Product;
  let admin: TestUser;
  let people: TestUser[];

  beforeAll(async () => {
    product = await startProduct(engine, { PUBLIC_URL: 'https://reviews.example' });
    admin = await createUser(product, { isAdmin: true });
    people = await Promise.all([1, 2, 3, 4].map(() => createUser(product)));
  });
  afterAll(async () => {
    expect(await findFaults(product)).toEqual([]);
    await product.stop();
  });

  const get = async (path: string, user?: TestUser) =>
    call(product, `GET ${path}`, user === undefined ? {} : { token: user.token });
  const read = async (path: string, user?: TestUser) => (await get(path, user)).body;
  const preview = (from: number, into: number) => read(`/auth/previewMerge?from=${from}&into=${into}`, admin);
  const person = (index: number) => people[index] as TestUser;
  const write = (entry: { id: number; schoolId: number }, user: TestUser, written?: Written) =>
    writeReview(product, category, entry, user, written);
  const listIds = async (entryId: number) =>
    (await read(`/auth/${calls.reviews}/${entryId}`)).map(({ id }: { id: number }) => id);
  const receiptOf = async (user: TestUser, reviewId: number) =>
    (await read('/auth/getMyReviews', user)).find(({ id }: { id: number }) => id === reviewId);

  /** Two schools, and an entry of the same name in both. */
  async function createTwins(name = unique('Rowing Club')) {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    const gone = await createNamed(product, category, from.id, name.toUpperCase());
    const kept = await createNamed(product, category, into.id, name);
    return { from, into, gone, kept };
  }

  test('entries move, and those of one category with the same name but for case and accents become one', async () => {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    const moving = await createEntry(product, category, from.id);
    const [cafe, kept] = [
      await createNamed(product, category, from.id, 'CAFÉ DÉBAT'),
      await createNamed(product, category, into.id, 'Cafe débat'),
    ];
    // The same name in another category is another entry.
    const elsewhere = await createNamed(product, other, from.id, 'Cafe debat');
    const own = await write(moving, person(0), { rating: 2, relation: 'parent' });
    const joined = [
      await write(cafe, person(0), { rating: 5, relation: 'student', daysAgo: 2 }),
      await write(kept, person(1), { rating: 1, relation: 'student', daysAgo: 1 }),
    ];
    expect(await preview(from.id, into.id)).toEqual({ moving: 2, joining: 1, reviews: 2, withdrawn: 0 });

    const merged = await merge(product, admin, from.id, into.id);
    expect(merged.status).toBe(200);
    expect(merged.body).toEqual({ ...into, aliases: [from.schoolName] });
    expect(await read(`/auth/getSchool/${into.id}`)).toEqual(merged.body);
    const entries = await read(`/auth/${calls.list}/${into.id}`);
    expect(entries.map(({ id }: { id: number }) => id).sort()).toEqual([moving.id, kept.id].sort());
    expect((await read(`/auth/${other.calls.list}/${into.id}`))[0]).toMatchObject({ id: elsewhere.id });
    expect(entries).toContainEqual(expect.objectContaining({ id: kept.id, averageRating: 3, totalReviews: 2 }));
    expect(await listIds(kept.id)).toEqual(joined.toReversed());
    expect(await read(`/auth/getEntrySummary/${kept.id}`)).toMatchObject({
      totalReviews: 2,
      relations: { student: 2, undeclared: 0 },
    });
    expect(await read(`/auth/getReview/${own}`)).toMatchObject({ schoolId: into.id, schoolName: into.schoolName });
    expect(await read(`/auth/getReview/${joined[0]}`)).toMatchObject({ entryId: kept.id, schoolId: into.id });
    expect(await read(`/auth/getSchoolSummary/${into.id}`)).toMatchObject({ totalReviews: 3 });
  });

  test('where one person reviewed both, the newer review stays and the other is withdrawn with a receipt', async () => {
    const { from, into, gone, kept } = await createTwins();
    const [one, two] = [person(0), person(1)];
    const newerThere = [await write(gone, one, { rating: 1, daysAgo: 9 }), await write(kept, one, { daysAgo: 3 })];
    const newerHere = [await write(gone, two, { daysAgo: 2 }), await write(kept, two, { rating: 1, daysAgo: 8 })];
    expect(await preview(from.id, into.id)).toEqual({ moving: 0, joining: 1, reviews: 2, withdrawn: 2 });
    expect((await merge(product, admin, from.id, into.id)).status).toBe(200);
    expect(await listIds(kept.id)).toEqual([newerHere[0], newerThere[1]]);
    expect(await read(`/auth/${calls.averageRating}/${kept.id}`)).toEqual({ averageRating: 4 });
    for (const [user, lost] of [
      [one, newerThere[0]],
      [two, newerHere[1]],
    ] as [TestUser, number][]) {
      expect((await get(`/auth/getReview/${lost}`)).status).toBe(404);
      const receipt = await receiptOf(user, lost);
      expect(receipt).toMatchObject({ isHidden: false, isWithdrawn: true, entryId: kept.id, schoolId: into.id });
      expect(receipt.events.map(({ event }: { event: string }) => event)).toEqual(['posted', 'merged']);
      const change = { id: lost, rating: 5, review: 'Once more.' };
      expect((await call(product, `PUT /auth/${calls.updateReview}`, { token: user.token, body: change })).status).toBe(
        404,
      );
      expect((await call(product, `DELETE /auth/${calls.removeReview}/${lost}`, { token: user.token })).status).toBe(
        404,
      );
    }
    // What gave way stands in nobody's way: the newer one can be withdrawn, and another one posted.
    expect((await postReview(product, category, kept.id, one)).status).toBe(409);
    await call(product, `DELETE /auth/${calls.removeReview}/${newerThere[1]}`, { token: one.token });
    expect((await postReview(product, category, kept.id, one)).status).toBe(201);
    expect((await read('/auth/getMyReviews', one)).length).toBeGreaterThan(1);
  });

  test('of two reviews of the same moment the later one stays', async () => {
    const { from, into, gone, kept } = await createTwins();
    const first = await write(kept, person(2));
    const second = await write(gone, person(2));
    await product.app.database.write((db) =>
      db.updateTable('reviews').set({ created_at: 1_000 }).where('id', 'in', [first, second]).execute(),
    );
    await merge(product, admin, from.id, into.id);
    expect(await listIds(kept.id)).toEqual([second]);
  });

  test('helpful marks stay with their reviews', async () => {
    const { from, into, gone, kept } = await createTwins();
    const reviewId = await write(gone, person(0));
    await call(product, `POST /auth/markHelpful/${reviewId}`, { token: person(1).token });
    await merge(product, admin, from.id, into.id);
    expect(await read(`/auth/getReview/${reviewId}`)).toMatchObject({ helpful: 1 });
    expect(await read(`/auth/getMyHelpful/${kept.id}`, person(1))).toEqual([reviewId]);
    expect((await get(`/auth/getMyHelpful/${gone.id}`, person(1))).status).toBe(404);
    expect((await call(product, `DELETE /auth/markHelpful/${reviewId}`, { token: person(1).token })).body).toEqual({
      helpful: 0,
    });
  });

  test('a hidden review stays hidden, its lines stay public, and what gave way leaves the queue', async () => {
    const { from, into, gone, kept } = await createTwins();
    const [hidden, reported] = [await write(gone, person(0)), await write(gone, person(1), { daysAgo: 5 })];
    const newer = await write(kept, person(1));
    await hide(product, admin, hidden);
    await report(product, person(2), reported);
    const { reports: open } = await read('/auth/getOpenCounts', admin);
    const removals = await read('/auth/getRemovals');
    await merge(product, admin, from.id, into.id);
    expect(await listIds(kept.id)).toEqual([newer]);
    expect(await read('/auth/getRemovals')).toEqual(removals);
    expect((await read('/auth/getOpenCounts', admin)).reports).toBe(open - 1);
    expect((await moderate(product, admin, reported, { action: 'hide', reason: 'fake' })).status).toBe(404);
    expect((await postReview(product, category, kept.id, person(0))).body.error).toContain('was hidden');
    const item = (await read('/auth/getReports?state=closed', admin))[0];
    expect(item).toMatchObject({ reviewId: hidden, entryId: kept.id, schoolId: into.id });
    expect((await moderate(product, admin, hidden, { action: 'restore' })).status).toBe(200);
    expect(await listIds(kept.id)).toEqual([newer, hidden]);
  });

  test('a burst that is being checked goes with its entry', async () => {
    const { from, into, gone, kept } = await createTwins();
    for (let posted = 0; posted < BURST_REVIEWS; posted += 1) {
      expect((await postReview(product, category, gone.id, await createUser(product))).status).toBe(201);
    }
    expect((await read(`/auth/getEntrySummary/${kept.id}`)).isBeingChecked).toBe(false);
    await merge(product, admin, from.id, into.id);
    expect((await read(`/auth/getEntrySummary/${kept.id}`)).isBeingChecked).toBe(true);
    const { rows } = await read(`/auth/getRanking?category=${category.kind}`);
    expect(rows).toContainEqual(expect.objectContaining({ schoolId: into.id, leftOut: BURST_REVIEWS }));
  });

  test('a hidden review that gave way stays withdrawn when it is restored', async () => {
    const { from, into, gone, kept } = await createTwins();
    const [older, newer] = [await write(gone, person(3), { daysAgo: 5 }), await write(kept, person(3))];
    await hide(product, admin, older);
    await merge(product, admin, from.id, into.id);
    expect(await receiptOf(person(3), older)).toMatchObject({ isHidden: true, isWithdrawn: true });
    expect((await moderate(product, admin, older, { action: 'restore' })).status).toBe(200);
    expect(await receiptOf(person(3), older)).toMatchObject({ isHidden: false, isWithdrawn: true });
    expect(await listIds(kept.id)).toEqual([newer]);
  });

  test('pages and getSchool of a merged school answer 301 to the other, along a chain at once', async () => {
    const { from, into, gone, kept } = await createTwins();
    const last = await createSchool(product);
    const final = await createNamed(
      product,
      category,
      last.id,
      (await read(`/auth/${calls.nameLookup}/${kept.id}`))[category.nameField],
    );
    await merge(product, admin, from.id, into.id);
    const moved = await get(`/auth/getSchool/${from.id}`);
    expect(moved.status).toBe(301);
    expect(moved.headers.get('location')).toBe(`/auth/getSchool/${into.id}`);
    expect(moved.body).toEqual({ error: `This school was merged into another one, which has the id ${into.id}.` });

    await merge(product, admin, into.id, last.id);
    const redirects = [
      [`/auth/getSchool/${from.id}`, `/auth/getSchool/${last.id}`],
      [`/auth/getSchool/${into.id}`, `/auth/getSchool/${last.id}`],
      [`/school/${from.id}`, `/school/${last.id}`],
      [`${pages.list}/${from.id}`, `${pages.list}/${last.id}`],
      [`/select/${from.id}`, `/select/${last.id}`],
      [`${pages.adminEntries}/${into.id}`, `${pages.adminEntries}/${last.id}`],
      [`${pages.reviews}/${gone.id}`, `${pages.reviews}/${final.id}`],
      [`${pages.reviews}/${kept.id}?sort=lowest&utm=1`, `${pages.reviews}/${final.id}?sort=lowest`],
      [`${pages.adminReviews}/${kept.id}`, `${pages.adminReviews}/${final.id}`],
    ];
    for (const [path, target] of redirects) {
      const answer = await get(path as string);
      expect([answer.status, answer.headers.get('location')], path).toEqual([301, target]);
    }
    const page = await get(`/school/${from.id}`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.text).toContain(`<link rel="canonical" href="https://reviews.example/school/${last.id}">`);
    expect(page.text).toContain(`<a href="/school/${last.id}">`);
    expect((await call(product, `HEAD /school/${from.id}`)).status).toBe(301);
    // An entry of another category is none of these pages'.
    expect((await get(`${other.pages.reviews}/${gone.id}`)).status).toBe(404);

    await call(product, `DELETE /auth/deleteSchool/${last.id}`, { token: admin.token });
    for (const [path = ''] of redirects) expect((await get(path)).status, path).toBe(404);
  });

  test('every other call about what was merged is a 404', async () => {
    const { from, into, gone } = await createTwins();
    await merge(product, admin, from.id, into.id);
    const { token } = admin;
    const of = { name: category.nameField, item: category.itemKey };
    const requests: [string, unknown?][] = [
      [`GET /auth/${calls.list}/${from.id}`],
      [`GET /auth/getSchoolSummary/${from.id}`],
      [`GET /auth/compareSchools?ids=${from.id},${into.id}`],
      [`PUT /auth/saveSchool/${from.id}`],
      [`DELETE /auth/saveSchool/${from.id}`],
      [`DELETE /auth/deleteSchool/${from.id}`],
      ['PUT /auth/updateSchool', { id: from.id, schoolName: 'x', description: 'x', location: 'x' }],
      [`POST /auth/${calls.create}`, { schoolId: from.id, [of.name]: 'x', description: 'x' }],
      ...[calls.nameLookup, calls.details, calls.reviews, calls.averageRating, calls.totalReviews, calls.myReview].map(
        (name): [string] => [`GET /auth/${name}/${gone.id}`],
      ),
      [`GET /auth/getEntrySummary/${gone.id}`],
      [`PUT /auth/${calls.update}`, { id: gone.id, [of.name]: 'x', description: 'x' }],
      [`DELETE /auth/${calls.remove}/${gone.id}`],
      [`POST /auth/${calls.postReview}`, { [of.item]: { id: gone.id }, rating: 4, review: 'x' }],
      [`GET /auth/previewMerge?from=${from.id}&into=${into.id}`],
      ['POST /auth/mergeSchools', { from: from.id, into: into.id }],
      ['POST /auth/mergeSchools', { from: into.id, into: from.id }],
    ];
    for (const [request, body] of requests) {
      expect((await call(product, request, { token, body })).status, request).toBe(404);
    }
    expect(await merge(product, admin, into.id, into.id)).toMatchObject({
      status: 400,
      body: { error: 'A school cannot be merged into itself.', field: 'into' },
    });
  });

  test('names become aliases, also past twenty, and the search finds the other school by them', async () => {
    const { from, into } = await createTwins();
    const names = (prefix: string, amount: number) => Array.from({ length: amount }, () => unique(prefix));
    const [ours, theirs] = [names('Ours', 20), [...names('Theirs', 19), into.schoolName]];
    for (const [{ id, schoolName, description, location }, aliases] of [
      [into, ours],
      [from, theirs],
    ] as const) {
      const body = { id, schoolName, description, location, aliases };
      expect((await call(product, 'PUT /auth/updateSchool', { token: admin.token, body })).status).toBe(200);
    }
    await read(`/auth/searchSchools?q=${from.schoolName}`);
    const { body } = await merge(product, admin, from.id, into.id);
    expect(body.aliases).toEqual([...ours, from.schoolName, ...theirs.slice(0, 19)]);
    for (const name of [from.schoolName, theirs[3]]) {
      expect((await read(`/auth/searchSchools?q=${name}`)).schools).toMatchObject([{ id: into.id, match: 'alias' }]);
    }
    const listed = await read('/auth/schools');
    expect(listed.some(({ id }: { id: number }) => id === from.id)).toBe(false);
  });

  test('saved schools follow, once for whoever has saved both', async () => {
    const { from, into } = await createTwins();
    const [one, both] = [await createUser(product), await createUser(product)];
    const between = await createSchool(product);
    const save = (user: TestUser, id: number) => call(product, `PUT /auth/saveSchool/${id}`, { token: user.token });
    for (const id of [from.id, between.id]) await save(one, id);
    for (const id of [into.id, between.id, from.id]) await save(both, id);
    await merge(product, admin, from.id, into.id);
    const savedBy = async (user: TestUser) =>
      (await read('/auth/getSavedSchools', user)).map(({ id }: { id: number }) => id);
    expect(await savedBy(one)).toEqual([between.id, into.id]);
    expect(await savedBy(both)).toEqual([between.id, into.id]);
  });

  test('importing the row of a merged school again adds nothing, whatever it was called by then', async () => {
    const into = await createSchool(product);
    const row = (hasSite: boolean) => {
      const schoolName = unique('Imported');
      return { schoolName, description: 'x', location: 'There', importKey: schoolName, hasSite };
    };
    const rows = [row(true), row(false), row(true)];
    const importRows = () => product.app.database.write((db) => importSchools(db, rows));
    expect(await importRows()).toBe(3);
    for (const { schoolName } of rows) {
      const [{ id }] = await read(`/auth/schools?prefix=${schoolName}`);
      if (schoolName === rows[2]?.schoolName) {
        const body = { id, schoolName: unique('Renamed'), description: 'x', location: 'Elsewhere' };
        await call(product, 'PUT /auth/updateSchool', { token: admin.token, body });
      }
      expect((await merge(product, admin, id, into.id)).status).toBe(200);
    }
    expect(await importRows()).toBe(0);
    await call(product, `DELETE /auth/deleteSchool/${into.id}`, { token: admin.token });
    expect(await importRows()).toBe(0);
  });

  test('cached responses about both schools are invalidated, and the sitemap names the other alone', async () => {
    const { from, into, gone, kept } = await createTwins();
    const moving = await createEntry(product, category, from.id);
    for (const entry of [gone, kept, moving]) await write(entry, person(0));
    const addresses = [
      `/school/${into.id}`,
      `/school/${from.id}`,
      `${pages.list}/${into.id}`,
      `${pages.list}/${from.id}`,
      ...[gone, kept, moving].map(({ id }) => `${pages.reviews}/${id}`),
      `/auth/getSchoolSummary/${into.id}`,
      `/auth/${calls.details}/${moving.id}`,
      `/auth/${calls.leaderboard}`,
      `/auth/getRanking?category=${category.kind}`,
      '/auth/getRemovalTotals',
      '/auth/schools',
      '/sitemap.xml',
    ];
    for (const address of addresses) expect((await get(address)).status, address).toBe(200);
    await merge(product, admin, from.id, into.id);
    for (const address of addresses) {
      const { status, text } = await get(address);
      if (status === 301) continue;
      expect(status, address).toBe(200);
      expect(text, address).not.toMatch(new RegExp(`"(name|schoolName)":"${from.schoolName}"`));
      expect(text, address).not.toMatch(new RegExp(`/school/${from.id}\\b|${pages.list}/${from.id}\\b`));
    }
    expect(await read(`/auth/${calls.details}/${moving.id}`)).toMatchObject({ schoolId: into.id });
    expect((await read(`/auth/getSchoolSummary/${into.id}`)).totalReviews).toBe(2);
    const sitemap = (await get('/sitemap.xml')).text;
    expect(sitemap).toContain(`/school/${into.id}<`);
    expect(sitemap).not.toContain(`${pages.reviews}/${gone.id}<`);
  });

  test('the audit trail names both, and nobody gets a mail', async () => {
    const { from, into, gone, kept } = await createTwins();
    for (const entry of [gone, kept]) await write(entry, person(0));
    await merge(product, admin, from.id, into.id);
    const [entry] = await read('/auth/getAdminActs?act=mergeSchools&limit=1', admin);
    expect(entry).toMatchObject({
      userId: admin.id,
      subjectKind: 'school',
      subjectId: into.id,
      subjectName: into.schoolName,
      reason: `${from.schoolName} (no. ${from.id})`,
    });
    expect(await product.app.database.read.selectFrom('outbox').selectAll().execute()).toEqual([]);
  });

  test('three reviews of one person become one through entries of the same name, and through a second merge', async () => {
    const { from, into, gone, kept } = await createTwins();
    const name = (await read(`/auth/${calls.nameLookup}/${gone.id}`))[category.nameField];
    const twin = await createNamed(product, category, from.id, name);
    const third = await createSchool(product);
    const last = await createNamed(product, category, third.id, name);
    const author = await createUser(product);
    const ids = [
      await write(gone, author, { daysAgo: 3 }),
      await write(twin, author, { daysAgo: 1 }),
      await write(kept, author, { daysAgo: 2 }),
      await write(last, author, { daysAgo: 4 }),
    ];
    expect(await preview(from.id, into.id)).toEqual({ moving: 0, joining: 2, reviews: 2, withdrawn: 2 });
    await merge(product, admin, from.id, into.id);
    expect(await listIds(kept.id)).toEqual([ids[1]]);
    await merge(product, admin, into.id, third.id);
    expect(await listIds(last.id)).toEqual([ids[1]]);
    const mine = await read('/auth/getMyReviews', author);
    expect(
      mine.map(({ isWithdrawn, entryId }: { isWithdrawn: boolean; entryId: number }) => [isWithdrawn, entryId]),
    ).toEqual([
      [false, last.id],
      [true, last.id],
      [true, last.id],
      [true, last.id],
    ]);
    await call(product, `DELETE /auth/${calls.remove}/${last.id}`, { token: admin.token });
    const deleted = await read('/auth/getMyReviews', author);
    expect(deleted.map(({ isDeleted }: { isDeleted: boolean }) => isDeleted)).toEqual(mine.map(() => true));
  });
});
