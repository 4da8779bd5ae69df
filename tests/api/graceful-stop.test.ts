import { expect, onTestFinished, test } from 'vitest';
import { PROFILE_FIELDS } from '../../src/contract/profiles.ts';
import { call } from '../support/call.ts';
import { startModelServer } from '../support/model-server.ts';
import { ENGINES, startProduct } from '../support/product.ts';
import { category, createEntry, createSchool, createUser, postReview } from '../support/rows.ts';

test.each(ENGINES)(
  'a stop on %s waits for no model: the built-in recommender answers who is waiting',
  async (engine) => {
    const model = await startModelServer();
    onTestFinished(() => model.stop());
    const asked = new Promise<void>((resolve) => {
      model.state.behave = () => resolve();
    });
    const product = await startProduct(engine, { LLM_BASE_URL: model.url, LLM_MODEL: 'hanging' });
    const user = await createUser(product);
    await createSchool(product);
    const preferences = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, 'Anything']));
    await call(product, 'POST /auth/postProfile', { token: user.token, body: preferences });
    const waiting = call(product, 'POST /auth/recommendSchool', { token: user.token, body: {} });
    await asked;
    await product.stop();
    expect(await waiting).toMatchObject({
      status: 200,
      text: expect.stringContaining('The AI model could not answer.'),
    });
  },
);

test.each(ENGINES)(
  'before it closes, a product on %s serves as ever, but says at /readyz that it ends',
  async (engine) => {
    const product = await startProduct(engine);
    const user = await createUser(product);
    const entry = await createEntry(product, category);
    // The first response is made, the second one cached.
    const paths = ['/landing', '/landing', '/auth/schools', '/auth/schools', `/school/${entry.schoolId}`];
    const statuses = async () => {
      const answers = [];
      for (const path of paths) answers.push(await call(product, `GET ${path}`));
      return answers.map(({ status, headers }) => [status, headers.get('connection')]);
    };
    expect(await statuses()).toEqual(paths.map(() => [200, 'keep-alive']));
    const notice = product.app.giveNotice();
    expect(await statuses()).toEqual(paths.map(() => [200, 'close']));
    const posted = await postReview(product, category, entry.id, user);
    expect([posted.status, posted.headers.get('connection')]).toEqual([201, 'close']);
    expect(await call(product, 'GET /readyz')).toMatchObject({ status: 503, body: { error: expect.any(String) } });
    expect(await call(product, 'GET /healthz')).toMatchObject({ status: 200 });
    await notice;
    await product.stop();
  },
);
