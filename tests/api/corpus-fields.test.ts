import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsWithBody, fieldCases, fieldsOf } from '../support/corpus/fields.ts';
import { expectAnswers, expectRefusals } from '../support/corpus/run.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createWorld, type World } from '../support/world.ts';

test('every field of every body has its twenty cases', () => {
  expect(callsWithBody).toHaveLength(49);
  expect(callsWithBody.flatMap(fieldsOf).length).toBe(173 + 7 * 2 * 3);
});

/** A hint is not kept, and what an admin corrects changes what is made, not the proposal. */
const KEEPS_NOTHING = ['recommendSchool', 'decideProposal'];

describe.each(ENGINES)('fields on %s', (engine) => {
  let product: Product;
  let world: World;
  const tally = { cases: 0 };

  beforeAll(async () => {
    product = await startProduct(engine);
    world = await createWorld(product);
  });
  afterAll(async () => {
    console.log(`${engine}: ${tally.cases} cases of fields`);
    await product.stop();
  });

  test.each(callsWithBody)('$name refuses each field that is wrong and takes each that is only odd', async (target) => {
    const cases = await fieldCases(target, world);
    const refused = cases.filter(({ isAccepted }) => !isAccepted);
    if (refused.length > 0) await expectRefusals(world, refused, tally);
    const accepted = cases.filter(({ isAccepted }) => isAccepted);
    if (accepted.length === 0) return;
    await expectAnswers(world, accepted, tally, ({ field, value }, { status, text }) => {
      if (status !== target.status) return [`status ${status}, ${text}`];
      if (typeof value !== 'string' || KEEPS_NOTHING.includes(target.name)) return [];
      // What is kept is what was sent, but for white space at the ends; a password or a token is not told again.
      const kept = JSON.parse(text)[field];
      return kept === undefined || kept === value.trim() ? [] : [`kept ${String(kept).slice(0, 80)}`];
    });
  });
});
