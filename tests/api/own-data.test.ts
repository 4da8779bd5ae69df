import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { call } from '../support/call.ts';
import { createWorkplace, runCommand } from '../support/command.ts';
import { hide, moderate, report } from '../support/moderation.ts';
import { eventually } from '../support/postgres-faults.ts';
import { dataOf, type Product } from '../support/product.ts';
import { proposeEntry, proposeSchool, refuse } from '../support/proposals.ts';
import {
  category,
  createEntry,
  createUser,
  PASSWORD,
  postReview,
  readMailsTo,
  signIn,
  type TestUser,
  unique,
} from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const { folder } = createWorkplace();

const leave = (product: Product, { token }: { token: string }, reviews: string, password = PASSWORD) =>
  call(product, 'POST /auth/deleteMyAccount', { token, body: { password, reviews } });
const listOf = async (product: Product, entryId: number) =>
  (await call(product, `GET /auth/${category.calls.reviews}/${entryId}`)).body;

/** The answers that show reviews, from the cache where they are in it, and from the index of the recommendation. */
async function* answersAbout(product: Product, { id, schoolId }: Place, wish: string) {
  for (const address of [
    `/auth/${category.calls.reviews}/${id}`,
    `/auth/${category.calls.list}/${schoolId}`,
    `/auth/getEntrySummary/${id}`,
    `/auth/getCategoryReviews/${schoolId}?category=${category.kind}`,
    `/auth/getSchoolVoices/${schoolId}`,
    '/auth/getVoices',
    `/feeds/school/${schoolId}.atom`,
    `/feeds/entry/${id}.atom`,
    `/school/${schoolId}`,
    `${category.pages.reviews}/${id}`,
  ]) {
    yield [address, (await call(product, `GET ${address}`)).text] as const;
  }
  const asker = await createUser(product);
  const { token, id: userId } = asker;
  await call(product, 'POST /auth/postProfile', { token, body: { userId, goals: wish } });
  const asked = { token, body: {}, headers: { Accept: 'application/json' } };
  const { body } = await call(product, 'POST /auth/recommendSchool', asked);
  // Only the quotes, because the rest of the answer repeats the preference.
  yield ['the recommendation', JSON.stringify(body.evidence.map(({ quotes }: { quotes: unknown }) => quotes))] as const;
  expect((await leave(product, asker, 'delete')).status).toBe(204);
}

interface Place {
  readonly id: number;
  readonly schoolId: number;
}

let backups = 0;

/** A backup made now: the export of every row, and on SQLite the file of the backup command. */
async function backupOf(product: Product): Promise<string> {
  backups += 1;
  const name = join(folder, String(backups));
  const make = async (command: string) => {
    const { code, stderr } = await runCommand(command, [`${name}.${command}`], dataOf(product));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return readFileSync(`${name}.${command}`);
  };
  const rows = gunzipSync(await make('export')).toString();
  return product.engine === 'sqlite' ? rows + (await make('backup')).toString('latin1') : rows;
}

/** Where planted words stand: in a table, the log, the mail folder, the files of SQLite, a backup or an answer. */
async function findIn(product: Product, words: readonly string[], { entry }: { entry?: Place } = {}) {
  const found: string[] = [];
  // A name that ends in a number is also the beginning of other names.
  const patterns = words.map((word) => [word, new RegExp(`${RegExp.escape(word)}(?!\\d)`, 'i')] as const);
  const look = (place: string, text: string) => {
    for (const [word, pattern] of patterns) if (pattern.test(text)) found.push(`${word} in ${place}`);
  };
  for (const table of DATA_TABLES) {
    const rows = await product.app.database.read.selectFrom(table).selectAll().execute();
    look(table, JSON.stringify(rows));
  }
  look('the log', JSON.stringify(product.logs));
  const folders = [join(product.dataDir, 'mail'), ...(product.engine === 'sqlite' ? [product.dataDir] : [])];
  for (const one of folders) {
    const files = readdirSync(one, { withFileTypes: true }).filter((file) => file.isFile());
    for (const { name } of files) look(name, readFileSync(join(one, name), 'latin1'));
  }
  if (!entry) return found;
  look('a backup', await backupOf(product));
  for await (const [address, text] of answersAbout(product, entry, words[0] ?? '')) look(address, text);
  return found;
}

/** From now on, the changes of one kind to a table are left out, as by code that forgets the table. */
async function leaveOut(product: Product, table: string, change: string): Promise<void> {
  const run = (...statements: string[]) =>
    product.app.database.write(async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db);
    });
  const create = `create trigger left_out before ${change} on ${table} for each row`;
  if (product.engine === 'sqlite') {
    await run(`${create} begin select raise(ignore); end`);
    onTestFinished(() => run('drop trigger left_out'));
  } else {
    await run(
      "create or replace function skip() returns trigger language plpgsql as 'begin return null; end'",
      `${create} execute function skip()`,
    );
    onTestFinished(() => run(`drop trigger left_out on ${table}`));
  }
}

describeProduct('an account on %s', (product) => {
  const admin = adminOf(product);

  /** Makes a user with words of their own in every field that takes text, who has taken another name since. */
  async function plant() {
    const user = await createUser(product);
    const { token } = user;
    // Letters and digits alone, so that it is one word to every search.
    const word = (field: string) => unique(`planted${field}`).replaceAll('-', 'x');
    const reviews = { review: word('review'), hidden: word('hidden'), edited: word('edited') };
    const entries = [await createEntry(product, category), await createEntry(product, category)];
    const [first, second] = entries as [(typeof entries)[0], (typeof entries)[0]];
    const [other, reporter] = [await createUser(product), await createUser(product)];
    const theirs = (await postReview(product, category, first.id, other)).body.id;
    // This review is edited after a decision: the former text is kept for the queue.
    const own = (await postReview(product, category, first.id, user, { review: reviews.edited })).body.id;
    await report(product, reporter, own);
    await moderate(product, admin, own, { action: 'keep' });
    const edit = { id: own, rating: 4, review: reviews.review, username: user.username };
    expect((await call(product, `PUT /auth/${category.calls.updateReview}`, { token, body: edit })).status).toBe(200);
    const { body } = await postReview(product, category, second.id, user, { review: reviews.hidden, username: null });
    await hide(product, admin, body.id);
    const words = { note: word('note'), appeal: word('appeal') };
    await call(product, `POST /auth/appealReview/${body.id}`, { token, body: { text: words.appeal } });
    await report(product, user, theirs, { reason: 'other', note: words.note });
    // This review is reported again after its text has changed: the first report stays, without a person.
    const released = word('released');
    const edited = (await postReview(product, category, second.id, other)).body.id;
    await report(product, user, edited, { reason: 'other', note: released });
    await moderate(product, admin, edited, { action: 'keep' });
    const correction = { id: edited, rating: 1, review: 'Changed since.' };
    await call(product, `PUT /auth/${category.calls.updateReview}`, { token: other.token, body: correction });
    expect((await report(product, user, edited)).status).toBe(201);
    await call(product, `POST /auth/markHelpful/${theirs}`, { token });
    const fields = ['location', 'major', 'academicLevel', 'campusSetting', 'finance', 'goals', 'living', 'personal'];
    const profile = Object.fromEntries(fields.map((field) => [field, word(field)]));
    await call(product, 'POST /auth/postProfile', { token, body: { userId: user.id, ...profile } });
    await call(product, `PUT /auth/saveSchool/${first.schoolId}`, { token });
    const proposed = { ...(await plantProposals(user, first.schoolId, word)) };
    const account = { name: word('n'), email: `${word('mailbox')}@example.org` };
    const changed = await call(product, 'PUT /auth/updateMyAccount', {
      token,
      body: { password: PASSWORD, email: account.email, username: account.name },
    });
    expect(changed.status).toBe(200);
    await readMailsTo(product, user.email);
    const gone = { ...words, ...profile, ...proposed, ...account };
    return { user, theirs, entries: [first, second] as const, reviews, released, gone };
  }

  /** Proposals of this user that are open, refused or joined by somebody, and one of somebody that this user joined. */
  async function plantProposals(user: TestUser, schoolId: number, word: (field: string) => string) {
    const school = { schoolName: word('school'), location: `${word('town')}, Norway`, description: word('school') };
    expect((await proposeSchool(product, user, school)).status).toBe(201);
    const reviewOf = (review: string) => ({ rating: 4, review });
    const entry = (name: string) => ({
      schoolId,
      name,
      description: word('described'),
      review: reviewOf(word('said')),
    });
    const [open, refused] = [entry(word('open')), entry(word('refused'))];
    expect((await proposeEntry(product, user, open)).status).toBe(201);
    const { body } = await proposeEntry(product, user, refused);
    expect((await refuse(product, admin, body.id, 'It is there.')).status).toBe(200);
    const [mine, theirs] = [entry(unique('Shared')), entry(unique('Shared'))];
    const other = await createUser(product);
    for (const [one, by] of [
      [mine, user],
      [mine, other],
      [theirs, other],
      [theirs, user],
    ] as const) {
      const own = by === user ? one : { ...one, description: 'Not planted.', review: reviewOf('Said by another.') };
      expect((await proposeEntry(product, by, own)).status).toBe(201);
    }
    return {
      ...{ school: school.schoolName, town: school.location, openName: open.name, refusedName: refused.name },
      ...Object.fromEntries([open, refused, mine].map(({ description }, index) => [`described${index}`, description])),
      ...Object.fromEntries([open, refused, mine, theirs].map(({ review }, index) => [`said${index}`, review.review])),
    };
  }

  test('is downloaded whole, and nothing of others with it', async () => {
    const { user, theirs, entries, reviews, gone } = await plant();
    const { status, headers, body, text } = await call(product, 'GET /auth/downloadMyData', { token: user.token });
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    for (const word of [reviews.review, reviews.hidden, ...Object.values(gone)]) expect(text).toContain(word);
    expect(body).toMatchObject({
      account: { id: user.id, username: gone.name, email: user.email, pendingEmail: gone.email },
      appeals: [{ text: gone.appeal }],
      helpful: [theirs],
      reports: [{ reviewId: theirs, reason: 'other', note: gone.note }, { reason: 'fake' }],
      savedSchools: [{ schoolId: entries[0].schoolId }],
      sessions: [{ isThis: true }],
    });
    expect(body.reviews).toHaveLength(2);
    expect(body.proposals).toHaveLength(5);
    for (const word of [admin.username, 'Said by another.', 'Not planted.']) expect(text).not.toContain(word);
  });

  test('leaves nothing when it is deleted with its reviews', async () => {
    const { user, theirs, entries, reviews, released, gone } = await plant();
    const [entry] = entries;
    const planted = [...Object.values(reviews), ...Object.values(gone), user.email];
    const before = (await findIn(product, planted, { entry })).join();
    for (const word of planted) expect(before).toContain(word);
    for (const place of ['a backup', 'the recommendation', `/feeds/entry/${entry.id}.atom`]) {
      expect(before).toContain(`${reviews.review} in ${place}`);
    }
    const lines = (await call(product, 'GET /auth/getRemovals')).body.length;
    const countSaid = async () => {
      const rows = await product.app.database.read.selectFrom('proposals').select('review').execute();
      return rows.filter(({ review }) => review === 'Said by another.').length;
    };
    const saidBefore = await countSaid();
    expect((await leave(product, user, 'delete', 'not the password')).status).toBe(401);
    expect((await leave(product, user, 'delete')).status).toBe(204);
    expect(await findIn(product, [...planted, released, user.username], { entry })).toEqual([]);
    expect(await listOf(product, entry.id)).toMatchObject([{ id: theirs, helpful: 0 }]);
    expect((await call(product, `GET /auth/${category.calls.totalReviews}/${entry.id}`)).body.totalReviews).toBe(1);
    expect((await call(product, 'GET /auth/getRemovals')).body).toHaveLength(lines);
    expect((await call(product, 'GET /auth/getMySessions', { token: user.token })).status).toBe(401);
    // The proposal that somebody joined is theirs now.
    expect(await countSaid()).toBe(saidBefore + 1);
  });

  test('leaves its reviews without a name when they are kept', async () => {
    const { user, entries, reviews, gone } = await plant();
    expect((await leave(product, user, 'keep')).status).toBe(204);
    expect(await findIn(product, [...Object.values(gone), user.email, user.username], { entry: entries[0] })).toEqual(
      [],
    );
    const found = (await listOf(product, entries[0].id)).find(
      (one: { review: string }) => one.review === reviews.review,
    );
    expect(found).not.toHaveProperty('username');
    expect((await findIn(product, [reviews.hidden])).some((place) => place.endsWith('in reviews'))).toBe(true);
  });

  test.each([
    ['reports', 'update of note', 'note'],
    ['appeals', 'delete', 'appeal'],
    ['proposal_reviews', 'delete', 'said3'],
  ] as const)('whose %s are left out of the erasure is found by the search', async (table, change, field) => {
    const { user, gone } = await plant();
    await leaveOut(product, table, change);
    expect((await leave(product, user, 'keep')).status).toBe(204);
    const word = String(gone[field as keyof typeof gone]);
    expect(await findIn(product, [word])).toContain(`${word} in ${table}`);
  });

  test('that is the last admin’s stays', async () => {
    expect(await leave(product, admin, 'keep')).toMatchObject({ status: 409 });
    const second = await createUser(product, { isAdmin: true });
    expect((await leave(product, second, 'keep')).status).toBe(204);
  });

  test('is deleted once by two who ask for it at once, and a token from before is worth nothing', async () => {
    const user = await createUser(product);
    const stale = await signIn(product, user.id);
    const answers = await Promise.all(['keep', 'delete'].map((reviews) => leave(product, user, reviews)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    expect(answers.map(({ body }) => body.error)).toContain('Your session has ended. Please log in again.');
    expect((await leave(product, { token: stale }, 'keep')).status).toBe(401);
    expect((await call(product, 'GET /auth/downloadMyData', { token: stale })).status).toBe(401);
  });

  test('that an admin deletes leaves no mail', async () => {
    const user = await createUser(product);
    const body = { password: PASSWORD, email: `${unique('elsewhere')}@example.org` };
    await call(product, 'PUT /auth/updateMyAccount', { token: user.token, body });
    expect(await readMailsTo(product, body.email)).toHaveLength(1);
    expect((await call(product, `DELETE /auth/deleteUser/${user.id}`, { token: admin.token })).status).toBe(204);
    // The call answers before the files are cleared.
    await eventually(() => findIn(product, [body.email, user.email])).toEqual([]);
  });
});
