import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAccountSteps } from '../support/account-steps.ts';
import { ENGINES } from '../support/product.ts';
import { readPasscode } from '../support/rows.ts';
import { describeProduct, startForTest } from '../support/site.ts';

const MINUTE = 60_000;

test.runIf(ENGINES.includes('postgres'))('an id that is there already is our failure, not a taken name', async () => {
  const product = await startForTest('postgres');
  const { newcomer, post, signUp } = createAccountSteps(() => product);
  await signUp();
  await sql`select setval(pg_get_serial_sequence('users', 'id'), 1, false)`.execute(product.app.database.read);
  const late = newcomer();
  const refused = await post('signup', late);
  expect(refused).toMatchObject({ status: 503, headers: expect.any(Headers) });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(JSON.stringify(product.logs.filter(({ event }) => event === 'unavailable'))).toContain(
    'The next id of users is taken already',
  );
  expect((await post('signup', late)).status).toBe(201);
});

describeProduct('accounts on %s', (product) => {
  const { newcomer, post, verify, signUp, logIn, member, isSessionValid, mailsTo } = createAccountSteps(() => product);

  test('signing up, verifying and logging in gives a token in the shape of the specification', async () => {
    const user = await signUp();
    const code = await readPasscode(product, user.email);
    expect((await logIn(user.email, user.password)).status).toBe(403);
    expect((await verify(user.email.toLowerCase(), code)).status).toBe(200);
    const { status, body, headers } = await logIn(user.email, user.password);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['token']);
    expect(headers.get('cache-control')).toBe('no-store');
    const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ sub: user.username, isAdmin: false, userId: expect.any(Number) });
    expect(await isSessionValid(body.token)).toBe(true);
  });

  test('a taken email or username is refused, in any case', async () => {
    const user = await member();
    const email = user.email.toUpperCase();
    expect((await post('signup', { ...newcomer(), email })).status).toBe(409);
    expect((await post('signup', { ...newcomer(), username: user.username.toUpperCase() })).status).toBe(409);
  });

  test.each([
    'Anonymous',
    'ANONYMOUS',
    'a_non.ymous',
    '4n0nym0us',
    'admin',
    'Adm1n',
    'adrnin',
    'Ad.-MlN-',
    'm0derator',
    'School_Reviews',
    'schooIreviews',
  ])('nobody signs up as %s', async (username) => {
    expect(await post('signup', { ...newcomer(), username })).toMatchObject({
      status: 400,
      body: { error: 'This username could be mistaken for somebody else. Please choose another.' },
    });
  });

  test.each(['administration', 'anonymouse', 'badmin', '0.0'])('somebody signs up as %s', async (username) => {
    expect((await post('signup', { ...newcomer(), username })).status).toBe(201);
  });

  test('signing up again before verification starts over', async () => {
    const squatter = await signUp();
    const stolen = await readPasscode(product, squatter.email);
    const owner = await signUp({ ...newcomer(), email: squatter.email });
    const code = await readPasscode(product, owner.email);
    if (stolen !== code) expect((await verify(owner.email, stolen)).status).toBe(400);
    expect((await verify(owner.email, code)).status).toBe(200);
    expect((await post('signup', { ...newcomer(), email: owner.email })).status).toBe(409);
    // tests/api/contested.test.ts shows whose password is valid.
  });

  test.each([
    ['seven characters', '1234&78', 400],
    ['eight characters', '1a34&7ü9', 201],
    ['eight emoji', '🎷🥁🎺🪗🎻🪕🎸🎹', 201],
    ['256 characters', 'é'.repeat(256), 201],
    ['257 characters', 'é'.repeat(257), 400],
    ['spaces at its ends', '  spaces matter  ', 201],
    ['NUL', 'zero\0zero zero', 400],
    ['a common one', 'password123', 400],
    ['a common one in capitals', 'PASSWORD123', 400],
    ["the site's name", 'schoolreviews', 400],
  ])('a password of %s is judged', async (_what, password, status) => {
    const user = { ...newcomer(), password };
    const { status: answered, body } = await post('signup', user);
    expect(answered).toBe(status);
    if (status !== 201) return;
    expect(body).not.toHaveProperty('password');
    await verify(user.email, await readPasscode(product, user.email));
    expect((await logIn(user.email, password)).status).toBe(200);
    expect((await logIn(user.email, `${password} `)).status).toBe(401);
    expect(
      (await logIn(user.email, password.trim() === password ? [...password].slice(0, -1).join('') : password.trim()))
        .status,
    ).toBe(401);
  });

  test.each([
    'x1<victim@b.co>',
    '"a b"@b.co',
    'a(comment)@b.co',
    'a@b.co,c@d.co',
    'a@b.co\r\nBcc: c@d.co',
    'group:a@b.co;',
    ' a@b.co x',
    'a@b',
    'a@@b.co',
    '@b.co',
    'a@.co',
    'a@b.co.',
    'ı@b.co',
    'a@bücher.de',
    `${'a'.repeat(250)}@b.co`,
  ])('the mailbox %j is refused with the sentence of the form', async (email) => {
    const answers = [await post('signup', { ...newcomer(), email }), await post('forgotPassword', { email })];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { error: 'Please enter a valid email address.' } });
    }
  });

  test('the mail goes to the stored mailbox, as text, with the code on a line of its own', async () => {
    const user = await signUp();
    const [mail] = await mailsTo(user.email);
    expect(mail).toContain('Content-Type: text/plain; charset=utf-8');
    expect(mail).toMatch(/^\d{6}$/m);
  });

  test('mail that could not be handed over arrives later, with a valid code', async () => {
    const user = await signUp();
    await product.app.outbox.flush();
    await product.app.database.write(async (db, commit) => {
      const { id } = await db
        .selectFrom('users')
        .select('id')
        .where('username', '=', user.username)
        .executeTakeFirstOrThrow();
      await product.app.outbox.queue(db, commit, { purpose: 'verify', userId: id });
    });
    product.clock.ahead += 20 * MINUTE;
    expect((await verify(user.email, await readPasscode(product, user.email))).status).toBe(200);
  });
});
