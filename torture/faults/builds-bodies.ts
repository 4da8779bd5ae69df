// Holds every body until it is complete and parses it, used or not, without checking how deep it is nested.
import type { readJsonBodies } from '../../src/server/http/serve/json-body.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof readJsonBodies>('http/serve/json-body.ts', 'readJsonBodies', () => (app) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    body === '' ? undefined : JSON.parse(body),
  );
});
