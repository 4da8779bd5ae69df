import { describe, expect, test } from 'vitest';
import { countMail, requireMailQuota } from '../../src/server/accounts/mail-quotas.ts';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { createThrottles } from '../../src/server/http/limits/throttle.ts';
import { insertMail, lockDueMail, markInFlight } from '../../src/server/mail/queries.ts';
import { call } from '../support/call.ts';
import { ENGINES } from '../support/product.ts';
import { createUser, PASSWORD, readMailsTo, unique } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const HOUR = 60 * 60_000;
const TOO_MANY = 'Very many people are asking for a passcode right now. Please wait a while and try again.';

const mailbox = () => `${unique('box')}@example.org`;

describe.each(ENGINES)('the mails of all in an hour on %s', (engine) => {
  /** A product that has already sent this number of the mails that an hour allows. */
  async function start({ name }: { name: string }, sent: number) {
    const product = await startForTest(engine, { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
    const row = { key: name, count: sent, ends_at: Date.now() + HOUR };
    await product.app.database.write((db) => db.insertInto('throttles').values(row).execute());
    const post = async (path: string, from: string, body?: object) => {
      const {
        status,
        body: answer,
        headers,
      } = await call(product, `POST /auth/${path}`, {
        body,
        headers: { 'X-Forwarded-For': from },
      });
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      return status === 429 ? answer.error : status;
    };
    const signUp = (from: string, email = mailbox()) =>
      post('signup', from, { username: unique('new'), email, password: PASSWORD });
    return { product, post, signUp };
  }

  test('leave the last quarter to addresses from which nobody has signed up', async () => {
    const { product, signUp } = await start(LIMITS.signupMailsInAll, 748);
    const [campus, home] = ['192.0.2.7', '198.51.100.7'];
    expect([await signUp(campus), await signUp(campus), await signUp(campus)]).toEqual([201, 201, TOO_MANY]);
    const email = mailbox();
    expect([await signUp(home, email), await signUp(home)]).toEqual([201, TOO_MANY]);
    expect(await readMailsTo(product, email)).toHaveLength(1);
    // The three mails above have been handed over meanwhile, and still count.
    expect(await signUp(home)).toBe(TOO_MANY);
    product.clock.ahead = HOUR + 1000;
    expect([await signUp(campus), await signUp(campus)]).toEqual([201, 201]);
  });

  test('leave of the last quarter sixteen to a site with as many networks, or to a /24', async () => {
    const { signUp } = await start(LIMITS.signupMailsInAll, 750);
    for (const addressOf of [
      (index: number) => `2001:db8:7:${(index * 256).toString(16)}::1`,
      (index: number) => `203.0.113.${index + 1}`,
    ]) {
      const answers = new Map<unknown, number>();
      for (let index = 0; index < 18; index += 1) {
        const answer = await signUp(addressOf(index));
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
      expect(answers).toEqual(
        new Map<unknown, number>([
          [201, 16],
          [TOO_MANY, 2],
        ]),
      );
    }
    expect(await signUp('2001:db8:4711::1'), 'another site').toBe(201);
  });

  test('are shared in the same way by those who ask for a code again, or for a reset', async () => {
    const again = await start(LIMITS.signupMailsInAll, 750);
    const [one, other] = ['192.0.2.7', '198.51.100.7'];
    const email = mailbox();
    expect(await again.signUp(one, email)).toBe(201);
    const resend = `resend?email=${encodeURIComponent(email)}`;
    const asked = [await again.post(resend, one), await again.post(resend, one), await again.post(resend, other)];
    expect(asked).toEqual([200, TOO_MANY, 200]);

    const reset = await start(LIMITS.resetMailsInAll, 750);
    const user = await createUser(reset.product);
    const forget = (from: string) => reset.post('forgotPassword', from, { email: user.email });
    expect([await forget(one), await forget(one), await forget(other)]).toEqual([200, TOO_MANY, 200]);
    expect(await reset.signUp(one), 'sign-ups have their own').toBe(201);
  });

  test.each([
    ['leave room for one more', 998],
    ['leave none', 999],
  ])('%s when %i are sent and the next is claimed while they are counted', async (room, sent) => {
    const { product } = await start(LIMITS.signupMailsInAll, sent);
    const { database } = product.app;
    const tools = { throttles: createThrottles((...parts) => parts.join(' '), true), now: Date.now };
    const { id: userId, email } = await createUser(product);
    // Not due: the product leaves it to this test.
    await database.write((db) => insertMail(db, { purpose: 'verify', userId }, Date.now() + HOUR));
    const claim = () =>
      database.write(async (db) => {
        const mail = await lockDueMail(db, Date.now() + HOUR);
        await markInFlight(db, mail?.id ?? 0, { dueAt: Date.now() + HOUR, countedAt: Date.now() });
        expect(await countMail(tools, db, 'verify', { email, isSent: true })).toBe('counted');
      });
    let claimed: Promise<void> | undefined;
    const db = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        claimed ??= claim();
        await claimed;
        return result;
      },
    });
    const counting = requireMailQuota(tools, db, 'verify');
    if (room === 'leave none') await expect(counting).rejects.toMatchObject({ status: 429 });
    else await expect(counting).resolves.toBeUndefined();
    expect(claimed).toBeDefined();
  });
});
