import { beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES, type Category, findCategory } from '../../src/contract/categories.ts';
import { PROFILE_FIELDS, PROFILE_LABELS, type Recommendation } from '../../src/contract/profiles.ts';
import { call } from '../support/call.ts';
import { replyWith } from '../support/model-server.ts';
import { PREFERENCE_CASES, PREFERENCE_SCHOOLS, type PreferenceCase } from '../support/preference-cases.ts';
import type { Product } from '../support/product.ts';
import { createRatedEntry, times } from '../support/ratings.ts';
import { createEntry, createSchool, createUser, postReview, type TestUser } from '../support/rows.ts';
import { describeProduct, modelOf, productOf, startForTest } from '../support/site.ts';

const [anyCategory] = CATEGORIES as [Category];

async function addSchools(product: Product): Promise<void> {
  const { token } = await createUser(product, { isAdmin: true });
  const author = await createUser(product);
  for (const { name: schoolName, location, description, aliases = [], entries } of PREFERENCE_SCHOOLS) {
    const body = { schoolName, location, description, aliases };
    const school = (await call(product, 'POST /auth/postSchool', { token, body })).body;
    for (const [kind, name, rating, ...reviews] of entries) {
      const category = findCategory(kind) ?? anyCategory;
      const entry = await createEntry(product, category, school.id, name);
      for (const review of reviews) await postReview(product, category, entry.id, author, { rating, review });
    }
  }
}

async function ask(
  product: Product,
  preferences: PreferenceCase['preferences'],
): Promise<Recommendation & { plain: string }> {
  const { token }: TestUser = await createUser(product);
  expect((await call(product, 'POST /auth/postProfile', { token, body: preferences })).status).toBe(201);
  const request = (headers: Record<string, string>) =>
    call(product, 'POST /auth/recommendSchool', { token, body: {}, headers });
  const { status, body } = await request({ Accept: 'application/json' });
  expect(status).toBe(200);
  return { ...body, plain: (await request({ Accept: 'text/plain' })).text };
}

const hasEvidence = ({ named, quotes }: Recommendation['evidence'][number]) => named.length + quotes.length > 0;

/** What is true of every built-in answer. */
function checkClaims({ text, plain, school, evidence }: Recommendation & { plain: string }): void {
  expect(plain).toBe(text);
  const silent = evidence.filter((item) => !hasEvidence(item)).map(({ field }) => PROFILE_LABELS[field]);
  if (silent.length === evidence.length) {
    expect(text).toContain(`Nothing here speaks to your wishes. ${school.schoolName} is the best rated.`);
    expect(text).not.toContain('best match');
  } else {
    expect(text).toContain(`${school.schoolName} (`);
    expect([...text.matchAll(/No reviews speak to: (.+)\./g)].map(([, labels]) => labels)).toEqual(
      silent.length > 0 ? [silent.join(', ')] : [],
    );
  }
  const own = PREFERENCE_SCHOOLS.find(({ name }) => name === school.schoolName);
  const others = PREFERENCE_SCHOOLS.map(({ name }) => name).filter((name) => name !== school.schoolName);
  const places = {
    name: [own?.name, ...(own?.aliases ?? [])].join('\n'),
    location: own?.location,
    description: own?.description,
    entry: own?.entries.map(([, name]) => name).join('\n'),
  };
  const aliasesUnsaid = own?.aliases?.filter((alias) => others.some((name) => alias.includes(name))) ?? [];
  const isUnsaid = (word: string) => others.includes(word) || aliasesUnsaid.some((alias) => alias.includes(word));
  for (const { named, quotes } of evidence) {
    for (const { in: where, word } of named) {
      expect(places[where]).toContain(word);
      if (!isUnsaid(word)) expect(text.toLowerCase()).toContain(`“${word.toLowerCase()}”`);
    }
    for (const { quote } of quotes) {
      expect(own?.entries.some(([, , , ...reviews]) => reviews.some((review) => review.includes(quote)))).toBe(true);
    }
  }
  expect(others.filter((name) => text.includes(name))).toEqual([]);
}

describeProduct('the claims of a recommendation on %s', (product) => {
  beforeAll(() => addSchools(product));

  test.each(PREFERENCE_CASES)('$preferences', async ({ preferences, school, silent, never, says = '' }) => {
    const answer = await ask(product, preferences);
    checkClaims(answer);
    expect(answer.text).toContain(says);
    const filled = PROFILE_FIELDS.filter((field) => preferences[field]);
    expect(answer.evidence.map(({ field }) => field)).toEqual(filled);
    const unspoken = answer.evidence.filter((item) => !hasEvidence(item)).map(({ field }) => field);
    expect(unspoken).toEqual(silent ?? filled);
    if (school !== undefined) expect(answer.school.schoolName).toBe(school);
    const shown = answer.evidence.flatMap(({ named, quotes }) => [
      ...named.map(({ word }) => word),
      ...quotes.map(({ quote }) => quote),
    ]);
    if (never) expect(shown.filter((text) => never.test(text))).toEqual([]);
  });
});

test('from 200 reviews on, nothing is quoted for a word that most of them have', async () => {
  const product = await startForTest('sqlite');
  await addSchools(product);
  const school = (await createSchool(product)).id;
  const others = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');
  await createRatedEntry(product, anyCategory, school, times(200, 3), { review: `A splendid place. ${others}` });
  await createRatedEntry(product, anyCategory, school, [3], { review: 'A splendid orangery.' });
  const { evidence } = await ask(product, { living: 'splendid', personal: 'splendid orangery' });
  expect(evidence.map(({ quotes }) => quotes.map(({ quote }) => quote))).toEqual([[], ['A splendid orangery.']]);
});

describe('a model that claims something without evidence', () => {
  const { model, asking } = modelOf();
  const product = productOf('sqlite', asking);
  beforeAll(() => addSchools(product));

  test.each(PREFERENCE_CASES)(
    'that uses every word of $preferences is shown only if all of them have evidence',
    async ({ preferences }) => {
      const school = 'Havbris University';
      model.state.behave = replyWith(`${school} is the one for you: ${Object.values(preferences).join(', ')}.`);
      const answer = await ask(product, preferences);
      if (answer.author === 'built-in') return checkClaims(answer);
      const own = JSON.stringify(PREFERENCE_SCHOOLS.find(({ name }) => name === school)).toLowerCase();
      const wished =
        Object.values(preferences)
          .join(' ')
          .replace('no preference', '')
          .toLowerCase()
          .match(/\p{L}{4,}/gu) ?? [];
      expect(wished.filter((word) => !own.includes(word.slice(0, 4)))).toEqual([]);
    },
  );

  test.each([
    [
      'a preference without evidence',
      { living: 'quiet', goals: 'zymurgy' },
      'Havbris University is quiet and strong in zymurgy.',
    ],
    [
      'another form of such a word',
      { living: 'quiet', finance: 'lotteries' },
      'Havbris University has a quiet lottery.',
    ],
    ['what is not wanted', { living: 'quiet, no dogs' }, 'Havbris University is quiet and has no dogs.'],
    [
      'a word beyond those that are looked for',
      { living: 'quiet', personal: `${Array.from({ length: 20 }, (_, index) => `q${index}`).join(' ')} zymurgy` },
      'Havbris University is quiet and strong in zymurgy.',
    ],
    [
      'a preference of another school',
      { living: 'quiet', major: 'Astronomy' },
      'Havbris University is quiet and has astronomy.',
    ],
  ])('in %s, leaves the answer to the built-in rules', async (_what, preferences, text) => {
    model.state.behave = replyWith(text);
    const answer = await ask(product, preferences);
    expect(answer.author).toBe('built-in');
    expect(answer.text).not.toContain(text);
    checkClaims(answer);
  });

  test('is shown where a quote or a named word is evidence', async () => {
    const text = 'Havbris University is quiet, and has marine biology.';
    model.state.behave = replyWith(text);
    const answer = await ask(product, { living: 'quiet', major: 'Marine Biology', goals: 'zymurgy' });
    expect(answer).toMatchObject({ author: 'model', school: { schoolName: 'Havbris University' } });
    expect(answer.text).toContain(text);
  });
});
