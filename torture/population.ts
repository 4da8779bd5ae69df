import { CATEGORIES } from '../src/contract/categories.ts';
import { insertUser, insertUsers } from '../src/server/accounts/queries.ts';
import type { Database } from '../src/server/database/database.ts';
import type { DatabaseAddress } from '../src/server/database/open.ts';
import { insertEntry } from '../src/server/entries/queries.ts';
import { insertSchool } from '../src/server/schools/queries.ts';
import { hashPassword, NO_PASSWORD } from '../src/server/security/passwords.ts';
import { signInAll } from '../tests/support/sign-in.ts';
import { withDatabase } from '../tests/support/with-database.ts';
import type { ResetAccount, Reviewer, Target } from './ledger.ts';

/** Settings of products that run for one trial. */
export const TOKEN_SECRET = 'a secret of the torture, which guards nothing at all';

/** As many as one answer of a list holds, so that one request reads all reviews of an entry back. */
export const REVIEWERS = 100;

const PASSWORD = 'before any reset of it';
const HOUR = 60 * 60_000;

export interface Population {
  readonly reviewers: readonly Reviewer[];
  readonly targets: readonly Target[];
  readonly accounts: readonly ResetAccount[];
}

/** Each pair of an entry and a reviewer, who can review it only once. */
export function* pairsOf({ targets, reviewers }: Pick<Population, 'targets' | 'reviewers'>) {
  for (const target of targets) for (const author of reviewers) yield { target, author };
}

/** @throws when all values are used up */
export function takeNext<T>(values: Iterator<T>): T {
  const { done, value } = values.next();
  if (done) throw new Error('The trial has used up what it was given to write.');
  return value;
}

async function addUsers(database: Database, prefix: string, amount: number, passwordHash: string) {
  const now = Date.now();
  const users = Array.from({ length: amount }, (_, index) => {
    const username = `${prefix}-${index}`;
    return { username, email: `${username}@example.org`, passwordHash, createdAt: now - HOUR };
  });
  const ids = await database.write((db) => insertUsers(db, users));
  return (await signInAll(database, TOKEN_SECRET, ids)).map((user) => ({ ...user, password: PASSWORD }));
}

/** @returns the admin's token */
export async function addAdmin(database: Database): Promise<string> {
  const now = Date.now();
  const admin = { username: 'admin', email: 'admin@example.org', passwordHash: NO_PASSWORD, verifiedAt: now };
  const id = await database.write((db) => insertUser(db, { ...admin, isAdmin: true }, now));
  const [signedIn] = await signInAll(database, TOKEN_SECRET, id === undefined ? [] : [id]);
  if (!signedIn) throw new Error('There is no admin.');
  return signedIn.token;
}

async function addTargets(database: Database, amount: number): Promise<Target[]> {
  return database.write(async (db) => {
    const fields = { schoolName: 'School of Hard Knocks', description: 'For tests.', location: 'Nowhere, Testland' };
    const school = await insertSchool(db, fields);
    const targets: Target[] = [];
    for (let index = 0; index < amount; index += 1) {
      const category = CATEGORIES[index % CATEGORIES.length];
      if (!category) throw new Error('There is no category.');
      const { id } = await insertEntry(db, category, school.id, { name: `Entry ${index}`, description: 'For tests.' });
      targets.push({ id, category });
    }
    return targets;
  });
}

/** Puts the people and entries of a trial into an empty database, before any server runs on it. */
export async function populate(
  address: DatabaseAddress,
  { targets, accounts }: { targets: number; accounts: number },
): Promise<Population> {
  return withDatabase(address, async (database) => {
    return {
      reviewers: await addUsers(database, 'reviewer', REVIEWERS, NO_PASSWORD),
      targets: await addTargets(database, targets),
      accounts: await addUsers(database, 'forgetful', accounts, await hashPassword(PASSWORD)),
    };
  });
}
