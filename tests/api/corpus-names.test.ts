import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { problemsOf } from '../support/corpus/case.ts';
import { JSON_TYPE } from '../support/corpus/fields.ts';
import { MAILBOXES, USERNAMES } from '../support/corpus/names.ts';
import { send } from '../support/corpus/send.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { unique } from '../support/rows.ts';
import { hashState } from '../support/state.ts';

const SIGNUP = { method: 'POST', path: '/auth/signup' };

describe.each(ENGINES)('names on %s', (engine) => {
  let product: Product;
  let mailServer: MailServer;

  beforeAll(async () => {
    mailServer = await startMailServer();
    product = await startProduct(engine, { SMTP_URL: mailServer.url });
  });
  afterAll(async () => {
    console.log(`${engine}: ${MAILBOXES.length} mailboxes, ${USERNAMES.length} usernames`);
    await product.stop();
    await mailServer.close();
  });

  const ask = (path: string, body: object) =>
    send(product, { method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) });
  const signUp = (body: object) =>
    ask('/auth/signup', {
      username: unique('named'),
      email: `${unique('named')}@example.org`,
      password: 'correct horse battery staple',
      ...body,
    });

  test.each(MAILBOXES)(
    'a mailbox with $name: mail goes to what is stored, or nothing happens',
    async ({ typed, isAccepted, sentTo }) => {
      const before = await hashState(product);
      mailServer.received.length = 0;
      const reply = await signUp({ email: typed });
      if (!isAccepted) {
        expect(problemsOf({ ...SIGNUP, status: 400, names: 'email' }, reply)).toEqual([]);
        await ask('/auth/forgotPassword', { email: typed });
        await product.app.outbox.flush();
        expect(mailServer.received).toEqual([]);
        expect(await hashState(product)).toEqual(before);
        return;
      }
      expect(reply.status).toBe(201);
      const stored = JSON.parse(reply.text).email;
      expect(stored.toLowerCase()).toBe(typed.toLowerCase());
      await product.app.outbox.flush();
      expect(mailServer.received.map(({ recipients }) => recipients)).toEqual([[sentTo]]);
      const [head = ''] = mailServer.received[0]?.text.split('\r\n\r\n') ?? [];
      expect(
        head
          .match(/^[\w-]+(?=:)/gm)
          ?.map((name) => name.toLowerCase())
          .sort(),
      ).toEqual([
        'auto-submitted',
        'content-transfer-encoding',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ]);
      // The same mailbox in another case is the same account, and its mails go to the stored mailbox.
      expect((await signUp({ email: typed.toUpperCase() })).status).toBe(201);
      await product.app.outbox.flush();
      expect(mailServer.received.at(-1)?.recipients[0]?.toLowerCase()).toBe(sentTo.toLowerCase());
      const users = await product.app.database.read.selectFrom('users').select('email').execute();
      expect(users.filter(({ email }) => email.toLowerCase() === stored.toLowerCase())).toHaveLength(1);
    },
  );

  test.each(USERNAMES)('the username %j is answered %i', async (username, status) => {
    const before = await hashState(product);
    const reply = await signUp({ username });
    if (status !== 201) {
      expect(problemsOf({ ...SIGNUP, status, names: 'username' }, reply)).toEqual([]);
      await product.app.outbox.flush();
      expect(await hashState(product)).toEqual(before);
      return;
    }
    expect([reply.status, JSON.parse(reply.text).username]).toEqual([201, username.normalize('NFC').trim()]);
    expect((await signUp({ username: username.toUpperCase() })).status).toBe(409);
  });

  test('after all of them it still works', async () => {
    expect((await signUp({})).status).toBe(201);
    expect((await call(product, 'GET /auth/schools')).status).toBe(200);
    await product.app.outbox.flush();
  });
});
