import { expect, onTestFinished, test } from 'vitest';
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';
import { connectModel } from '../../src/server/profiles/model.ts';
import { replyWith, startModelServer } from '../support/model-server.ts';

test('a model is not waited for longer than 15 s after the request arrived', { timeout: 10_000 }, async () => {
  const model = await startModelServer();
  onTestFinished(() => model.stop());
  const ask = connectModel({ baseUrl: model.url, apiKey: 'secret', name: 'test', callsPerDay: 0 });
  const { signal } = new AbortController();
  const arrivedBefore = (milliseconds: number) =>
    ask('Where to?', { signal, since: performance.now() - milliseconds }, async () => {});
  model.state.behave = () => {};
  await expect(arrivedBefore(BOUNDS.modelAnswerWithin.max - 50)).rejects.toThrow();
  await expect(arrivedBefore(BOUNDS.modelAnswerWithin.max + 1_000)).rejects.toThrow();
  model.state.behave = replyWith('Fjord University');
  expect(await arrivedBefore(1_000.5)).toBe('Fjord University');
});
