import { beforeAll, expect, test } from 'vitest';
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
import { createSchool } from '../support/rows.ts';
import { describeProduct, worldOf } from '../support/site.ts';

describeProduct('queries, types, methods and origins on %s', (product) => {
  const world = worldOf(product);

  beforeAll(async () => {
    await createSchool(product);
  });

  test('a query that is wrong is refused with what is wrong', async () => {
    await expectRefusals(world, await wrongQueryCases(world));
  });

  test('a query that is only odd is taken', async () => {
    await expectAnswers(world, oddQueryCases(), (_one, { status, text }) =>
      status === 200 && Array.isArray(JSON.parse(text)) ? [] : [`status ${status}, ${text.slice(0, 80)}`],
    );
  });

  test('a body that says it is not JSON is refused', async () => {
    const cases = await typeCases(world, OTHER_TYPES);
    expect(cases).toHaveLength(25 * 6);
    await expectRefusals(
      world,
      cases.map((one) => ({ ...one, status: 415 })),
    );
  });

  test('a body that says in whatever way that it is JSON is taken', async () => {
    await expectAnswers(world, await typeCases(world, JSON_TYPES), ({ target }, { status, text }) =>
      status === target.status ? [] : [`status ${status}, ${text}`],
    );
  });

  test('a body that is encoded is refused', async () => {
    await expectRefusals(world, await encodingCases(world));
  });

  test('a method that an address does not have is refused', async () => {
    await expectRefusals(world, methodCases());
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
    await expectRefusals(world, cases);
  });
});
