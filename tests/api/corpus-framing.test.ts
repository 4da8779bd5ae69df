import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  encodingCases,
  foreignCases,
  JSON_TYPES,
  methodCases,
  OTHER_TYPES,
  typeCases,
} from '../support/corpus/framing.ts';
import { oddQueryCases, wrongQueryCases } from '../support/corpus/queries.ts';
import { expectAnswers, expectRefusals } from '../support/corpus/run.ts';
import { send } from '../support/corpus/send.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createSchool } from '../support/rows.ts';
import { createWorld, type World } from '../support/world.ts';

describe.each(ENGINES)('queries, types, methods and origins on %s', (engine) => {
  let product: Product;
  let world: World;
  const tally = { cases: 0 };

  beforeAll(async () => {
    product = await startProduct(engine);
    world = await createWorld(product);
    await createSchool(product);
  });
  afterAll(async () => {
    console.log(`${engine}: ${tally.cases} cases of queries, types, methods and origins`);
    await product.stop();
  });

  test('a query that is wrong is refused with what is wrong', async () => {
    await expectRefusals(world, await wrongQueryCases(world), tally);
  });

  test('a query that is only odd is taken', async () => {
    await expectAnswers(world, oddQueryCases(), tally, (_one, { status, text }) =>
      status === 200 && Array.isArray(JSON.parse(text)) ? [] : [`status ${status}, ${text.slice(0, 80)}`],
    );
  });

  test('a body that says it is not JSON is refused', async () => {
    const cases = await typeCases(world, OTHER_TYPES);
    expect(cases).toHaveLength(25 * 6);
    await expectRefusals(
      world,
      cases.map((one) => ({ ...one, status: 415 })),
      tally,
    );
  });

  test('a body that says in whatever way that it is JSON is taken', async () => {
    await expectAnswers(world, await typeCases(world, JSON_TYPES), tally, ({ target }, { status, text }) =>
      status === target.status ? [] : [`status ${status}, ${text}`],
    );
  });

  test('a body that is encoded is refused', async () => {
    await expectRefusals(world, await encodingCases(world), tally);
  });

  test('a method that an address does not have is refused', async () => {
    await expectRefusals(world, methodCases(), tally);
  });

  test.each(['/auth/schools', '/landing', '/healthz', '/auth/nothing'])(
    'HEAD %s is GET without a body',
    async (path) => {
      const [head, get] = [await send(product, { method: 'HEAD', path }), await send(product, { method: 'GET', path })];
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    },
  );

  test('a change asked for by another site is refused', async () => {
    const cases = await foreignCases(world);
    expect(cases.length).toBeGreaterThan(6 * 50);
    await expectRefusals(world, cases, tally);
  });

  test.each(['https://elsewhere.example', 'null', 'http://127.0.0.1.elsewhere.example'])(
    'what everyone may read, a page of %s may not',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
        const reply = await send(product, { method, path: '/auth/schools', headers });
        expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    },
  );
});
