import { expect, onTestFinished, test } from 'vitest';
import { PROFILE_FIELDS } from '../../src/contract/profiles.ts';
import { call } from '../support/call.ts';
import { startModelServer } from '../support/model-server.ts';
import { ENGINES, startProduct } from '../support/product.ts';
import { createSchool, createUser } from '../support/rows.ts';

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
    const wishes = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, 'Anything']));
    await call(product, 'POST /auth/postProfile', { token: user.token, body: wishes });
    const waiting = call(product, 'POST /auth/recommendSchool', { token: user.token, body: {} });
    await asked;
    await product.stop();
    expect(await waiting).toMatchObject({
      status: 200,
      text: expect.stringContaining('The AI model could not answer.'),
    });
  },
);
