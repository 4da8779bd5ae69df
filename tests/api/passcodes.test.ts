import { expect, test } from 'vitest';
import { createAccountSteps, wrongCode } from '../support/account-steps.ts';
import { createUser, PASSWORD, readPasscode } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeProduct('passcodes on %s', (product) => {
  const { newcomer, post, verify, signUp, logIn, member, mailsTo } = createAccountSteps(() => product);

  test('five wrong tries void a code, also a hundred at once', async () => {
    const user = await signUp();
    const code = await readPasscode(product, user.email);
    const tries = await Promise.all(Array.from({ length: 19 }, () => verify(user.email, wrongCode(code))));
    expect(new Set(tries.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(tries[0]?.status).toBe(400);
    const [row] = await product.app.database.read
      .selectFrom('passcodes')
      .innerJoin('users', 'users.id', 'passcodes.user_id')
      .select('tries')
      .where('users.username', '=', user.username)
      .execute();
    expect(row?.tries).toBe(5);
    expect((await verify(user.email, code)).status).toBe(400);
  });

  test('twenty wrong codes a day are all there are, however many are sent', async () => {
    const user = await signUp();
    for (let round = 0; round < 4; round += 1) {
      const code = await readPasscode(product, user.email);
      for (let tries = 0; tries < 5; tries += 1) expect((await verify(user.email, wrongCode(code))).status).toBe(400);
      await post(`resend?email=${encodeURIComponent(user.email)}`);
    }
    const newest = await readPasscode(product, user.email);
    const refused = await verify(user.email, newest);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('of forty wrong codes at once twenty are taken, whatever they are for', async () => {
    const { email } = await member();
    const tries = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? verify(email, 'wrong')
        : post('resetPassword', { email, forgotCode: 'wrong', newPassword: 'long enough to be good' }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test('a code is good once, for ten minutes, for its purpose, and only the newest', async () => {
    const user = await member();
    await post('forgotPassword', { email: user.email });
    const first = await readPasscode(product, user.email);
    await post(`resendForgot?email=${encodeURIComponent(user.email)}`);
    const second = await readPasscode(product, user.email);
    const reset = (forgotCode: string) =>
      post('resetPassword', { email: user.email, forgotCode, newPassword: 'a brand new secret' });
    expect((await verify(user.email, second)).status).toBe(400);
    if (first !== second) expect((await reset(first)).status).toBe(400);
    product.clock.ahead += 10 * MINUTE + 1000;
    expect((await reset(second)).status).toBe(400);
    await post('forgotPassword', { email: user.email });
    product.clock.ahead += 9 * MINUTE;
    const third = await readPasscode(product, user.email);
    expect((await reset(third)).status).toBe(200);
    expect((await reset(third)).status).toBe(400);
    expect((await logIn(user.email, 'a brand new secret')).status).toBe(200);
    expect((await logIn(user.email, user.password)).status).toBe(401);
  });

  test('a login before verification says whether a passcode can still be entered, for the right password alone', async () => {
    const user = await signUp();
    const unverified = async () => (await logIn(user.email, user.password)).body;
    const error = 'This account is not verified yet. Enter the passcode from your email first.';
    expect(await unverified()).toEqual({ error, code: 'unverified', hasPasscode: true });
    const code = await readPasscode(product, user.email);
    product.clock.ahead += 10 * MINUTE + 1000;
    expect(await unverified()).toEqual({ error, code: 'unverified', hasPasscode: false });
    await post(`resend?email=${encodeURIComponent(user.email)}`);
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await unverified()).toMatchObject({ hasPasscode: true });
      await verify(user.email, wrongCode(await readPasscode(product, user.email)));
    }
    expect(await unverified()).toMatchObject({ hasPasscode: false });
    expect((await verify(user.email, code)).status).toBe(400);
    const refused = await logIn(user.email, 'another password');
    expect([refused.status, refused.body]).toEqual([401, { error: 'The email or the password is wrong.' }]);
  });

  test('a code does not outlive a clock that is set back', async () => {
    const user = await signUp();
    const code = await readPasscode(product, user.email);
    product.clock.ahead -= HOUR;
    expect((await verify(user.email, code)).status).toBe(400);
    await post(`resend?email=${encodeURIComponent(user.email)}`);
    expect((await verify(user.email, await readPasscode(product, user.email))).status).toBe(200);
    product.clock.ahead += HOUR;
  });

  test('no more than four codes an hour go to an account, the sign-up mail included', async () => {
    const user = await signUp();
    // A mail that still waits when the next is asked for is never sent.
    await product.app.outbox.flush();
    const spellings = [user.email, user.email.toUpperCase(), user.email.toLowerCase()];
    for (let count = 0; count < 20; count += 1) {
      const email = encodeURIComponent(spellings[count % spellings.length] ?? '');
      expect((await post(`resend?email=${email}`)).status).toBe(200);
      await product.app.outbox.flush();
    }
    expect(await mailsTo(user.email)).toHaveLength(4);
    product.clock.ahead += HOUR + 1000;
    await post(`resend?email=${encodeURIComponent(user.email)}`);
    expect(await mailsTo(user.email)).toHaveLength(5);
  });

  test('the notice of a changed password goes to an account five times an hour', async () => {
    const user = await createUser(product);
    let currentPassword = PASSWORD;
    for (let change = 0; change < 7; change += 1) {
      const newPassword = `a new password, number ${change}`;
      expect((await post('changePassword', { currentPassword, newPassword }, user.token)).status).toBe(200);
      currentPassword = newPassword;
    }
    expect(await mailsTo(user.email)).toHaveLength(5);
  });

  test('the answer does not tell whether an account exists', async () => {
    const known = await member();
    const unknown = newcomer();
    const both = async (send: (email: string) => ReturnType<typeof post>) => {
      const [one, other] = [await send(known.email), await send(unknown.email)];
      expect([one.status, one.text]).toEqual([other.status, other.text]);
    };
    await both((email) => post('forgotPassword', { email }));
    await both((email) => post(`resend?email=${encodeURIComponent(email)}`));
    await both((email) => post(`resendForgot?email=${encodeURIComponent(email)}`));
    await both((email) => logIn(email, 'not the password'));
    await both((email) => verify(email, '000000'));
    await both((email) => post('resetPassword', { email, forgotCode: '000000', newPassword: 'a brand new secret' }));
  });
});
