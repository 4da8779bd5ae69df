import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { startMailServer } from '../support/mail-server.ts';
import { readMetric } from '../support/metrics.ts';
import { createReviewOf, hide, moderate } from '../support/moderation.ts';
import { ENGINES, startProduct } from '../support/product.ts';
import { proposeEntry, refuse } from '../support/proposals.ts';
import { createSchool, createUser, readMailsTo, signIn, type TestUser, unique } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const HOUR = 60 * 60_000;

describeProduct('mails about decisions on %s', (product) => {
  let admin: TestUser;

  beforeAll(async () => {
    admin = await createUser(product, { isAdmin: true });
  });
  beforeEach(() => setClock(0));

  async function setClock(ahead: number) {
    product.clock.ahead = ahead;
    admin = { ...admin, token: await signIn(product, admin.id) };
  }
  const subjectsTo = async ({ email }: TestUser) =>
    (await readMailsTo(product, email)).map((mail) => /^Subject: School Reviews: (.*)$/m.exec(mail)?.[1]);

  /** Hides and restores a review until so many decisions are made, and sends the mail of each at once. */
  async function decide(reviewId: number, decisions: number): Promise<void> {
    for (let count = 0; count < decisions; count += 1) {
      const { status } =
        count % 2 === 0
          ? await hide(product, admin, reviewId)
          : await moderate(product, admin, reviewId, { action: 'restore' });
      expect(status).toBe(200);
      await product.app.outbox.flush();
    }
  }

  test('are five an hour for a person, and then one that there were more', async () => {
    const [author, other] = [await createUser(product), await createUser(product)];
    const { reviewId } = await createReviewOf(product, author);
    const [hidden, restored] = ['your review was hidden', 'your review was restored'];
    await decide(reviewId, 12);
    const { id: schoolId } = await createSchool(product);
    const { id } = (await proposeEntry(product, author, { schoolId, name: unique('Proposed') })).body;
    await refuse(product, admin, id, 'Not there.');
    expect(await subjectsTo(author)).toEqual([hidden, restored, hidden, restored, hidden]);
    await hide(product, admin, (await createReviewOf(product, other)).reviewId);
    expect(await subjectsTo(other), 'those of others are their own').toEqual([hidden]);
    product.clock.ahead = HOUR / 2;
    expect(await readMetric(product, 'mails_queued')).toBe(1);
    expect(await readMetric(product, 'mail_oldest_seconds'), 'it is not late').toBe(0);

    await setClock(HOUR + 1000);
    const mails = await readMailsTo(product, author.email);
    expect(mails).toHaveLength(6);
    expect(mails[5]).toContain('Subject: School Reviews: more decisions about what you wrote');
    expect(mails[5]).toContain(`Hello ${author.username},`);
    expect(mails[5]).toContain(`${product.url}/myreviews`);
    await decide(reviewId, 1);
    expect((await subjectsTo(author)).slice(6)).toEqual([hidden]);
    const queued = await product.app.database.read.selectFrom('outbox').select('id').execute();
    expect(queued).toEqual([]);
  });

  test('about being blocked are three an hour, and the last reason is mailed afterwards', async () => {
    const user = await createUser(product);
    const block = async (reason: string) => {
      const body = { isBlocked: true, reason };
      const { status } = await call(product, `PUT /auth/blockUser/${user.id}`, { token: admin.token, body });
      expect(status).toBe(200);
    };
    const reasons = async () =>
      (await readMailsTo(product, user.email)).map((mail) => /^Reason: (.*)$/m.exec(mail)?.[1]);
    for (const reason of ['one of them', 'two of them', 'three of them', 'four of them', 'five of them']) {
      await block(reason);
      await product.app.outbox.flush();
    }
    const sent = ['one of them', 'two of them', 'three of them'];
    expect(await reasons()).toEqual(sent);
    await setClock(HOUR + 1000);
    expect(await reasons()).toEqual([...sent, 'five of them']);
  });
});

describe.each(ENGINES)('mails about decisions that the mail server refuses on %s', (engine) => {
  test('count for nothing', async () => {
    const mailServer = await startMailServer();
    const product = await startProduct(engine, { SMTP_URL: mailServer.url });
    const [admin, author] = [await createUser(product, { isAdmin: true }), await createUser(product)];
    const hideOne = async () => {
      await hide(product, admin, (await createReviewOf(product, author)).reviewId);
      await product.app.outbox.flush();
    };
    mailServer.behaviour.refuseWith = 550;
    for (let count = 0; count < 6; count += 1) await hideOne();
    mailServer.behaviour.refuseWith = undefined;
    for (let count = 0; count < 6; count += 1) await hideOne();
    expect(mailServer.received).toHaveLength(5);
    await product.stop();
    await mailServer.close();
  });
});
