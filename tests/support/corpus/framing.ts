import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Call } from '../../../src/contract/call.ts';
import { CALLS } from '../../../src/contract/calls.ts';
import { ALL_PAGES } from '../../../src/contract/pages.ts';
import type { World } from '../world.ts';
import type { Case } from './case.ts';
import { JSON_TYPE, prepare, tokenFor } from './fields.ts';

/** Ways to say that a body is JSON. */
export const JSON_TYPES = [
  ...['application/json', 'APPLICATION/JSON', 'Application/Json', 'application/json; charset=utf-8'],
  ...['application/json;charset=UTF-8', 'application/json ; charset=utf-8', 'application/json\t; charset=utf-8'],
  ...['application/json; charset="utf-8"', 'application/json; profile=x'],
];

/** Ways to say that a body is something else, or nothing at all. */
export const OTHER_TYPES = [
  ...['text/plain', 'text/json', 'text/html', 'text/plain; application/json', 'application/jsonx'],
  ...['application/json5', 'application/ld+json', 'application/vnd.api+json', 'application/problem+json'],
  ...['application/x-ndjson', 'application/xml', 'application/x-www-form-urlencoded'],
  ...['multipart/form-data; boundary=x', 'multipart/form-data; boundary=application/json'],
  ...['application/octet-stream', 'application/javascript', 'image/svg+xml', 'application/*', '*/*', 'application'],
  ...['json', '/', ';', 'x application/json', 'application/jsonapplication/json'],
];

/** Calls of each kind of access, with POST and with PUT. */
const TYPED_CALLS = ['login', 'postSchool', 'updateUser', 'postProfile', 'recommendSchool', 'postAthleticsReview'];

export async function typeCases(world: World, types: readonly string[]): Promise<(Case & { target: Call })[]> {
  const cases = CALLS.filter(({ name }) => TYPED_CALLS.includes(name)).flatMap((target) =>
    types.map(async (type) => {
      const { path, body } = await prepare(target, world);
      return {
        name: `${target.name} as ${type}`,
        target,
        ...{ method: target.method, path, token: await tokenFor(target, world), body: JSON.stringify(body) },
        headers: { 'Content-Type': type },
      };
    }),
  );
  return Promise.all(cases);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'SEARCH', 'TRACE', 'OPTIONS', 'LOCK'];

/** The paths where methods are tried, and the methods that each supports. */
const PATHS: Record<string, readonly string[]> = {
  '/auth/schools': ['GET', 'OPTIONS'],
  '/auth/getSchool/1': ['GET', 'OPTIONS'],
  '/auth/postSchool': ['POST'],
  '/auth/updateSchool': ['PUT'],
  '/auth/deleteSchool/1': ['DELETE'],
  '/auth/login': ['POST'],
  '/auth/resend': ['POST'],
  '/auth/getUsers': ['GET'],
  '/auth': [],
  '/auth/': [],
  '/auth/nothing': [],
  '/auth/getCanteens/1': [],
  '/landing': ['GET'],
  '/': ['GET'],
  '/healthz': ['GET'],
  '/openapi.json': ['GET', 'OPTIONS'],
  '/sitemap.xml': ['GET'],
};

const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'];
const isPagePath = (path: string) => ALL_PAGES.some((page) => page.path === path);

/** Every method on every path that does not support it. */
export function methodCases(): Case[] {
  return Object.entries(PATHS).flatMap(([path, known]) =>
    METHODS.filter((method) => !known.includes(method)).map((method) => ({
      name: `method ${method}`,
      method,
      path,
      ...(known.includes('GET') && isPagePath(path) && CHANGING.includes(method)
        ? { status: 405, isPage: true }
        : { status: 404 }),
    })),
  );
}

/** Bodies with a content encoding: none is supported. */
export async function encodingCases(world: World): Promise<Case[]> {
  const target = CALLS.find(({ name }) => name === 'postSchool') as Call;
  const { path, body } = await prepare(target, world);
  const json = JSON.stringify(body);
  const token = await tokenFor(target, world);
  const send = (name: string, encoding: string, bytes: Uint8Array): Case => ({
    name: `body in ${name}`,
    ...{ method: target.method, path, token, body: bytes, status: 415 },
    headers: { ...JSON_TYPE, 'Content-Encoding': encoding },
  });
  return [
    send('gzip', 'gzip', gzipSync(json)),
    send('gzip of 60 MB', 'gzip', gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '))),
    send('brotli', 'br', brotliCompressSync(json)),
    send('deflate', 'deflate', deflateSync(json)),
    send('gzip that is none', 'gzip', Buffer.from(json)),
    send('two encodings', 'gzip, br', brotliCompressSync(gzipSync(json))),
    send('an encoding nobody knows', 'nonsense', Buffer.from(json)),
  ];
}

const FOREIGN_HEADERS: Record<string, Record<string, string>> = {
  'from another site': { 'Sec-Fetch-Site': 'cross-site' },
  'from a sister site': { 'Sec-Fetch-Site': 'same-site' },
  'of another origin': { Origin: 'https://elsewhere.example' },
  'of no origin': { Origin: 'null' },
  'of an origin that begins like ours': { Origin: 'http://127.0.0.1.elsewhere.example' },
  'of an origin that is no address': { Origin: 'nonsense' },
};

/** Every call that changes something, sent by another site's page in a browser that is signed in here. */
export async function foreignCases(world: World): Promise<Case[]> {
  const changing = CALLS.filter(({ method }) => method !== 'GET');
  const cases = changing.map(async (target) => {
    const { path, body } = await prepare(target, world);
    const token = await tokenFor(target, world);
    return Object.entries(FOREIGN_HEADERS).map(([name, headers]) => ({
      name: `${target.name} ${name}`,
      ...{ method: target.method, path, token, status: 403 },
      headers: { ...headers, ...(body && JSON_TYPE) },
      ...(body && { body: JSON.stringify(body) }),
      says: /^Requests from other sites may not change anything here\.$/,
    }));
  });
  return (await Promise.all(cases)).flat();
}
