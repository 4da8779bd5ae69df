import { describe, expect, test, vi } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { call } from '../support/call.ts';
import { awaitNotifications, eventually } from '../support/postgres-faults.ts';
import { createEntry, createSchool, createUser, postReview } from '../support/rows.ts';
import { adminOf, describeProduct, startForTest } from '../support/site.ts';

describe('headers for shared caches', () => {
  const control = (fresh: string, stale: string) =>
    expect.stringMatching(new RegExp(`^max-age=0, s-maxage=${fresh}, stale-if-error=${stale}$`));

  test.each([
    ['0', 'no-cache'],
    ['1', control('[01]', '\\d+')],
  ])('with SHARED_CACHE_SECONDS=%s, of public answers and of no others', async (seconds, expected) => {
    const product = await startForTest('sqlite', { SHARED_CACHE_SECONDS: seconds });
    const { id, token } = await createUser(product);
    const cacheControl = async (request: string, options = {}) => {
      const { status, headers } = await call(product, request, options);
      return [status, headers.get('cache-control')];
    };
    for (const time of ['built', 'ready']) {
      expect(await cacheControl('GET /auth/schools', { token }), time).toEqual([200, expected]);
    }
    const unchanged = { headers: { 'If-None-Match': '*' } };
    expect(await cacheControl('GET /auth/schools', unchanged)).toEqual([304, expected]);
    expect(await cacheControl('GET /auth/getSchool/999999')).toEqual([404, 'no-store']);
    expect(await cacheControl(`GET /auth/getProfile/${id}`, { token })).toEqual([200, 'no-store']);
    expect(await cacheControl('GET /landing')).toEqual([200, 'no-cache']);
  });

  test('never allow a response beyond midnight in UTC, neither while this server answers nor while it fails', async () => {
    const product = await startForTest('sqlite', { SHARED_CACHE_SECONDS: '30' });
    const at = async (time: string) => {
      product.clock.ahead = Date.parse(time) - Date.now();
      return (await call(product, 'GET /auth/schools')).headers.get('cache-control');
    };
    expect(await at('2027-06-15T12:00:00.000Z')).toEqual(control('30', '431[56]\\d'));
    expect(await at('2027-06-15T23:59:40.000Z')).toEqual(control('1\\d', '0'));
    expect(await at('2027-06-16T00:00:00.000Z')).toEqual(control('30', '863\\d\\d'));
  });
});

describeProduct('cached responses on %s', (product) => {
  const admin = adminOf(product);

  test('carry a strong ETag, are not sent again, and are compressed when large', async () => {
    for (let index = 0; index < 40; index += 1) await createSchool(product);
    const first = await call(product, 'GET /auth/schools');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await call(product, 'GET /auth/schools', {
        headers: { 'If-None-Match': header, 'Accept-Encoding': 'identity' },
      });
      expect([again.status, again.text]).toEqual([304, '']);
    }
    expect((await call(product, 'GET /auth/schools', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    const bodies: unknown[] = [];
    const readEncoding = async () => {
      const answer = await call(product, 'GET /auth/schools', { headers: { 'Accept-Encoding': 'br' } });
      bodies.push(answer.body);
      return answer.headers.get('content-encoding');
    };
    await eventually(readEncoding).toBe('br');
    for (const body of bodies) expect(body).toEqual(first.body);
    const refused = await call(product, 'GET /auth/schools', { headers: { 'Accept-Encoding': 'br;q=0' } });
    expect(refused.headers.get('content-encoding')).toBeNull();
    await createSchool(product);
    expect((await call(product, 'GET /auth/schools', { headers: { 'If-None-Match': etag } })).status).toBe(200);
  });

  test('begin a list with any limit like the whole list, with an ETag of its own', async () => {
    for (let index = 0; index < 130; index += 1) await createSchool(product, `Ł${index} ${'é'.repeat(index)}"`);
    // Asked by `fetch` as well: it parses JSON of its own before its first request to an address.
    const whole = (await (await fetch(`${product.url}/auth/schools`)).json()) as unknown[];
    const limits = [101, 102, 129, whole.length - 1, whole.length, whole.length + 1];
    const etags = new Set<string>();
    const parsing = vi.spyOn(JSON, 'parse');
    for (const limit of limits) {
      const path = `/auth/schools?limit=${limit}`;
      const response = await fetch(product.url + path, { headers: { 'Accept-Encoding': 'identity' } });
      const [text, etag] = [await response.text(), response.headers.get('etag') ?? ''];
      expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text));
      expect(parsing, 'the cached list is not read again').not.toHaveBeenCalled();
      expect(text).toBe(JSON.stringify(whole.slice(0, limit)));
      const again = await fetch(product.url + path, { headers: { 'If-None-Match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const head = await fetch(product.url + path, { method: 'HEAD' });
      expect([head.headers.get('etag'), await head.text()]).toEqual([etag, '']);
      etags.add(etag);
    }
    parsing.mockRestore();
    expect(etags.size).toBe(limits.length - 1);
  });

  test('random reads and writes over HTTP never read what an acknowledged write has changed', async () => {
    const category = CATEGORIES[1] as (typeof CATEGORIES)[number];
    const { calls } = category;
    const entries = await Promise.all([createEntry(product, category), createEntry(product, category)]);
    const users = await Promise.all([createUser(product), createUser(product), createUser(product)]);
    const ratings = new Map<string, { id: number; rating: number }>();
    const expected = (entryId: number) => {
      const own = [...ratings].filter(([key]) => key.startsWith(`${entryId}/`)).map(([, { rating }]) => rating);
      return {
        total: own.length,
        average: own.length === 0 ? 0 : own.reduce((sum, rating) => sum + rating, 0) / own.length,
      };
    };
    const random = createRandom(7);
    for (let round = 0; round < 200; round += 1) {
      const entry = random.pick(entries);
      const user = random.pick(users);
      const key = `${entry.id}/${user.id}`;
      const own = ratings.get(key);
      const rating = (random.below(10) + 1) / 2;
      if (!own) {
        const body = { [category.itemKey]: { id: entry.id }, rating, review: 'r' };
        const { body: posted } = await call(product, `POST /auth/${calls.postReview}`, { token: user.token, body });
        ratings.set(key, { id: posted.id, rating });
      } else if (random.below(2) === 0) {
        await call(product, `PUT /auth/${calls.updateReview}`, {
          token: user.token,
          body: { id: own.id, rating, review: 'r' },
        });
        ratings.set(key, { id: own.id, rating });
      } else {
        await call(product, `DELETE /auth/${calls.removeReview}/${own.id}`, { token: user.token });
        ratings.delete(key);
      }
      const [total, average, list, document] = await Promise.all([
        call(product, `GET /auth/${calls.totalReviews}/${entry.id}`),
        call(product, `GET /auth/${calls.averageRating}/${entry.id}`),
        call(product, `GET /auth/${calls.reviews}/${entry.id}`),
        call(product, `GET ${category.pages.reviews}/${entry.id}`),
      ]);
      const truth = expected(entry.id);
      expect(Number(/"reviewCount":(\d+)/.exec(document.text)?.[1] ?? 0)).toBe(truth.total);
      expect(total.body.totalReviews).toBe(truth.total);
      expect(average.body.averageRating).toBeCloseTo(truth.average, 10);
      expect(list.body).toHaveLength(truth.total);
    }
  });

  test('a renamed entry or school and a deleted user show everywhere at once', async () => {
    const category = CATEGORIES[0] as (typeof CATEGORIES)[number];
    const entry = await createEntry(product, category);
    const details = () => call(product, `GET /auth/${category.calls.details}/${entry.id}`);
    const school = (await call(product, `GET /auth/getSchool/${entry.schoolId}`)).body;
    const titles = () =>
      Promise.all(
        [
          `/school/${entry.schoolId}`,
          `${category.pages.list}/${entry.schoolId}`,
          `${category.pages.reviews}/${entry.id}`,
        ].map(async (path) => /<title>(.*?) · [^·]*<\/title>/.exec((await call(product, `GET ${path}`)).text)?.[1]),
      );
    await Promise.all([details(), titles()]);
    await call(product, 'PUT /auth/updateSchool', {
      token: admin.token,
      body: { ...school, schoolName: 'Renamed School' },
    });
    expect((await details()).body.schoolName).toBe('Renamed School');
    const atSchool = `${category.label} at Renamed School`;
    expect(await titles()).toEqual(['Renamed School', atSchool, expect.stringContaining('Renamed School')]);
    const change = { id: entry.id, [category.nameField]: 'Renamed Entry', description: 'd', schoolId: entry.schoolId };
    await call(product, `PUT /auth/${category.calls.update}`, { token: admin.token, body: change });
    expect((await details()).body[category.nameField]).toBe('Renamed Entry');
    expect((await call(product, `GET /auth/${category.calls.nameLookup}/${entry.id}`)).body[category.nameField]).toBe(
      'Renamed Entry',
    );
    expect(await titles()).toEqual(['Renamed School', atSchool, 'Renamed Entry reviews · Renamed School']);
    await call(product, `DELETE /auth/deleteSchool/${entry.schoolId}`, { token: admin.token });
    expect(await titles()).toEqual(['Page not found', 'Page not found', 'Page not found']);
  });

  test('are the same however an address is spelled, whether routed or read before', async () => {
    const category = CATEGORIES[2] as (typeof CATEGORIES)[number];
    const entry = await createEntry(product, category);
    for (const text of ['first', 'second', 'third']) {
      await postReview(product, category, entry.id, await createUser(product), { review: text });
    }
    const list = `/auth/${category.calls.reviews}`;
    const spellings: readonly (readonly [plain: string, ...others: string[]])[] = [
      [`${list}/${entry.id}?limit=2`, `${list}/${entry.id}?limit=%32`, `${list}/${entry.id}?noise=1&limit=2`],
      [`/auth/getSchool/${entry.schoolId}`, `/auth/getSchool/${entry.schoolId}?`, `/auth/getSchool/0${entry.schoolId}`],
    ];
    const sent = async (path: string) => {
      const { status, text, headers } = await call(product, `GET ${path}`);
      return { status, text, etag: headers.get('etag'), link: headers.get('link') };
    };
    for (const [plain, ...others] of spellings) {
      const expected = await sent(plain);
      expect([expected.status, expected.etag]).toEqual([200, expect.any(String)]);
      for (const other of others) expect(await sent(other), other).toEqual(expected);
    }
    expect((await sent(`${list}/${entry.id}?limit=2`)).link).toMatch(/before=\d+-\d+&limit=2>; rel="next"/);
    for (const odd of [`${list}/${entry.id}?limit=2&limit=3`, `${list}/${entry.id}?limit=0`, `/auth/schools?limit=x`]) {
      expect((await sent(odd)).status, odd).toBe(400);
    }
  });

  test('are found before routing in whatever order a query is written', async () => {
    const category = CATEGORIES[3] as (typeof CATEGORIES)[number];
    const entry = await createEntry(product, category);
    await postReview(product, category, entry.id, await createUser(product), { rating: 4 });
    const list = `/auth/${category.calls.reviews}`;
    const sentBeforeRouting = async () => {
      const { text } = await call(product, 'GET /metrics');
      const [, count = '0'] =
        new RegExp(`cached_responses_sent_total{route="${list}/:id",status="200"} (\\d+)`).exec(text) ?? [];
      return Number(count);
    };
    // A notification that arrives late would invalidate the first response before it is asked for again.
    const marked = await createEntry(product, CATEGORIES[0] as Category);
    await awaitNotifications(product, marked.id);
    const before = await sentBeforeRouting();
    const first = await call(product, `GET ${list}/${entry.id}?limit=20&stars=4`);
    expect(await sentBeforeRouting()).toBe(before);
    const swapped = await call(product, `GET ${list}/${entry.id}?stars=4&limit=20`);
    const twice = await call(product, `GET ${list}/${entry.id}?stars=4&limit=20&stars=4`);
    expect([swapped.text, twice.status]).toEqual([first.text, 400]);
    expect(await sentBeforeRouting()).toBe(before + 1);
  });
});
