import { CATEGORIES } from '../src/contract/categories.ts';
import { insertUser, insertUsers } from '../src/server/accounts/queries.ts';
import type { Database } from '../src/server/database/database.ts';
import { type DatabaseAddress, openDatabase } from '../src/server/database/open.ts';
import { insertEntries } from '../src/server/entries/queries.ts';
import { insertReviews } from '../src/server/reviews/queries.ts';
import { insertSchool } from '../src/server/schools/queries.ts';
import { insertSaved } from '../src/server/schools/saved/queries.ts';
import { NO_PASSWORD } from '../src/server/security/passwords.ts';
import { signInAll } from '../tests/support/sign-in.ts';
import { TOKEN_SECRET } from './population.ts';

/** Each school has so many entries, with the same names in both; so many people review each entry. */
const ENTRIES = 10;
export const PEOPLE = 500;
/** How many reviews one school has. */
export const REVIEWS = ENTRIES * PEOPLE;
/** So many people have saved both schools. */
export const SAVERS = 100;
/** Half-stars that a review can give. */
const HALF_STARS = 10;

/** Two schools, and the token of an admin who can merge them. */
export interface TwoSchools {
  readonly token: string;
  readonly from: number;
  readonly into: number;
}

async function addReviews(
  database: Database,
  schoolId: number,
  userIdsOf: (entry: number) => readonly number[],
  createdAt: number,
): Promise<void> {
  const [category] = CATEGORIES;
  if (!category) throw new Error('There is no category.');
  const entries = Array.from({ length: ENTRIES }, (_, index) => {
    return { category, schoolId, name: `Entry ${index}`, description: 'For tests.' };
  });
  const ids = await database.write((db) => insertEntries(db, entries));
  for (const [index, entryId] of ids.entries()) {
    const reviews = userIdsOf(index).map((userId, place) => {
      const halfStars = 1 + (place % HALF_STARS);
      return { entryId, schoolId, userId, username: null, halfStars, review: 'As expected.', createdAt };
    });
    await database.write((db) => insertReviews(db, reviews));
  }
}

/** Two schools with the same number of reviews; the same people reviewed the first entry of both. */
export async function addTwoSchools(address: DatabaseAddress): Promise<TwoSchools> {
  const database = await openDatabase(address);
  const now = Date.now();
  try {
    const users = Array.from({ length: 2 * PEOPLE }, (_, index) => {
      const username = `reviewer-${index}`;
      return { username, email: `${username}@example.org`, passwordHash: NO_PASSWORD, createdAt: now };
    });
    const ids = await database.write((db) => insertUsers(db, users));
    const [some, others] = [ids.slice(0, PEOPLE), ids.slice(PEOPLE)];
    const add = (schoolName: string) =>
      database.write((db) => insertSchool(db, { schoolName, description: 'For tests.', location: 'Testland' }));
    const [from, into] = [(await add('First')).id, (await add('Second')).id];
    await addReviews(database, from, () => some, now - 1);
    await addReviews(database, into, (entry) => (entry === 0 ? some : others), now);
    await database.write(async (db) => {
      for (const id of some.slice(0, SAVERS))
        for (const schoolId of [from, into]) await insertSaved(db, id, schoolId, now);
    });
    const admin = { username: 'admin', email: 'admin@example.org', passwordHash: NO_PASSWORD, verifiedAt: now };
    const id = await database.write((db) => insertUser(db, { ...admin, isAdmin: true }, now));
    const [signedIn] = await signInAll(database, TOKEN_SECRET, id === undefined ? [] : [id]);
    if (!signedIn) throw new Error('There is no admin.');
    return { token: signedIn.token, from, into };
  } finally {
    await database.close();
  }
}
