import { type Call, fieldsOf } from '../../../src/contract/call.ts';
import { CALLS } from '../../../src/contract/calls.ts';
import { createUser } from '../rows.ts';
import { prepareRequest } from '../valid-requests.ts';
import type { World } from '../world.ts';
import type { Case } from './case.ts';
import { FIELD_KINDS, type FieldKind, KINDS_BY_CALL, MUTATIONS, type Mutation } from './field-kinds.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A placeholder for 1e400, which JSON.stringify cannot write. */
const INFINITE = '<1e400>';

export const bodyFieldsOf = ({ body }: Call): string[] => fieldsOf(body);
export const callsWithBody = CALLS.filter((target) => bodyFieldsOf(target).length > 0);

interface FieldCase extends Case {
  readonly field: string;
  readonly value: unknown;
  readonly isAccepted: boolean;
}

function mutate(mutation: Mutation, right: unknown, { smallest, largest, tooSmall, tooLarge }: FieldKind): unknown {
  const values: Record<Mutation, unknown> = {
    missing: undefined,
    null: null,
    fraction: 1.25,
    true: true,
    'empty list': [],
    'list of a right one': [right],
    'empty object': {},
    'nested object': { a: { b: [right] } },
    'number as text': '7',
    'empty text': '',
    blank: '   ',
    'too small': tooSmall,
    'too large': tooLarge,
    smallest,
    largest,
    'NUL inside': 'good\0ness',
    'lone surrogate': 'good\ud800ness',
    '100 kB': 'x'.repeat(100_000),
    'minus one': -1,
    infinite: INFINITE,
  };
  return values[mutation];
}

/** Whether each case needs a fresh account: codes are used up, sessions end, tries and proposals are limited. */
export const needsFreshAccount = ({ path, access }: Call) =>
  access === 'everyone' ||
  /^\/auth\/(changePassword|updateMyAccount|deleteMyAccount|logout|logoutAll|propose(School|Entry))$/.test(path);

/** The token of somebody who may make a call. */
export async function tokenFor(target: Call, { product, user, admin }: World): Promise<string | undefined> {
  if (target.access === 'everyone') return undefined;
  if (target.access === 'admin') return admin.token;
  return needsFreshAccount(target) ? (await createUser(product)).token : user.token;
}

export const prepare = (target: Call, world: World) => prepareRequest(`${target.method} ${target.path}`, world);

/** Every way to get one field of a call wrong, and the odd ones that are right. */
export async function fieldCases(target: Call, world: World): Promise<FieldCase[]> {
  const cases: FieldCase[] = [];
  let shared = await prepare(target, world);
  let token = await tokenFor(target, world);
  for (const field of bodyFieldsOf(target)) {
    const kind = KINDS_BY_CALL[target.name]?.[field] ?? FIELD_KINDS[field];
    if (!kind) throw new Error(`nobody has said what kind of field ${field} of ${target.name} is`);
    for (const mutation of MUTATIONS) {
      const expected = kind.expected[mutation];
      if (expected === '-') continue;
      // A body that is refused with 400 has used nothing up.
      if (expected === 'ok' || (needsFreshAccount(target) && expected !== 400)) {
        shared = await prepare(target, world);
        token = await tokenFor(target, world);
      }
      const value = mutate(mutation, shared.body?.[field], kind);
      const body = JSON.stringify({ ...shared.body, [field]: value }).replace(`"${INFINITE}"`, '1e400');
      cases.push({
        name: `${target.name} ${field} ${mutation}`,
        field,
        value,
        method: target.method,
        path: shared.path,
        token,
        headers: JSON_TYPE,
        body,
        isAccepted: expected === 'ok',
        ...(expected !== 'ok' && { status: expected }),
        ...(expected === 400 && { names: field, says: mutation === 'missing' ? / is missing\.$/ : kind.says }),
      });
    }
  }
  return cases;
}
