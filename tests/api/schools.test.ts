import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { readMetric } from '../support/metrics.ts';
import { awaitNotifications } from '../support/postgres-faults.ts';
import { createEntry, createSchool, postReview, unique } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

describeProduct('schools on %s', (product) => {
  const admin = adminOf(product);
  const user = userOf(product);

  const fields = () => ({ schoolName: unique('Academy'), description: 'Old and leafy.', location: 'Lund, Sweden' });
  const create = (body: object, token = admin.token) => call(product, 'POST /auth/postSchool', { token, body });
  const prefixed = async (prefix: string, more = '') =>
    (await call(product, `GET /auth/schools?prefix=${encodeURIComponent(prefix)}${more}`)).body.map(
      (school: { schoolName: string }) => school.schoolName,
    );

  test('an admin creates, changes and deletes a school, and everyone sees it at once', async () => {
    const created = await create(fields());
    expect(created.status).toBe(201);
    const { id, schoolName } = created.body;
    expect((await call(product, `GET /auth/getSchool/${id}`)).body).toEqual(created.body);
    expect((await call(product, 'GET /auth/schools')).body).toContainEqual({ id, schoolName, country: 'Sweden' });

    const changed = { ...created.body, schoolName: unique('Renamed'), location: 'Malmö, Sweden' };
    expect(await call(product, 'PUT /auth/updateSchool', { token: admin.token, body: changed })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect((await call(product, `GET /auth/getSchool/${id}`)).body).toEqual(changed);
    expect((await call(product, 'GET /auth/schools')).body).toContainEqual({
      id,
      schoolName: changed.schoolName,
      country: 'Sweden',
    });

    expect((await call(product, `DELETE /auth/deleteSchool/${id}`, { token: admin.token })).status).toBe(204);
    expect((await call(product, `GET /auth/getSchool/${id}`)).status).toBe(404);
    expect((await call(product, `DELETE /auth/deleteSchool/${id}`, { token: admin.token })).status).toBe(404);
    expect((await call(product, 'PUT /auth/updateSchool', { token: admin.token, body: changed })).status).toBe(404);
  });

  test('aliases are stored with a school; left out of an update they stay, an empty list removes them', async () => {
    const aliases = ['MIT', 'Massachusetts Tech', '  École du Lac '];
    const created = await create({ ...fields(), aliases });
    await expect(created.status).toBe(201);
    const stored = ['MIT', 'Massachusetts Tech', 'École du Lac'];
    expect(created.body.aliases).toEqual(stored);
    const { id } = created.body;
    const read = async () => (await call(product, `GET /auth/getSchool/${id}`)).body;
    expect(await read()).toEqual(created.body);
    const update = async (body: object) =>
      (await call(product, 'PUT /auth/updateSchool', { token: admin.token, body: { id, ...fields(), ...body } })).body;
    expect((await update({})).aliases).toEqual(stored);
    expect((await read()).aliases).toEqual(stored);
    expect((await update({ aliases: ['Tech'] })).aliases).toEqual(['Tech']);
    expect((await read()).aliases).toEqual(['Tech']);
    expect((await update({ aliases: [] })).aliases).toEqual([]);
    expect((await read()).aliases).toEqual([]);
    expect((await create(fields())).body.aliases).toEqual([]);
  });

  test.each([
    [Array(21).fill('x'), 'The aliases must have at most 20 items.'],
    [['MIT', ' '], 'Each of the aliases must not be empty.'],
    [['x'.repeat(201)], 'Each of the aliases must have at most 200 characters.'],
    ['MIT', 'The aliases must be a list.'],
  ])('%j as aliases are refused', async (aliases, error) => {
    expect(await create({ ...fields(), aliases })).toMatchObject({ status: 400, body: { error, field: 'aliases' } });
  });

  test.each(['gzip', 'br', 'nonsense'])(
    'a body that says it is packed as %s is refused, whatever it holds',
    async (packing) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': packing };
      const raw = JSON.stringify(fields());
      const refused = await call(product, 'POST /auth/postSchool', { token: admin.token, raw, headers });
      expect(refused.status).toBe(415);
      expect(refused.body).toEqual({ error: 'The body must be sent as it is, without compression.' });
      expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
      const asIs = { ...headers, 'Content-Encoding': 'identity' };
      expect((await call(product, 'POST /auth/postSchool', { token: admin.token, raw, headers: asIs })).status).toBe(
        201,
      );
    },
  );

  test('schools are listed by name without regard to case and accents', async () => {
    const mark = unique('order');
    for (const name of ['zeta', 'École', 'alpha', 'Edge']) await createSchool(product, `${mark} ${name}`);
    const listed = (await call(product, 'GET /auth/schools')).body
      .map(({ schoolName }: { schoolName: string }) => schoolName)
      .filter((name: string) => name.startsWith(mark));
    expect(listed).toEqual([`${mark} alpha`, `${mark} École`, `${mark} Edge`, `${mark} zeta`]);
    expect(await prefixed(mark)).toEqual(listed);
    expect(await prefixed(mark, '&limit=3')).toEqual(listed.slice(0, 3));
    expect(await prefixed(`${mark} é`)).toEqual([`${mark} École`, `${mark} Edge`]);
  });

  test.each([
    ['Lund, Sweden', 'Sweden'],
    ['Bolivia', 'Bolivia'],
    ['Santiago , Región Metropolitana ,  Chile', 'Chile'],
  ])('the country of %j is %j in every list', async (location, country) => {
    const { id, schoolName } = (await create({ ...fields(), location })).body;
    const one = { id, schoolName, country };
    expect((await call(product, `GET /auth/schools?prefix=${schoolName}`)).body).toEqual([one]);
    expect((await call(product, 'GET /auth/schools')).body).toContainEqual(one);
    const moved = { id, schoolName, description: 'Moved.', location: 'Tartu, Estonia' };
    expect((await call(product, 'PUT /auth/updateSchool', { token: admin.token, body: moved })).status).toBe(200);
    const there = { ...one, country: 'Estonia' };
    expect((await call(product, `GET /auth/schools?prefix=${schoolName}`)).body).toEqual([there]);
    expect((await call(product, 'GET /auth/schools')).body).toContainEqual(there);
  });

  test('a prefix finds names in any case, never in the middle of a name, and takes a limit', async () => {
    const mark = unique('PREFIX');
    for (const name of ['One', 'Two', 'Three']) await createSchool(product, `${mark} ${name}`);
    await createSchool(product, `Not ${mark}`);
    expect(await prefixed(mark.toLowerCase())).toEqual([`${mark} One`, `${mark} Three`, `${mark} Two`]);
    expect(await prefixed(mark, '&limit=2')).toEqual([`${mark} One`, `${mark} Three`]);
    expect(await prefixed(`${mark}%`)).toEqual([]);
    expect(await prefixed(`${mark}_`)).toEqual([]);
  });

  test('a prefix also finds names that begin with it apart from accents, behind those that do so exactly', async () => {
    const mark = unique('q');
    const names = [`Lodz ${mark}`, `Łódź ${mark} A`, `lódz ${mark} B`, `Lo. dz ${mark}`];
    for (const name of names) await createSchool(product, name);
    const [plain, polish, half] = names;
    expect(await prefixed(`LODZ ${mark}`)).toEqual([plain, polish, half]);
    expect(await prefixed(`łódź ${mark}`)).toEqual([polish, plain, half]);
    expect(await prefixed(`łódź ${mark}`, '&limit=1')).toEqual([polish]);
    expect(await prefixed(`lodz ${mark} `)).toEqual([polish, half]);
  });

  test('names that differ from a prefix in punctuation do not count against its limit', async () => {
    const mark = unique('p');
    for (const name of [`St ${mark}`, `Št. ${mark} Z`]) await createSchool(product, name);
    expect(await prefixed(`st. ${mark}`, '&limit=1')).toEqual([`Št. ${mark} Z`]);
  });

  test('a long list is cached once, whatever limit and spelling of a prefix it is asked with', async () => {
    const mark = unique('long');
    for (let count = 0; count < 120; count += 1) await createSchool(product, `${mark} ${1_000 + count}`);
    // A notification that arrives late would invalidate a list while it is made, which is then not cached.
    const marked = await createEntry(product, CATEGORIES[0] as Category);
    await awaitNotifications(product, marked.id);
    const read = (query: string) => call(product, `GET /auth/schools${query}`);
    const [all, ofPrefix] = [await read(''), await read(`?prefix=${mark}`)];
    expect(ofPrefix.body).toHaveLength(120);
    const cached = await readMetric(product, 'cached_responses');
    for (let limit = 101; limit < 120; limit += 1) {
      expect((await read(`?limit=${limit}`)).body).toEqual(all.body.slice(0, limit));
      expect((await read(`?prefix=${mark}&limit=${limit}`)).body).toEqual(ofPrefix.body.slice(0, limit));
    }
    for (const limit of [all.body.length, 99_999, 100_000]) {
      expect((await read(`?limit=${limit}`)).headers.get('etag')).toBe(all.headers.get('etag'));
    }
    for (const spelling of [mark.toUpperCase(), mark.replace('l', 'L')]) {
      expect((await read(`?prefix=${spelling}`)).headers.get('etag')).toBe(ofPrefix.headers.get('etag'));
    }
    expect(await readMetric(product, 'cached_responses')).toBe(cached);
    await createSchool(product, `${mark} 0999`);
    expect((await read(`?prefix=${mark}&limit=110`)).body[0].schoolName).toBe(`${mark} 0999`);
  });

  test('only an admin may create, change and delete', async () => {
    const school = await createSchool(product);
    const requests = [
      ['POST /auth/postSchool', fields()],
      ['PUT /auth/updateSchool', { ...fields(), id: school.id }],
      [`DELETE /auth/deleteSchool/${school.id}`, undefined],
    ] as const;
    for (const [request, body] of requests) {
      expect((await call(product, request, { body })).status).toBe(401);
      expect((await call(product, request, { body, token: user.token })).status).toBe(403);
    }
    expect((await call(product, `GET /auth/getSchool/${school.id}`)).body).toEqual(school);
  });

  test('text is trimmed, blank and missing text is refused, unknown fields are not stored', async () => {
    const created = await create({ ...fields(), schoolName: '  Trimmed  ', id: 999_999, extra: 'x' });
    expect(created.body).toMatchObject({ schoolName: 'Trimmed' });
    expect(created.body.id).not.toBe(999_999);
    expect(created.body).not.toHaveProperty('extra');
    for (const wrong of [{ schoolName: '   ' }, { description: '' }, { location: 7 }, { location: undefined }]) {
      expect((await create({ ...fields(), ...wrong })).status).toBe(400);
    }
    expect((await create({ ...fields(), schoolName: 'x'.repeat(201) })).status).toBe(400);
  });

  test('deleting a school deletes its entries and their reviews', async () => {
    const school = await createSchool(product);
    for (const category of CATEGORIES) {
      const entry = await createEntry(product, category, school.id);
      expect((await postReview(product, category, entry.id, user)).status).toBe(201);
      const addresses = [
        `GET /auth/${category.calls.list}/${school.id}`,
        `GET /auth/${category.calls.nameLookup}/${entry.id}`,
        `GET /auth/${category.calls.details}/${entry.id}`,
        `GET /auth/${category.calls.reviews}/${entry.id}`,
        `GET /auth/${category.calls.averageRating}/${entry.id}`,
      ];
      for (const address of addresses) expect((await call(product, address)).status).toBe(200);
    }
    const entries = await product.app.database.read
      .selectFrom('entries')
      .select(['id', 'kind'])
      .where('school_id', '=', school.id)
      .execute();
    await call(product, `DELETE /auth/deleteSchool/${school.id}`, { token: admin.token });
    for (const { id, kind } of entries) {
      const { calls } = CATEGORIES.find((category) => category.kind === kind) ?? {};
      expect((await call(product, `GET /auth/${calls?.nameLookup}/${id}`)).status).toBe(404);
      expect((await call(product, `GET /auth/${calls?.reviews}/${id}`)).status).toBe(404);
      expect((await call(product, `GET /auth/${calls?.leaderboard}`)).text).not.toContain(school.schoolName);
    }
  });
});
