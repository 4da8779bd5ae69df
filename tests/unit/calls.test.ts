import Fastify from 'fastify';
import * as Type from 'typebox';
import { expect, test } from 'vitest';
import { callAddress, callKey, defineCall } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { Id } from '../../src/contract/fields.ts';
import type { Database } from '../../src/server/database/database.ts';
import { createOwnWrites } from '../../src/server/http/cache/own-writes.ts';
import { createResponseCache } from '../../src/server/http/cache/response-cache.ts';
import { createPublicReads } from '../../src/server/http/serve/public-reads.ts';
import { createServe } from '../../src/server/http/serve/serve.ts';
import { NAMES } from '../support/names-table.ts';

const findDuplicates = (values: readonly string[]) => values.filter((value, index) => values.indexOf(value) !== index);

test('no two calls have one name', () => {
  expect(CALLS.length).toBeGreaterThan(100);
  expect(findDuplicates(CALLS.map(({ name }) => name))).toEqual([]);
});

test('no two calls have one method and path, whatever their params are called', () => {
  expect(findDuplicates(CALLS.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`))).toEqual([]);
});

test.each(CALLS)('$method $path names its params and no other', ({ path, params }) => {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param);
  expect(inPath.toSorted()).toEqual(Object.keys((params as Type.TObject).properties).toSorted());
  expect(path).toMatch(/^\/auth(\/:?\w+)+$/);
});

test('no call names a category but its own', () => {
  const own = new Set(CATEGORIES.flatMap(({ calls }) => Object.values(calls)));
  const stems = CATEGORIES.map(({ calls }) => calls.list.replace('get', '').replace(/s$/, ''));
  const naming = CALLS.filter(({ name }) => !own.has(name) && stems.some((stem) => name.includes(stem)));
  expect(naming.map(({ name }) => name)).toEqual([]);
});

test('a category of the specification has the calls named there, and the one for the heading of an entry', () => {
  for (const row of NAMES) {
    const calls = CATEGORIES.find(({ label }) => label === row.label)?.calls;
    const named = Object.values(row).filter((value) => CALLS.some(({ name }) => name === value));
    expect(Object.values(calls ?? {}).toSorted()).toEqual([...named, calls?.details].toSorted());
  }
});

const PARTS = { params: { school: 7, schoolYear: 2026 }, query: { order: 'best' } };
const deep = defineCall({
  name: 'getSchoolYear',
  method: 'GET',
  path: '/auth/schools/:school/years/:schoolYear/summary',
  summary: 'A call of the test',
  access: 'everyone',
  params: Type.Object({ school: Id, schoolYear: Id }),
  query: Type.Object({ order: Type.Optional(Type.String({ title: 'The order' })) }),
  answer: Type.Object({ school: Id, schoolYear: Id, order: Type.String() }),
});

test('a path of several parts has its name, its address and its key', () => {
  expect(callAddress(deep, PARTS)).toBe('/auth/schools/7/years/2026/summary?order=best');
  expect(callKey(deep, PARTS)).toEqual(['getSchoolYear', PARTS]);
});

test('a path of several parts is served, cached and not mistaken for a shorter one', async () => {
  const cache = createResponseCache(100_000, { calls: [], documents: [], documentsWithForm: [], open: [] });
  // Casts, because the handler below reads no database.
  const reads = createPublicReads(cache, { read: undefined as never, readShared: () => undefined as never });
  const server = Fastify();
  const identify = () => Promise.reject(new Error('nobody signs in here'));
  const ownWrites = createOwnWrites(() => ({ hasFollowed: () => true, follow: async () => {} }));
  const serve = createServe(server, { database: {} as Database, identify, timeBudgets: undefined, reads, ownWrites });
  let made = 0;
  serve.read(
    deep,
    async ({ params, query: { order = 'none' } }) => {
      made += 1;
      return { ...params, order };
    },
    () => [],
  );
  for (let times = 0; times < 2; times += 1) {
    const { statusCode, body } = await server.inject(callAddress(deep, PARTS));
    expect([statusCode, JSON.parse(body)]).toEqual([200, { school: 7, schoolYear: 2026, order: 'best' }]);
  }
  expect(made).toBe(1);
  expect((await server.inject('/auth/getSchoolYear/7/2026')).statusCode).toBe(404);
  await server.close();
});
