import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { call } from '../support/call.ts';
import { say, startModelServer } from '../support/model-server.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createSchool, createUser, type TestUser, unique } from '../support/rows.ts';

const DAY = 24 * 60 * 60_000;

describe.each(ENGINES)('calls to the model on %s', (engine) => {
  let model: Awaited<ReturnType<typeof startModelServer>>;
  beforeAll(async () => {
    model = await startModelServer();
  });
  afterAll(() => model.stop());

  async function start(callsPerDay: number) {
    const env = { LLM_BASE_URL: model.url, LLM_MODEL: 'test', LLM_CALLS_PER_DAY: String(callsPerDay) };
    const product = await startProduct(engine, env);
    onTestFinished(() => product.stop());
    const { schoolName } = await createSchool(product);
    model.state.behave = say(`${schoolName} suits you.`);
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
    model.state.behave = say('Something else.');
    for (const user of [one, other]) expect(await recommend(product, user, 'research')).toEqual({ ...first, asked: 0 });
    // What may not be shown is not cached.
    for (let count = 0; count < 2; count += 1) {
      expect(await recommend(product, one, 'teaching')).toMatchObject({ byModel: false, asked: 1 });
    }
    await createSchool(product);
    expect(await recommend(product, one, 'research')).toMatchObject({ byModel: false, asked: 1 });
  });
});
