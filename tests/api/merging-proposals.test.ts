import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { merge } from '../support/merging.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createSchool, createUser, type TestUser } from '../support/rows.ts';

const [category] = CATEGORIES as [Category];
const { calls } = category;

describe.each(ENGINES)('proposals for merged schools on %s', (engine) => {
  let product: Product;
  let admin: TestUser;

  beforeAll(async () => {
    product = await startProduct(engine);
    admin = await createUser(product, { isAdmin: true });
  });
  afterAll(() => product.stop());

  const read = async (path: string, user?: TestUser) =>
    (await call(product, `GET ${path}`, user === undefined ? {} : { token: user.token })).body;

  test('follow to the other school, also two that become equal, and are decided there', async () => {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    const [one, two] = [await createUser(product), await createUser(product)];
    const propose = async (user: TestUser, schoolId: number, name: string) => {
      const body = { schoolId, category: category.kind, name };
      return (await call(product, 'POST /auth/proposeEntry', { token: user.token, body })).body;
    };
    const { id: moved } = await propose(one, from.id, 'Sailing Club');
    const { id: equal } = await propose(one, from.id, 'Chess Club');
    const { id: there } = await propose(two, into.id, 'Chess Club');
    await merge(product, admin, from.id, into.id);
    const open: { id: number; schoolId: number }[] = await read('/auth/getProposals?limit=100', admin);
    for (const id of [moved, equal, there]) {
      expect(open.find((item) => item.id === id)).toMatchObject({ schoolId: into.id });
    }
    expect(await propose(two, into.id, 'SAILING club')).toMatchObject({ proposalId: moved });
    const accept = async (id: number) =>
      (await call(product, `PUT /auth/decideProposal/${id}`, { token: admin.token, body: { action: 'accept' } })).body;
    const { entryId } = await accept(there);
    expect(await accept(equal)).toMatchObject({ schoolId: into.id, entryId });
    expect(await accept(moved)).toMatchObject({ schoolId: into.id });
    expect(await read(`/auth/${calls.list}/${into.id}`)).toHaveLength(2);
  });
});
