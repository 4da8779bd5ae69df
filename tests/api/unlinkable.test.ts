import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { ENGINES, type Product } from '../support/product.ts';
import { differences, publicAddresses, readPublic } from '../support/public-answers.ts';
import { createUser, postReview, type TestUser } from '../support/rows.ts';
import { startTwins } from '../support/twins.ts';

/** Which two of four reviews are by one person: every way there is. */
const PAIRS = [
  [0, 1],
  [2, 3],
  [0, 2],
  [1, 3],
  [0, 3],
  [1, 2],
] as const;

/** In which order the four are posted, in each group another. */
const ORDERS = [
  [0, 1, 2, 3],
  [3, 1, 0, 2],
  [2, 0, 3, 1],
  [1, 3, 2, 0],
  [0, 3, 1, 2],
  [2, 1, 3, 0],
] as const;

type Answers = Awaited<ReturnType<typeof readPublic>>;

interface Entry {
  id: number;
  category: Category;
}

/** Four entries and three people: one posts two reviews, the others one each. */
interface Group {
  entries: readonly Entry[];
  people: readonly TestUser[];
  reviewIds: number[];
  /** The answer to the post of each of the reviews. */
  answers: Record<string, unknown>[];
}

describe.each(ENGINES)('two anonymous reviews by one person on %s', { timeout: 120_000 }, (engine) => {
  let twins: [Product, Product];
  let groups: [Group[], Group[]];
  let said: readonly [Answers, Answers];

  beforeAll(async () => {
    twins = await startTwins(engine);
    groups = [await postAll(twins[0], 0), await postAll(twins[1], 1)];
    said = [await readAll(twins[0]), await readAll(twins[1])];
  }, 120_000);
  afterAll(async () => {
    for (const product of twins) await product.stop();
  });

  /** Posts the same in both products; only who of a group wrote which two of the four is different. */
  async function postAll(product: Product, shift: number): Promise<Group[]> {
    const rows = await product.app.database.read
      .selectFrom('entries')
      .select(['id', 'kind'])
      .orderBy('id')
      .limit(4 * PAIRS.length)
      .execute();
    const entries = rows.map(({ id, kind }) => ({
      id,
      category: CATEGORIES.find((category) => category.kind === kind) as Category,
    }));
    const posted: Group[] = [];
    const reader = await createUser(product);
    for (const [index, order] of ORDERS.entries()) {
      const people = [await createUser(product), await createUser(product), await createUser(product)] as const;
      const group: Group = { entries: entries.slice(4 * index, 4 * index + 4), people, reviewIds: [], answers: [] };
      const [first, second] = PAIRS[(index + shift) % PAIRS.length] as (typeof PAIRS)[number];
      const others = [people[1], people[2]];
      for (const at of order) {
        const author = at === first || at === second ? people[0] : (others.shift() as TestUser);
        const { id, category } = group.entries[at] as Entry;
        const input = { rating: 1 + at, review: `The ${at}th of four.`, relation: 'student', username: null } as const;
        const { status, body } = await postReview(product, category, id, author, input);
        expect(status).toBe(201);
        group.reviewIds[at] = body.id;
        const { userId: _, ...answer } = body;
        group.answers[at] = answer;
        // Marked reviews are quoted, also by new accounts.
        if (at > 1) await call(product, `POST /auth/markHelpful/${body.id}`, { token: reader.token });
      }
      posted.push(group);
    }
    return posted;
  }

  const addresses = () => {
    const [group] = groups;
    const entries = group.flatMap((one) => one.entries.map(({ id, category: { kind } }) => ({ id, kind })));
    const reviews = group.flatMap(({ reviewIds }) => reviewIds);
    return publicAddresses({ schools: [1, 2], entries, reviews, strange: reviews.at(-1) });
  };

  /** What a product says to everybody who asks for anything. */
  const readAll = (product: Product) => readPublic(product, addresses());

  test('are answered as two by two people are: no value in any answer, page, header or list tells which they are', async () => {
    expect(groups[0].map(({ reviewIds }) => reviewIds)).toEqual(groups[1].map(({ reviewIds }) => reviewIds));
    expect(groups[0].map(({ answers }) => answers)).toEqual(groups[1].map(({ answers }) => answers));
    const [one, other] = said;
    expect(one.get('/auth/getVoices')?.text).toContain(' of four.');
    const text = [...one.values()].map((answer) => answer.text).join('\n');
    for (const at of [0, 1, 2, 3]) expect(text).toContain(`The ${at}th of four.`);
    expect(differences(one, other)).toEqual([]);
  });

  test('are found out by an answer that carries a hash of its author', async () => {
    async function mark({ app }: Product, answers: Answers): Promise<Answers> {
      const marked = new Map(answers);
      const authors = await app.database.read.selectFrom('reviews').select(['id', 'user_id']).execute();
      for (const { id, user_id } of authors) {
        const address = `/auth/getReview/${id}`;
        const answer = answers.get(address);
        if (answer) marked.set(address, { address, text: `${answer.text} ${hash('sha256', String(user_id))}` });
      }
      return marked;
    }
    const found = differences(await mark(twins[0], said[0]), await mark(twins[1], said[1]));
    for (const { reviewIds } of groups[0]) {
      const changed = reviewIds.filter((id) => found.includes(`/auth/getReview/${id}`));
      expect(changed.length).toBeGreaterThan(0);
    }
  });

  test('stay so when that person is deleted', async () => {
    for (const [index, product] of twins.entries()) {
      const admin = await createUser(product, { isAdmin: true });
      for (const { people } of groups[index as 0 | 1]) {
        const answer = await call(product, `DELETE /auth/deleteUser/${people[0]?.id}`, { token: admin.token });
        expect(answer.status).toBe(204);
      }
    }
    expect(differences(await readAll(twins[0]), await readAll(twins[1]))).toEqual([]);
  });
});
