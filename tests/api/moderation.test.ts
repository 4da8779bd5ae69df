import { beforeAll, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createReviewOf, hide, moderate, report } from '../support/moderation.ts';
import { category, createUser, postReview, readMailsTo, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const { calls } = category;

describeProduct('decisions on %s', (product) => {
  const admin = adminOf(product);
  let author: TestUser;
  let reader: TestUser;

  beforeAll(async () => {
    author = await createUser(product);
    reader = await createUser(product);
  });

  const figures = async (entryId: number) => ({
    ...(await call(product, `GET /auth/${calls.averageRating}/${entryId}`)).body,
    ...(await call(product, `GET /auth/${calls.totalReviews}/${entryId}`)).body,
  });
  const listed = async (entryId: number): Promise<number[]> =>
    (await call(product, `GET /auth/${calls.reviews}/${entryId}`)).body.map(({ id }: { id: number }) => id);
  const mine = async (entryId: number) =>
    (await call(product, `GET /auth/${calls.myReview}/${entryId}`, { token: author.token })).body;
  const receipt = async (reviewId: number) => {
    const { body } = await call(product, 'GET /auth/getMyReviews', { token: author.token });
    return body.find(({ id }: { id: number }) => id === reviewId);
  };
  const eventsOf = async (reviewId: number) =>
    (await receipt(reviewId)).events.map(({ event, reason }: { event: string; reason?: string }) =>
      reason ? `${event} ${reason}` : event,
    );
  const withdraw = (reviewId: number, user: TestUser) =>
    call(product, `DELETE /auth/${calls.removeReview}/${reviewId}`, { token: user.token });

  test('hide takes a review out of list and counts, restore brings it back, and the author is told each time', async () => {
    const { entry, reviewId } = await createReviewOf(product, author, 1);
    await postReview(product, category, entry.id, reader, { rating: 4 });
    const before = (await readMailsTo(product, author.email)).length;

    const hidden = await hide(product, admin, reviewId, 'personal');
    expect(hidden).toMatchObject({ status: 200, body: { reviewId, isHidden: true, entryId: entry.id, reports: [] } });
    expect(await figures(entry.id)).toEqual({ averageRating: 4, totalReviews: 1 });
    expect(await listed(entry.id)).not.toContain(reviewId);
    expect(await mine(entry.id)).toMatchObject({ id: reviewId, isHidden: true });

    const restored = await moderate(product, admin, reviewId, { action: 'restore' });
    expect(restored).toMatchObject({ status: 200, body: { reviewId, isHidden: false } });
    expect(await figures(entry.id)).toEqual({ averageRating: 2.5, totalReviews: 2 });
    expect(await listed(entry.id)).toContain(reviewId);
    expect(await mine(entry.id)).toMatchObject({ isHidden: false });
    expect(await eventsOf(reviewId)).toEqual(['posted', 'hidden personal', 'restored']);

    const mails = (await readMailsTo(product, author.email)).slice(before);
    // The mail about the first decision is not sent if the second decision came sooner.
    expect(mails.at(-1)).toContain(`Your review of ${entry.name} was restored`);
  });

  test('the mail about a hidden review quotes it, says why and how to appeal, and names no entry in its subject', async () => {
    const { entry, reviewId } = await createReviewOf(product, author);
    await hide(product, admin, reviewId, 'offtopic');
    const mail = (await readMailsTo(product, author.email)).at(-1) ?? '';
    expect(mail).toContain(`Your review of ${entry.name} was hidden.`);
    expect(mail).toContain('Reason: It is off topic.');
    expect(mail).toContain('You wrote:\nGood.');
    expect(mail).toMatch(/You can appeal once: http:\/\/[^\s]+\/myreviews/);
    expect(/^Subject: (.*)$/m.exec(mail)?.[1]).not.toContain(entry.name);
  });

  test('what changes nothing, misses a reason or is about nothing is refused', async () => {
    const { reviewId } = await createReviewOf(product, author);
    const refused = async (body: { action: string; reason?: string }, id = reviewId) => {
      const { status, body: answer } = await moderate(product, admin, id, body);
      return [status, answer.error];
    };
    expect(await refused({ action: 'hide' })).toEqual([400, 'The reason for hiding the review is missing.']);
    expect(await refused({ action: 'keep' })).toEqual([409, 'Nothing is open about this review. Load the page again.']);
    expect(await refused({ action: 'restore' })).toEqual([409, 'This review is not hidden. Load the page again.']);
    await hide(product, admin, reviewId);
    expect(await refused({ action: 'hide', reason: 'spam' })).toEqual([
      409,
      'This review is hidden already. Load the page again.',
    ]);
    expect(await refused({ action: 'keep' }, 999_999)).toEqual([404, 'There is no such review.']);
    expect(await eventsOf(reviewId)).toEqual(['posted', 'hidden spam']);
  });

  test('an admin’s delete hides with the reason other and is not found a second time', async () => {
    const { entry, reviewId } = await createReviewOf(product, author);
    expect((await withdraw(reviewId, admin)).status).toBe(204);
    expect((await withdraw(reviewId, admin)).status).toBe(404);
    expect(await figures(entry.id)).toEqual({ averageRating: 0, totalReviews: 0 });
    expect(await eventsOf(reviewId)).toEqual(['posted', 'hidden other']);
    const { body } = await call(product, 'GET /auth/getReports?state=closed', { token: admin.token });
    expect(body[0]).toMatchObject({ reviewId, isHidden: true });
    expect((await moderate(product, admin, reviewId, { action: 'restore' })).status).toBe(200);
    expect(await figures(entry.id)).toEqual({ averageRating: 4, totalReviews: 1 });
  });

  test('an admin who deletes their own review withdraws it', async () => {
    const { entry, reviewId } = await createReviewOf(product, admin);
    expect((await withdraw(reviewId, admin)).status).toBe(204);
    expect((await moderate(product, admin, reviewId, { action: 'restore' })).status).toBe(404);
    expect((await postReview(product, category, entry.id, admin)).status).toBe(201);
  });

  test('the author corrects a hidden review, which stays hidden, and restoring it counts the new stars', async () => {
    const { entry, reviewId } = await createReviewOf(product, author, 1);
    await hide(product, admin, reviewId);
    const body = { id: reviewId, rating: 5, review: 'Kinder now.' };
    const corrected = await call(product, `PUT /auth/${calls.updateReview}`, { token: author.token, body });
    expect(corrected).toMatchObject({ status: 200, body: { rating: 5, isHidden: true } });
    expect(await figures(entry.id)).toEqual({ averageRating: 0, totalReviews: 0 });
    await moderate(product, admin, reviewId, { action: 'restore' });
    expect(await figures(entry.id)).toEqual({ averageRating: 5, totalReviews: 1 });
    expect(await eventsOf(reviewId)).toEqual(['posted', 'hidden spam', 'edited', 'restored']);
  });

  test('nothing is posted in the place of a hidden review, also once it is withdrawn, until it is restored', async () => {
    const { entry, reviewId } = await createReviewOf(product, author);
    await hide(product, admin, reviewId, 'fake');
    const whileHidden = await postReview(product, category, entry.id, author);
    expect(whileHidden).toMatchObject({
      status: 409,
      body: { error: 'Your review of this was hidden. Reason: It is fake. You can appeal once under Your reviews.' },
    });
    expect((await withdraw(reviewId, author)).status).toBe(204);
    expect((await withdraw(reviewId, author)).status).toBe(404);
    expect(await mine(entry.id)).toBeNull();
    expect(await receipt(reviewId)).toMatchObject({ isHidden: true, isWithdrawn: true });
    const afterwards = await postReview(product, category, entry.id, author);
    expect(afterwards).toMatchObject({
      status: 409,
      body: {
        error:
          'Your review of this was hidden before you withdrew it, so an appeal is no longer possible. Please write to support@example.com.',
      },
    });
    const appeal = { token: author.token, body: { text: 'Please.' } };
    expect((await call(product, `POST /auth/appealReview/${reviewId}`, appeal)).status).toBe(409);

    const restored = await moderate(product, admin, reviewId, { action: 'restore' });
    expect(restored).toMatchObject({ status: 200, body: { reviewId, isHidden: false } });
    expect(await listed(entry.id)).toEqual([]);
    expect((await postReview(product, category, entry.id, author)).status).toBe(201);
  });

  test('a visible review that is withdrawn is deleted, and can no longer be decided about', async () => {
    const { reviewId } = await createReviewOf(product, author);
    await report(product, reader, reviewId);
    expect((await withdraw(reviewId, author)).status).toBe(204);
    expect((await moderate(product, admin, reviewId, { action: 'hide', reason: 'spam' })).status).toBe(404);
    expect((await report(product, admin, reviewId)).status).toBe(404);
  });

  test('an appeal is made once each time, by the author alone, and restore grants or keep refuses it', async () => {
    // The other tests have used up the mails of their author.
    author = await createUser(product);
    const { entry, reviewId } = await createReviewOf(product, author);
    const refusal = async () => (await postReview(product, category, entry.id, author)).body.error;
    const appeal = (user: TestUser, text = 'I was there.') =>
      call(product, `POST /auth/appealReview/${reviewId}`, { token: user.token, body: { text } });
    expect((await appeal(author)).body.error).toBe('This review is not hidden: there is nothing to appeal.');
    await hide(product, admin, reviewId);
    expect((await appeal(reader)).status).toBe(404);
    expect(await appeal(author)).toMatchObject({ status: 201, body: { reviewId, text: 'I was there.' } });
    expect((await appeal(author)).body.error).toBe(
      'You have appealed already. If anything is new, please write to support@example.com.',
    );
    expect(await refusal()).toContain('Reason: It is spam or advertising. You have appealed');
    const { body: open } = await call(product, 'GET /auth/getReports', { token: admin.token });
    const item = open.find((one: { reviewId: number }) => one.reviewId === reviewId);
    expect(item).toMatchObject({ isHidden: true, reports: [], appeal: { text: 'I was there.' } });

    const kept = await moderate(product, admin, reviewId, { action: 'keep' });
    expect(kept).toMatchObject({ status: 200, body: { isHidden: true } });
    const mail = (await readMailsTo(product, author.email)).at(-1);
    expect(mail).toContain('stays hidden after your appeal');
    expect((await appeal(author)).status).toBe(409);
    expect(await refusal()).toContain('Your appeal was refused. If you edit your review, you can appeal once more');

    await moderate(product, admin, reviewId, { action: 'restore' });
    await hide(product, admin, reviewId, 'fake');
    expect((await appeal(author)).status).toBe(201);
    expect(await eventsOf(reviewId)).toEqual([
      'posted',
      'hidden spam',
      'appealed',
      'appealRefused',
      'restored',
      'hidden fake',
      'appealed',
    ]);
  });

  test('one’s own reviews ignore the parameters of other lists and refuse their cursors', async () => {
    const user = await createUser(product);
    const older = await createReviewOf(product, user, 1);
    const newer = await createReviewOf(product, user, 5);
    const listMine = (query: string) => call(product, `GET /auth/getMyReviews${query}`, { token: user.token });
    for (const query of ['', '?sort=oldest&stars=1', '?sort=best&months=0']) {
      const { status, body } = await listMine(query);
      expect([status, body.map(({ id }: { id: number }) => id)]).toEqual([200, [newer.reviewId, older.reviewId]]);
    }
    expect((await listMine('?before=1-2-3')).status).toBe(400);
  });

  test('every decision stands in the audit trail, with its reason and note', async () => {
    const { reviewId } = await createReviewOf(product, author);
    await moderate(product, admin, reviewId, { action: 'hide', reason: 'illegal', note: 'A court said so.' });
    const path = `GET /auth/getAdminActs?subjectKind=review&subjectId=${reviewId}`;
    const { body } = await call(product, path, { token: admin.token });
    expect(body).toMatchObject([
      { act: 'moderateReview', reason: 'hide: illegal, A court said so.', userId: admin.id },
    ]);
  });

  test('the database refuses to change or delete an event or a removal', async () => {
    const { write } = product.app.database;
    for (const table of ['review_events', 'removals'] as const) {
      await expect(write((db) => db.deleteFrom(table).execute())).rejects.toThrow(/append-only/);
      await expect(write((db) => db.updateTable(table).set({ reason: 'other' }).execute())).rejects.toThrow(
        /append-only/,
      );
    }
  });
});
