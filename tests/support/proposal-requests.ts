import { insertProposal } from '../../src/server/proposals/proposed-queries.ts';
import { call } from './call.ts';
import { BACKGROUND } from './review-requests.ts';
import { category, createSchool, createUser, signIn, type TestUser, unique } from './rows.ts';
import type { Prepare, World } from './world.ts';

const entryProposal = async ({ product }: World) => ({
  schoolId: (await createSchool(product)).id,
  category: category.kind,
  name: unique('Proposed'),
  description: 'An entry that is missing.',
  review: { rating: 3.5, review: 'Fine.', isAnonymous: true, ...BACKGROUND },
});

/** Makes an open proposal of the user without the API, which limits proposals. */
async function insertOwnProposal(world: World): Promise<number> {
  const proposed = { kind: 'entry' as const, ...(await entryProposal(world)) };
  const inserted = await world.product.app.database.write((db) =>
    insertProposal(db, world.user.id, proposed, Date.now()),
  );
  return 'id' in inserted ? inserted.id : inserted.equalId;
}

/** Proposes in a new session, because the calls that end sessions end this one too. */
async function propose(world: World, { id }: TestUser) {
  const token = await signIn(world.product, id);
  const { body } = await call(world.product, 'POST /auth/proposeEntry', { token, body: await entryProposal(world) });
  return body.id as number;
}

/** What people propose, and what becomes of it. */
export const PROPOSALS: Record<string, Prepare> = {
  'POST /auth/proposeSchool': async () => ({
    path: '/auth/proposeSchool',
    body: { schoolName: unique('Proposed'), location: 'Somewhere, Testland', description: 'It is missing.' },
  }),
  'POST /auth/proposeEntry': async (world) => ({ path: '/auth/proposeEntry', body: await entryProposal(world) }),
  'GET /auth/getProposals': async (world) => {
    await propose(world, await createUser(world.product));
    return { path: '/auth/getProposals' };
  },
  'GET /auth/getMyProposals': async (world) => {
    for (const one of [world.user, world.other, world.admin]) await propose(world, one);
    return { path: '/auth/getMyProposals?limit=1' };
  },
  'PUT /auth/updateMyProposal/:id': async (world) => ({
    path: `/auth/updateMyProposal/${await insertOwnProposal(world)}`,
    body: { name: unique('Corrected'), description: 'With a description.' },
  }),
  'DELETE /auth/withdrawMyProposal/:id': async (world) => ({
    path: `/auth/withdrawMyProposal/${await insertOwnProposal(world)}`,
  }),
  'PUT /auth/decideProposal/:id': async (world) => {
    const id = await propose(world, await createUser(world.product));
    return { path: `/auth/decideProposal/${id}`, body: { action: 'refuse', reason: 'It is there.' } };
  },
};
