// Holds every body until it is whole and builds what it says, used or not, without a look at how deep it is nested.
import type { readJsonBodies } from '../../src/server/http/serve/json-body.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof readJsonBodies>('http/serve/json-body.ts', 'readJsonBodies', () => (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    body === '' ? undefined : JSON.parse(body),
  );
});
