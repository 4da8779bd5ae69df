import { beforeAll, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';
import { insertSaved } from '../../src/server/schools/saved/queries.ts';
import { call } from '../support/call.ts';
import { prepare, tokenFor } from '../support/corpus/fields.ts';
import { createSchool, createUser, signIn, unique } from '../support/rows.ts';
import { describeProduct, startForTest, worldOf } from '../support/site.ts';
import { createWorld, type ValidRequest } from '../support/world.ts';

/** An id that nothing has. */
const NOTHING = 999_999_999;

/** The fields of a body that say what a call is about. */
const REFERENCES = new Set(['id', 'schoolId', 'into', ...CATEGORIES.map(({ itemKey }) => itemKey)]);

interface Operation {
  tags: string[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

/** The same request about something that is not there. */
function aboutNothing({ name: call, path: pattern }: Call, { path, body = {} }: ValidRequest): ValidRequest {
  const fields = Object.entries(body).map(([name, value]) => {
    if (call === 'findUser') return [name, 'nobody@example.org'];
    if (!REFERENCES.has(name)) return [name, value];
    return [name, typeof value === 'object' ? { id: NOTHING } : NOTHING];
  });
  return {
    path:
      pattern.includes(':') || /[?&](ids|into)=/.test(path)
        ? path.replace(/\d+(?=\?category|$)/, String(NOTHING))
        : path,
    body: Object.fromEntries(fields),
  };
}

describeProduct('the API document on %s', (product, engine) => {
  const world = worldOf(product);
  let operations: Map<string, Operation>;
  let tags: { name: string }[];
  let failure: { properties: Record<string, { enum?: string[] }> };
  let headerNames: string[];

  beforeAll(async () => {
    const { body } = await call(product, 'GET /openapi.json');
    tags = body.tags;
    failure = body.components.schemas.Failure;
    headerNames = Object.keys(body.components.headers);
    operations = new Map(
      CALLS.map(({ name, method, path }) => [
        name,
        body.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()],
      ]),
    );
  });

  const responsesOf = ({ name }: Call) => operations.get(name)?.responses ?? {};
  const ask = ({ method }: Call, { path, body }: ValidRequest, token: string | undefined, of = product) =>
    call(of, `${method} ${path}`, { token, ...(method !== 'GET' && method !== 'DELETE' && { body }) });

  test('gives each call one tag of its list', () => {
    const used = new Set([...operations.values()].flatMap((operation) => operation.tags));
    expect([...used]).toEqual(tags.map(({ name }) => name));
    for (const operation of operations.values()) expect(operation.tags).toHaveLength(1);
  });

  test('describes Retry-After where a client should wait, and Link where a list has another page', () => {
    const linked = CALLS.filter((target) => responsesOf(target)[200]?.headers?.Link).map(({ name }) => name);
    const ofReviews = CATEGORIES.map(({ calls }) => calls.reviews);
    const more = [
      'getAdminActs',
      'getMyReviews',
      'getNewestReviews',
      'getReports',
      'getRemovals',
      'getDeleted',
      'getProposals',
      'getMyProposals',
    ];
    expect(linked).toEqual(['searchSchools', ...ofReviews, 'getCategoryReviews', ...more]);
    for (const target of CALLS) {
      const retried = Object.entries(responsesOf(target)).filter(([, { headers }]) => headers?.['Retry-After']);
      expect(
        retried.map(([status]) => status),
        target.name,
      ).toEqual(['429', '503']);
    }
  });

  test('describes Location where the subject may have been merged, and nowhere else', () => {
    const moved = CALLS.filter((target) => '301' in responsesOf(target));
    expect(moved.map(({ name }) => name)).toEqual(['getSchool']);
    expect(moved.map((target) => responsesOf(target)[301]?.headers?.Location)).toEqual([
      { $ref: '#/components/headers/Location' },
    ]);
  });

  test.each(CALLS)('$name answers 404 to what is not there if the document says so, and only then', async (target) => {
    const request = aboutNothing(target, await prepare(target, world));
    const { status } = await ask(target, request, await tokenFor(target, world));
    expect(status === 404).toBe('404' in responsesOf(target));
  });

  test('describes each field that a refusal can have, and no others', async () => {
    const { token } = world.user;
    const { schoolName, location } = await createSchool(product);
    const proposed = { schoolName: unique('Missing school'), location };
    const unverified = { username: unique('new'), email: `${unique('new')}@example.org`, password: unique('password') };
    await call(product, 'POST /auth/proposeSchool', { token, body: proposed });
    await call(product, 'POST /auth/signup', { body: unverified });
    const refused = await Promise.all([
      call(product, 'POST /auth/proposeSchool', { token, body: { schoolName, location } }),
      call(product, 'POST /auth/proposeSchool', { token, body: proposed }),
      call(product, 'POST /auth/proposeSchool', { token, body: { location } }),
      call(product, 'POST /auth/login', { body: unverified }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 400, 403]);
    const fields = new Set(refused.flatMap(({ body }) => Object.keys(body)));
    expect([...fields].sort()).toEqual(Object.keys(failure.properties).sort());
  });

  test('names the code of a refusal during maintenance', async () => {
    const readOnly = await startForTest(engine, { MAINTENANCE: 'read' });
    const { status, body } = await call(readOnly, 'POST /auth/signup', { body: {} });
    expect([status, failure.properties.code?.enum?.includes(body.code)]).toEqual([503, true]);
  });

  test('names 400 for every change, since its body may be broken', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const broken = await call(product, 'POST /auth/logout', { token: world.user.token, raw: '{', headers });
    expect(broken.status).toBe(400);
    const changes = CALLS.filter(({ method }) => method !== 'GET');
    expect(changes.filter((target) => !('400' in responsesOf(target))).map(({ name }) => name)).toEqual([]);
  });

  test.each(CALLS)('$name has no header in an answer that is described for others alone', async (target) => {
    const valid = await prepare(target, world);
    const token = await tokenFor(target, world);
    for (const request of [aboutNothing(target, valid), valid]) {
      const { status, headers } = await ask(target, request, token);
      const described = Object.keys(responsesOf(target)[status]?.headers ?? {});
      expect(described).toEqual(expect.arrayContaining(headerNames.filter((name) => headers.has(name))));
    }
  });

  test('names 304 for the reads with an ETag, and for no others', async () => {
    const reads = CALLS.filter(({ method, access }) => method === 'GET' && access === 'everyone');
    expect(CALLS.filter((target) => '304' in responsesOf(target))).toEqual(reads);
    for (const target of reads) {
      const { path } = await prepare(target, world);
      const first = await call(product, `GET ${path}`);
      const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
      expect((await call(product, `GET ${path}`, { headers })).status, target.name).toBe(304);
    }
  });

  test('names 409 for the calls that can conflict with existing data, and for no others', async () => {
    // A product for this test alone, with one admin: the only admin of a site cannot be deleted.
    const alone = await startForTest(engine);
    const ownWorld = await createWorld(alone);
    const { user, admin } = ownWorld;
    const unverified = { username: unique('new'), email: `${unique('new')}@example.org`, passwordHash: 'none' };
    const unverifiedId = await alone.app.database.write((db) =>
      insertUser(db, { ...unverified, verifiedAt: null }, Date.now()),
    );
    const withoutProfile = await createUser(alone);
    const { id: elsewhere } = await createSchool(alone);
    /** Sends a request that succeeds only once, so that the next one conflicts. */
    const again = async (valid: ValidRequest) => {
      await call(alone, `POST ${valid.path}`, { token: user.token, body: valid.body });
      return valid;
    };
    const onceDecided = async (valid: ValidRequest) => {
      const [id] = /\d+$/.exec(valid.path) ?? [];
      const body = { action: 'refuse', reason: 'It is there.' };
      await call(alone, `PUT /auth/decideProposal/${id}`, { token: admin.token, body });
      return valid;
    };
    const clashes: Record<string, (valid: ValidRequest) => Promise<ValidRequest> | ValidRequest> = {
      signup: ({ path, body }) => ({ path, body: { ...body, username: user.username } }),
      updateUser: () => ({ path: `/auth/updateUser/${unverifiedId}`, body: { isAdmin: true } }),
      deleteUser: () => ({ path: `/auth/deleteUser/${admin.id}` }),
      blockUser: ({ body }) => ({ path: `/auth/blockUser/${admin.id}`, body }),
      mailPasscode: () => ({ path: `/auth/mailPasscode/${user.id}` }),
      runImport: ({ path, body }) => ({ path, body: { ...body, digest: 'of another file' } }),
      updateMyAccount: ({ path, body }) => ({ path, body: { ...body, username: admin.username } }),
      confirmMyEmail: async (valid) => {
        const { database } = alone.app;
        const { new_email: email } = await database.read
          .selectFrom('email_changes')
          .select('new_email')
          .executeTakeFirstOrThrow();
        const owner = { username: unique('owner'), email, passwordHash: 'none', verifiedAt: 0 };
        await database.write((db) => insertUser(db, owner, 0));
        return valid;
      },
      deleteMyAccount: (valid) => valid,
      recommendSchool: (valid) => valid,
      moderateReview: ({ path }) => ({ path, body: { action: 'keep' } }),
      moderateBurst: ({ path }) => ({ path, body: { action: 'keep', upTo: 1 } }),
      ...Object.fromEntries(
        ['reportReview', 'appealReview', 'proposeSchool', 'proposeEntry'].map((name) => [name, again]),
      ),
      ...Object.fromEntries(
        ['decideProposal', 'updateMyProposal', 'withdrawMyProposal'].map((name) => [name, onceDecided]),
      ),
      restoreDeleted: async (valid) => {
        const { school_id: schoolId } = await alone.app.database.read
          .selectFrom('entries')
          .select('school_id')
          .where('id', '=', (valid.body as { id: number }).id)
          .executeTakeFirstOrThrow();
        await call(alone, `DELETE /auth/deleteSchool/${schoolId}`, { token: await signIn(alone, admin.id) });
        return valid;
      },
      saveSchool: async (valid) => {
        for (let saved = 0; saved < BOUNDS.savedSchools.max; saved += 1) {
          const { id } = await createSchool(alone);
          await alone.app.database.write((db) => insertSaved(db, user.id, id, saved));
        }
        return valid;
      },
    };
    for (const { calls, updateOmitsSchoolId } of CATEGORIES) {
      if (!updateOmitsSchoolId) {
        clashes[calls.update] = ({ path, body }) => ({ path, body: { ...body, schoolId: elsewhere } });
      }
      clashes[calls.postReview] = async (valid) => {
        expect((await call(alone, `POST ${valid.path}`, { token: user.token, body: valid.body })).status).toBe(201);
        return valid;
      };
    }
    const documented = CALLS.filter((target) => '409' in responsesOf(target));
    expect(documented.map(({ name }) => name).sort()).toEqual(Object.keys(clashes).sort());
    for (const target of documented) {
      const request = await clashes[target.name]?.(await prepare(target, ownWorld));
      const token =
        target.name === 'recommendSchool'
          ? withoutProfile.token
          : await signIn(alone, target.access === 'admin' || target.name === 'deleteMyAccount' ? admin.id : user.id);
      if (request) expect((await ask(target, request, token, alone)).status, target.name).toBe(409);
    }
  });
});
