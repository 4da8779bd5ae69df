import { beforeAll, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { readMetric } from '../support/metrics.ts';
import { eventually } from '../support/postgres-faults.ts';
import { dataOf, ENGINES } from '../support/product.ts';
import { createEntry, createUser, postReview } from '../support/rows.ts';
import { adminOf, describeProduct, startForTest } from '../support/site.ts';

const [category] = CATEGORIES as [Category];

interface Found {
  schoolName: string;
  match?: string;
  alias?: string;
}

describeProduct('the search of schools on %s', (product) => {
  const admin = adminOf(product);
  let ids: Record<string, number>;

  const create = async (schoolName: string, location: string, aliases: string[] = []) => {
    const body = { schoolName, description: 'A school.', location, aliases };
    const created = await call(product, 'POST /auth/postSchool', { token: admin.token, body });
    expect(created.status).toBe(201);
    return created.body.id as number;
  };
  const search = (query: Record<string, string | number> = {}) =>
    call(product, `GET /auth/searchSchools?${new URLSearchParams(query as Record<string, string>)}`);
  const found = async (query: Record<string, string | number>): Promise<Found[]> => (await search(query)).body.schools;
  const namesOf = async (query: Record<string, string | number>) =>
    (await found(query)).map(({ schoolName }) => schoolName);
  const rate = async (name: string, rating: number) => {
    const entry = await createEntry(product, category, ids[name] as number);
    const author = await createUser(product);
    return (await postReview(product, category, entry.id, author, { rating })).body.id as number;
  };

  beforeAll(async () => {
    ids = {
      Tech: await create('Massachusetts Institute of Technology', 'Massachusetts, United States', [
        'MIT',
        'Beaver Tech.',
      ]),
      Mitchell: await create('Mitchell Community College', 'North Carolina, United States'),
      Dublin: await create('Technological School of St. Mitre', 'Dublin, Ireland'),
      Cambridge: await create('University of Cambridge', 'United Kingdom'),
      Montréal: await create('Université de Montréal', 'Québec, Canada', ['UdeM']),
      Strasse: await create('Hochschule Weiße-Straße', 'Germany'),
    };
  });

  test('puts an alias before a beginning, that before words, and words before typos; each by the words left unsaid, then by name', async () => {
    expect(await found({ q: 'mit' })).toMatchObject([
      { schoolName: 'Massachusetts Institute of Technology', match: 'alias', alias: 'MIT' },
      { schoolName: 'Mitchell Community College', match: 'prefix' },
      { schoolName: 'Technological School of St. Mitre', match: 'word' },
    ]);
    expect(await found({ q: 'm.i.T' })).toHaveLength(3);
    expect(await found({ q: 'te beaver' })).toMatchObject([{ match: 'word', alias: 'Beaver Tech.' }]);
    expect(await found({ q: 'beavre' })).toMatchObject([{ match: 'typo', alias: 'Beaver Tech.' }]);
    // By the name alone: nothing came through an alias.
    expect((await found({ q: 'technology massachusetts' }))[0]).not.toHaveProperty('alias');
    expect(await found({ q: 'mass technology' })).toMatchObject([{ match: 'word' }]);
    expect(await found({ q: 'udm' })).toEqual([]);
  });

  test.each([
    ['Cambrige', 'University of Cambridge'],
    ['camrbidge', 'University of Cambridge'],
    ['cambirdgee', 'University of Cambridge'],
    ['mitcell', 'Mitchell Community College'],
    ['mithcell', 'Mitchell Community College'],
    ['colege', 'Mitchell Community College'],
  ])('takes %s for a typo of %s', async (q, name) => {
    const [first] = await found({ q });
    expect(first).toMatchObject({ schoolName: name, match: 'typo' });
  });

  test.each(['mjt', 'xambrigq', 'mixxyell', 'kolmege'])('does not take %s for a typo', async (q) => {
    expect((await search({ q })).body).toEqual({ total: 0, schools: [], countries: [] });
  });

  test('allows typos in the six longest words, and takes further ones as they are typed', async () => {
    const six = 'massachusetts institute technology massachu beaver';
    expect(await found({ q: `${six} beqv` })).toMatchObject([{ match: 'typo', alias: 'Beaver Tech.' }]);
    expect(await found({ q: `${six} techno beqv` })).toMatchObject([{ match: 'close' }]);
    expect(await found({ q: `${six} techno beav` })).toMatchObject([{ match: 'word', alias: 'Beaver Tech.' }]);
    expect(await found({ q: `${six} tecqno beav` })).toMatchObject([{ match: 'typo' }]);
    // A repeated word does not count as a further one.
    expect(await found({ q: `${six} beaver beaver beqv` })).toMatchObject([{ match: 'typo' }]);
  });

  test.each([
    ['universite de montreal', 'Université de Montréal'],
    ['UNIVERSITE MONTREAL', 'Université de Montréal'],
    ['st mitre', 'Technological School of St. Mitre'],
    ['weisse strasse', 'Hochschule Weiße-Straße'],
    ['weissestrasse', 'Hochschule Weiße-Straße'],
    ['  hochschule   weiße  ', 'Hochschule Weiße-Straße'],
  ])('ignores case, accents and punctuation: %s', async (q, name) => {
    expect((await namesOf({ q }))[0]).toBe(name);
  });

  test('without words it lists all schools by name, says no match, and counts countries', async () => {
    const { body } = await search();
    const { body: all } = await call(product, 'GET /auth/schools');
    expect(body.total).toBe(all.length);
    expect(body.schools.map(({ id }: { id: number }) => id)).toEqual(all.map(({ id }: { id: number }) => id));
    for (const school of body.schools) expect(school).not.toHaveProperty('match');
    expect(body.countries).toEqual([
      { country: 'Canada', schools: 1 },
      { country: 'Germany', schools: 1 },
      { country: 'Ireland', schools: 1 },
      { country: 'United Kingdom', schools: 1 },
      { country: 'United States', schools: 2 },
    ]);
    for (const q of ['', '  ', '…!?', '-']) expect((await search({ q })).body).toEqual(body);
    expect((await search({ country: '', minRating: '' })).body).toEqual(body);
  });

  test('searches that are equal when folded have the same link, which tells nobody what another one typed', async () => {
    const linkOf = async (query: Record<string, string | number>) =>
      (await search({ ...query, limit: 1 })).headers.get('link');
    const typed: Record<string, string>[] = [
      { q: 'ÚNIVERSITY …' },
      { q: 'university' },
      { q: ' University!', country: '' },
    ];
    for (const query of typed) {
      expect(await linkOf(query)).toBe('</auth/searchSchools?before=1&limit=1&q=university>; rel="next"');
    }
    for (const query of [{ q: '🎓' }, {}, { q: '' }] as Record<string, string>[]) {
      expect(await linkOf(query)).toBe('</auth/searchSchools?before=1&limit=1>; rel="next"');
    }
    for (const country of ['UNITED States', 'united states']) {
      expect(await linkOf({ country })).toBe(
        '</auth/searchSchools?before=1&country=united+states&limit=1>; rel="next"',
      );
    }
  });

  test('countries that differ in case and accents alone are one, as most schools write it; no country is none', async () => {
    const rows = ['Lima, Perú', 'Cusco, Peru', 'PERÚ', 'Ica, Perú', 'Nowhere,'];
    const created = [];
    for (const [index, location] of rows.entries()) created.push(await create(`Cordillera ${index}`, location));
    const { body } = await search({ q: 'cordillera' });
    expect([body.total, body.countries]).toEqual([5, [{ country: 'Perú', schools: 4 }]]);
    for (const country of ['peru', 'PERÚ', 'Perú']) {
      expect((await search({ q: 'cordillera', country })).body.total, country).toBe(4);
    }
    for (const id of created) await call(product, `DELETE /auth/deleteSchool/${id}`, { token: admin.token });
  });

  test('a country limits what is found and not what is counted', async () => {
    const { body } = await search({ q: 'mit', country: 'united states' });
    expect(body.total).toBe(2);
    expect(body.countries).toEqual([
      { country: 'Ireland', schools: 1 },
      { country: 'United States', schools: 2 },
    ]);
    expect((await search({ country: 'Nowhere' })).body.total).toBe(0);
  });

  test('the Link header leads through everything found, once, with its filters', async () => {
    const all = await namesOf({ limit: 100 });
    const seen: string[] = [];
    let path: string | undefined = '/auth/searchSchools?limit=2&country=';
    while (path !== undefined) {
      const { body, headers } = await call(product, `GET ${path}`);
      expect(body.total).toBe(all.length);
      seen.push(...body.schools.map(({ schoolName }: Found) => schoolName));
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(all);
    const { headers } = await search({ q: 'mit', limit: 1, country: 'United States' });
    expect(headers.get('link')).toMatch(/q=mit/);
    expect(headers.get('link')).toMatch(/country=united\+states/);
  });

  test.each([
    ['minRating=5.5', 'The minimum rating must be a number from 0.5 to 5.'],
    ['minRating=0', 'The minimum rating must be a number from 0.5 to 5.'],
    ['limit=101', 'The limit must be a whole number from 1 to 100.'],
    [`q=${'x'.repeat(201)}`, 'The search text must have at most 200 characters.'],
  ])('%s is refused with what is allowed', async (query, error) => {
    const refused = await call(product, `GET /auth/searchSchools?${query}`);
    expect(refused).toMatchObject({ status: 400, body: { error } });
  });

  test('the rating of a school is the mean of all its reviews, and true again after each', async () => {
    const q = 'montreal';
    expect(await found({ q })).toMatchObject([{ averageRating: null, totalReviews: 0 }]);
    expect(await namesOf({ minRating: 4 })).toEqual([]);
    const first = await rate('Montréal', 5);
    expect(await found({ q })).toMatchObject([{ averageRating: 5, totalReviews: 1 }]);
    expect(await namesOf({ minRating: 4 })).toEqual(['Université de Montréal']);
    await rate('Montréal', 2.5);
    expect(await found({ q })).toMatchObject([{ averageRating: 3.75, totalReviews: 2 }]);
    expect((await search({ minRating: 4 })).body).toEqual({ total: 0, schools: [], countries: [] });
    expect(await namesOf({ minRating: 3.75 })).toEqual(['Université de Montréal']);
    const { calls } = category;
    const gone = await call(product, `DELETE /auth/${calls.removeReview}/${first}`, { token: admin.token });
    expect(gone.status).toBe(204);
    expect(await found({ q })).toMatchObject([{ averageRating: 2.5, totalReviews: 1 }]);
  });

  test('a school that is added, renamed or deleted is found so at once', async () => {
    const q = 'zuffenhausen';
    expect(await namesOf({ q })).toEqual([]);
    const id = await create('Zuffenhausen School', 'Germany');
    expect(await namesOf({ q })).toEqual(['Zuffenhausen School']);
    const body = {
      id,
      schoolName: 'Renamed School',
      description: 'x',
      location: 'Chile',
      aliases: ['Old Zuffenhausen'],
    };
    expect((await call(product, 'PUT /auth/updateSchool', { token: admin.token, body })).status).toBe(200);
    expect(await found({ q })).toMatchObject([{ schoolName: 'Renamed School', alias: 'Old Zuffenhausen' }]);
    expect((await search({ q })).body.countries).toEqual([{ country: 'Chile', schools: 1 }]);
    expect((await call(product, `DELETE /auth/deleteSchool/${id}`, { token: admin.token })).status).toBe(204);
    expect(await namesOf({ q })).toEqual([]);
  });

  test('is cached however it is spelled, but for ratings that the page does not offer', async () => {
    let round = 0;
    /** How many responses a search adds to the cache. A notification that arrives late may drop others meanwhile. */
    const addedBy = async (queries: readonly Record<string, string | number>[]) => {
      const before = await readMetric(product, 'cached_responses');
      for (const query of queries) expect((await search(query)).status).toBe(200);
      return (await readMetric(product, 'cached_responses')) - before;
    };
    const addedByNew = (queriesOf: (word: string) => readonly Record<string, string | number>[]) =>
      expect.poll(() => {
        round += 1;
        return addedBy(queriesOf(`cached ${round}`));
      });
    await addedByNew((word) => [{ q: word }, { q: ` ${word.toUpperCase()} ` }, { q: word.replace('e', 'é') }]).toBe(1);
    await addedByNew((word) => [0.5, 1.234, 4.9].map((minRating) => ({ q: word, minRating }))).toBe(0);
    await addedByNew((word) => [{ q: word, minRating: 4.5 }]).toBe(1);
  });

  test('counts the words of a name with a hyphen as those of one with a blank', async () => {
    const names = ['Quillton State University-Harborough', 'Zedtown State University', 'Zedtown Al-Quadir University'];
    for (const name of names) await create(name, 'Norway');
    expect(await namesOf({ q: 'state university' })).toEqual([names[1], names[0]]);
    expect((await namesOf({ q: 'alquadir' }))[0]).toBe(names[2]);
  });
});

test.runIf(ENGINES.includes('postgres'))('a process finds what another has changed', async () => {
  const one = await startForTest('postgres');
  const other = await startForTest('postgres', dataOf(one));
  const { token } = await createUser(one, { isAdmin: true });
  const names = async (q: string) =>
    (await call(other, `GET /auth/searchSchools?q=${q}`)).body.schools.map(({ schoolName }: Found) => schoolName);
  expect(await names('harbour')).toEqual([]);
  const school = { schoolName: 'Harbour College', description: 'x', location: 'Malta' };
  const { id } = (await call(one, 'POST /auth/postSchool', { token, body: school })).body;
  await eventually(() => names('harbour')).toEqual(['Harbour College']);
  const body = { ...school, id, schoolName: 'Quay College' };
  expect((await call(one, 'PUT /auth/updateSchool', { token, body })).status).toBe(200);
  await eventually(() => names('harbour')).toEqual([]);
  expect(await names('quay')).toEqual(['Quay College']);
});
