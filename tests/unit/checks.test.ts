import * as Type from 'typebox';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { text } from '../../src/contract/fields.ts';
import { Refusal } from '../../src/server/http/refusals/refusals.ts';
import { compileCheck } from '../../src/server/http/serve/checks.ts';

afterEach(() => void vi.restoreAllMocks());

/** The answer to a value that is refused, or the checked value. */
function refusalOf(schema: Type.TSchema, input: unknown, fromAddress = false): unknown {
  try {
    return { taken: compileCheck(schema, fromAddress)(input) };
  } catch (error) {
    if (error instanceof Refusal) return [error.status, JSON.parse(error.toJson())];
    throw error;
  }
}

const refused = (error: string, field?: string) => [400, field === undefined ? { error } : { error, field }];

const Rating = Type.Number({ title: 'The rating', minimum: 0.5, maximum: 5, multipleOf: 0.5 });
const Review = text({ title: 'The review', max: 5_000 });

describe('prose', () => {
  const check = compileCheck(Type.Object({ review: Review }), false);

  test('what is too long by its marks alone is refused before they are put into order', () => {
    // Normalizing marks takes time with the square of their number. A test over HTTP would only see that time.
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const review = `a${'\u0301'.repeat(15_000)}${'\u0316'.repeat(15_000)}`;
    expect(() => check({ review })).toThrow('The review must have at most 5,000 characters.');
    expect(normalize).not.toHaveBeenCalled();
  });

  test.each([
    ['Vietnamese', 'e\u0323\u0302', 'ệ'],
    ['Greek', 'α\u0313\u0300\u0345', 'ᾂ'],
    ['Latin', 'u\u0308', 'ü'],
  ])('%s letters written with their marks apart count as the letters they are', (_script, apart, together) => {
    expect(check({ review: apart.repeat(5_000) })).toEqual({ review: together.repeat(5_000) });
  });

  test('a character beyond the first plane counts as one', () => {
    expect(check({ review: '🎓'.repeat(5_000) })).toEqual({ review: '🎓'.repeat(5_000) });
    expect(() => check({ review: '🎓'.repeat(5_001) })).toThrow('The review must have at most 5,000 characters.');
  });

  test('what cannot be stored is refused as such, however long it is', () => {
    for (const review of ['a\0b', 'a\ud800b', `${'x'.repeat(6_000)}\0`]) {
      expect(() => check({ review })).toThrow('The review contains characters that cannot be stored.');
    }
  });
});

describe('objects', () => {
  const Proposal = Type.Object({
    schoolId: Type.Integer({ minimum: 1, title: 'The schoolId' }),
    name: text({ title: 'The name', max: 120 }),
    review: Type.Optional(Type.Object({ rating: Rating, review: Review })),
  });

  test('the first field that is wrong is told, in the order of the schema, missing or not', () => {
    expect(refusalOf(Proposal, {})).toEqual(refused('The schoolId is missing.', 'schoolId'));
    expect(refusalOf(Proposal, { schoolId: 0 })).toEqual(
      refused('The schoolId must be a positive whole number.', 'schoolId'),
    );
    expect(refusalOf(Proposal, { name: '', review: 1, schoolId: 1 })).toEqual(
      refused('The name must not be empty.', 'name'),
    );
  });

  test('a field within another is named with it', () => {
    const given = { schoolId: 1, name: 'Chess' };
    const of = (review: unknown) => refusalOf(Proposal, { ...given, review });
    expect(of('good')).toEqual(refused('The review must be an object.', 'review'));
    expect(of({})).toEqual(refused('The rating is missing.', 'review.rating'));
    expect(of({ rating: 0.7, review: 'x' })).toEqual(
      refused('The rating must be a number from 0.5 to 5 in steps of 0.5.', 'review.rating'),
    );
    expect(of({ rating: 5, review: ' ' })).toEqual(refused('The review must not be empty.', 'review.review'));
    expect(of({ rating: 5, review: ' x ', isAdmin: true })).toEqual({
      taken: { ...given, review: { rating: 5, review: 'x' } },
    });
  });

  test('a body that is no object is about no field', () => {
    for (const body of [null, [], 'text', 1]) {
      expect(refusalOf(Proposal, body)).toEqual(refused('The body must be an object.'));
    }
  });

  test('names of the prototype are values like any, and nothing is taken that is not named', () => {
    const Names = Type.Object({ constructor: Type.Optional(text({ title: 'The constructor', max: 9 })) });
    expect(refusalOf(Names, {})).toEqual({ taken: {} });
    expect(refusalOf(Names, { constructor: 1 })).toEqual(refused('The constructor must be text.', 'constructor'));
    const taken = compileCheck(Names, false)(JSON.parse('{"__proto__":{"isAdmin":true},"toString":1}')) as object;
    expect([Object.keys(taken), Object.getPrototypeOf(taken) === Object.prototype]).toEqual([[], true]);
    expect('isAdmin' in taken).toBe(false);
  });
});

describe('choices', () => {
  const Relation = Type.Object({
    relation: Type.Optional(
      Type.Enum(['student', 'alumnus', 'parent', 'educator'], { title: 'The relation', isBlankAbsent: true }),
    ),
  });

  test('one of them is taken, anything else is told them all', () => {
    expect(refusalOf(Relation, { relation: 'parent' })).toEqual({ taken: { relation: 'parent' } });
    for (const relation of ['Parent', 'parent ', 1, [], {}, '__proto__']) {
      expect(refusalOf(Relation, { relation })).toEqual(
        refused('The relation must be student, alumnus, parent, or educator.', 'relation'),
      );
    }
  });

  test('null and empty text mean that it is left out, where the schema says so', () => {
    expect(refusalOf(Relation, { relation: null })).toEqual({ taken: {} });
    expect(refusalOf(Relation, { relation: '' })).toEqual({ taken: {} });
    const Since = Type.Object({ since: Type.Optional(Type.Integer({ minimum: 1950, maximum: 2100 })) });
    expect(refusalOf(Since, { since: null })).toEqual(
      refused('The since must be a whole number from 1950 to 2100.', 'since'),
    );
  });
});

describe('lists', () => {
  const Aliases = Type.Object({
    aliases: Type.Array(text({ title: 'Each alias', max: 200 }), { title: 'The aliases', minItems: 1, maxItems: 20 }),
  });
  const of = (aliases: unknown) => refusalOf(Aliases, { aliases });

  test('each item is prepared and checked like a field', () => {
    expect(of([' e\u0301cole ', 'x'])).toEqual({ taken: { aliases: ['école', 'x'] } });
    expect(of(['x', ''])).toEqual(refused('Each alias must not be empty.', 'aliases'));
    expect(of(['x', 1])).toEqual(refused('Each alias must be text.', 'aliases'));
    expect(of(['x', 'x'.repeat(201)])).toEqual(refused('Each alias must have at most 200 characters.', 'aliases'));
  });

  test('what is no list, too short or too long is refused', () => {
    expect(of('x')).toEqual(refused('The aliases must be a list.', 'aliases'));
    expect(of({ length: 1 })).toEqual(refused('The aliases must be a list.', 'aliases'));
    expect(of([])).toEqual(refused('The aliases must have at least 1 item.', 'aliases'));
    expect(of(Array(21).fill('x'))).toEqual(refused('The aliases must have at most 20 items.', 'aliases'));
  });

  test('items without a title are called after their list', () => {
    const Notes = Type.Object({ notes: Type.Array(Type.Boolean()) });
    expect(refusalOf(Notes, { notes: [1] })).toEqual(refused('Each of the notes must be true or false.', 'notes'));
  });
});

describe('queries', () => {
  const Compared = Type.Object({
    ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 2, maxItems: 4, uniqueItems: true, title: 'The ids' }),
  });
  const of = (ids: unknown) => refusalOf(Compared, { ids }, true);

  test('a list is numbers with commas between, or a name that is given several times', () => {
    expect(of('1,2,3')).toEqual({ taken: { ids: [1, 2, 3] } });
    expect(of(['1', '2'])).toEqual({ taken: { ids: [1, 2] } });
    expect(of('')).toEqual(refused('The ids must have at least 2 items.', 'ids'));
    expect(of('1')).toEqual(refused('The ids must have at least 2 items.', 'ids'));
    expect(of('1,2,3,4,5')).toEqual(refused('The ids must have at most 4 items.', 'ids'));
    expect(of('1,1')).toEqual(refused('The ids must not contain the same item twice.', 'ids'));
    for (const ids of ['1,', ',1', '1,x', '1, 2', '1,+2', '1,2.0', '1,0', ['1,2', '3']]) {
      expect(of(ids)).toEqual(refused('Each of the ids must be a positive whole number.', 'ids'));
    }
  });

  test('a sentence of its own is said of the list and of its items', () => {
    const says = 'Please choose 2 to 4 different schools.';
    const Chosen = Type.Object({ ids: Type.Array(Type.Integer(), { minItems: 2, says }) });
    expect(refusalOf(Chosen, { ids: '1' }, true)).toEqual(refused(says, 'ids'));
    expect(refusalOf(Chosen, { ids: '1,x' }, true)).toEqual(refused(says, 'ids'));
  });

  test('a number is digits, with a point at most', () => {
    const Least = Type.Object({ minRating: Type.Optional(Rating) });
    expect(refusalOf(Least, { minRating: '3.5' }, true)).toEqual({ taken: { minRating: 3.5 } });
    for (const minRating of ['', '.5', '5.', '+1', '1e0', '0x1', '3,5', ' 1', 'NaN', '3.7', '6', ['1', '2']]) {
      expect(refusalOf(Least, { minRating }, true)).toEqual(
        refused('The rating must be a number from 0.5 to 5 in steps of 0.5.', 'minRating'),
      );
    }
    expect(refusalOf(Least, { minRating: '3.5' })).toMatchObject([400, { field: 'minRating' }]);
  });
});

describe('unions', () => {
  const Size = Type.Union(
    [Type.Integer({ minimum: 1, maximum: 9 }), text({ title: 'The size', max: 5 }), Type.Null()],
    {
      title: 'The size',
    },
  );
  const of = (size: unknown) => refusalOf(Type.Object({ size: Size }), { size });

  test('a value is prepared and checked as the branch of its kind', () => {
    expect(of(' big ')).toEqual({ taken: { size: 'big' } });
    expect(of(null)).toEqual({ taken: { size: null } });
    expect(of(10)).toEqual(refused('The size must be a whole number from 1 to 9.', 'size'));
    expect(of('too big')).toEqual(refused('The size must have at most 5 characters.', 'size'));
    expect(of(true)).toEqual(refused('The size must be a whole number from 1 to 9 or text.', 'size'));
  });

  test('an object is taken for the branch whose constants it has', () => {
    const Decision = Type.Union(
      [
        Type.Object({ action: Type.Literal('accept') }),
        Type.Object({ action: Type.Literal('refuse'), reason: text({ title: 'The reason', min: 3, max: 500 }) }),
      ],
      { title: 'The decision' },
    );
    const decide = (decision: unknown) => refusalOf(Type.Object({ decision: Decision }), { decision });
    expect(decide({ action: 'accept', reason: ' none ' })).toEqual({ taken: { decision: { action: 'accept' } } });
    expect(decide({ action: 'refuse', reason: ' spam ' })).toEqual({
      taken: { decision: { action: 'refuse', reason: 'spam' } },
    });
    expect(decide({ action: 'refuse' })).toEqual(refused('The reason is missing.', 'decision.reason'));
    expect(decide({ action: 'refuse', reason: 'x' })).toEqual(
      refused('The reason must have at least 3 characters.', 'decision.reason'),
    );
    expect(decide({ action: 'wait' })).toEqual(
      refused('The decision must be an object with action accept or an object with action refuse.', 'decision'),
    );
  });
});

test('every schema of every call compiles', () => {
  for (const { params, query, body } of CALLS) {
    for (const part of [params, query]) expect(() => compileCheck(part, true)(null)).toThrow('must be an object.');
    expect(() => compileCheck(body, false)(null)).toThrow('must be an object.');
  }
});
