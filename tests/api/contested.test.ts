import { expect, test } from 'vitest';
import { createAccountSteps } from '../support/account-steps.ts';
import { readPasscode } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;
const REFUSED = 'The email or the password is wrong.';

/** A mail's text in one line: mailers break long lines anywhere between words. */
const inOneLine = (mail: string | undefined) => (mail ?? '').replaceAll(/\s+/g, ' ');

describeProduct('a contested sign-up on %s', { PUBLIC_URL: 'https://reviews.example' }, (product) => {
  const { newcomer, post, verify, signUp, logIn, mailsTo } = createAccountSteps(() => product);

  /** Two sign-ups with one mailbox, the first not verified yet. */
  async function contest(passwords: readonly [string, string]) {
    const one = await signUp({ ...newcomer(), password: passwords[0] });
    const other = await signUp({ ...newcomer(), email: one.email, password: passwords[1] });
    return { email: one.email, one, other };
  }
  const codeOf = async (email: string) =>
    /Your passcode is (\d{6})\./.exec(inOneLine((await mailsTo(email)).at(-1)))?.[1];

  test.each([
    ['a password of each', ['first come, first served', 'last come, last served']],
    ['the same password', ['served at the same time', 'served at the same time']],
  ] as const)('with %s sets nobody’s, and its mail sets one', async (_which, passwords) => {
    const { email } = await contest(passwords);
    for (const password of passwords) {
      const before = await logIn(email, password);
      expect(before.status, 'until it is verified the newest one is told so').toBe(
        password === passwords[1] ? 403 : 401,
      );
    }
    const verified = await verify(email, await readPasscode(product, email));
    expect(verified).toMatchObject({ status: 200, body: { message: 'The account is verified.' } });
    const stranger = await logIn(newcomer().email, passwords[0]);
    for (const password of passwords) {
      const refused = await logIn(email, password);
      expect([refused.status, refused.text]).toEqual([stranger.status, stranger.text]);
      expect([refused.status, refused.body.error]).toEqual([401, REFUSED]);
    }

    const forgotCode = await codeOf(email);
    const address = `https://reviews.example/change?email=${encodeURIComponent(email)}`;
    expect(inOneLine((await mailsTo(email)).at(-1))).toContain(
      `This mailbox was used to sign up more than once, so please choose a new password: ${address} Your passcode is ${forgotCode}.`,
    );
    const newPassword = 'chosen by the owner of the mailbox';
    expect((await post('resetPassword', { email, forgotCode, newPassword })).status).toBe(200);
    expect((await logIn(email, newPassword)).status).toBe(200);
    for (const password of passwords) expect((await logIn(email, password)).status).toBe(401);
    expect((await mailsTo(email)).at(-1)).toContain('your password was changed');
  });

  test('gets its code even after the mails of four sign-ups', async () => {
    const { email } = await contest(['first come, first served', 'last come, last served']);
    await product.app.outbox.flush();
    for (let count = 0; count < 2; count += 1) {
      await signUp({ ...newcomer(), email });
      await product.app.outbox.flush();
    }
    expect((await verify(email, await readPasscode(product, email))).status).toBe(200);
    expect(await codeOf(email)).toMatch(/^\d{6}$/);
    expect((await mailsTo(email)).length).toBeLessThanOrEqual(5);
  });

  test('is mentioned in every code’s mail until then', async () => {
    const { email } = await contest(['first come, first served', 'last come, last served']);
    await verify(email, await readPasscode(product, email));
    const first = await codeOf(email);
    expect((await post('forgotPassword', { email })).status).toBe(200);
    const second = await codeOf(email);
    const reset = (forgotCode: string | undefined) =>
      post('resetPassword', { email, forgotCode, newPassword: 'chosen by the owner of the mailbox' });
    if (first !== second) expect((await reset(first)).status).toBe(400);
    expect((await reset(second)).status).toBe(200);
  });

  test('does not arise when the earlier one has expired or is verified already', async () => {
    const late = await signUp();
    product.clock.ahead += DAY + 1000;
    const owner = await signUp({ ...newcomer(), email: late.email, password: 'first come, first served' });
    expect((await verify(owner.email, await readPasscode(product, owner.email))).status).toBe(200);
    expect((await logIn(owner.email, owner.password)).status).toBe(200);
    expect((await post('signup', { ...newcomer(), email: owner.email })).status).toBe(409);
    expect((await logIn(owner.email, owner.password)).status).toBe(200);
  });

  test('is greeted by no name, as is every mailbox that nobody has verified', async () => {
    const { email, one, other } = await contest(['first come, first served', 'last come, last served']);
    await verify(email, await readPasscode(product, email));
    const mails = await mailsTo(email);
    expect(mails.length).toBeGreaterThanOrEqual(2);
    for (const mail of mails) {
      expect(mail).toMatch(/^Hello,$/m);
      const text = mail.slice(mail.search(/\r?\n\r?\n/)).replaceAll(encodeURIComponent(email), '');
      for (const { username } of [one, other]) expect(text).not.toContain(username);
    }
    const forgotCode = await codeOf(email);
    await post('resetPassword', { email, forgotCode, newPassword: 'chosen by the owner of the mailbox' });
    expect((await mailsTo(email)).at(-1)).toContain(`Hello ${other.username},`);
  });
});
