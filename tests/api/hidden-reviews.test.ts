import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { ALL_PAGES, PAGES } from '../../src/contract/pages.ts';
import { getRemovals, getRemovalTotals } from '../../src/contract/removals.ts';
import { call } from '../support/call.ts';
import { hide, moderate, SOME } from '../support/moderation.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createEntry, createSchool, createUser, postReview, type TestUser } from '../support/rows.ts';

/** Of both schools, of the entry and of the reviews that come and go: there are fourteen others. */
const IDS = [1, 2, 15, 16];
const AT_ONCE = 8;

const QUERIES: Readonly<Record<string, string>> = {
  getRanking: '?category=athletics',
  compareSchools: '?ids=1,2',
  searchSchools: '?q=school',
};

/** These tell that something was removed, which is what they are for. */
const TELLING: readonly Call[] = [getRemovals, getRemovalTotals];

function addresses(): string[] {
  const calls = CALLS.filter((one) => one.method === 'GET' && one.access === 'everyone' && !TELLING.includes(one)).map(
    ({ path, name }) => `${path}${QUERIES[name] ?? ''}`,
  );
  const pages = ALL_PAGES.filter((page) => page !== PAGES.removals).map(({ path }) => path);
  const files = ['/sitemap.xml', '/auth/getAthleticsReview/1?sort=lowest', '/auth/getAthleticsReview/1?stars=1'];
  return [...calls, ...pages, ...files].flatMap((address) =>
    /:\w+/.test(address) ? IDS.map((id) => address.replace(/:\w+/, String(id))) : [address],
  );
}

describe.each(ENGINES)('what everybody can read on %s', (engine) => {
  let product: Product;
  let admin: TestUser;
  let entryId: number;

  beforeAll(async () => {
    product = await startProduct(engine);
    admin = await createUser(product, { isAdmin: true });
    const people = [await createUser(product), await createUser(product)];
    const { id: schoolId } = await createSchool(product);
    await createSchool(product);
    for (const category of CATEGORIES) {
      const entry = await createEntry(product, category, schoolId);
      entryId = category === SOME ? entry.id : entryId;
      for (const [index, person] of people.entries()) {
        await postReview(product, category, entry.id, person, { rating: 2 + index, username: null });
      }
    }
  });
  afterAll(() => product.stop());

  async function readAll(): Promise<Map<string, string>> {
    const answers = new Map<string, string>();
    const asked = addresses();
    for (let first = 0; first < asked.length; first += AT_ONCE) {
      const read = async (address: string) => {
        const { status, text, headers } = await call(product, `GET ${address}`);
        answers.set(address, `${status} ${headers.get('link')} ${text}`);
      };
      await Promise.all(asked.slice(first, first + AT_ONCE).map(read));
    }
    return answers;
  }

  function differences(one: Map<string, string>, other: Map<string, string>): string[] {
    return [...one].filter(([address, text]) => other.get(address) !== text).map(([address]) => address);
  }

  const remove = (reviewId: number, token: string) =>
    call(product, `DELETE /auth/${SOME.calls.removeReview}/${reviewId}`, { token });

  test('is the same with a review that is hidden, deleted by an admin or withdrawn as if it had never been there', async () => {
    const never = await readAll();
    const author = await createUser(product);
    const { body } = await postReview(product, SOME, entryId, author, { rating: 0.5, review: 'Awful, all of it.' });
    const shown = await readAll();
    // The control: a review that is there shows in many answers.
    expect(differences(never, shown).length).toBeGreaterThan(5);
    expect(differences(never, shown)).toContain(`/auth/${SOME.calls.reviews}/${entryId}`);

    await hide(product, admin, body.id);
    expect(differences(never, await readAll())).toEqual([]);
    await moderate(product, admin, body.id, { action: 'restore' });
    expect(differences(shown, await readAll())).toEqual([]);
    expect((await remove(body.id, admin.token)).status).toBe(204);
    expect(differences(never, await readAll())).toEqual([]);
    expect((await remove(body.id, author.token)).status).toBe(204);
    expect(differences(never, await readAll())).toEqual([]);
    await moderate(product, admin, body.id, { action: 'restore' });
    expect(differences(never, await readAll())).toEqual([]);
  });

  test('is the same after the author of a hidden review is deleted', async () => {
    const never = await readAll();
    const author = await createUser(product);
    const { body } = await postReview(product, SOME, entryId, author, { rating: 1 });
    await hide(product, admin, body.id);
    await call(product, `DELETE /auth/deleteUser/${author.id}`, { token: admin.token });
    expect(differences(never, await readAll())).toEqual([]);
  });
});
