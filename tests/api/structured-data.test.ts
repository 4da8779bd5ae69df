import { beforeAll, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { describeLocation } from '../../src/server/documents/structured-data.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import { createEntry, createSchool, createUser, postReview } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const [athletics, clubs] = CATEGORIES as [Category, Category];
const SITE = 'https://reviews.example';
const NASTY = `</title></script><script>alert(1)</script><!-- " ' & \u2028`;
const SCHOOL = {
  schoolName: 'Havbris University',
  description: 'By the sea.',
  location: 'Bergen, Norway',
  aliases: ['Havbris'],
};

/** The types of the entries of specified categories, by hand: search engines take some for more than a part of a school. */
const TYPES: Record<string, [type: string, schoolAs?: string]> = {
  athletics: ['SportsOrganization', 'parentOrganization'],
  clubs: ['Organization', 'parentOrganization'],
  housing: ['LodgingBusiness', 'parentOrganization'],
  jobs: ['CollegeOrUniversity'],
  lifestyles: ['CollegeOrUniversity'],
  majors: ['Course', 'provider'],
  others: ['CollegeOrUniversity'],
};

describeProduct('structured data on %s', { PUBLIC_URL: SITE }, (product) => {
  let schoolId: number;
  beforeAll(async () => {
    schoolId = (await product.app.database.write((db) => insertSchool(db, SCHOOL))).id;
  });

  const dataOf = async (path: string) => {
    const { text } = await call(product, `GET ${path}`);
    return [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json = '']) =>
      JSON.parse(json),
    );
  };
  const post = async (
    category: Category,
    entryId: number,
    values: { rating: number; review?: string; username?: null },
  ) => postReview(product, category, entryId, await createUser(product), values);

  test.each(CATEGORIES)('a $label entry is what it is, with its ratings and newest reviews', async (category) => {
    const entry = await createEntry(product, category, schoolId);
    const path = `${category.pages.reviews}/${entry.id}`;
    const [before] = await dataOf(path);
    expect(before).not.toHaveProperty('aggregateRating');
    expect(before).not.toHaveProperty('review');
    await post(category, entry.id, { rating: 3.5, review: NASTY });
    await post(category, entry.id, { rating: 4, username: null });
    const [data] = await dataOf(path);
    const { type: ownType = 'CollegeOrUniversity', schoolAs: ownSchoolAs } = category.schema ?? {};
    const [type, schoolAs] = TYPES[category.kind] ?? [ownType, ownSchoolAs];
    const school = {
      '@type': 'CollegeOrUniversity',
      name: SCHOOL.schoolName,
      url: `${SITE}/school/${schoolId}`,
      address: { '@type': 'PostalAddress', addressLocality: 'Bergen', addressCountry: 'NO' },
    };
    expect(data['@type']).toBe(type);
    if (schoolAs) {
      expect(data).toMatchObject({ name: `${entry.name} at ${SCHOOL.schoolName}`, url: SITE + path });
      expect(data[schoolAs]).toMatchObject(school);
    } else {
      expect(data).toMatchObject(school);
      expect(data.review[0].reviewAspect).toBe(entry.name);
    }
    expect(data.aggregateRating).toEqual({
      '@type': 'AggregateRating',
      ratingValue: 3.75,
      reviewCount: 2,
      bestRating: 5,
      worstRating: 0.5,
      ...(!schoolAs && { reviewAspect: entry.name }),
    });
    expect(data.review).toHaveLength(2);
    expect(data.review[0]).toMatchObject({ author: { name: 'Anonymous' }, reviewRating: { ratingValue: 4 } });
    expect(data.review[1]).toMatchObject({ reviewBody: NASTY.trim().normalize('NFC') });
  });

  test('a school has the rating of all its reviews, whatever changes them', async () => {
    const { id } = await product.app.database.write((db) => insertSchool(db, { ...SCHOOL, schoolName: 'Rated' }));
    const rated = async () => {
      const [{ aggregateRating }] = await dataOf(`/school/${id}`);
      return aggregateRating && [aggregateRating.ratingValue, aggregateRating.reviewCount];
    };
    expect(await rated()).toBeUndefined();
    const [one, other] = [await createEntry(product, athletics, id), await createEntry(product, clubs, id)];
    expect(await rated()).toBeUndefined();
    const author = await createUser(product);
    const { body } = await postReview(product, athletics, one.id, author, { rating: 5 });
    expect(await rated()).toEqual([5, 1]);
    await post(athletics, one.id, { rating: 4 });
    await post(clubs, other.id, { rating: 1.5 });
    expect(await rated()).toEqual([3.5, 3]);
    const change = { id: body.id, rating: 2, review: 'Changed.' };
    await call(product, `PUT /auth/${athletics.calls.updateReview}`, { token: author.token, body: change });
    expect(await rated()).toEqual([2.5, 3]);
    const { token } = await createUser(product, { isAdmin: true });
    await call(product, `DELETE /auth/${clubs.calls.remove}/${other.id}`, { token });
    expect(await rated()).toEqual([3, 2]);
  });

  test('a school has its other names, and one without any says nothing of them', async () => {
    expect((await dataOf(`/school/${schoolId}`))[0].alternateName).toEqual(SCHOOL.aliases);
    const { id } = await createSchool(product);
    expect((await dataOf(`/school/${id}`))[0]).not.toHaveProperty('alternateName');
  });

  test('every page of a school says where it stands', async () => {
    const entry = await createEntry(product, athletics, schoolId);
    const trailOf = async (path: string) => {
      const trail = (await dataOf(path)).find((data) => data['@type'] === 'BreadcrumbList');
      return trail.itemListElement.map((step: { position: number; name: string; item: string }) => [
        step.position,
        step.name,
        step.item.replace(SITE, ''),
      ]);
    };
    const school = [
      [1, 'All schools', '/allschools'],
      [2, SCHOOL.schoolName, `/school/${schoolId}`],
    ];
    const list = [...school, [3, 'Athletics', `/athletics/${schoolId}`]];
    expect(await trailOf(`/school/${schoolId}`)).toEqual(school);
    expect(await trailOf(`/athletics/${schoolId}`)).toEqual(list);
    const path = `/athleticsreview/${entry.id}`;
    expect(await trailOf(path)).toEqual([...list, [4, entry.name, path]]);
  });
});

test.each([
  ['Bergen, Norway', { addressLocality: 'Bergen', addressCountry: 'NO' }],
  [
    'Barlow Mills, Vermont, United States',
    { addressLocality: 'Barlow Mills', addressRegion: 'Vermont', addressCountry: 'US' },
  ],
  ['New York, NY, United States', { addressLocality: 'New York', addressRegion: 'NY', addressCountry: 'US' }],
])('%s has its parts', (location, parts) => {
  expect(describeLocation(location)).toEqual({ '@type': 'PostalAddress', ...parts });
});

test.each(['Norway', 'Bolivia, Plurinational State of', 'Somewhere, nice', ', Norway', ''])(
  '"%s" stays the text it is',
  (location) => {
    expect(describeLocation(location)).toBe(location);
  },
);
