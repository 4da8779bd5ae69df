import { expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { ACCESS_MATRIX, fieldsFor, type Identity } from '../support/access/matrix.ts';
import { oddBodyCases, wrongBodyCases } from '../support/corpus/bodies.ts';
import type { Case } from '../support/corpus/case.ts';
import { callsWithBody, JSON_TYPE, tokenFor } from '../support/corpus/fields.ts';
import { DEEP_TEXTS, JSON_TEXTS, NO_JSON_TEXTS, PERHAPS_JSON_TEXTS } from '../support/corpus/json-grammar.ts';
import { expectAnswers, expectRefusals } from '../support/corpus/run.ts';
import { describeProduct, worldOf } from '../support/site.ts';

/** A call of each access level. All need fields, so that any other JSON is refused for missing ones. */
const GRAMMAR_CALLS = CALLS.filter(({ name }) =>
  ['signup', 'postSchool', CATEGORIES[0]?.calls.postReview].includes(name),
);

describeProduct('bodies on %s', (product) => {
  const world = worldOf(product);

  const accounts = async () =>
    (await product.app.database.read.selectFrom('users').select(['id', 'is_admin', 'verified_at']).execute()).map(
      (row) => JSON.stringify(row),
    );

  test.each(callsWithBody)('$name refuses a body that is none', async (target) => {
    await expectRefusals(world, await wrongBodyCases(target, world));
  });

  test.each(callsWithBody)('$name stores and answers nothing that it was not asked for', async (target) => {
    const cases = await oddBodyCases(target, world);
    const before = new Set(await accounts());
    const row = ACCESS_MATRIX.find((one) => one.call === `${target.method} ${target.path}`);
    const identity: Identity = target.access === 'admin' ? 'admin' : 'user';
    const wanted = row ? fieldsFor(row, identity) : '';
    await expectAnswers(world, cases, (_one, { status, text }) => {
      if (status !== target.status) return [`status ${status}, ${text}`];
      if (wanted === 'text' || target.status === 204) return [];
      const keys = Object.keys(JSON.parse(text)).sort().join(' ');
      const needed = wanted.split(' ').filter((key) => !key.endsWith('?'));
      return keys === needed.sort().join(' ') ? [] : [`answered ${keys}`];
    });
    // Users that are admins or verified by now became so by the call that is meant for it.
    const changed = (await accounts()).filter((account) => !before.has(account)).map((account) => JSON.parse(account));
    const made: Record<string, object> = {
      signup: { is_admin: 0, verified_at: null },
      verify: { is_admin: 0, verified_at: expect.any(Number) },
      updateUser: { is_admin: 1 },
    };
    const expected = made[target.name];
    expect(changed).toEqual(expected ? cases.map(() => expect.objectContaining(expected)) : []);
  });

  async function grammarCases(texts: typeof JSON_TEXTS, rest: Partial<Case>): Promise<Case[]> {
    expect(GRAMMAR_CALLS).toHaveLength(3);
    const perCall = GRAMMAR_CALLS.map(async (target) => {
      const token = await tokenFor(target, world);
      const common = { method: target.method, path: target.path, token, headers: JSON_TYPE };
      return texts.map((body) => ({ ...common, name: JSON.stringify(body).slice(0, 60), body, ...rest }));
    });
    return (await Promise.all(perCall)).flat();
  }

  test('JSON that does not match the call is refused with the reason', async () => {
    const says = /^(The body must be an object|The \w+( name)? is missing)\.$/;
    await expectRefusals(world, await grammarCases(JSON_TEXTS, { status: 400, says }));
  });

  test('what is no JSON is refused as such', async () => {
    const says = /^The body is not valid JSON\.$/;
    await expectRefusals(world, await grammarCases(NO_JSON_TEXTS, { status: 400, says }));
  });

  test('what is nested deeper than any call needs is refused before anything is built from it', async () => {
    const says = /^The body must not be nested more than 32 levels deep\.$/;
    await expectRefusals(world, await grammarCases(DEEP_TEXTS, { status: 400, says }));
  });

  test('what a parser may take either way is refused either way', async () => {
    await expectRefusals(world, await grammarCases(PERHAPS_JSON_TEXTS, { status: 400 }));
  });
});
