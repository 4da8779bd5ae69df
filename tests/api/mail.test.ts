import { afterEach, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { unique } from '../support/rows.ts';

describe.each(ENGINES)('mail on %s', (engine) => {
  let product: Product;
  let mailServer: MailServer;

  async function start(account = '', env: Record<string, string> = {}): Promise<void> {
    mailServer = await startMailServer();
    const SMTP_URL = mailServer.url.replace('//', `//${account}`);
    product = await startProduct(engine, { SMTP_URL, MAIL_FROM: 'The Site <no-reply@example.org>', ...env });
  }
  afterEach(async () => {
    await product.stop();
    await mailServer.close();
  });

  async function signUp() {
    const username = unique('mailed');
    const user = { username, email: `${username}@example.org`, password: 'correct horse battery staple' };
    expect((await call(product, 'POST /auth/signup', { body: user })).status).toBe(201);
    return user;
  }
  const verify = (email: string, text = '') =>
    call(product, 'POST /auth/verify', { body: { email, verificationCode: /^(\d{6})\r?$/m.exec(text)?.[1] ?? '' } });

  test('it goes by SMTP to the one stored mailbox, and its code is good', async () => {
    await start();
    const user = await signUp();
    await product.app.outbox.flush();
    expect(mailServer.received).toHaveLength(1);
    expect(mailServer.received[0]?.recipients).toEqual([user.email]);
    expect(mailServer.received[0]?.text).toContain('From: The Site <no-reply@example.org>');
    expect((await verify(user.email, mailServer.received[0]?.text)).status).toBe(200);
    expect(JSON.stringify(product.logs)).not.toMatch(/"code":"\d{6}"/);
  });

  test('one mostly in other letters ends its lines as mails must, inside its encoding too', async () => {
    await start('', { SITE_NAME: 'Отзывы о школах '.repeat(20) });
    await signUp();
    await product.app.outbox.flush();
    const [headers, encoded = ''] = mailServer.received[0]?.text.split('\r\n\r\n') ?? [];
    expect(headers).toContain('Content-Transfer-Encoding: base64');
    const body = Buffer.from(encoded, 'base64').toString();
    expect(body).toMatch(/^Hello,\r\n\r\nwelcome/);
    expect(body).not.toMatch(/[^\r]\n/);
  });

  test('while the mail server refuses for now, it waits and then carries a valid code', async () => {
    await start();
    mailServer.behaviour.refuseWith = 451;
    const user = await signUp();
    await product.app.outbox.flush();
    expect(mailServer.received).toHaveLength(0);
    product.clock.ahead += 20 * 60_000;
    mailServer.behaviour.refuseWith = undefined;
    await product.app.outbox.flush();
    expect(mailServer.received).toHaveLength(1);
    expect((await verify(user.email, mailServer.received[0]?.text)).status).toBe(200);
  });

  test('while the mail server refuses the login, it waits', async () => {
    await start('site:secret@');
    mailServer.behaviour.refusesLogin = true;
    const user = await signUp();
    await product.app.outbox.flush();
    mailServer.behaviour.refusesLogin = false;
    product.clock.ahead += 60_000;
    await product.app.outbox.flush();
    expect(mailServer.received.map(({ recipients }) => recipients)).toEqual([[user.email]]);
  });

  test('refused for good, it is not tried again', async () => {
    await start();
    mailServer.behaviour.refuseWith = 550;
    await signUp();
    await product.app.outbox.flush();
    mailServer.behaviour.refuseWith = undefined;
    product.clock.ahead += 60 * 60_000;
    await product.app.outbox.flush();
    expect(mailServer.received).toHaveLength(0);
    expect(product.logs.some(({ event }) => event === 'mail-failed')).toBe(true);
  });
});
