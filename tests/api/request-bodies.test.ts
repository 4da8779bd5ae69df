import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';
import { call } from '../support/call.ts';
import type { Product } from '../support/product.ts';
import { createSchool, createUser } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

const MEGABYTE = 1024 * 1024;
const TOO_DEEP = 'The body must not be nested more than 32 levels deep.';
const guarded = CALLS.filter(({ access, method }) => access !== 'everyone' && (method === 'POST' || method === 'PUT'));

/** A connection of our own, and all that comes over it. */
function open({ url }: { url: string }) {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
  const received = { text: '' };
  socket.on('data', (data) => (received.text += data));
  // Whether the other side has hung up is for each test to see.
  socket.on('error', () => {});
  // Before it stops, the product waits for clients that are still sending.
  onTestFinished(() => void socket.destroy());
  return { socket, received };
}

const headOf = (request: string, token: string | undefined, framing: string) =>
  `${request} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${token ? `Authorization: Bearer ${token}\r\n` : ''}${framing}\r\n\r\n`;

/** Sends a head that promises a body which never comes. @returns the beginning of what is said to that */
async function sendHeadAlone(product: Product, request: string, token?: string): Promise<string> {
  const { socket, received } = open(product);
  socket.write(headOf(request, token, 'Content-Length: 1000'));
  await once(socket, 'data');
  socket.destroy();
  return received.text.slice(0, 12);
}

describeProduct('bodies of requests on %s', (product) => {
  const user = userOf(product);
  const admin = adminOf(product);
  beforeAll(async () => {
    await createSchool(product);
    const saved = await call(product, 'POST /auth/postProfile', { token: user.token, body: { goals: 'research' } });
    expect(saved.status).toBe(201);
  });

  test.each(guarded)(
    '$name looks at the token before a byte of the body has come',
    async ({ method, path, access }) => {
      const request = `${method} ${path}`;
      expect(await sendHeadAlone(product, request)).toBe('HTTP/1.1 401');
      expect(await sendHeadAlone(product, request, `${user.token}x`)).toBe('HTTP/1.1 401');
      if (access === 'admin') expect(await sendHeadAlone(product, request, user.token)).toBe('HTTP/1.1 403');
    },
  );

  test('a body that comes after its sender was logged out does nothing', async () => {
    const { token } = await createUser(product, { isAdmin: true });
    const school = JSON.stringify({ schoolName: 'School of the Past', description: 'Never made.', location: 'Here' });
    const { socket, received } = open(product);
    socket.write(headOf('POST /auth/postSchool', token, `Content-Length: ${school.length}\r\nConnection: close`));
    socket.write(school.slice(0, 10));
    // Once this later request is answered, the first one is let in too: one lookup lets in both.
    expect((await call(product, 'GET /auth/getUsers', { token })).status).toBe(200);
    expect((await call(product, 'POST /auth/logout', { token })).status).toBe(204);
    socket.write(school.slice(10));
    await once(socket, 'close');
    expect(received.text).toMatch(/^HTTP\/1\.1 401 /);
    expect((await call(product, 'GET /auth/schools?prefix=School+of+the+Past')).body).toEqual([]);
  });

  const recommend = (raw: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
    call(product, 'POST /auth/recommendSchool', { token: user.token, raw, headers });

  test.each([
    ['nothing', '{}'],
    ['any hints', '{"profile":[1,{"a":null}],"schools":"all"}'],
    ['a megabyte of them', `{"schools":[${'{"a":"b"},'.repeat(100_000)}1]}`],
  ])('a recommendation takes %s for hints and uses none', async (_name, raw) => {
    const { status, text } = await recommend(raw);
    expect([status, text]).toEqual([
      200,
      expect.stringContaining('(Chosen by our own built-in rules; no AI model was asked.)'),
    ]);
  });

  test.each([
    ['broken JSON', '{"schools":[1,]}', 400, 'The body is not valid JSON.'],
    [
      'broken JSON at the end of a megabyte',
      `{"schools":[${'1,'.repeat(500_000)}]}`,
      400,
      'The body is not valid JSON.',
    ],
    ['a prototype', '{"schools":[{"__proto__":{}}]}', 400, 'The body is not valid JSON.'],
    ['a list', '[]', 400, 'The body must be an object.'],
    ['null', 'null', 400, 'The body must be an object.'],
    ['33 levels', `{"schools":${'['.repeat(32)}${']'.repeat(32)}}`, 400, TOO_DEEP],
    ['half a million levels', `{"schools":${'['.repeat(500_000)}`, 400, TOO_DEEP],
    ['more than a megabyte', `{"schools":"${'x'.repeat(MEGABYTE)}"}`, 413, expect.stringContaining('too large')],
  ])('a recommendation refuses %s in its hints', async (_name, raw, status, error) => {
    expect(await recommend(raw)).toMatchObject({ status, body: { error } });
  });

  test('text in another encoding than UTF-8 is refused: it would be stored without its letters', async () => {
    const raw = Buffer.from('{"location":"Orléans"}', 'latin1');
    const headers = { 'Content-Type': 'application/json' };
    const refused = await call(product, 'POST /auth/postProfile', { token: user.token, raw, headers });
    expect(refused).toMatchObject({ status: 400, body: { error: 'The body is not valid JSON.' } });
    const taken = await call(product, 'POST /auth/postProfile', { token: user.token, body: { location: 'Orléans' } });
    expect(taken.body.location).toBe('Orléans');
  });

  test('a recommendation refuses hints that are not said to be JSON', async () => {
    expect(await recommend('{}', { 'Content-Type': 'text/plain' })).toMatchObject({ status: 415 });
  });

  // axios sends the first with every POST and PUT.
  test.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'application/json', 'nonsense'])(
    'the type %s says nothing where no body comes',
    async (type) => {
      const { id } = await createSchool(product);
      const { email, token } = await createUser(product);
      const send = (request: string) => call(product, request, { token, raw: '', headers: { 'Content-Type': type } });
      expect((await send(`POST /auth/resend?email=${email}`)).status).toBe(200);
      expect((await send(`PUT /auth/saveSchool/${id}`)).status).toBe(204);
      expect((await send(`DELETE /auth/saveSchool/${id}`)).status).toBe(204);
      expect((await send('POST /auth/logout')).status).toBe(204);
      const error = 'The request needs a JSON body.';
      expect(await send('POST /auth/login')).toMatchObject({ status: 400, body: { error } });
    },
  );

  test('32 levels are taken, one more is not', async () => {
    const send = (levels: number) => {
      const nested = `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`;
      const raw = `{"email":"nobody@example.org","password":"wrong","unknown":${nested}}`;
      return call(product, 'POST /auth/login', { raw, headers: { 'Content-Type': 'application/json' } });
    };
    expect(await send(32)).toMatchObject({ status: 401 });
    expect(await send(33)).toMatchObject({ status: 400, body: { error: TOO_DEEP } });
  });

  test.each([
    ['announced', 'POST /auth/login', `Content-Length: ${10 * MEGABYTE}`],
    ['not announced', 'POST /auth/login', 'Transfer-Encoding: chunked'],
    ['of hints', 'POST /auth/recommendSchool', 'Transfer-Encoding: chunked'],
  ])(
    'whoever sends 10 MB, %s, and only then reads, reads the 413, thirty times of thirty',
    async (_name, request, framing) => {
      const piece = Buffer.alloc(MEGABYTE, 0x20);
      const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
      const sent = Buffer.concat(Array<Buffer>(10).fill(framing.startsWith('T') ? chunk : piece));
      const answers: string[] = [];
      for (let round = 0; round < 30; round += 1) {
        const { socket, received } = open(product);
        socket.pause();
        let hasFailed = false;
        socket.on('error', () => {
          hasFailed = true;
        });
        socket.write(headOf(request, admin.token, framing));
        await new Promise((resolve) => socket.write(sent, resolve));
        socket.resume();
        await once(socket, 'close');
        answers.push(hasFailed ? 'broken' : received.text.slice(0, 12));
      }
      expect(answers).toEqual(Array(30).fill('HTTP/1.1 413'));
    },
  );

  test('of long bodies that never arrive the oldest is ended for each that comes', async () => {
    const hints = JSON.stringify({ schools: ['x'.repeat(2 * BOUNDS.body.max)] });
    const framing = `Content-Length: ${hints.length}\r\nConnection: close`;
    const begin = async () => {
      const { socket, received } = open(product);
      socket.write(headOf('POST /auth/recommendSchool', user.token, `${framing}\r\nExpect: 100-continue`));
      await once(socket, 'data');
      received.text = '';
      await new Promise((resolve) => socket.write(hints.slice(0, -1), resolve));
      return { socket, received };
    };
    const oldest = await begin();
    for (let others = 1; others < BOUNDS.longBodies.max; others += 1) await begin();
    const rest = [await begin(), await begin()];
    await expect.poll(() => oldest.received.text.slice(0, 12)).toBe('HTTP/1.1 503');
    for (const { socket } of rest) {
      socket.write(hints.slice(-1));
      await once(socket, 'close');
    }
    expect(rest.map(({ received }) => received.text.slice(0, 12))).toEqual(Array(2).fill('HTTP/1.1 200'));
  });

  test('nothing is served that comes after a body that was refused for its size', async () => {
    const { id, token } = await createUser(product);
    const { socket, received } = open(product);
    const logout = headOf('POST /auth/logoutAll', token, 'Content-Length: 0');
    const chunk = `${MEGABYTE.toString(16)}\r\n${' '.repeat(MEGABYTE)}\r\n`;
    socket.write(`${headOf('POST /auth/login', undefined, 'Transfer-Encoding: chunked')}${chunk}0\r\n\r\n${logout}`);
    await once(socket, 'close');
    expect(received.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
    expect((await call(product, `GET /auth/getProfile/${id}`, { token })).status).toBe(200);
  });

  test('a connection is used again after a short body was refused unread', async () => {
    const { socket, received } = open(product);
    const body = '{"schoolName":"x"}';
    socket.write(`${headOf('POST /auth/postSchool', undefined, `Content-Length: ${body.length}`)}${body}`);
    await once(socket, 'data');
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(received.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('whoever hangs up in the middle of a body is no failure of ours', async () => {
    const from = product.logs.length;
    const { socket } = open(product);
    socket.write(headOf('POST /auth/login', undefined, 'Content-Length: 1000\r\nExpect: 100-continue'));
    // "Go on": the head has been read, and the body is waited for.
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
    await expect
      .poll(() => product.logs.slice(from).filter(({ msg }) => msg === 'answered'))
      .toMatchObject([{ status: 499, route: '/auth/login' }]);
    expect(product.logs.slice(from).filter(({ event }) => event === 'unavailable')).toEqual([]);
    const metrics = (await call(product, 'GET /metrics')).text;
    expect(metrics).toContain('http_answers_total{method="POST",route="/auth/login",status="499"} 1\n');
    expect(metrics).not.toContain('route="/auth/login",status="503"');
  });

  test('a path that nobody has is logged by its beginning', async () => {
    const from = product.logs.length;
    expect((await call(product, `GET /${'x'.repeat(15_000)}`)).status).toBe(404);
    expect(product.logs.slice(from)).toMatchObject([{ status: 404, path: `/${'x'.repeat(199)}…` }]);
  });
});
