import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import type { Background } from '../../src/contract/reviews.ts';
import { findUser, insertUser } from '../../src/server/accounts/queries.ts';
import { insertSession } from '../../src/server/accounts/session-queries.ts';
import { signToken } from '../../src/server/accounts/sessions.ts';
import type { App } from '../../src/server/app.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { insertEntry } from '../../src/server/entries/queries.ts';
import { changes } from '../../src/server/http/cache/tags.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { hashPassword } from '../../src/server/security/passwords.ts';
import { openKeys } from '../../src/server/security/secrets.ts';
import { type Answer, call } from './call.ts';
import { unfold } from './mail-server.ts';

/** A running product, in whose database tests make rows. */
export interface RunningProduct {
  readonly url: string;
  readonly app: App;
  readonly dataDir: string;
  /** Milliseconds that the product's clock is ahead, or the time at which it stands still. */
  readonly clock: { ahead: number; still?: number };
}

/** The category of tests that are about no particular one. */
export const [category] = CATEGORIES as [Category];

/** The password of every user that `createUser` makes. */
export const PASSWORD = 'plain sailing on tuesdays';
let passwordHash: Promise<string> | undefined;
let count = 0;

/** A name that no other test uses. */
export function unique(prefix: string): string {
  count += 1;
  return `${prefix}-${process.pid}-${count}`;
}

export interface TestUser {
  id: number;
  username: string;
  email: string;
  token: string;
}

export interface UserOptions {
  isAdmin?: boolean;
  /** How long ago the account was made, in milliseconds. */
  age?: number;
}

/** A verified user who is signed in, put straight into the database: hashing a password for each would take minutes. */
export async function createUser(product: RunningProduct, { isAdmin, age = 0 }: UserOptions = {}): Promise<TestUser> {
  passwordHash ??= hashPassword(PASSWORD);
  const username = unique('user');
  const email = `${username}@example.org`;
  const joinedAt = Date.now() + product.clock.ahead - age;
  const user = { username, email, passwordHash: await passwordHash, isAdmin, verifiedAt: joinedAt };
  const session = await product.app.database.write(async (db) => {
    const id = await insertUser(db, user, joinedAt);
    if (id === undefined) throw new Error(`${username} is there already`);
    return openSession(db, product, id);
  });
  return { id: session.user.id, username, email, token: await signSession(product, session) };
}

/** Opens one more session, whatever the limit: some tests open very many for one user. @returns its token */
export async function signIn(product: RunningProduct, userId: number): Promise<string> {
  return signSession(product, await product.app.database.write((db) => openSession(db, product, userId)));
}

const timeOf = ({ clock }: RunningProduct) => clock.still ?? Date.now() + clock.ahead;

async function openSession(db: Connection, product: RunningProduct, userId: number) {
  const id = randomBytes(16).toString('base64url');
  await insertSession(db, id, userId, timeOf(product));
  const user = await findUser(db, userId);
  if (!user) throw new Error(`there is no user ${userId}`);
  return { id, user };
}

const signSession = (product: RunningProduct, { id, user }: Awaited<ReturnType<typeof openSession>>) =>
  signToken(openKeys(undefined, product.dataDir).token, id, user, timeOf(product));

export function createSchool(product: RunningProduct, schoolName = unique('School')) {
  const fields = { schoolName, description: 'A school for tests.', location: 'Nowhere, Testland' };
  return product.app.database.write((db, commit) => {
    commit.invalidate(...changes.schoolsAdded);
    return insertSchool(db, fields);
  });
}

export async function createEntry(
  product: RunningProduct,
  category: Category,
  schoolId?: number,
  name = unique('Entry'),
) {
  const school = schoolId ?? (await createSchool(product)).id;
  const values = { name, description: 'An entry for tests.' };
  const entry = await product.app.database.write((db, commit) => {
    commit.invalidate(...changes.entriesAdded(school));
    return insertEntry(db, category, school, values);
  });
  return { ...entry, schoolId: school, name: values.name };
}

export interface ReviewInput extends Background {
  rating?: number;
  review?: string;
  username?: string | null;
}

export function postReview(
  product: RunningProduct,
  category: Category,
  entryId: number,
  user: TestUser,
  { rating = 4, review = 'Good.', username = user.username, ...background }: ReviewInput = {},
): Promise<Answer> {
  return call(product, `POST /auth/${category.calls.postReview}`, {
    token: user.token,
    body: { [category.itemKey]: { id: entryId }, userId: user.id, username, rating, review, ...background },
  });
}

/** The mails written so far, oldest first. */
export async function readMails(product: RunningProduct): Promise<string[]> {
  await product.app.outbox.flush();
  const folder = join(product.dataDir, 'mail');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .map((name) => unfold(readFileSync(join(folder, name), 'utf8')));
}

/** The mails to an address, oldest first. Mailers write its domain in lower case. */
export async function readMailsTo(product: RunningProduct, email: string): Promise<string[]> {
  const to = `To: ${email}`.toLowerCase();
  return (await readMails(product)).filter((text) => text.toLowerCase().includes(to));
}

/** The passcode in the newest mail to an address. */
export async function readPasscode(product: RunningProduct, email: string): Promise<string> {
  const mail = (await readMailsTo(product, email)).at(-1);
  const code = mail && /^\d{6}$/m.exec(mail)?.[0];
  if (!code) throw new Error(`there is no passcode for ${email}`);
  return code;
}
