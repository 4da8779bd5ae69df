import { beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES, type Category, categoryOf } from '../../src/contract/categories.ts';
import { PROFILE_FIELDS, type ProfileField, QUOTE_MAX, type Recommendation } from '../../src/contract/profiles.ts';
import { RATINGS } from '../../src/contract/stars.ts';
import { importSchools } from '../../src/server/data/imports/school-queries.ts';
import { loadSampleData } from '../../src/server/data/sample/load.ts';
import { call } from '../support/call.ts';
import { replyWith } from '../support/model-server.ts';
import { hide, moderate } from '../support/moderation.ts';
import { ENGINES, type Product } from '../support/product.ts';
import { createRatedEntry } from '../support/ratings.ts';
import { createSchool, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { describeProduct, modelOf, productOf } from '../support/site.ts';

const JSON_ALONE = { Accept: 'application/json' };
const [athletics, housing] = [categoryOf('athletics'), categoryOf('housing')];

type Answered = { status: number; body: Recommendation; text: string; headers: Headers };

async function saveProfile(product: Product, preferences: Partial<Record<ProfileField, string>>): Promise<TestUser> {
  const user = await createUser(product);
  await call(product, 'POST /auth/postProfile', { token: user.token, body: preferences });
  return user;
}

const recommend = (product: Product, { token }: TestUser, headers: Record<string, string> = JSON_ALONE) =>
  call(product, 'POST /auth/recommendSchool', { token, body: {}, headers }) as Promise<Answered>;

/** Finds each quote in the review that it names, by the public list of the entry's reviews. @returns how many */
async function followQuotes(product: Product, { evidence, school }: Recommendation): Promise<number> {
  const quotes = evidence.flatMap((item) => item.quotes);
  for (const { quote, reviewId, category: kind, entryId, entryName, rating } of quotes) {
    const category = CATEGORIES.find((one) => one.kind === kind) as Category;
    const details = (await call(product, `GET /auth/${category.calls.details}/${entryId}`)).body;
    expect([details.schoolId, details[category.nameField]]).toEqual([school.id, entryName]);
    const reviews: { id: number; review: string; rating: number }[] = [];
    let next: string | undefined = `/auth/${category.calls.reviews}/${entryId}`;
    while (next !== undefined) {
      const { body, headers } = await call(product, `GET ${next}`);
      reviews.push(...body);
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    const review = reviews.find(({ id }) => id === reviewId);
    expect(review?.rating).toBe(rating);
    expect(review?.review).toContain(quote);
    expect(quote.length).toBeLessThanOrEqual(QUOTE_MAX);
    expect(quote.trim()).toBe(quote);
    const at = review?.review.indexOf(quote) ?? -1;
    const around = [review?.review.slice(0, at).at(-1), review?.review.slice(at + quote.length)[0]];
    const isCut = (outside: string | undefined, inside: string | undefined) =>
      /[\p{L}\p{N}]/u.test(outside ?? '') && /[\p{L}\p{N}]/u.test(inside ?? '');
    expect([isCut(around[0], quote[0]), isCut(around[1], quote.at(-1))]).toEqual([false, false]);
  }
  return quotes.length;
}

describeProduct('the evidence of a recommendation on %s', (product) => {
  test.each([
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['text/html, Application/JSON;q=0.9', true],
    ['*/*', false],
    ['application/json, */*;q=0.1', false],
    ['application/json, text/plain', false],
    ['text/plain', false],
    ['application/*', false],
  ])('is sent to whoever asks with Accept: %s: %s', async (accept, isJson) => {
    await createSchool(product);
    const user = await saveProfile(product, { goals: 'research' });
    const { status, headers, body, text } = await recommend(product, user, { Accept: accept });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(`${isJson ? 'application/json' : 'text/plain'}; charset=utf-8`);
    expect(headers.get('vary')).toBe('Accept');
    if (isJson) expect(Object.keys(body)).toEqual(['text', 'author', 'school', 'evidence', 'others']);
    else expect(text).toContain('(Chosen by our own built-in rules; no AI model was asked.)');
  });

  test('quotes what reviews of the school say to each filled field, at most three, and nothing where none does', async () => {
    const word = unique('Halophyte').replaceAll('-', '');
    const school = await createSchool(product, `${word} College`);
    const long = `${'It rains. '.repeat(30)}The ${word} greenhouse is warm in winter, ${'and green '.repeat(30)}too.`;
    const entry = await createRatedEntry(product, housing, school.id, []);
    const texts = [`I chose it for the ${word} lab.`, long, `No ${word} at all, sadly.`];
    for (const [index, review] of texts.entries()) {
      await postReview(product, housing, entry.id, await createUser(product), { rating: RATINGS[index], review });
    }
    await createRatedEntry(product, athletics, school.id, [4], { review: `The ${word} team lost.` });
    const user = await saveProfile(product, { living: `${word} please`, goals: 'xylography' });
    const { body } = await recommend(product, user);
    expect(body).toMatchObject({ author: 'built-in', school: { id: school.id, schoolName: school.schoolName } });
    expect(body.text).toContain(`${school.schoolName} (${school.location}) is your best match.`);
    expect(body.others).not.toContainEqual(body.school);
    expect(body.evidence.map(({ field, wish }) => [field, wish])).toEqual([
      ['goals', 'xylography'],
      ['living', `${word} please`],
    ]);
    const [goals, living] = body.evidence;
    expect(goals?.quotes).toEqual([]);
    // Quotes from housing come first, because the preference is about housing.
    expect(living?.quotes.map(({ category }) => category)).toEqual(['housing', 'housing', 'housing']);
    expect(living?.quotes.every(({ quote }) => quote.includes(word))).toBe(true);
    expect(await followQuotes(product, body)).toBe(3);
  });

  test('follows a review that is edited, hidden, restored or withdrawn', async () => {
    const word = unique('Bryozoa').replaceAll('-', '');
    const school = await createSchool(product, `${word} Institute`);
    const entry = await createRatedEntry(product, housing, school.id, []);
    const author = await createUser(product);
    const { body: review } = await postReview(product, housing, entry.id, author, { review: `A ${word} reef.` });
    const user = await saveProfile(product, { personal: word });
    const quotes = async () => (await recommend(product, user)).body.evidence.flatMap((item) => item.quotes);
    expect(await quotes()).toMatchObject([{ reviewId: review.id, quote: `A ${word} reef.`, rating: 4 }]);
    const change = { id: review.id, rating: 2, review: `Once a ${word} reef.` };
    await call(product, `PUT /auth/${housing.calls.updateReview}`, { token: author.token, body: change });
    expect(await quotes()).toMatchObject([{ quote: `Once a ${word} reef.`, rating: 2 }]);
    const admin = await createUser(product, { isAdmin: true });
    await hide(product, admin, review.id);
    expect(await quotes()).toEqual([]);
    await moderate(product, admin, review.id, { action: 'restore' });
    expect(await quotes()).toMatchObject([{ quote: `Once a ${word} reef.` }]);
    await call(product, `DELETE /auth/${housing.calls.removeReview}/${review.id}`, { token: author.token });
    expect(await quotes()).toEqual([]);
  });
});

/** Eight people who look for a school. */
const PROFILES: Partial<Record<ProfileField, string>>[] = [
  { location: 'Chile', major: 'Astronomy', campusSetting: 'mountains', living: 'quiet hall' },
  { location: 'Finland', major: 'Forestry', personal: 'sauna and skiing', finance: 'cheap rent' },
  { location: 'Japan', major: 'Design and drawing', living: 'small room', goals: 'exhibition' },
  { major: 'Medicine', goals: 'clinic and hospital work', finance: 'scholarship' },
  { major: 'Music', personal: 'choir, piano practice rooms', living: 'noise at night' },
  { major: 'Agriculture', campusSetting: 'farm, open country', personal: 'rugby' },
  { major: 'Engineering', goals: 'internship and placement', living: 'hostel', academicLevel: 'Master' },
  { location: 'Norway', major: 'Marine science', campusSetting: 'harbour and sea', personal: 'rowing' },
];
const OTHER_SCHOOLS = 10_231;

describe.each(ENGINES)('the evidence for eight profiles among 10,251 schools on %s', (engine) => {
  const product = productOf(engine);

  beforeAll(async () => {
    await loadSampleData(product.app.database);
    const schools = Array.from({ length: OTHER_SCHOOLS }, (_, index) => ({
      ...{ schoolName: `Plain School ${index}`, description: 'A school.', location: `Town ${index}, Testland` },
      ...{ importKey: String(index), hasSite: false },
    }));
    for (let start = 0; start < schools.length; start += 1_000) {
      await product.app.database.write((db) => importSchools(db, schools.slice(start, start + 1_000)));
    }
  });

  test('is found, each quote in the review it names', { timeout: 60_000 }, async () => {
    const amounts = [];
    for (const preferences of PROFILES) {
      const user = await saveProfile(product, preferences);
      const { status, body } = await recommend(product, user);
      expect(status).toBe(200);
      expect(body.evidence.map(({ field }) => field)).toEqual(PROFILE_FIELDS.filter((field) => preferences[field]));
      expect(body.others).toHaveLength(3);
      amounts.push(await followQuotes(product, body));
    }
    expect(amounts.filter((amount) => amount > 0).length).toBeGreaterThanOrEqual(5);
  });
});

describe('a model that is given quotes', () => {
  const { model, asking } = modelOf();
  const product = productOf('sqlite', asking);

  /** Two schools that fit, each with one review. */
  async function prepareSchools() {
    const word = unique('Cetology').replaceAll('-', '');
    const [one, other] = [await createSchool(product, `${word} Hall`), await createSchool(product, `${word} House`)];
    await createRatedEntry(product, housing, one.id, [4], { review: `The ${word} rooms are dry.` });
    await createRatedEntry(product, housing, other.id, [2], { review: `The ${word} rooms are damp.` });
    return { word, one, other, user: await saveProfile(product, { living: word }) };
  }

  /** The numbers of the quotes in the last prompt, by what they say. */
  function numbersInPrompt(): Map<string, number> {
    const { messages } = JSON.parse(model.state.prompts.at(-1) ?? '{}');
    const found = [...String(messages.at(-1).content).matchAll(/"number": (\d+),\s+"quote": "([^"]+)"/g)];
    return new Map(found.map(([, number, quote]) => [quote as string, Number(number)]));
  }

  test('may cite and repeat those of the school it names, and the numbers are left out of the text', async () => {
    const { word, one, user } = await prepareSchools();
    model.state.behave = (response, prompt) => {
      model.state.prompts.push(prompt);
      const number = numbersInPrompt().get(`The ${word} rooms are dry.`);
      replyWith(`${one.schoolName} suits you: “The ${word} rooms are dry” [${number}].`)(response, prompt);
    };
    const { body } = await recommend(product, user);
    expect(body).toMatchObject({ author: 'model', school: { id: one.id } });
    expect(body.text).toBe(`${one.schoolName} suits you: “The ${word} rooms are dry”.\n\n(Written by an AI model.)`);
    expect(body.evidence[0]?.quotes).toMatchObject([{ quote: `The ${word} rooms are dry.`, rating: 4 }]);
  });

  test.each([
    ['cites one it was not given', ({ one }: Schools) => `${one.schoolName} suits you [999].`],
    [
      'cites one of another school',
      ({ one }: Schools, numbers: Numbers) => `${one.schoolName} suits you [${numbers('damp')}].`,
    ],
    ['repeats words of another school', ({ one, word }: Schools) => `${one.schoolName}: "The ${word} rooms are damp."`],
    ['quotes words nobody wrote', ({ one }: Schools) => `${one.schoolName}: “The rooms are palaces.”`],
    ['gives the rating of another school', ({ one }: Schools) => `${one.schoolName} is rated 2.0 of 5.`],
  ])('and %s, leaves the answer to the built-in rules', async (_what, write) => {
    const schools = await prepareSchools();
    model.state.behave = (response, prompt) => {
      model.state.prompts.push(prompt);
      const numbers = (word: string) => [...numbersInPrompt()].find(([quote]) => quote.includes(word))?.[1] ?? 0;
      replyWith(write(schools, numbers))(response, prompt);
    };
    const { body } = await recommend(product, schools.user);
    expect(body.author).toBe('built-in');
    expect(body.text).toContain('The AI model could not answer.');
    expect(await followQuotes(product, body)).toBe(1);
  });

  test.each([
    ['hidden', (id: number, _author: TestUser, admin: TestUser) => hide(product, admin, id)],
    [
      'withdrawn',
      (id: number, { token }: TestUser) => call(product, `DELETE /auth/${housing.calls.removeReview}/${id}`, { token }),
    ],
  ])('and cites a review that is %s meanwhile, leaves the answer to the built-in rules', async (_what, remove) => {
    const admin = await createUser(product, { isAdmin: true });
    const { word, one, user } = await prepareSchools();
    const entry = await createRatedEntry(product, housing, one.id, []);
    const author = await createUser(product);
    const words = `My ${word} ${word} room.`;
    const { body: review } = await postReview(product, housing, entry.id, author, { review: words });
    model.state.behave = async (response, prompt) => {
      expect((await remove(review.id, author, admin)).status).toBeLessThan(300);
      replyWith(`${one.schoolName} suits you: “${words}”`)(response, prompt);
    };
    const { body } = await recommend(product, user);
    expect(body.author).toBe('built-in');
    expect(JSON.stringify(body)).not.toContain(words);
  });
});

type Schools = { one: { schoolName: string }; word: string };
type Numbers = (word: string) => number;
