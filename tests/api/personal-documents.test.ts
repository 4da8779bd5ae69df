import { describe, expect, test } from 'vitest';
import { PAGES } from '../../src/contract/pages.ts';
import { call } from '../support/call.ts';
import { productOf } from '../support/site.ts';

describe('a document about a mailbox', () => {
  const product = productOf('sqlite');

  test.each([PAGES.verify, PAGES.change])(
    'of $path tells nobody that somebody else has opened it',
    async ({ path }) => {
      const open = () => call(product, `GET ${path}?email=reader%40school.example`);
      const answers = [await open(), await open(), await open()];
      for (const { status, headers } of answers) {
        expect(status).toBe(200);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-request-id'), 'which answers from the cache lack').not.toBeNull();
      }
    },
  );
});
