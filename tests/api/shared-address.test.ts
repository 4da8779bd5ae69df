import { beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { wrongCode } from '../support/account-steps.ts';
import { type Answer, type CallOptions, call } from '../support/call.ts';
import { createUser, PASSWORD, readPasscode, unique } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;
const NEW_PASSWORD = 'a brand new secret';

/** What a caller sees of a refusal. */
const seen = ({ status, text, headers }: Answer) => ({ status, text, retryAfter: headers.get('retry-after') });

describeProduct('behind one address on %s', { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' }, (product) => {
  /** The address that a whole campus has. */
  let campus: string;
  let addresses = 0;

  const elsewhere = () => {
    addresses += 1;
    return `2001:db8:${addresses.toString(16)}::1`;
  };
  beforeEach(() => {
    campus = elsewhere();
  });

  const ask = (request: string, options: CallOptions = {}, address = campus) =>
    call(product, `POST /auth/${request}`, { ...options, headers: { 'X-Forwarded-For': address } });
  const logIn = (email: string, password: string, address?: string) =>
    ask('login', { body: { email, password } }, address);
  const forget = (email: string, address?: string) => ask('forgotPassword', { body: { email } }, address);
  const reset = (email: string, forgotCode: string, address?: string) =>
    ask('resetPassword', { body: { email, forgotCode, newPassword: NEW_PASSWORD } }, address);
  const verify = (email: string, verificationCode: string, address?: string) =>
    ask('verify', { body: { email, verificationCode } }, address);
  const mailbox = () => `${unique('nobody')}@example.org`;
  const exhaustPasswords = async () => {
    for (let tries = 0; tries < LIMITS.wrongPasswordsByAddress.max; tries += 1) {
      expect((await logIn(mailbox(), 'wrong')).status).toBe(401);
    }
  };
  const exhaustPasscodes = async () => {
    for (let tries = 0; tries < LIMITS.wrongPasscodesByAddress.max; tries += 1) {
      expect((await verify(mailbox(), '000000')).status).toBe(400);
    }
  };

  test('fifty wrong passwords of others do not keep out who has logged in there', async () => {
    const [regular, visitor] = [await createUser(product), await createUser(product)];
    expect((await logIn(regular.email, PASSWORD)).status).toBe(200);
    await exhaustPasswords();
    expect((await logIn(regular.email, PASSWORD)).status).toBe(200);
    expect((await logIn(visitor.email, PASSWORD)).status).toBe(429);
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await ask('changePassword', { token: regular.token, body })).status).toBe(200);
    expect((await ask('changePassword', { token: visitor.token, body })).status).toBe(429);
  });

  test('who passes has ten wrong passwords, and a wrong one is answered as to a stranger', async () => {
    const regular = await createUser(product);
    expect((await logIn(regular.email, PASSWORD)).status).toBe(200);
    await exhaustPasswords();
    const stranger = seen(await logIn(mailbox(), 'wrong'));
    for (let tries = 0; tries < LIMITS.wrongPasswords.max; tries += 1) {
      expect(seen(await logIn(regular.email, 'wrong'))).toMatchObject({ status: 429, text: stranger.text });
    }
    expect(seen(await logIn(regular.email, PASSWORD))).toMatchObject({
      status: 429,
      text: expect.stringContaining(LIMITS.wrongPasswords.sentence),
    });
  });

  test('who has entered a mailed code there logs in there, whatever others do', async () => {
    const username = unique('new');
    const newcomer = { username, email: `${username}@example.org`, password: PASSWORD };
    expect((await ask('signup', { body: newcomer })).status).toBe(201);
    const forgetful = await createUser(product);
    expect((await forget(forgetful.email)).status).toBe(200);
    await exhaustPasswords();
    await exhaustPasscodes();
    expect((await verify(newcomer.email, await readPasscode(product, newcomer.email))).status).toBe(200);
    expect((await logIn(newcomer.email, PASSWORD)).status).toBe(200);
    expect((await reset(forgetful.email, await readPasscode(product, forgetful.email))).status).toBe(200);
    expect((await logIn(forgetful.email, NEW_PASSWORD)).status).toBe(200);
  });

  test('a reset leaves the account known where the code was entered and nowhere else', async () => {
    const user = await createUser(product);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
    const resetAddress = elsewhere();
    await forget(user.email, resetAddress);
    expect((await reset(user.email, await readPasscode(product, user.email), resetAddress)).status).toBe(200);
    await exhaustPasswords();
    expect((await logIn(user.email, NEW_PASSWORD)).status).toBe(429);
    expect((await logIn(user.email, NEW_PASSWORD, resetAddress)).status).toBe(200);
  });

  test('twenty wrong passcodes of others stop who has not asked for a code there, account or none', async () => {
    const [asking, other] = [await createUser(product), await createUser(product)];
    const [askingNobody, nobody] = [mailbox(), mailbox()];
    await forget(asking.email);
    await forget(askingNobody);
    await forget(other.email, elsewhere());
    await exhaustPasscodes();
    expect(seen(await reset(askingNobody, '000000'))).toEqual(seen(await reset(asking.email, 'wrong')));
    expect((await reset(other.email, await readPasscode(product, other.email))).status).toBe(429);
    expect((await reset(nobody, '000000')).status).toBe(429);
    expect((await reset(asking.email, await readPasscode(product, asking.email))).status).toBe(200);
  });

  test('who asks for codes there has twenty wrong ones an hour of their own', async () => {
    const email = mailbox();
    await forget(email);
    for (let tries = 0; tries < LIMITS.wrongPasscodesOfOne.max; tries += 1) {
      expect((await verify(email, '000000')).status).toBe(400);
    }
    expect((await verify(email, '000000')).status).toBe(429);
    expect((await verify(email, '000000', elsewhere())).status).toBe(400);
  });

  test('wrong codes while none is out take nothing of the day of an account', async () => {
    const user = await createUser(product);
    for (let tries = 0; tries < 2 * LIMITS.wrongPasscodes.max; tries += 1) {
      expect((await reset(user.email, '000000', elsewhere())).status).toBe(400);
    }
    await forget(user.email);
    expect((await reset(user.email, await readPasscode(product, user.email))).status).toBe(200);
  });

  test('twenty wrong codes that were asked for end the day of a mailbox, whether or not it has an account', async () => {
    const guess = async (email: string) => {
      const answers = [];
      for (let round = 0; round < 4; round += 1) {
        await forget(email, elsewhere());
        // The mail has to be sent, so that a code is out. It is not read: the guesser cannot see it.
        await product.app.outbox.flush();
        for (let tries = 0; tries < 7; tries += 1) answers.push((await reset(email, 'wrong', elsewhere())).status);
      }
      await forget(email, elsewhere());
      answers.push((await reset(email, 'wrong', elsewhere())).status);
      return answers;
    };
    const { email } = await createUser(product);
    const answers = await guess(email);
    expect(answers.indexOf(429)).toBe(3 * 7 + 5);
    expect(await guess(mailbox())).toEqual(answers);
    expect((await reset(email, wrongCode(await readPasscode(product, email)), elsewhere())).status).toBe(429);
  });

  test('a hundred wrong passwords lock a mailbox alike, and for as long, whether or not it has an account', async () => {
    const { email } = await createUser(product);
    const mailboxes = [email, mailbox()];
    for (let tries = 0; tries < LIMITS.wrongPasswordsInARow.max; tries += 1) {
      for (const one of mailboxes) expect((await logIn(one, 'wrong', elsewhere())).status).toBe(401);
    }
    for (const days of [0, 1, 1, 360]) {
      product.clock.ahead += days * DAY;
      const [known, unknown] = [
        seen(await logIn(email, 'wrong', elsewhere())),
        seen(await logIn(mailboxes[1] as string, 'wrong', elsewhere())),
      ];
      expect(known).toEqual({ status: 429, text: unknown.text, retryAfter: String(DAY / 1000) });
      expect(unknown.retryAfter).toBe(known.retryAfter);
    }
  });
});
