import { call } from './call.ts';
import { category, createSchool, createUser, type RunningProduct, type TestUser } from './rows.ts';

type Caller = Pick<TestUser, 'token'>;

export const proposeSchool = (
  product: RunningProduct,
  { token }: Caller,
  body: { schoolName: string; location: string; description?: string },
) => call(product, 'POST /auth/proposeSchool', { token, body });

export interface EntryProposal {
  schoolId: number;
  category?: string;
  name: string;
  description?: string;
  review?: { rating: number; review: string; isAnonymous?: boolean; relation?: string; since?: number; until?: number };
}

/** Proposes an entry, of the first category unless told. */
export const proposeEntry = (product: RunningProduct, { token }: Caller, proposed: EntryProposal) =>
  call(product, 'POST /auth/proposeEntry', { token, body: { category: category.kind, ...proposed } });

/** Proposes an entry of a new school. @returns the proposal's id, the school's, and the new user who proposed it */
export async function createProposal(product: RunningProduct, proposed: Omit<EntryProposal, 'schoolId'>) {
  const proposer = await createUser(product);
  const { id: schoolId } = await createSchool(product);
  const { body } = await proposeEntry(product, proposer, { ...proposed, schoolId });
  return { id: body.id as number, schoolId, proposer };
}

export const decide = (product: RunningProduct, admin: Caller, id: number, body: Record<string, unknown>) =>
  call(product, `PUT /auth/decideProposal/${id}`, { token: admin.token, body });

export const accept = (product: RunningProduct, admin: Caller, id: number, corrected: Record<string, unknown> = {}) =>
  decide(product, admin, id, { action: 'accept', ...corrected });

export const refuse = (product: RunningProduct, admin: Caller, id: number, reason: string) =>
  decide(product, admin, id, { action: 'refuse', reason });

/** The first hundred proposals of a state; of open ones, the oldest come first. */
export const listProposals = async (product: RunningProduct, { token }: Caller, state = 'open') =>
  (await call(product, `GET /auth/getProposals?state=${state}&limit=100`, { token })).body;

/** One of the first hundred proposals of a state. */
export const findProposal = async (product: RunningProduct, admin: Caller, id: number, state?: string) =>
  (await listProposals(product, admin, state)).find((one: { id: number }) => one.id === id);

export const countOpen = async (product: RunningProduct, { token }: Caller) =>
  (await call(product, 'GET /auth/getOpenCounts', { token })).body.proposals;

export const myProposals = async (product: RunningProduct, { token }: Caller) =>
  (await call(product, 'GET /auth/getMyProposals', { token })).body;

/** The entries of a school in the first category. */
export const entriesOf = async (product: RunningProduct, schoolId: number) =>
  (await call(product, `GET /auth/${category.calls.list}/${schoolId}`)).body;
