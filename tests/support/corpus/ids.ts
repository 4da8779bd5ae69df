import type { Call } from '../../../src/contract/call.ts';
import { CALLS } from '../../../src/contract/calls.ts';
import { CATEGORIES } from '../../../src/contract/categories.ts';
import { call } from '../call.ts';
import { createEntry, createSchool, createUser, postReview } from '../rows.ts';
import type { World } from '../world.ts';
import type { Case } from './case.ts';
import { bodyFieldsOf, JSON_TYPE } from './fields.ts';

/** Texts in place of an id, and the status of the answer. 404: it is a valid id, which nothing has. */
const WRONG_IDS: Record<string, [spelled: string, status: number]> = {
  zero: ['0', 400],
  negative: ['-1', 400],
  signed: ['+1', 400],
  fraction: ['1.5', 400],
  exponent: ['1e3', 400],
  hexadecimal: ['0x10', 400],
  'first beyond 32 bits': ['2147483648', 404],
  'largest exact': ['9007199254740991', 404],
  'first inexact': ['9007199254740993', 400],
  'first beyond 64 bits': ['9223372036854775808', 400],
  '26 digits': ['1'.padEnd(26, '0'), 400],
  '200 digits': ['1'.repeat(200), 400],
  '201 digits': ['1'.repeat(201), 400],
  'not a number': ['NaN', 400],
  infinite: ['Infinity', 400],
  null: ['null', 400],
  empty: ['', 400],
  'NUL byte': ['%00', 400],
  space: ['%20', 400],
  'dots for the folder above': ['%2e%2e', 400],
  quote: ['%27', 400],
  'digit of another script': ['%D9%A1', 400],
  'encoded twice': ['%2531', 400],
  'not decodable': ['%zz', 400],
};

/** Valid for each call with an id in its path and a body, so that only the id is wrong. */
const BODY = { isAdmin: false, isBlocked: false, action: 'keep', reason: 'spam', text: 'I was there.', upTo: 1 };
/** For calls in which a field of that name has another meaning. */
const OTHER_FIELDS: Readonly<Record<string, object>> = {
  revealAuthor: { reason: 'A court asks for it.' },
  decideProposal: { action: 'refuse' },
};

const PARAM = /:\w+/;
const withId = CALLS.filter(({ path }) => PARAM.test(path));
const needsCategory = ({ query }: Call) => (query as { required?: string[] }).required?.includes('category') ?? false;

/** Valid ids that some calls must not find. */
interface StrangeIds {
  /** Of an entry, larger than that of any school or user. */
  entry: number;
  entries: number[];
  reviews: number[];
  deletedSchool: number;
  deletedUser: number;
  deletedEntries: number[];
  deletedReviews: number[];
}

async function createStrangeIds({ product, user, admin }: World): Promise<StrangeIds> {
  const remove = async (path: string) => {
    const { status } = await call(product, `DELETE /auth/${path}`, { token: admin.token });
    if (status !== 204) throw new Error(`${path} was answered with ${status}`);
  };
  const { id: deletedSchool } = await createSchool(product);
  const { id: deletedUser } = await createUser(product);
  const ids: StrangeIds = {
    ...{ entry: 0, entries: [], reviews: [] },
    ...{ deletedSchool, deletedUser, deletedEntries: [], deletedReviews: [] },
  };
  const { id: schoolId } = await createSchool(product);
  for (const category of CATEGORIES) {
    const kept = await createEntry(product, category, schoolId);
    const gone = await createEntry(product, category, schoolId);
    const review = await postReview(product, category, kept.id, user);
    const goneReview = await postReview(product, category, gone.id, user);
    await remove(`${category.calls.removeReview}/${goneReview.body.id}`);
    await remove(`${category.calls.remove}/${gone.id}`);
    ids.entries.push(kept.id);
    ids.deletedEntries.push(gone.id);
    ids.reviews.push(review.body.id);
    ids.deletedReviews.push(goneReview.body.id);
  }
  await remove(`deleteSchool/${deletedSchool}`);
  await remove(`deleteUser/${deletedUser}`);
  ids.entry = ids.entries.at(-1) ?? 0;
  return ids;
}

/** Ids that one call must not find: one of another kind of thing, and one of a deleted thing. */
function strangeIdsFor(target: Call, ids: StrangeIds): [other: number, deleted: number] {
  const index = CATEGORIES.findIndex(({ calls }) => Object.values(calls).includes(target.name));
  const category = CATEGORIES[index];
  const [one = 0, another = 0] = target.path.endsWith(':reviewId') ? ids.deletedReviews : ids.deletedEntries;
  if (/:(review|entry)Id$/.test(target.path)) return [one, another];
  if (!category)
    return [ids.entry, /:userId|User|Profile/.test(target.path + target.name) ? ids.deletedUser : ids.deletedSchool];
  if (target.name === category.calls.list) return [ids.entry, ids.deletedSchool];
  const next = (index + 1) % CATEGORIES.length;
  const [kept, gone] =
    target.name === category.calls.removeReview ? [ids.reviews, ids.deletedReviews] : [ids.entries, ids.deletedEntries];
  return [kept[next] ?? 0, gone[index] ?? 0];
}

/** Every call with an id in its path, with invalid ids and with ids of nothing. */
export async function idCases(world: World): Promise<Case[]> {
  const ids = await createStrangeIds(world);
  return withId.flatMap((target) => {
    const [other, deleted] = strangeIdsFor(target, ids);
    const spellings = { ...WRONG_IDS, 'of another kind': [`${other}`, 404], 'of what is deleted': [`${deleted}`, 404] };
    return Object.entries(spellings).map(([name, [spelled, status]]): Case => {
      // The owner is checked before it is known whether the profile exists.
      const isProfile = target.name === 'getProfile' && status === 404;
      return {
        name: `id ${name}`,
        method: target.method,
        path: target.path.replace(PARAM, spelled as string) + (needsCategory(target) ? '?category=clubs' : ''),
        status: isProfile ? 403 : (status as number),
        token: world.admin.token,
        ...(bodyFieldsOf(target).length > 0 && {
          headers: JSON_TYPE,
          body: JSON.stringify({ ...BODY, ...OTHER_FIELDS[target.name] }),
        }),
      };
    });
  });
}
