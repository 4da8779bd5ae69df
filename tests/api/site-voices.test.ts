import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import type { Voice } from '../../src/contract/voices.ts';
import { call } from '../support/call.ts';
import { hide } from '../support/moderation.ts';
import { createEntry, createUser, postReview, unique } from '../support/rows.ts';
import { adminOf, describeProduct, usersOf } from '../support/site.ts';

const [, clubs] = CATEGORIES as readonly Category[] as [Category, Category];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describeProduct('voices of the whole site on %s', (product) => {
  const [admin, readers] = [adminOf(product), usersOf(product, 2)];
  const say = async (review: string, { age = 0, schoolId }: { age?: number; schoolId?: number } = {}) => {
    const entry = await createEntry(product, clubs, schoolId);
    const author = await createUser(product, { age });
    const { body } = await postReview(product, clubs, entry.id, author, { review });
    return { ...entry, reviewId: body.id as number };
  };
  const mark = (method: string, id: number) =>
    call(product, `${method} /auth/markHelpful/${id}`, { token: readers[0]?.token as string });
  const quotes = async () => {
    const { status, body } = await call(product, 'GET /auth/getVoices');
    expect(status).toBe(200);
    return body.map(({ quote }: Voice) => quote);
  };
  const pass = (time: number) => {
    product.clock.ahead += time;
  };
  const LONG = { age: 8 * DAY };

  test('are new ones of three schools, marked or by accounts that were not new; what goes is gone at once', async () => {
    expect(await quotes()).toEqual([]);
    const first = await say('First.', LONG);
    const marked = await say('Marked.');
    expect((await mark('POST', marked.reviewId)).status).toBe(200);
    await say('By a new account.');
    pass(MINUTE);
    expect(await quotes()).toEqual(['Marked.', 'First.']);
    await say('Again.', { ...LONG, schoolId: first.schoolId });
    const third = await say('Third.', LONG);
    await say(unique('x').repeat(40), LONG);
    pass(MINUTE);
    expect(await quotes()).toEqual(['Third.', 'Again.', 'Marked.']);
    await say('Fourth.', LONG);
    pass(MINUTE);
    expect(await quotes()).toEqual(['Fourth.', 'Third.', 'Again.']);

    await hide(product, admin, third.reviewId);
    expect(await quotes()).toEqual(['Fourth.', 'Again.', 'Marked.']);
    await mark('DELETE', marked.reviewId);
    pass(MINUTE);
    expect(await quotes()).toEqual(['Fourth.', 'Again.']);
    await call(product, `DELETE /auth/deleteSchool/${first.schoolId}`, { token: admin.token });
    expect(await quotes()).toEqual(['Fourth.']);
  });

  test('wait for the end of the minute when something is added, and then answer anew', async () => {
    product.clock.ahead += MINUTE - ((Date.now() + product.clock.ahead) % MINUTE);
    const before = await quotes();
    await say('Added.', LONG);
    expect(await quotes()).toEqual(before);
    pass(MINUTE);
    expect((await quotes())[0]).toBe('Added.');
  });
});
