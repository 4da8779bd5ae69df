import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { call } from '../support/call.ts';
import { hide, moderate, report } from '../support/moderation.ts';
import type { Product } from '../support/product.ts';
import { myProposals, proposeEntry, refuse } from '../support/proposals.ts';
import { category, createEntry, createUser, PASSWORD, postReview, readMailsTo, unique } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const leave = (product: Product, { token }: { token: string }, reviews: string, password = PASSWORD) =>
  call(product, 'POST /auth/deleteMyAccount', { token, body: { password, reviews } });
const listOf = async (product: Product, entryId: number) =>
  (await call(product, `GET /auth/${category.calls.reviews}/${entryId}`)).body;

/** What everybody can read about an entry and its reviews, cached responses among it. */
async function readShown(product: Product, { id, schoolId }: { id: number; schoolId: number }): Promise<string> {
  const addresses = [
    `/auth/${category.calls.reviews}/${id}`,
    `/auth/getCategoryReviews/${schoolId}?category=${category.kind}`,
    ...['getSchoolVoices', 'getSchool'].map((name) => `/auth/${name}/${schoolId}`),
    ...[`/feeds/entry/${id}.atom`, `/feeds/school/${schoolId}.atom`, `${category.pages.reviews}/${id}`],
  ];
  const answers = await Promise.all(addresses.map((address) => call(product, `GET ${address}`)));
  return answers.map(({ text }) => text).join('\n');
}

/** The planted words that stand in some place: a table, the log, the mail folder, or the files of SQLite. */
async function findIn(product: Product, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const look = (place: string, text: string) => {
    for (const word of words) if (text.toLowerCase().includes(word.toLowerCase())) found.push(`${word} in ${place}`);
  };
  for (const table of DATA_TABLES) {
    const rows = await product.app.database.read.selectFrom(table).selectAll().execute();
    look(table, JSON.stringify(rows));
  }
  look('the log', JSON.stringify(product.logs));
  const folders = [join(product.dataDir, 'mail'), ...(product.engine === 'sqlite' ? [product.dataDir] : [])];
  for (const folder of folders) {
    const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile());
    for (const { name } of files) look(name, readFileSync(join(folder, name), 'latin1'));
  }
  return found;
}

describeProduct('an account on %s', (product) => {
  const admin = adminOf(product);

  /** Somebody with words of their own in every field that takes text. */
  async function plant() {
    const user = await createUser(product);
    const word = (field: string) => unique(`planted${field}`);
    const words = { review: word('review'), hidden: word('hidden'), note: word('note'), appeal: word('appeal') };
    const more = {
      goals: word('goals'),
      ...{ proposed: word('proposed'), joined: word('joined'), refused: word('refused') },
      name: word('n'),
      email: `${word('mailbox')}@example.org`,
    };
    const entries = [await createEntry(product, category), await createEntry(product, category)];
    const [first, second] = entries as [(typeof entries)[0], (typeof entries)[0]];
    const other = await createUser(product);
    const theirs = (await postReview(product, category, first.id, other)).body.id;
    await postReview(product, category, first.id, user, { review: words.review });
    const { body } = await postReview(product, category, second.id, user, { review: words.hidden, username: null });
    await hide(product, admin, body.id);
    const { token } = user;
    await call(product, `POST /auth/appealReview/${body.id}`, { token, body: { text: words.appeal } });
    await report(product, user, theirs, { reason: 'other', note: words.note });
    await call(product, `POST /auth/markHelpful/${theirs}`, { token });
    await call(product, 'POST /auth/postProfile', { token, body: { userId: user.id, goals: more.goals } });
    await call(product, `PUT /auth/saveSchool/${first.schoolId}`, { token });
    const review = { rating: 4, review: more.proposed };
    await proposeEntry(product, user, { schoolId: first.schoolId, name: unique('Entry'), review });
    // Proposals that two people have a part in, one of them theirs, one of the other.
    const theirsToo = { rating: 2, review: 'Said by another.' };
    for (const [proposer, joining, said] of [
      [user, other, more.refused],
      [other, user, more.joined],
    ] as const) {
      const proposed = { schoolId: first.schoolId, name: unique('Entry') };
      const own = { rating: 4, review: said };
      const { body: shared } = await proposeEntry(product, proposer, {
        ...proposed,
        ...(proposer === user && { description: said }),
        review: proposer === user ? own : theirsToo,
      });
      await proposeEntry(product, joining, { ...proposed, review: joining === user ? own : theirsToo });
      if (proposer === user) await refuse(product, admin, shared.id, 'No such place.');
    }
    // One that is reported again after its text has changed: the first report stays, without a person.
    const released = word('released');
    const edited = (await postReview(product, category, second.id, other)).body.id;
    await report(product, user, edited, { reason: 'other', note: released });
    await moderate(product, admin, edited, { action: 'keep' });
    const change = { id: edited, rating: 1, review: 'Changed since.' };
    await call(product, `PUT /auth/${category.calls.updateReview}`, { token: other.token, body: change });
    expect((await report(product, user, edited)).status).toBe(201);
    await call(product, 'PUT /auth/updateMyAccount', {
      token,
      body: { password: PASSWORD, email: more.email, username: more.name },
    });
    await readMailsTo(product, user.email);
    return { user, other, theirs, released, entries: [first, second] as const, words: { ...words, ...more } };
  }

  test('is downloaded whole, and nothing of others with it', async () => {
    const { user, theirs, entries, words } = await plant();
    const { status, headers, body, text } = await call(product, 'GET /auth/downloadMyData', { token: user.token });
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    for (const word of Object.values(words)) expect(text).toContain(word);
    expect(body).toMatchObject({
      account: { id: user.id, username: words.name, email: user.email, pendingEmail: words.email },
      appeals: [{ text: words.appeal }],
      helpful: [theirs],
      reports: [{ reviewId: theirs, reason: 'other', note: words.note }, { reason: 'fake' }],
      savedSchools: [{ schoolId: entries[0].schoolId }],
      sessions: [{ isThis: true }],
    });
    expect(body.reviews).toHaveLength(2);
    expect(text).not.toContain(admin.username);
  });

  test('leaves nothing when it is deleted with its reviews', async () => {
    const { user, other, theirs, released, entries, words } = await plant();
    const planted = [...Object.values(words), user.email];
    const shown = await readShown(product, entries[0]);
    for (const word of [words.review, words.name]) expect(shown).toContain(word);
    const before = await findIn(product, planted);
    for (const word of planted) expect(before.join()).toContain(word);
    const lines = (await call(product, 'GET /auth/getRemovals')).body.length;
    expect((await leave(product, user, 'delete', 'not the password')).status).toBe(401);
    expect((await leave(product, user, 'delete')).status).toBe(204);
    expect(await findIn(product, [...planted, released, user.username])).toEqual([]);
    const left = await readShown(product, entries[0]);
    for (const word of [words.review, words.name]) expect(left).not.toContain(word);
    // The words of others stay where they were.
    const proposed: { review: { review: string } }[] = await myProposals(product, other);
    expect(proposed.map(({ review }) => review.review)).toEqual(['Said by another.', 'Said by another.']);
    expect(await listOf(product, entries[0].id)).toMatchObject([{ id: theirs, helpful: 0 }]);
    expect((await call(product, `GET /auth/${category.calls.totalReviews}/${entries[0].id}`)).body.totalReviews).toBe(
      1,
    );
    expect((await call(product, 'GET /auth/getRemovals')).body).toHaveLength(lines);
    expect((await call(product, 'GET /auth/getMySessions', { token: user.token })).status).toBe(401);
  });

  test('leaves its reviews without a name when they are kept', async () => {
    const { user, entries, words } = await plant();
    expect(await readShown(product, entries[0])).toContain(words.name);
    expect((await leave(product, user, 'keep')).status).toBe(204);
    const shown = await readShown(product, entries[0]);
    expect([shown.includes(words.review), shown.includes(words.name)]).toEqual([true, false]);
    const { review, hidden, ...others } = words;
    expect(await findIn(product, [...Object.values(others), user.email, user.username])).toEqual([]);
    const found = (await listOf(product, entries[0].id)).find((one: { review: string }) => one.review === review);
    expect(found).not.toHaveProperty('username');
    expect((await findIn(product, [hidden])).some((place) => place.endsWith('in reviews'))).toBe(true);
  });

  test('that is the last admin’s stays', async () => {
    expect(await leave(product, admin, 'keep')).toMatchObject({ status: 409 });
    const second = await createUser(product, { isAdmin: true });
    const statuses = (await Promise.all([leave(product, second, 'keep')])).map(({ status }) => status);
    expect(statuses).toEqual([204]);
  });
});
