import { NEW_ACCOUNT_DAYS } from '../../src/contract/bursts.ts';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import type { Answer } from './call.ts';
import { call } from './call.ts';
import { removeAs } from './deletions.ts';
import { createNamedEntry, merge } from './merging.ts';
import { hide } from './moderation.ts';
import type { Product } from './product.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  postReview,
  type ReviewInput,
  type TestUser,
} from './rows.ts';

const { calls } = category;
const DAY = 24 * 60 * 60_000;
/** An account that is too old to be part of a burst. */
export const OLD_ACCOUNT = { age: 2 * NEW_ACCOUNT_DAYS * DAY };

/** Whether a query is the one statement that posts a review. The other way is a transaction of several queries. */
export const isPostStatement = ({ text }: { text: string }) => text.includes('is_sound');

/** The steps of the cases. Each post is remembered under the title of its case. */
function createSteps(product: Product) {
  const answers: { name: string; answer: Answer }[] = [];
  const old = () => createUser(product, OLD_ACCOUNT);
  const young = () => createUser(product);
  const newEntry = async () => (await createEntry(product, category)).id;

  async function post(name: string, entryId: number, by: TestUser, review?: ReviewInput): Promise<number> {
    const answer = await postReview(product, category, entryId, by, review);
    answers.push({ name, answer });
    return answer.body.id;
  }
  /** An entry that is reviewed, so that a further review is not its first. */
  async function reviewed(): Promise<number> {
    const id = await newEntry();
    await post('to an entry without reviews', id, await old());
    return id;
  }
  const withdraw = (by: TestUser, id: number) =>
    call(product, `DELETE /auth/${calls.removeReview}/${id}`, { token: by.token });

  return { answers, old, young, newEntry, post, reviewed, withdraw };
}

/** Posts reviews of every kind, one after the other: those that are stored and those that are refused. */
export async function postEveryCase(product: Product): Promise<{ name: string; answer: Answer }[]> {
  const { answers, old, young, newEntry, post, reviewed, withdraw } = createSteps(product);
  const admin = await createUser(product, { isAdmin: true });
  const school = await createSchool(product);
  const background = { relation: 'student', since: 2001, until: 2005 } as const;

  const entry = await reviewed();
  await post('signed', entry, await old(), { rating: 0.5 });
  await post('anonymous', entry, await old(), { username: null, rating: 5 });
  await post('with a background', entry, await old(), background);
  await post('with the same relation', entry, await old(), { ...background, rating: 2.5 });
  await post('with another relation', entry, await old(), { relation: 'parent' });
  await post('by a new account', entry, await young(), { relation: 'parent', rating: 1.5 });
  await post('by a new account, anonymous', entry, await young(), { username: null });
  await post('with only a year', entry, await old(), { since: 1999 });

  const twice = await old();
  await post('once', entry, twice);
  await post('twice', entry, twice);
  await post('of somebody else', entry, { ...twice, id: admin.id });
  await post('with the name of somebody else', entry, twice, { username: admin.username });
  await post('with impossible years', entry, await old(), { since: 2005, until: 2001 });
  await post('of no entry', 1_000_000, await old());

  const hidden = await old();
  const hiddenId = await post('that is hidden', entry, hidden);
  await hide(product, admin, hiddenId);
  await post('after one that is hidden', entry, hidden);
  await withdraw(hidden, hiddenId);
  await post('after one that is hidden and withdrawn', entry, hidden);
  const changing = await old();
  await withdraw(changing, await post('that is withdrawn', entry, changing));
  await post('after one that is withdrawn', entry, changing);

  const lonely = await newEntry();
  await hide(product, admin, await post('the only one, that is hidden', lonely, await old()));
  await post('when all others are hidden', lonely, await old());
  const second = await createEntry(product, category, school.id);
  await post('the first of its category at the school', second.id, await old());
  const third = await createEntry(product, category, school.id);
  await post('the first of its entry alone', third.id, await young());

  const deleted = await reviewed();
  await removeAs(product, admin, 'entry', deleted);
  await post('of a deleted entry', deleted, await old());
  const [from, into] = [await createSchool(product), await createSchool(product)];
  const merged = await createNamedEntry(product, category, from.id, 'The same');
  const remaining = await createNamedEntry(product, category, into.id, 'The same');
  await post('that moves', merged.id, await old());
  await merge(product, admin, from.id, into.id);
  await post('of a merged entry', merged.id, await old());
  await post('of the entry that remains', remaining.id, await old());

  const renamed = await old();
  await product.app.database.write((db) =>
    db
      .updateTable('users')
      .set({ username: `${renamed.username}-x` })
      .where('id', '=', renamed.id)
      .execute(),
  );
  await post('signed with a former name', entry, renamed);

  return [...answers, ...(await postBursts(product)), ...(await postUpToLimit(product))];
}

async function postBursts(product: Product): Promise<{ name: string; answer: Answer }[]> {
  const { answers, old, young, post, reviewed, withdraw } = createSteps(product);
  const admin = await createUser(product, { isAdmin: true });
  const entry = await reviewed();
  const hiddenId = await post('by a new account, hidden', entry, await young());
  await hide(product, admin, hiddenId);
  for (let count = 1; count < 10; count += 1) await post(`${count} of a burst`, entry, await young());
  const leaving = await young();
  const left = await post('the last of a burst', entry, leaving);
  await post('beside a burst', entry, await old());
  await post('that continues a burst', entry, await young());
  await withdraw(leaving, left);
  await post('after one that was of a burst', entry, leaving);
  return answers;
}

async function postUpToLimit(product: Product): Promise<{ name: string; answer: Answer }[]> {
  const { answers, old, post, reviewed } = createSteps(product);
  const author = await old();
  for (let count = 1; count <= LIMITS.reviews.max + 1; count += 1) {
    await post(`${count} within an hour`, await reviewed(), author);
  }
  const { clock } = product;
  if (clock.still !== undefined) clock.still += LIMITS.reviews.windowMs;
  await post('an hour later', await reviewed(), author);
  return answers;
}
