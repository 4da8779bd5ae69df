import type { Call } from '../../../src/contract/call.ts';
import { IMPORT_CALLS } from '../../../src/contract/imports.ts';
import { BOUNDS } from '../../../src/server/http/limits/bounds.ts';
import { unique } from '../rows.ts';
import { createWorld, type World } from '../world.ts';
import type { Case } from './case.ts';
import { JSON_TYPE, prepare, tokenFor } from './fields.ts';

const NOT_JSON = /^The body is not valid JSON\.$/;
const TOO_DEEP = /^The body must not be nested more than 32 levels deep\.$/;
const NOT_OBJECT = /^The body must be an object\.$/;

/** Values in place of the body of a call, and the answer to each. */
const WRONG_BODIES: Record<string, [body: (right: string) => string | Uint8Array, says: RegExp]> = {
  empty: [() => '', /^The request needs a JSON body\.$/],
  null: [() => 'null', NOT_OBJECT],
  list: [(right) => `[${right}]`, NOT_OBJECT],
  text: [(right) => JSON.stringify(right), NOT_OBJECT],
  number: [() => '1', NOT_OBJECT],
  'cut short': [(right) => right.slice(0, -1), NOT_JSON],
  'comma too many': [(right) => right.replace(/\}$/, ',}'), NOT_JSON],
  'something after it': [(right) => `${right}x`, NOT_JSON],
  'sixteen-bit characters': [(right) => Buffer.from(right, 'utf16le'), NOT_JSON],
  'prototype of all objects': [(right) => right.replace('{', '{"__proto__":{"isAdmin":true},'), NOT_JSON],
  'prototype by constructor': [
    (right) => right.replace('{', '{"constructor":{"prototype":{"isAdmin":true}},'),
    NOT_JSON,
  ],
  'five thousand levels': [() => '['.repeat(5_000), TOO_DEEP],
};

export async function wrongBodyCases(target: Call, world: World): Promise<Case[]> {
  const { path, body } = await prepare(target, world);
  const right = JSON.stringify(body);
  const common = { method: target.method, path, token: await tokenFor(target, world), headers: JSON_TYPE };
  const wrong = Object.entries(WRONG_BODIES).map(([name, [toWrong, says]]) => ({
    ...common,
    name: `${target.name} body ${name}`,
    body: toWrong(right),
    status: 400,
    says,
  }));
  const { max } = IMPORT_CALLS.some(({ name }) => name === target.name) ? BOUNDS.importFile : BOUNDS.recommendBody;
  const large = { name: `${target.name} body too large`, body: `{"x":"${'x'.repeat(max)}"}`, status: 413 };
  return [...wrong, { ...common, ...large }];
}

/** Fields that nobody may set. A call whose body has one of them gets its valid value. */
const PRIVILEGED = {
  id: 1,
  userId: 1,
  isAdmin: true,
  is_admin: 1,
  createdAt: '2001-01-01T00:00:00.000Z',
  verified: true,
  verifiedAt: 1,
  passwordHash: 'x',
  schoolId: 1,
  ratingSum: 10_000,
  tries: -100,
} as const;

/** Odd bodies that are accepted: the last of two equal keys counts, and unknown fields are ignored. */
export async function oddBodyCases(target: Call, world: World): Promise<Case[]> {
  const common = async () => {
    // Only the last code that a person got for a new email is valid, and three bodies are prepared.
    const own = target.name === 'confirmMyEmail' ? await createWorld(world.product) : world;
    const { path, body = {} } = await prepare(target, own);
    const token = await tokenFor(target, own);
    return { method: target.method, path, token, headers: JSON_TYPE, fields: body };
  };
  const twice = await common();
  const more = await common();
  const marked = await common();
  const wrongFirst = Object.keys(twice.fields).map((name) => `${JSON.stringify(name)}:{"wrong":[]}`);
  const rightLast = JSON.stringify(twice.fields).slice(1);
  return [
    { ...twice, name: `${target.name} body with keys twice`, body: `{${wrongFirst.join()},${rightLast}` },
    {
      ...more,
      name: `${target.name} body with what nobody may set`,
      body: JSON.stringify({ ...PRIVILEGED, [unique('unknown')]: 'x', ...more.fields }),
    },
    { ...marked, name: `${target.name} body after a byte order mark`, body: `\ufeff${JSON.stringify(marked.fields)}` },
  ];
}
