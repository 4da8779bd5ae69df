import { expect, test } from 'vitest';
import { FIELD_KINDS, KINDS_BY_CALL } from '../support/corpus/field-kinds.ts';
import { bodyFieldsOf, callsWithBody, fieldCases } from '../support/corpus/fields.ts';
import { expectAnswers, expectRefusals } from '../support/corpus/run.ts';
import { describeProduct, worldOf } from '../support/site.ts';

test('every field of every body has a kind, and every kind is of a field', () => {
  const kinds = [FIELD_KINDS, ...Object.values(KINDS_BY_CALL)].flatMap(Object.keys);
  expect(new Set(kinds)).toEqual(new Set(callsWithBody.flatMap(bodyFieldsOf)));
  expect(Object.keys(KINDS_BY_CALL).filter((name) => !callsWithBody.some((call) => call.name === name))).toEqual([]);
});

/**
 * Calls that do not keep every field. A hint for a recommendation is not stored. An admin's corrections change what is
 * made, not the proposal. A proposed entry has no fields of a proposed school.
 */
const KEEPS_NOTHING = ['recommendSchool', 'decideProposal', 'updateMyProposal'];

describeProduct('fields on %s', (product) => {
  const world = worldOf(product);

  test.each(callsWithBody)('$name refuses each field that is wrong and takes each that is only odd', async (target) => {
    const cases = await fieldCases(target, world);
    const refused = cases.filter(({ isAccepted }) => !isAccepted);
    if (refused.length > 0) await expectRefusals(world, refused);
    const accepted = cases.filter(({ isAccepted }) => isAccepted);
    if (accepted.length === 0) return;
    await expectAnswers(world, accepted, ({ field, value }, { status, text }) => {
      if (status !== target.status) return [`status ${status}, ${text}`];
      if (typeof value !== 'string' || KEEPS_NOTHING.includes(target.name)) return [];
      // The stored value is the one that was sent, without white space at its ends; a password or a token is not
      // returned.
      const kept = JSON.parse(text)[field];
      return kept === undefined || kept === value.trim() ? [] : [`kept ${String(kept).slice(0, 80)}`];
    });
  });
});
