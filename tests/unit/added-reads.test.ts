import { expect, test } from 'vitest';
import { hasExpectedShape } from '../../src/client/added-reads.ts';
import { CALLS } from '../../src/contract/calls.ts';

interface Schema {
  type?: string;
  required?: readonly string[];
  anyOf?: readonly Schema[];
}

/** Answers of the outline that a schema describes. */
function answersOf({ type, required = [], anyOf }: Schema): unknown[] {
  if (anyOf) return anyOf.flatMap(answersOf);
  if (type === 'null') return [null];
  return [type === 'array' ? [] : Object.fromEntries(required.map((name) => [name, 1]))];
}

test('every read that the server may answer has the outline that the pages rely on', () => {
  for (const { name, answer } of CALLS.filter(({ method }) => method === 'GET'))
    for (const one of answersOf(answer as Schema)) expect(hasExpectedShape(name, one), name).toBe(true);
});

test('what a stand-in answers to an added read it does not know has not', () => {
  for (const name of ['getEntrySummary', 'getSchoolSummary', 'getMyClubsReview', 'getMajorsEntry', 'getOpenCounts'])
    for (const answer of [[], {}, '', 0]) expect(hasExpectedShape(name, answer), name).toBe(false);
  for (const answer of [{}, null, '']) expect(hasExpectedShape('getVoices', answer)).toBe(false);
  expect(hasExpectedShape('getEntrySummary', null)).toBe(false);
});
