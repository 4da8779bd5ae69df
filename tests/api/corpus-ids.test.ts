import { beforeAll, expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import type { Case } from '../support/corpus/case.ts';
import { idCases } from '../support/corpus/ids.ts';
import { expectRefusals } from '../support/corpus/run.ts';
import { describeProduct, worldOf } from '../support/site.ts';

const wordOf = ({ method, path }: Pick<Case, 'method' | 'path'>) => `${method} ${path.split('/')[2]}`;

describeProduct('ids on %s', (product) => {
  const world = worldOf(product);
  let cases: Case[];

  beforeAll(async () => {
    cases = await idCases(world);
  });

  const ofCategory = ({ path }: Case) =>
    CATEGORIES.find(({ calls }) => Object.values(calls).includes(path.split('/')[2] ?? ''));

  test('each way to be no id is tried with each call that has one', () => {
    const withId = CALLS.filter(({ path }) => path.includes(':')).map(({ method, path }) => wordOf({ method, path }));
    for (const [name, those] of Map.groupBy(cases, (one) => one.name)) {
      expect(new Set(those.map(wordOf)), name).toEqual(new Set(withId));
    }
  });

  test.each(CATEGORIES)('of $label that are none are refused', (category) =>
    expectRefusals(
      world,
      cases.filter((one) => ofCategory(one) === category),
    ),
  );

  test('of schools and users that are invalid are refused', () =>
    expectRefusals(
      world,
      cases.filter((one) => !ofCategory(one)),
    ));
});
