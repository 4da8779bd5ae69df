import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { call } from '../support/call.ts';
import { replyWith } from '../support/model-server.ts';
import { ENGINES, type Product } from '../support/product.ts';
import { createSchool, createUser, type TestUser, unique } from '../support/rows.ts';
import { modelOf, startForTest } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;

describe.each(ENGINES)('calls to the model on %s', (engine) => {
  const { model } = modelOf();

  async function start(callsPerDay: number, more: Record<string, string> = {}) {
    const env = { LLM_BASE_URL: model.url, LLM_MODEL: 'test', LLM_CALLS_PER_DAY: String(callsPerDay), ...more };
    const product = await startForTest(engine, env);
    const { schoolName } = await createSchool(product);
    model.state.behave = replyWith(`${schoolName} suits you.`);
    return product;
  }

  /** @returns what was answered, and how often the model was asked for it */
  async function recommend(product: Product, user: TestUser, goals: string) {
    const asked = model.state.prompts.length;
    const profile = await call(product, 'POST /auth/postProfile', { token: user.token, body: { goals } });
    expect(profile.status).toBe(201);
    const { status, body } = await call(product, 'POST /auth/recommendSchool', { token: user.token, body: {} });
    expect(status).toBe(200);
    const byModel = body.endsWith('(Written by an AI model.)');
    if (!byModel) expect(body).toContain('(Chosen by our own built-in rules. The AI model could not answer.)');
    return { byModel, asked: model.state.prompts.length - asked, body };
  }

  test('are made LLM_CALLS_PER_DAY times a day for all users together, and the built-in recommender goes on', async () => {
    const product = await start(3);
    const asking = () => createUser(product).then((user) => recommend(product, user, unique('goal')));
    for (let count = 0; count < 3; count += 1) expect(await asking()).toMatchObject({ byModel: true, asked: 1 });
    for (let count = 0; count < 7; count += 1) expect(await asking()).toMatchObject({ byModel: false, asked: 0 });
    expect(product.logs).toContainEqual(
      expect.objectContaining({ event: 'model-failed', reason: expect.stringContaining('LLM_CALLS_PER_DAY') }),
    );
    product.clock.ahead = DAY;
    expect(await asking()).toMatchObject({ byModel: true, asked: 1 });
  });

  test('are kept for accounts older than a day once half of them are used, three for each', async () => {
    const product = await start(50, { RATE_LIMIT: 'on' });
    const setUsed = (count: number) =>
      product.app.database.write((db) =>
        db
          .insertInto('throttles')
          .values({ key: LIMITS.modelCalls.name, count, ends_at: Date.now() + DAY })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ count }))
          .execute(),
      );
    const ask = async (user: TestUser) => (await recommend(product, user, unique('goal'))).byModel;
    const [newcomer, other] = [await createUser(product), await createUser(product, { age: DAY - 60_000 })];
    const [member, another] = [await createUser(product, { age: DAY }), await createUser(product, { age: 9 * DAY })];
    await setUsed(23);
    expect([await ask(newcomer), await ask(member)], 'the first half is for everybody').toEqual([true, true]);
    expect([await ask(newcomer), await ask(other)]).toEqual([false, false]);
    expect([await ask(member), await ask(member), await ask(member)]).toEqual([true, true, false]);
    expect(await ask(another)).toBe(true);
    expect(product.logs).toContainEqual(
      expect.objectContaining({ event: 'model-failed', reason: expect.stringContaining('older than a day') }),
    );
    await setUsed(49);
    expect([await ask(another), await ask(another)], 'all of them are used').toEqual([true, false]);
  });

  test('are all for everybody when there are few of them', async () => {
    const product = await start(15, { RATE_LIMIT: 'on' });
    const answers = [];
    for (let count = 0; count < 4; count += 1) {
      const user = await createUser(product);
      for (const goal of ['one', 'two', 'three', 'four']) {
        answers.push((await recommend(product, user, `${goal} ${user.username}`)).byModel);
      }
    }
    expect(answers).toEqual([...Array(15).fill(true), false]);
  });

  test('are not made at all with LLM_CALLS_PER_DAY=0', async () => {
    const product = await start(0);
    const user = await createUser(product);
    expect(await recommend(product, user, 'research')).toMatchObject({ byModel: false, asked: 0 });
  });

  test('are made once for the same profile and schools, whoever asks, and again when either changes', async () => {
    const product = await start(1_000);
    const [one, other] = [await createUser(product), await createUser(product)];
    const first = await recommend(product, one, 'research');
    expect(first).toMatchObject({ byModel: true, asked: 1 });
    model.state.behave = replyWith('Something else.');
    for (const user of [one, other]) expect(await recommend(product, user, 'research')).toEqual({ ...first, asked: 0 });
    // An answer that may not be shown is not cached.
    for (let count = 0; count < 2; count += 1) {
      expect(await recommend(product, one, 'teaching')).toMatchObject({ byModel: false, asked: 1 });
    }
    await createSchool(product);
    expect(await recommend(product, one, 'research')).toMatchObject({ byModel: false, asked: 1 });
  });
});
