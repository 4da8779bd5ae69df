import { expect, test } from 'vitest';
import { HELD_MS } from '../../src/contract/moderation.ts';
import { call } from '../support/call.ts';
import { createReviewOf, findFaults, moderate, putIntoBurst, report } from '../support/moderation.ts';
import { category, PASSWORD, postReview, readMailsTo, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

describeProduct('a held hide on %s', (product) => {
  const admin = adminOf(product);
  const reader = userOf(product);

  const hold = (reviewId: number, reason = 'spam') =>
    moderate(product, admin, reviewId, { action: 'hide', reason, isHeld: true });
  const restore = (reviewId: number) => moderate(product, admin, reviewId, { action: 'restore' });
  const removals = async () => (await call(product, 'GET /auth/getRemovals')).body;
  const totalOf = async (entryId: number) =>
    (await call(product, `GET /auth/${category.calls.totalReviews}/${entryId}`)).body.totalReviews;
  const itemsOf = async (state: string) =>
    (await call(product, `GET /auth/getReports?state=${state}`, { token: admin.token })).body;
  const itemOf = async (reviewId: number, state = 'open') =>
    (await itemsOf(state)).find((item: { reviewId: number }) => item.reviewId === reviewId);
  const mine = async (author: TestUser) =>
    (await call(product, 'GET /auth/getMyReviews', { token: author.token })).body[0];
  const eventsOf = async (author: TestUser) => (await mine(author)).events.map(({ event }: { event: string }) => event);

  /** Lets the time pass in which the hide could be taken back. */
  async function outwait(): Promise<void> {
    product.clock.ahead += HELD_MS;
    await product.app.outbox.flush();
  }

  async function reported() {
    const made = await createReviewOf(product);
    await report(product, reader, made.reviewId, { reason: 'fake' });
    return made;
  }

  test('hides at once, and tells author and public when its time is over', async () => {
    const { author, entry, reviewId } = await reported();
    const lines = (await removals()).length;
    const hidden = await hold(reviewId, 'personal');
    expect(hidden).toMatchObject({ status: 200, body: { isHidden: true, hiddenReason: 'personal' } });
    expect(await totalOf(entry.id)).toBe(0);
    expect((await call(product, `GET /auth/getReview/${reviewId}`)).status).toBe(404);
    expect(await itemOf(reviewId)).toBeUndefined();
    await product.app.outbox.flush();
    expect(await removals()).toHaveLength(lines);
    expect(await mine(author)).toMatchObject({ isHidden: true, events: [{ event: 'posted' }, { event: 'reported' }] });
    expect(await readMailsTo(product, author.email)).toEqual([]);
    expect(await findFaults(product)).toEqual([]);

    await outwait();
    expect((await removals()).slice(0, -lines || undefined)).toMatchObject([{ act: 'hidden', reason: 'personal' }]);
    expect(await eventsOf(author)).toEqual(['posted', 'reported', 'hidden']);
    expect(await readMailsTo(product, author.email)).toEqual([expect.stringContaining('was hidden.')]);
    expect((await restore(reviewId)).status).toBe(200);
    expect(await eventsOf(author)).toEqual(['posted', 'reported', 'hidden', 'restored']);
  });

  test('that is undone leaves no mail, no event and no line, and the item as it was', async () => {
    const { author, entry, reviewId } = await reported();
    const [before, lines] = [await itemOf(reviewId), await removals()];
    const order = (await itemsOf('open')).map((item: { reviewId: number }) => item.reviewId);
    await hold(reviewId);
    expect(await restore(reviewId)).toMatchObject({ status: 200, body: before });
    await outwait();
    expect(await itemOf(reviewId)).toEqual(before);
    expect((await itemsOf('open')).map((item: { reviewId: number }) => item.reviewId)).toEqual(order);
    expect(await removals()).toEqual(lines);
    expect(await eventsOf(author)).toEqual(['posted', 'reported']);
    expect(await readMailsTo(product, author.email)).toEqual([]);
    expect(await totalOf(entry.id)).toBe(1);
    expect((await report(product, reader, reviewId)).status).toBe(409);
  });

  test('that is taken back leaves no item of a review that had none, and a closed one closed', async () => {
    const { reviewId } = await createReviewOf(product);
    await hold(reviewId);
    const taken = await restore(reviewId);
    expect(taken).toMatchObject({ status: 200, body: { reviewId, isHidden: false } });
    expect(taken.body).not.toHaveProperty('hiddenReason');
    expect([await itemOf(reviewId), await itemOf(reviewId, 'closed')]).toEqual([undefined, undefined]);

    await report(product, reader, reviewId);
    await moderate(product, admin, reviewId, { action: 'keep' });
    const kept = await itemOf(reviewId, 'closed');
    await hold(reviewId);
    await restore(reviewId);
    expect(await itemOf(reviewId, 'closed')).toEqual(kept);
  });

  test('of a burst that is taken back leaves the review in the burst', async () => {
    const { entry, reviewId } = await createReviewOf(product);
    await putIntoBurst(product, entry.id, [reviewId]);
    const isBeingChecked = async () =>
      (await call(product, `GET /auth/getEntrySummary/${entry.id}`)).body.isBeingChecked;
    expect(await isBeingChecked()).toBe(true);
    await hold(reviewId);
    expect(await isBeingChecked()).toBe(false);
    await restore(reviewId);
    expect(await isBeingChecked()).toBe(true);
    expect(await itemOf(reviewId)).toMatchObject({ isBurst: true, burstEntryId: entry.id, reports: [] });
  });

  test('is not changed by a withdrawal, and tells the author all the same', async () => {
    const { author, reviewId } = await reported();
    const lines = (await removals()).length;
    await hold(reviewId);
    const path = `DELETE /auth/${category.calls.removeReview}/${reviewId}`;
    expect((await call(product, path, { token: author.token })).status).toBe(204);
    await outwait();
    expect(await removals()).toHaveLength(lines + 1);
    expect(await mine(author)).toMatchObject({ isHidden: true, isWithdrawn: true });
    expect(await eventsOf(author)).toEqual(['posted', 'reported', 'hidden']);
    const [mail = ''] = await readMailsTo(product, author.email);
    expect(mail).toContain('It was withdrawn since, so it cannot be appealed.');
  });

  test('that is taken back after a withdrawal leaves nothing, and the author may post again', async () => {
    const { author, entry, reviewId } = await reported();
    const lines = await removals();
    await hold(reviewId);
    await call(product, `DELETE /auth/${category.calls.removeReview}/${reviewId}`, { token: author.token });
    expect(await restore(reviewId)).toMatchObject({ status: 200, body: { isHidden: false } });
    await outwait();
    expect(await removals()).toEqual(lines);
    const { status, body } = await postReview(product, category, entry.id, author);
    expect(status).toBe(201);
    expect(await itemOf(body.id), 'the review that it replaces was reported').toBeDefined();
  });

  test('can be appealed once it is final, whatever became of an earlier hiding', async () => {
    const { author, entry, reviewId } = await reported();
    const { token } = author;
    await moderate(product, admin, reviewId, { action: 'hide', reason: 'spam' });
    await call(product, `POST /auth/appealReview/${reviewId}`, { token, body: { text: 'I was there.' } });
    await restore(reviewId);
    await hold(reviewId);
    const again = await postReview(product, category, entry.id, author);
    expect(again.body.error).toContain('You can appeal once under Your reviews.');
    await outwait();
  });

  test('has its line when its author is deleted or its entry is, meanwhile', async () => {
    const [{ author, reviewId }, { entry, reviewId: other }] = [await reported(), await reported()];
    const lines = (await removals()).length;
    await hold(reviewId);
    await hold(other);
    const { token } = admin;
    expect((await call(product, `DELETE /auth/deleteUser/${author.id}?reviews=hide`, { token })).status).toBe(204);
    expect((await call(product, `DELETE /auth/${category.calls.remove}/${entry.id}`, { token })).status).toBe(204);
    await outwait();
    expect(await removals()).toHaveLength(lines + 2);
    expect(await findFaults(product)).toEqual([]);
  });

  test('has its line when its author deletes the account with the reviews, meanwhile', async () => {
    const { author, reviewId } = await reported();
    const lines = (await removals()).length;
    await hold(reviewId, 'illegal');
    const body = { password: PASSWORD, reviews: 'delete' };
    expect((await call(product, 'POST /auth/deleteMyAccount', { body, token: author.token })).status).toBe(204);
    await outwait();
    expect((await removals()).slice(0, -lines || undefined)).toMatchObject([{ act: 'hidden', reason: 'illegal' }]);
    expect(await findFaults(product)).toEqual([]);
  });

  test('is completed at once when its author appeals, with the stars and the order of its time', async () => {
    const { author, reviewId } = await reported();
    const { token } = author;
    const lines = (await removals()).length;
    await hold(reviewId);
    const body = { id: reviewId, rating: 1, review: 'Changed within seconds.' };
    expect((await call(product, `PUT /auth/${category.calls.updateReview}`, { token, body })).status).toBe(200);
    const appeal = { token, body: { text: 'Why?' } };
    expect((await call(product, `POST /auth/appealReview/${reviewId}`, appeal)).status).toBe(201);
    expect((await removals())[0]).toMatchObject({ id: lines + 1, act: 'hidden', stars: 4 });
    expect((await eventsOf(author)).toSorted()).toEqual(['appealed', 'edited', 'hidden', 'posted', 'reported']);
    expect(await itemOf(reviewId)).toMatchObject({
      ...{ isHidden: true, hiddenReason: 'spam', isEdited: true, decidedText: 'Good.', appeal: { text: 'Why?' } },
      ...{ reports: [], earlier: [{ reason: 'fake' }] },
    });
    await outwait();
    expect(await removals()).toHaveLength(lines + 1);
  });

  test('is decided once: hiding it again is a 409, and so is undoing it twice', async () => {
    const { reviewId } = await reported();
    const answers = await Promise.all([hold(reviewId), hold(reviewId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const taken = await Promise.all([restore(reviewId), restore(reviewId)]);
    expect(taken.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await findFaults(product)).toEqual([]);
  });
});
