import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { importSchools } from '../../src/server/data/imports/school-queries.ts';
import { call } from '../support/call.ts';
import { createNamedEntry, createTwinSchools, insertDatedReview, merge } from '../support/merging.ts';
import { createEntry, createSchool, createUser, type TestUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

const [category, other] = CATEGORIES as readonly Category[] as [Category, Category];
const { calls, pages } = category;

describeProduct('redirects from a merged school on %s', { PUBLIC_URL: 'https://reviews.example' }, (product) => {
  const admin = adminOf(product);
  const author = userOf(product);

  const get = (path: string, user?: TestUser) => call(product, `GET ${path}`, { token: user?.token });
  const read = async (path: string, user?: TestUser) => (await get(path, user)).body;
  const createTwins = () => createTwinSchools(product, category);

  test('pages and getSchool of a merged school answer 301 to the other, along a chain at once', async () => {
    const { from, into, gone, kept } = await createTwins();
    const last = await createSchool(product);
    const final = await createNamedEntry(
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
    // The pages of another category do not know this entry.
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
      const { schools } = await read(`/auth/searchSchools?q=${name}`);
      // Schools whose names are one letter away may follow.
      expect(schools[0]).toMatchObject({ id: into.id, match: 'alias' });
      expect(schools.some(({ id }: { id: number }) => id === from.id)).toBe(false);
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
    const importRows = async () =>
      (await product.app.database.write((db) => importSchools(db, rows))).filter(Boolean).length;
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
    for (const entry of [gone, kept, moving]) await insertDatedReview(product, category, entry, author);
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
    const merged = [`/school/${from.id}`, `${pages.list}/${from.id}`, `${pages.reviews}/${gone.id}`];
    for (const address of addresses) expect((await get(address)).status, address).toBe(200);
    await merge(product, admin, from.id, into.id);
    for (const address of addresses) {
      const { status, text } = await get(address);
      expect(status, address).toBe(merged.includes(address) ? 301 : 200);
      if (status === 301) continue;
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
    for (const entry of [gone, kept]) await insertDatedReview(product, category, entry, author);
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
});
