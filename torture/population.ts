import { CATEGORIES } from '../src/contract/categories.ts';
import { insertUser, insertUsers } from '../src/server/accounts/queries.ts';
import type { Connection, Database } from '../src/server/database/database.ts';
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

type Some<T> = readonly [T, ...T[]];

export interface Population {
  readonly reviewers: Some<Reviewer>;
  readonly targets: Some<Target>;
  readonly accounts: Some<ResetAccount>;
}

/** An entry, and somebody who reviews it. */
export interface Pair {
  readonly target: Target;
  readonly author: Reviewer;
}

/** Each pair of an entry and a reviewer, who can review it only once. */
export function* pairsOf({ targets, reviewers }: Omit<Population, 'accounts'>): Generator<Pair> {
  for (const target of targets) for (const author of reviewers) yield { target, author };
}

/** One of the values, which are taken in turn. */
export const inTurn = <T>(values: Some<T>, turn: number): T => values[turn % values.length] ?? values[0];

/** @throws when there is none */
function someOf<T>([first, ...rest]: readonly T[]): Some<T> {
  if (first === undefined) throw new Error('A trial needs at least one of each.');
  return [first, ...rest];
}

/** @throws when all values are used up */
export function takeNext<T>(values: Iterator<T>): T {
  const { done, value } = values.next();
  if (done) throw new Error('The trial has used up what it was given to write.');
  return value;
}

/** @returns their ids */
export function addUsers(database: Database, prefix: string, amount: number, passwordHash = NO_PASSWORD) {
  const createdAt = Date.now() - HOUR;
  const users = Array.from({ length: amount }, (_, index) => {
    const username = `${prefix}-${index}`;
    return { username, email: `${username}@example.org`, passwordHash, createdAt };
  });
  return database.write((db) => insertUsers(db, users));
}

async function signInUsers(database: Database, ids: readonly number[]): Promise<Some<ResetAccount>> {
  const users = await signInAll(database, TOKEN_SECRET, ids);
  return someOf(users.map((user) => ({ ...user, password: PASSWORD })));
}

/** @returns the admin's token */
export async function addAdmin(database: Database): Promise<string> {
  const now = Date.now();
  const admin = { username: 'admin', email: 'admin@example.org', passwordHash: NO_PASSWORD, verifiedAt: now };
  const id = await database.write((db) => insertUser(db, { ...admin, isAdmin: true }, now));
  const [{ token }] = await signInUsers(database, id === undefined ? [] : [id]);
  return token;
}

/** @returns its id */
export async function addSchool(db: Connection, schoolName = 'School of Hard Knocks'): Promise<number> {
  return (await insertSchool(db, { schoolName, description: 'For tests.', location: 'Nowhere, Testland' })).id;
}

async function addTargets(database: Database, amount: number): Promise<Some<Target>> {
  return database.write(async (db) => {
    const schoolId = await addSchool(db);
    const targets: Target[] = [];
    for (let index = 0; index < amount; index += 1) {
      const category = inTurn(someOf(CATEGORIES), index);
      const { id } = await insertEntry(db, category, schoolId, { name: `Entry ${index}`, description: 'For tests.' });
      targets.push({ id, category });
    }
    return someOf(targets);
  });
}

/** Puts the people and entries of a trial into an empty database, before any server runs on it. */
export async function populate(
  address: DatabaseAddress,
  { targets, accounts }: { targets: number; accounts: number },
): Promise<Population> {
  return withDatabase(address, async (database) => {
    return {
      reviewers: await signInUsers(database, await addUsers(database, 'reviewer', REVIEWERS)),
      targets: await addTargets(database, targets),
      accounts: await signInUsers(
        database,
        await addUsers(database, 'forgetful', accounts, await hashPassword(PASSWORD)),
      ),
    };
  });
}
