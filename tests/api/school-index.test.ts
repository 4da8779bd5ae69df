import { setImmediate } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { PROFILE_FIELDS, type Preferences } from '../../src/contract/profiles.ts';
import type { Connection, Database } from '../../src/server/database/database.ts';
import { tags } from '../../src/server/http/cache/tags.ts';
import { parsePreferences } from '../../src/server/profiles/preferences.ts';
import { createRecommend } from '../../src/server/profiles/recommend.ts';
import { createSchoolIndex } from '../../src/server/profiles/school-index.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { captureQueries } from '../support/plans.ts';
import { createEntry, createSchool, createUser, postReview } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const SCHOOLS = 400;
/** The schools that have entries with reviews. */
const REVIEWED = 30;
const [clubs, housing] = CATEGORIES as [(typeof CATEGORIES)[number], (typeof CATEGORIES)[number]];

// Safe: these are all the fields.
const NOTHING = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, ''])) as unknown as Preferences;
const withMajor = (major: string): Preferences => ({ ...NOTHING, major });

/** A database whose reads stand still from a certain one on, until they are let go. */
function holdReads(database: Database, from: number) {
  let reads = 0;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const read: Connection = database.read.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1;
      if (reads > from) await held;
      return result;
    },
  });
  return { database: { ...database, read, readShared: () => database.read }, letGo };
}

describeProduct('the index of schools on %s', (product) => {
  let database: Database;

  beforeAll(async () => {
    database = product.app.database;
    const writers = [await createUser(product), await createUser(product)];
    for (let number = 1; number <= REVIEWED; number += 1) {
      const { id } = await createSchool(product);
      for (const category of [clubs, housing]) {
        for (const _ of [1, 2]) {
          const entry = await createEntry(product, category, id);
          for (const writer of writers)
            await postReview(product, category, entry.id, writer, { review: `Quarter number${number} is calm.` });
        }
      }
    }
    await database.write(async (db, commit) => {
      commit.invalidate(tags.schools);
      for (let number = 0; number < SCHOOLS - REVIEWED; number += 1) {
        const schoolName = `Plain School ${number}`;
        await insertSchool(db, { schoolName, description: `Known for subject${number}.`, location: 'Oslo, Norway' });
      }
    });
  });

  test('is read in a few queries for many schools, and then none but those that find changes', async () => {
    const index = createSchoolIndex(database);
    const building = await captureQueries(() => index.build(new AbortController().signal));
    // Two queries find what there is, and one the most reviewed schools. Each batch takes three: for schools, entries
    // and reviews.
    expect(building.length).toBeLessThan(3 * (SCHOOLS / 20) + 15);
    const asking = await captureQueries(async () => {
      const { matches, extent } = await index.match(parsePreferences(withMajor('number7')));
      expect(matches.size).toBe(1);
      expect(extent).toEqual({ compared: SCHOOLS, all: SCHOOLS });
    });
    expect(asking.length).toBeLessThanOrEqual(2);
  });

  test('lets other requests run between two queries', async () => {
    let isDone = false;
    let turns = 0;
    const others = (async () => {
      while (!isDone) {
        await setImmediate();
        turns += 1;
      }
    })();
    await createSchoolIndex(database).build(new AbortController().signal);
    isDone = true;
    await others;
    expect(turns).toBeGreaterThan(2 * (SCHOOLS / 20));
  });

  test('a recommendation waits for a second at most, says what was compared, and later compares all', async () => {
    const { database: slow, letGo } = holdReads(database, 20);
    const index = createSchoolIndex(slow);
    const building = index.build(new AbortController().signal);
    const recommend = createRecommend({ database, index, adviseByModel: undefined });
    const patience = { signal: new AbortController().signal, since: performance.now() };
    const asker = { userId: 1, joinedAt: 0 };
    const ask = () => recommend(asker, withMajor('subject369'), patience, product.app.server.log as FastifyBaseLogger);
    const early = await ask();
    expect(early.text).toMatch(/\n\n\(\d+ of 400 schools were compared: the others are still being read\. /);
    expect(early.text).toMatch(/\(Chosen by our own built-in rules; no AI model was asked\.\)$/);
    letGo();
    await building;
    const late = await ask();
    expect(late.text).not.toContain('schools were compared');
    expect(late.school.schoolName).toBe('Plain School 369');
  });

  test('what failed while it was read is read again for whoever asks next', async () => {
    let isAway = true;
    const index = createSchoolIndex({
      ...database,
      get read() {
        if (isAway) throw new Error('The database is away.');
        return database.read;
      },
    });
    await expect(index.build(new AbortController().signal)).rejects.toThrow('The database is away.');
    await expect(index.match(parsePreferences(withMajor('subject369')))).rejects.toThrow('The database is away.');
    isAway = false;
    // This waits however long the reading takes. A search alone would wait for a second at most.
    await index.build(new AbortController().signal);
    const { matches, extent } = await index.match(parsePreferences(withMajor('subject369')));
    expect(matches.size).toBe(1);
    expect(extent).toEqual({ compared: SCHOOLS, all: SCHOOLS });
  });

  test('of the changed schools are read again, new ones are read and deleted ones gone', async () => {
    const index = createSchoolIndex(database);
    await index.build(new AbortController().signal);
    const found = async (major: string) => [...(await index.match(parsePreferences(withMajor(major)))).matches.keys()];
    const school = await createSchool(product);
    const entry = await createEntry(product, clubs, school.id);
    expect(await found('zymurgy')).toEqual([]);
    await postReview(product, clubs, entry.id, await createUser(product), { review: 'The zymurgy lab is wonderful.' });
    index.markChanged(new Set([tags.school(school.id)]));
    expect(await found('zymurgy')).toEqual([school.id]);
    expect(await found('zymurgyy')).toEqual([school.id]);
    await database.write((db) => db.deleteFrom('schools').where('id', '=', school.id).execute());
    expect(await found('zymurgy')).toEqual([]);
  });
});
