import { expect, test } from 'vitest';
import { type Category, categoryOf } from '../../src/contract/categories.ts';
import type { Voice } from '../../src/contract/voices.ts';
import { call } from '../support/call.ts';
import { insertDatedReview } from '../support/merging.ts';
import { hide, moderate, report } from '../support/moderation.ts';
import { createRatedEntry } from '../support/ratings.ts';
import { createEntry, createSchool, createUser, postReview, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, usersOf } from '../support/site.ts';

const [athletics, clubs, housing] = [categoryOf('athletics'), categoryOf('clubs'), categoryOf('housing')];
/** Two ages of reviews, in days. */
const WEEKS = 30;
const OLD = 3 * 365;

interface Written {
  review: string;
  daysAgo?: number;
  marks?: number;
}

/** Worked out by hand: what is quoted of the reviews of an entry. */
const CHOICES: [title: string, written: Written[], quoted: string | undefined][] = [
  ['nothing of no review', [], undefined],
  ['the newest without marks', [{ review: 'Old.', daysAgo: 2 }, { review: 'New.' }], 'New.'],
  [
    'the most helpful',
    [{ review: 'Two.', daysAgo: 9, marks: 2 }, { review: 'One.', marks: 1 }, { review: 'New.' }],
    'Two.',
  ],
  [
    'of two as helpful the newest',
    [
      { review: 'Old.', daysAgo: 9, marks: 1 },
      { review: 'New.', marks: 1 },
    ],
    'New.',
  ],
  [
    'a recent one before a helpful one',
    [{ review: 'Helpful.', daysAgo: OLD, marks: 3 }, { review: 'Recent.' }],
    'Recent.',
  ],
  [
    'of old ones the most helpful',
    [
      { review: 'Helpful.', daysAgo: OLD + 9, marks: 1 },
      { review: 'Old.', daysAgo: OLD },
    ],
    'Helpful.',
  ],
  [
    'of old ones without marks the newest',
    [
      { review: 'Older.', daysAgo: OLD + 1 },
      { review: 'Old.', daysAgo: OLD },
    ],
    'Old.',
  ],
  [
    'the next one if the first has no quote',
    [
      { review: 'a'.repeat(161), marks: 2 },
      { review: 'Said.', marks: 1 },
    ],
    'Said.',
  ],
  ['nothing of endless words alone', [{ review: 'a'.repeat(161) }, { review: 'b'.repeat(161) }], undefined],
];

describeProduct('voices on %s', (product) => {
  const admin = adminOf(product);
  const users = usersOf(product, 4);

  async function write(category: Category, entry: { id: number; schoolId: number }, written: readonly Written[]) {
    const ids: number[] = [];
    for (const [index, { marks = 0, ...values }] of written.entries()) {
      ids.push(await insertDatedReview(product, category, entry, users[index] as TestUser, values));
      for (const { token } of users.filter((_, user) => user !== index).slice(0, marks)) {
        expect((await call(product, `POST /auth/markHelpful/${ids.at(-1)}`, { token })).status).toBe(200);
      }
    }
    return ids;
  }

  const read = async (path: string): Promise<Voice[]> => {
    const { status, body } = await call(product, `GET /auth/${path}`);
    expect(status).toBe(200);
    return body;
  };
  const quotesAt = async (schoolId: number) => (await read(`getSchoolVoices/${schoolId}`)).map(({ quote }) => quote);

  test.each(CHOICES)('quote %s', async (_, written, quoted) => {
    const entry = await createEntry(product, clubs);
    await write(clubs, entry, written);
    const expected = quoted === undefined ? [] : [quoted];
    expect(await quotesAt(entry.schoolId)).toEqual(expected);
    const ofEntries = await read(`getEntryVoices/${entry.schoolId}?category=clubs`);
    expect(ofEntries.map(({ quote }) => quote)).toEqual(expected);
  });

  test('are recent from 00:00 UTC of the day 24 months ago on, and move on at midnight', async () => {
    const setClock = (time: string) => {
      product.clock.ahead = Date.parse(time) - Date.now();
    };
    setClock('2027-06-15T23:59:00.000Z');
    const { id: schoolId } = await createSchool(product);
    const edge = Date.parse('2025-06-15T00:00:00.000Z');
    const before = await createRatedEntry(product, clubs, schoolId, [4], { createdAt: edge - 1, review: 'Before.' });
    await createRatedEntry(product, clubs, schoolId, [4], { createdAt: edge, review: 'At the edge.' });
    const [review] = (await call(product, `GET /auth/${clubs.calls.reviews}/${before.id}`)).body;
    const { token } = await createUser(product);
    expect((await call(product, `POST /auth/markHelpful/${review.id}`, { token })).status).toBe(200);
    expect(await quotesAt(schoolId)).toEqual(['At the edge.']);
    setClock('2027-06-16T00:00:00.000Z');
    expect(await quotesAt(schoolId)).toEqual(['Before.']);
    product.clock.ahead = 0;
  });

  test('of a school are one for each category in the order of the registry, of its best entry', async () => {
    const { id: schoolId, schoolName } = await createSchool(product);
    const [warm, cold] = [await createEntry(product, housing, schoolId), await createEntry(product, housing, schoolId)];
    const team = await createEntry(product, athletics, schoolId);
    await createEntry(product, clubs, schoolId);
    await write(housing, warm, [{ review: 'Warm and loud.' }, { review: 'Warm.', daysAgo: 4, marks: 1 }]);
    await write(housing, cold, [{ review: 'Cold.', daysAgo: 1 }]);
    const author = users[3] as TestUser;
    const told = {
      rating: 1.5,
      review: 'We\nlost.',
      username: null,
      relation: 'student',
      since: 2020,
      until: 2022,
    } as const;
    const { body: posted } = await postReview(product, athletics, team.id, author, told);
    const place = { schoolId, schoolName };
    expect(await read(`getSchoolVoices/${schoolId}`)).toEqual([
      {
        ...{ reviewId: posted.id, category: 'athletics', entryId: team.id, entryName: team.name, ...place },
        ...{
          quote: 'We lost.',
          rating: 1.5,
          relation: 'student',
          since: 2020,
          until: 2022,
          createdAt: posted.createdAt,
        },
      },
      expect.objectContaining({ category: 'housing', entryId: warm.id, quote: 'Warm.', rating: 4, ...place }),
    ]);
    const named = [warm, cold].sort((one, other) => (one.name < other.name ? -1 : 1));
    const voices = await read(`getEntryVoices/${schoolId}?category=housing`);
    expect(voices.map(({ entryId }) => entryId)).toEqual(named.map(({ id }) => id));
    expect(await read(`getEntryVoices/${schoolId}?category=clubs`)).toEqual([]);
  });

  const reportedBy =
    (...reasons: string[]) =>
    async (reviewId: number) => {
      for (const [index, reason] of reasons.entries()) {
        expect((await report(product, users[index + 1] as TestUser, reviewId, { reason })).status).toBe(201);
      }
    };
  const GOES: [
    title: string,
    act: (reviewId: number, entryId: number, schoolId: number) => Promise<unknown>,
    left: string[],
  ][] = [
    ['hidden', (id) => hide(product, admin, id), ['Other.']],
    [
      'withdrawn',
      (id) => call(product, `DELETE /auth/${clubs.calls.removeReview}/${id}`, { token: users[0]?.token as string }),
      ['Other.'],
    ],
    ['reported by two', reportedBy('fake', 'spam'), ['Other.']],
    ['reported as personal', reportedBy('personal'), ['Other.']],
    ['reported as illegal', reportedBy('illegal'), ['Other.']],
    ['reported by one as fake', reportedBy('fake'), ['Best.']],
    [
      'kept after two reports',
      async (id) => {
        await reportedBy('fake', 'personal')(id);
        expect((await moderate(product, admin, id, { action: 'keep' })).status).toBe(200);
      },
      ['Best.'],
    ],
    [
      'of a deleted entry',
      (_, id) => call(product, `DELETE /auth/${clubs.calls.remove}/${id}`, { token: admin.token }),
      [],
    ],
    [
      'no longer marked',
      (id) => call(product, `DELETE /auth/markHelpful/${id}`, { token: users[1]?.token as string }),
      ['Other.'],
    ],
  ];

  test.each(GOES)('follow at once when a review is %s', async (_, act, left) => {
    const entry = await createEntry(product, clubs);
    const [best] = await write(clubs, entry, [{ review: 'Best.', daysAgo: 1, marks: 1 }]);
    await insertDatedReview(product, clubs, entry, users[3] as TestUser, { review: 'Other.' });
    expect(await quotesAt(entry.schoolId)).toEqual(['Best.']);
    await act(best as number, entry.id, entry.schoolId);
    expect(await quotesAt(entry.schoolId)).toEqual(left);
  });

  test('follow an edit at once, even to one very long word', async () => {
    const entry = await createEntry(product, clubs);
    const [author] = users as [TestUser];
    const [id] = await write(clubs, entry, [{ review: 'First.' }]);
    expect(await quotesAt(entry.schoolId)).toEqual(['First.']);
    const edit = (review: string) =>
      call(product, `PUT /auth/${clubs.calls.updateReview}`, { token: author.token, body: { id, rating: 2, review } });
    await edit('Second.');
    expect(await quotesAt(entry.schoolId)).toEqual(['Second.']);
    await edit('x'.repeat(200));
    expect(await quotesAt(entry.schoolId)).toEqual([]);
  });

  test('leave out a burst until an admin has looked at it', async () => {
    const entry = await createEntry(product, clubs);
    await insertDatedReview(product, clubs, entry, users[0] as TestUser, { review: 'Before.', daysAgo: WEEKS });
    const ids: number[] = [];
    while (ids.length < 10) {
      const { body } = await postReview(product, clubs, entry.id, await createUser(product), { review: 'Burst.' });
      ids.push(body.id);
    }
    expect(await quotesAt(entry.schoolId)).toEqual(['Before.']);
    await moderate(product, admin, ids[3] as number, { action: 'keep' });
    expect(await read(`getSchoolVoices/${entry.schoolId}`)).toMatchObject([{ reviewId: ids[3], quote: 'Burst.' }]);
  });

  test.each(['getSchoolVoices/999999', 'getEntryVoices/999999?category=clubs'])('%s is not found', async (path) => {
    const answer = await call(product, `GET /auth/${path}`);
    expect([answer.status, answer.body.error]).toEqual([404, 'There is no such school.']);
  });

  test('of the entries of no category are refused', async () => {
    const { id } = await createSchool(product);
    expect((await call(product, `GET /auth/getEntryVoices/${id}`)).status).toBe(400);
    expect((await call(product, `GET /auth/getEntryVoices/${id}?category=food`)).status).toBe(400);
  });
});
