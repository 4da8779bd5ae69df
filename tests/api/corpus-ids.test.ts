import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import type { Case } from '../support/corpus/case.ts';
import { idCases } from '../support/corpus/ids.ts';
import { expectRefusals } from '../support/corpus/run.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createWorld, type World } from '../support/world.ts';

describe.each(ENGINES)('ids on %s', (engine) => {
  let product: Product;
  let world: World;
  let cases: Case[];
  const tally = { cases: 0 };

  beforeAll(async () => {
    product = await startProduct(engine);
    world = await createWorld(product);
    cases = await idCases(world);
  });
  afterAll(async () => {
    console.log(`${engine}: ${tally.cases} cases of ids in paths`);
    await product.stop();
  });

  const ofCategory = ({ path }: Case) =>
    CATEGORIES.find(({ calls }) => Object.values(calls).includes(path.split('/')[2] ?? ''));

  test('there are 26 for each of the calls with an id', () =>
    expect(cases).toHaveLength(26 * CALLS.filter(({ path }) => path.includes(':')).length));

  test.each(CATEGORIES)('of $label that are none are refused', (category) =>
    expectRefusals(
      world,
      cases.filter((one) => ofCategory(one) === category),
      tally,
    ),
  );

  test('of schools and users that are none are refused', () =>
    expectRefusals(
      world,
      cases.filter((one) => !ofCategory(one)),
      tally,
    ));
});
