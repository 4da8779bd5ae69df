import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Call, fieldsOf } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { bodyFieldsOf, JSON_TYPE, needsFreshAccount, prepare, tokenFor } from '../support/corpus/fields.ts';
import { type Reply, type Request, send } from '../support/corpus/send.ts';
import { type Documented, problemsOfAnswer } from '../support/properties/answers.ts';
import { type Break, breaksOf, escapeText, type Schema, valuesOf } from '../support/properties/arbitraries.ts';
import { FUZZ_RUNS, FUZZ_SEED } from '../support/properties/fuzz.ts';
import { createSchool, createUser } from '../support/rows.ts';
import { describeProduct, worldOf } from '../support/site.ts';
import type { ValidRequest } from '../support/world.ts';

/** Each `npm test` has other inputs, `npm run fuzz` has many. */
const RUNS = FUZZ_RUNS ?? 5;
const RUN_MS_MAX = 1_000;

/** The parts of a request that must be right for it to have a subject: the caller, the id, the mailed code. */
const GIVEN = new Set<string>([
  ...['id', 'userId', 'schoolId', 'email', 'username', 'currentPassword', 'verificationCode', 'forgotCode', 'code'],
  ...['from', 'into'],
  // An id belongs to the kind that is sent with it.
  'kind',
  // Each may be valid alone, but not both together.
  ...['since', 'until'],
  // A cursor is valid for one order only.
  'before',
  ...CATEGORIES.map(({ itemKey }) => itemKey),
]);

/**
 * Calls that may refuse what fits the schema: a password or username that is too easily guessed or taken, a
 * decision that changes nothing, "other" without a note, a file without a header or that was not checked.
 */
const PICKY = new Set([
  ...['signup', 'resetPassword', 'changePassword', 'login', 'moderateReview', 'moderateBurst', 'reportReview'],
  ...['proposeEntry', 'updateMyProposal', 'checkImport', 'runImport'],
]);

/** Calls that need the caller's own password. */
const NEEDS_PASSWORD = ['login', 'updateMyAccount', 'deleteMyAccount'];

/** Calls that use corrections only if they accept the proposal, or only for its kind: a school or an entry. */
const CORRECTS_SOME = ['decideProposal', 'updateMyProposal'];

describeProduct('properties on %s', (product) => {
  const world = worldOf(product);
  let documented: Record<string, Documented>;

  beforeAll(async () => {
    await createSchool(product);
    const { paths } = JSON.parse((await send(product, { method: 'GET', path: '/openapi.json' })).text);
    documented = Object.fromEntries(
      CALLS.map(({ name, method, path }) => {
        const { responses } = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
        return [name, responses];
      }),
    );
  });

  function requestOf(target: Call, { path, body }: ValidRequest, token: string | undefined): Request {
    return {
      ...{ method: target.method, path, token },
      ...(body && { headers: JSON_TYPE, body: JSON.stringify(body) }),
    };
  }

  function broken(request: Request, body: ValidRequest['body'], change: Break): Request {
    const [address = ''] = request.path.split('?');
    if (change.kind === 'body') return { ...request, body: change.text };
    if (change.kind === 'type') return { ...request, headers: { 'Content-Type': change.text } };
    if (change.kind === 'query') return { ...request, path: `${address}?${change.text}` };
    if (change.kind === 'id') return { ...request, path: address.replace(/[^/]*$/, escapeText(change.text)) };
    const value = change.kind === 'field' ? change.value : undefined;
    return { ...request, body: JSON.stringify({ ...body, [change.name]: value }) };
  }

  /** Asks, and throws what is wrong with the answer. */
  async function ask(target: Call, request: Request, isRight: (status: number) => boolean) {
    const logged = product.logs.length;
    const reply = await send(product, request);
    const problems = problemsOfAnswer(target, documented[target.name] ?? {}, reply);
    if (!isRight(reply.status)) problems.push(`status ${reply.status}: ${reply.text.slice(0, 200)}`);
    const lines = product.logs.slice(logged).filter(({ level }) => level >= 50);
    expect([...problems, ...lines.map(({ msg }) => msg)]).toEqual([]);
    return reply;
  }

  /** Prepares the request of each run of a property, anew where the one before did something: no read or refusal does. */
  function asker(target: Call) {
    const make = async () => ({ request: await prepare(target, world), token: await tokenFor(target, world) });
    let unused: Awaited<ReturnType<typeof make>> | undefined;
    return async (act: (made: NonNullable<typeof unused>) => Promise<Reply>) => {
      const made = unused ?? (await make());
      unused = undefined;
      const reply = await act(made);
      if (reply.status >= 400 || target.method === 'GET') unused = made;
      return reply;
    };
  }

  /** Whether the id is that of a user whom later tests need: a call by an admin could delete or block them. */
  const isOfShared = (change: Break) =>
    change.kind === 'id' && [world.user, world.other, world.admin].some(({ id }) => id === Number(change.text));

  const check = (property: fc.IAsyncProperty<unknown>, numRuns = RUNS) =>
    fc.assert(property, { numRuns, seed: FUZZ_SEED });
  const timeout = 30_000 + RUNS * RUN_MS_MAX;

  test.each(CALLS)('$name does what it says for whatever fits its schema', { timeout }, async (target) => {
    const askWith = asker(target);
    const property = fc.asyncProperty(
      valuesOf(target.body as Schema),
      valuesOf(target.query as Schema),
      async (fields, query) => {
        const isFree = (name: string) =>
          !GIVEN.has(name) && !(name === 'password' && NEEDS_PASSWORD.includes(target.name));
        const made = Object.fromEntries(Object.entries(fields as object).filter(([name]) => isFree(name)));
        const isRight = (status: number) =>
          status === target.status || (PICKY.has(target.name) && [400, 409].includes(status));
        const { status, text, headers } = await askWith(({ request, token }) => {
          const [address = '', given = ''] = request.path.split('?');
          // The subject of the request stays; a repeated parameter would be refused.
          const chosen = Object.entries(query as object)
            .filter(([name]) => !GIVEN.has(name) && !new URLSearchParams(given).has(name))
            .map(([name, value]) => `${name}=${escapeText(String(value))}`);
          const search = [...(given ? [given] : []), ...chosen].join('&');
          const path = search ? `${address}?${search}` : address;
          return ask(
            target,
            requestOf(target, { path, body: request.body && { ...request.body, ...made } }, token),
            isRight,
          );
        });
        // A recommendation is a text, which may begin with the name "{".
        const isJson = String(headers['content-type']).startsWith(JSON_TYPE['Content-Type']);
        if (status !== target.status || !isJson || !text.startsWith('{') || CORRECTS_SOME.includes(target.name)) return;
        // A text is stored as sent, but composed and without white space at its ends.
        const stored = JSON.parse(text);
        for (const [name, value] of Object.entries(made)) {
          if (typeof value === 'string' && name in stored) expect(stored[name]).toBe(value.normalize('NFC').trim());
        }
      },
    );
    const parts = [...bodyFieldsOf(target), ...fieldsOf(target.query)];
    // Where nothing may be chosen, one run says it all.
    await check(property, parts.every((name) => GIVEN.has(name)) ? 1 : RUNS);
  });

  test.each(CALLS)('$name answers as documented whatever is wrong with a request', { timeout }, async (target) => {
    const askWith = asker(target);
    const property = fc.asyncProperty(
      breaksOf(bodyFieldsOf(target), target.path.includes(':')).filter((change) => !isOfShared(change)),
      fc.constantFrom('the right one', 'user', 'none'),
      async (change, who) => {
        // The call may succeed if what is wrong is harmless, and may then end the session or account of whoever asks.
        const askAsOther = async () =>
          needsFreshAccount(target) ? (await createUser(product)).token : world.other.token;
        await askWith(async ({ request, token: right }) => {
          const token = who === 'none' ? undefined : who === 'user' ? await askAsOther() : right;
          return ask(target, broken(requestOf(target, request, token), request.body, change), () => true);
        });
      },
    );
    await check(property);
  });
});
