import { describe, expect, test } from 'vitest';
import { PAGES, pageAddress } from '../../src/contract/pages.ts';
import { call } from '../support/call.ts';
import { productOf } from '../support/site.ts';

const { verify, change, adminUser } = PAGES;
const ADDRESSES = [
  `${verify.path}?email=reader%40school.example`,
  `${change.path}?email=reader%40school.example`,
  pageAddress(adminUser, 7),
];

describe('a document about a person', () => {
  const product = productOf('sqlite');

  test.each(ADDRESSES)('at %s tells nobody that somebody else has opened it', async (address) => {
    const open = () => call(product, `GET ${address}`);
    const answers = [await open(), await open(), await open()];
    for (const { status, headers } of answers) {
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-request-id'), 'which answers from the cache lack').not.toBeNull();
    }
  });
});
