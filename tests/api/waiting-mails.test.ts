import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createReviewOf, hide, putIntoBurst, report } from '../support/moderation.ts';
import { proposeEntry } from '../support/proposals.ts';
import { category, createSchool, createUser, postReview, readMailsTo, signIn, unique } from '../support/rows.ts';
import { adminOf, describeProduct, startForTest } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;

describeProduct('the mail about waiting decisions on %s', { ADMIN_MAIL: 'daily' }, (product) => {
  const admin = adminOf(product);

  test('is sent for the first report, then once a day and only for something new, without content', async () => {
    const [author, reader] = [await createUser(product), await createUser(product)];
    const second = await createUser(product, { isAdmin: true });
    const mails = () => readMailsTo(product, admin.email);
    const gone = await createReviewOf(product, author);
    await report(product, reader, gone.reviewId);
    await call(product, `DELETE /auth/${category.calls.remove}/${gone.entry.id}`, { token: admin.token });
    expect(await mails(), 'nobody can decide about it').toEqual([]);
    const { reviewId, entry } = await createReviewOf(product, author);
    await putIntoBurst(product, entry.id, [reviewId]);
    expect(await mails(), 'a burst is nobody’s word').toEqual([]);
    await report(product, reader, reviewId, { reason: 'fake', note: 'Never been there.' });
    const [first] = await mails();
    expect(first).toMatch(/1 review to decide about:\n.*\/moderation\n/);
    expect(first).not.toMatch('proposal');
    for (const words of ['Never been', author.username, reader.username]) expect(first).not.toMatch(words);
    expect(await readMailsTo(product, second.email)).toHaveLength(1);
    expect(await readMailsTo(product, reader.email)).toEqual([]);

    const { id: schoolId } = await createSchool(product);
    await proposeEntry(product, reader, { schoolId, name: unique('Proposed') });
    expect(await mails()).toHaveLength(1);
    product.clock.ahead += DAY;
    const [, next] = await mails();
    expect(next).toMatch(/1 review to decide about:[\s\S]*1 proposal:\n.*\/proposals\n/);
    product.clock.ahead += DAY;
    expect(await mails(), 'nothing came since').toHaveLength(2);
    await hide(product, { ...admin, token: await signIn(product, admin.id) }, reviewId);
    const appeal = { token: await signIn(product, author.id), body: { text: 'I was there for years.' } };
    expect((await call(product, `POST /auth/appealReview/${reviewId}`, appeal)).status).toBe(201);
    expect(await mails()).toHaveLength(3);

    product.clock.ahead += DAY;
    const [poster, other] = [await createUser(product), await createUser(product)];
    const reported = await createReviewOf(product, poster);
    await report(product, other, reported.reviewId);
    expect(await mails()).toHaveLength(4);
    const withdrawing = `DELETE /auth/${category.calls.removeReview}/${reported.reviewId}`;
    expect((await call(product, withdrawing, { token: poster.token })).status).toBe(204);
    await postReview(product, category, reported.entry.id, poster);
    product.clock.ahead += DAY;
    expect(await mails(), 'nobody has reported what replaces a reported review').toHaveLength(5);
    product.clock.ahead = 0;
  });
});

const OFF: Record<string, string>[] = [{ ADMIN_MAIL: 'off' }, { ADMIN_MAIL: 'daily', SAMPLE_DATA: 'on' }];

test.each(OFF)('is not sent with %o', async (env) => {
  const product = await startForTest('sqlite', env);
  const admin = await createUser(product, { isAdmin: true });
  const { reviewId } = await createReviewOf(product);
  expect((await report(product, await createUser(product), reviewId)).status).toBe(201);
  expect(await readMailsTo(product, admin.email)).toEqual([]);
});
