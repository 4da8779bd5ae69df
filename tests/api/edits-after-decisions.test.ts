import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createReviewOf, hide, moderate, report } from '../support/moderation.ts';
import { category, createUser, signIn, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, userOf } from '../support/site.ts';

const HOUR = 60 * 60_000;

describeProduct('an edit after a decision on %s', (product) => {
  const admin = adminOf(product);
  const reader = userOf(product);

  const itemOf = async (reviewId: number, state = 'open') => {
    const { body } = await call(product, `GET /auth/getReports?state=${state}`, { token: admin.token });
    return body.find((item: { reviewId: number }) => item.reviewId === reviewId);
  };
  const edit = (author: TestUser, id: number, review: string, rating = 4) =>
    call(product, `PUT /auth/${category.calls.updateReview}`, { token: author.token, body: { id, rating, review } });
  const appeal = ({ token }: TestUser, reviewId: number, text = 'I have mended it.') =>
    call(product, `POST /auth/appealReview/${reviewId}`, { token, body: { text } });
  const keep = (reviewId: number) => moderate(product, admin, reviewId, { action: 'keep' });

  async function kept() {
    const { author, reviewId } = await createReviewOf(product);
    await report(product, reader, reviewId, { reason: 'fake' });
    await keep(reviewId);
    return { author, reviewId };
  }

  test('opens the item again with both texts, and lets the same person report again', async () => {
    const { author, reviewId } = await kept();
    expect((await report(product, reader, reviewId)).status).toBe(409);
    await edit(author, reviewId, 'Bad.');
    expect(await itemOf(reviewId)).toMatchObject({
      ...{ review: 'Bad.', isEdited: true, decidedText: 'Good.', isHidden: false, isBurst: false },
      ...{ reports: [], earlier: [{ reason: 'fake' }] },
    });
    expect((await report(product, reader, reviewId, { reason: 'spam' })).status).toBe(201);
    expect((await report(product, reader, reviewId)).status).toBe(409);
    expect(await itemOf(reviewId)).toMatchObject({ reports: [{ reason: 'spam' }], earlier: [{ reason: 'fake' }] });
    await edit(author, reviewId, 'Worse.');
    expect(await itemOf(reviewId)).toMatchObject({ review: 'Worse.', decidedText: 'Good.' });
    await keep(reviewId);
    const decided = await itemOf(reviewId, 'closed');
    expect(decided).toMatchObject({ isEdited: false, reports: [{ reason: 'fake' }, { reason: 'spam' }], earlier: [] });
    expect(decided).not.toHaveProperty('decidedText');
    expect((await report(product, reader, reviewId)).status).toBe(409);
  });

  test('is not made unseen before one: nothing edited since an admin read it is kept or restored', async () => {
    const { author, reviewId } = await createReviewOf(product);
    await report(product, reader, reviewId);
    const { changedAt: read } = await itemOf(reviewId);
    await edit(author, reviewId, 'Worse.');
    const decide = (action: string, unchangedSince: string) =>
      moderate(product, admin, reviewId, { action, unchangedSince, reason: 'spam' });
    expect((await decide('keep', read)).status).toBe(409);
    const { changedAt: latest, reports } = await itemOf(reviewId);
    expect(reports).toHaveLength(1);
    expect((await decide('hide', read)).status).toBe(200);
    await edit(author, reviewId, 'Worst.');
    expect((await decide('restore', latest)).status).toBe(409);
    const { changedAt } = await itemOf(reviewId, 'closed');
    expect((await decide('restore', changedAt)).status).toBe(200);
    try {
      product.clock.ahead = -1_000;
      await edit(author, reviewId, 'Once more, by way of a process whose clock is behind.');
      expect((await decide('keep', changedAt)).status).toBe(409);
    } finally {
      product.clock.ahead = 0;
    }
  });

  test('opens it once in 24 hours, and marks it between', async () => {
    const { author, reviewId } = await kept();
    const signedIn = async () => ({ ...author, token: await signIn(product, author.id) });
    await edit(author, reviewId, 'Second.');
    await keep(reviewId);
    try {
      product.clock.ahead = 23 * HOUR;
      admin.token = await signIn(product, admin.id);
      await edit(await signedIn(), reviewId, 'Third.');
      expect(await itemOf(reviewId)).toBeUndefined();
      expect(await itemOf(reviewId, 'closed')).toMatchObject({ isEdited: true, decidedText: 'Second.' });
      product.clock.ahead = 24 * HOUR;
      admin.token = await signIn(product, admin.id);
      await edit(await signedIn(), reviewId, 'Fourth.');
      expect(await itemOf(reviewId)).toMatchObject({ review: 'Fourth.', decidedText: 'Second.' });
    } finally {
      product.clock.ahead = 0;
      admin.token = await signIn(product, admin.id);
    }
  });

  test('of the stars alone opens it too, but the same text is not reported again', async () => {
    const { author, reviewId } = await kept();
    await edit(author, reviewId, 'Good.', 1);
    const item = await itemOf(reviewId);
    expect(item).toMatchObject({ rating: 1, isEdited: true });
    expect(item).not.toHaveProperty('decidedText');
    expect((await report(product, reader, reviewId)).status).toBe(409);
  });

  test('that changes neither text nor stars opens nothing, nor does one before any decision', async () => {
    const { author, reviewId } = await kept();
    await edit(author, reviewId, 'Good.');
    expect(await itemOf(reviewId)).toBeUndefined();
    const { reviewId: fresh } = await createReviewOf(product, author);
    await edit(author, fresh, 'Changed.');
    expect(await itemOf(fresh)).toBeUndefined();
    await report(product, reader, fresh);
    expect(await itemOf(fresh)).toMatchObject({ isEdited: false });
  });

  test('of a hidden review only marks it, and lets a refused appeal be made once more', async () => {
    const { author, reviewId } = await createReviewOf(product);
    await report(product, reader, reviewId, { reason: 'personal' });
    await hide(product, admin, reviewId, 'personal');
    await edit(author, reviewId, 'Mended.');
    expect(await itemOf(reviewId)).toBeUndefined();
    expect(await itemOf(reviewId, 'closed')).toMatchObject({ isEdited: true, decidedText: 'Good.' });
    expect((await appeal(author, reviewId)).status).toBe(201);
    expect(await itemOf(reviewId)).toMatchObject({
      ...{ isHidden: true, hiddenReason: 'personal', review: 'Mended.', isEdited: true, decidedText: 'Good.' },
      ...{ earlier: [{ reason: 'personal' }], appeal: { text: 'I have mended it.' } },
    });
    await keep(reviewId);
    expect((await appeal(author, reviewId)).body.error).toBe(
      'Your appeal was refused. Edit your review first: then you can appeal once more.',
    );
    await edit(author, reviewId, 'Mended better.');
    expect((await appeal(author, reviewId)).status).toBe(201);
    await keep(reviewId);
    await edit(author, reviewId, 'Mended once more.');
    expect((await appeal(author, reviewId)).status).toBe(409);
    // To restore is to decide about the present text. An edit back to the first text opens the item again.
    await moderate(product, admin, reviewId, { action: 'restore' });
    await edit(author, reviewId, 'Good.');
    expect(await itemOf(reviewId)).toMatchObject({ isHidden: false, isEdited: true, decidedText: 'Mended once more.' });
  });

  test('of somebody else’s review is a 403, and a 404 where it cannot be seen, as an appeal is', async () => {
    const { reviewId } = await createReviewOf(product);
    const { token } = reader;
    const remove = () => call(product, `DELETE /auth/${category.calls.removeReview}/${reviewId}`, { token });
    const statuses = async () => [
      (await edit(reader, reviewId, 'Mine now.')).status,
      (await appeal(reader, reviewId)).status,
      (await remove()).status,
    ];
    expect(await statuses()).toEqual([403, 403, 403]);
    await hide(product, admin, reviewId);
    expect(await statuses()).toEqual([404, 404, 404]);
    const missing = [(await edit(reader, 999_999, 'x')).text, (await appeal(reader, 999_999)).text];
    expect([(await edit(reader, reviewId, 'x')).text, (await appeal(reader, reviewId)).text]).toEqual(missing);
  });

  test.each([
    ['keeps the marks when a fifth of the words are others', 4, 'One two three four five six seven eight X Y', 2],
    ['keeps them within a whole star', 3.5, 'One two three four five six seven eight nine ten', 2],
    ['drops them when more words are others', 4, 'One two three four five six seven X Y Z', 0],
    ['drops them when as many words are added', 4, 'One two three four five six seven eight nine ten X Y Z', 0],
    ['drops them with another star', 3, 'One two three four five six seven eight nine ten', 0],
  ])('%s', async (_title, rating, text, helpful) => {
    const { author, entry, reviewId } = await createReviewOf(product);
    await edit(author, reviewId, 'One two three four five six seven eight nine ten');
    for (const { token } of [reader, admin]) await call(product, `POST /auth/markHelpful/${reviewId}`, { token });
    expect(await edit(author, reviewId, text, rating)).toMatchObject({ status: 200, body: { helpful } });
    expect((await call(product, `GET /auth/getReview/${reviewId}`)).body.helpful).toBe(helpful);
    const marked = await call(product, `GET /auth/getMyHelpful/${entry.id}`, { token: reader.token });
    expect(marked.body).toEqual(helpful === 0 ? [] : [reviewId]);
    const again = await call(product, `POST /auth/markHelpful/${reviewId}`, { token: reader.token });
    expect(again.body).toEqual({ helpful: helpful || 1 });
  });

  test('counts against the text of the oldest mark, and anew when all marks were taken back', async () => {
    const { author, reviewId } = await createReviewOf(product);
    const mark = (method: string) => call(product, `${method} /auth/markHelpful/${reviewId}`, { token: reader.token });
    await edit(author, reviewId, 'a1 a2 a3 a4 a5');
    await mark('POST');
    expect((await edit(author, reviewId, 'a1 a2 a3 a4 b5')).body.helpful).toBe(1);
    await mark('DELETE');
    await mark('POST');
    expect((await edit(author, reviewId, 'a1 a2 a3 b4 b5')).body.helpful).toBe(1);
    expect((await edit(author, reviewId, 'a1 a2 b3 b4 b5')).body.helpful).toBe(0);
  });

  test('and marks at the same time leave as many marks as are counted', async () => {
    const { author, reviewId } = await createReviewOf(product);
    const people = await Promise.all(Array.from({ length: 4 }, () => createUser(product)));
    const mark = (method: string) =>
      people.map(({ token }) => call(product, `${method} /auth/markHelpful/${reviewId}`, { token }));
    for (const text of ['Another one.', 'And yet another.']) {
      await Promise.all(mark('POST'));
      const answers = await Promise.all([...mark('DELETE'), edit(author, reviewId, text), ...mark('POST')]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  });
});
