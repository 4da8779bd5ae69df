import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suggestSchools } from '../../src/client/pages/schools/suggestions.ts';
import { isEmail, isTypedEmail } from '../../src/contract/email.ts';
import { RATINGS, starFills, starLabel } from '../../src/contract/stars.ts';
import { createAddressLimit, limiterAddress } from '../../src/server/http/address-limit.ts';
import { checkModelAnswer } from '../../src/server/profiles/model-answer.ts';
import type { Candidate } from '../../src/server/profiles/recommender.ts';
import { nameKey } from '../../src/server/schools/queries.ts';

describe('stars', () => {
  test.each([
    [0, 'eeeee'],
    [0.24, 'eeeee'],
    [0.25, 'heeee'],
    [0.5, 'heeee'],
    [0.74, 'heeee'],
    [0.75, 'eeeee'],
    [3, 'fffee'],
    [3.5, 'fffhe'],
    [4.9, 'ffffe'],
    [5, 'fffff'],
  ])('%d shows as %s', (value, expected) => {
    expect(
      starFills(value)
        .map((fill) => fill[0])
        .join(''),
    ).toBe(expected);
  });

  test('ratings are the ten half stars, named as people say them', () => {
    expect(RATINGS).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]);
    expect([0.5, 1, 2].map(starLabel)).toEqual(['0.5 stars', '1 star', '2 stars']);
  });
});

describe('email', () => {
  test('what the server takes, the form takes too', () => {
    fc.assert(fc.property(fc.emailAddress(), (email) => !isEmail(email) || isTypedEmail(email)));
    expect(isTypedEmail('x1<victim@b.co>')).toBe(true);
    expect(isEmail('x1<victim@b.co>')).toBe(false);
  });
});

describe('addresses', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('%s counts as %s', (address, counted) => {
    expect(limiterAddress(address)).toBe(counted);
  });

  test('one address may ask as often as allowed, and another is not held back by it', () => {
    const limit = createAddressLimit(3);
    expect([1, 2, 3, 4].map(() => limit.take('192.0.2.1') > 0)).toEqual([false, false, false, true]);
    expect(limit.take('192.0.2.2')).toBe(0);
  });
});

describe('suggestions', () => {
  const schools = ['École A', 'Ecole B', 'Zeta', 'École C', 'ecole d', 'Ecole E', 'Ecole F', 'Ecole G'].map(
    (schoolName, id) => ({ id, schoolName }),
  );
  const names = (typed: string) => suggestSchools(schools, typed).map(({ schoolName }) => schoolName);

  test('names that begin exactly so come first, those but for accents fill up', () => {
    expect(names('ecole')).toEqual(['Ecole B', 'ecole d', 'Ecole E', 'Ecole F', 'Ecole G']);
    expect(names('École')).toEqual(['École A', 'École C', 'Ecole B', 'ecole d', 'Ecole E']);
    expect(names('zeta')).toEqual(['Zeta']);
    expect(names('nothing')).toEqual([]);
  });
});

test('the order of names has no case and no accents', () => {
  expect(nameKey('École ÄRZTE')).toBe('ecole arzte');
});

describe('what a model says', () => {
  const candidates = ['City University', 'New City University', 'Hill College'].map(
    (schoolName) => ({ schoolName }) as Candidate,
  );
  test.each([
    ['New City University fits you well.', true],
    ['I would go to city university.', true],
    ['City University and Hill College.', false],
    ['Go to Evil University.', false],
    ['City University, not the University of Nowhere.', false],
    ['City University: https://x.example', false],
    ['', false],
  ])('%j is shown: %s', (answer, isShown) => {
    expect(checkModelAnswer(answer, candidates) !== undefined).toBe(isShown);
  });
});
