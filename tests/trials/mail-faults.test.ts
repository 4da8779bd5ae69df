import { afterEach, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { MAIL_FAULTS, startFaultyMail } from '../support/mail-faults.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { eventually, PATIENCE_MS } from '../support/postgres-faults.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { unique } from '../support/rows.ts';

const HOUR = 60 * 60_000;

describe('a mail server that fails', { timeout: PATIENCE_MS }, () => {
  let product: Product;
  let mailServer: MailServer;
  let between: Awaited<ReturnType<typeof startFaultyMail>>;

  async function start(engine: (typeof ENGINES)[number] = 'sqlite'): Promise<void> {
    mailServer = await startMailServer();
    between = await startFaultyMail(mailServer);
    product = await startProduct(engine, { SMTP_URL: between.url });
  }
  afterEach(async () => {
    await product.stop();
    await between.close();
    await mailServer.close();
  });

  async function signUp(): Promise<string> {
    const username = unique('mailed');
    const email = `${username}@example.org`;
    const body = { username, email, password: 'correct horse battery staple' };
    expect((await call(product, 'POST /auth/signup', { body })).status).toBe(201);
    return email;
  }
  const failures = () => product.logs.filter(({ event }) => event === 'mail-failed');
  const mailsTo = (email: string) => mailServer.received.filter(({ recipients }) => recipients.includes(email));

  test.each(MAIL_FAULTS)(
    'one that %s loses nothing: when it is well, the mail comes and its code is good',
    async (fault) => {
      await start();
      between.fail(fault);
      const email = await signUp();
      await eventually(async () => failures().length).toBeGreaterThan(0);
      expect(JSON.stringify(failures())).not.toContain(email);
      between.fail(undefined);
      // By then the mail is tried again, whatever its server did.
      product.clock.ahead += 60_000;
      await product.app.outbox.flush();
      await eventually(async () => mailsTo(email).length).toBeGreaterThan(0);
      expect(mailsTo(email).length).toBeLessThanOrEqual(fault === 'hangs up after DATA' ? 2 : 1);
      const verificationCode = /^(\d{6})\r?$/m.exec(mailsTo(email).at(-1)?.text ?? '')?.[1];
      const { status } = await call(product, 'POST /auth/verify', { body: { email, verificationCode } });
      expect(status).toBe(200);
    },
  );

  test.each(
    ENGINES.flatMap((engine) => (['answers 421', 'answers 451'] as const).map((fault) => [engine, fault] as const)),
  )(
    'all that waited go out with the first that is taken, however often each had failed: %s, one that %s',
    async (engine, fault) => {
      await start(engine);
      between.fail(fault);
      const emails: string[] = [];
      for (let count = 0; count < 6; count += 1) emails.push(await signUp());
      for (let count = 0; count < 12; count += 1) {
        product.clock.ahead += 10 * 60_000;
        await product.app.outbox.flush();
      }
      between.fail(undefined);
      product.clock.ahead += 30_000;
      await product.app.outbox.flush();
      for (const email of emails) await eventually(async () => mailsTo(email).length).toBe(1);
    },
  );

  test('one mail that hangs keeps no other waiting', async () => {
    await start();
    between.fail('hangs in DATA');
    const first = await signUp();
    await eventually(async () => failures().length).toBe(1);
    between.fail(undefined);
    const second = await signUp();
    await product.app.outbox.flush();
    await eventually(async () => mailsTo(second).length).toBe(1);
    product.clock.ahead += 60_000;
    await product.app.outbox.flush();
    await eventually(async () => mailsTo(first).length).toBe(1);
  });

  test.each(ENGINES)('what could not be sent for a day is given up, on %s', async (engine) => {
    await start(engine);
    between.fail('answers 421');
    const email = await signUp();
    await product.app.outbox.flush();
    product.clock.ahead += 24 * HOUR + 60_000;
    between.fail(undefined);
    await product.app.outbox.flush();
    expect(mailsTo(email)).toHaveLength(0);
    expect(await product.app.database.read.selectFrom('outbox').selectAll().execute()).toEqual([]);
  });
});
