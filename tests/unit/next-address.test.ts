import { describe, expect, test } from 'vitest';
import { readNextAddress, withNextAddress } from '../../src/client/next-address.ts';
import { ALL_PAGES, accountAddress, PAGES } from '../../src/contract/pages.ts';

const ORIGIN = 'https://reviews.example';

/** Addresses of other sites, and of pages that no login leads to. */
const IGNORED: readonly string[] = [
  '',
  '/',
  '/landing',
  '/login',
  '/signup',
  '/forgot',
  '/verify?email=somebody@example.org',
  '/change',
  '/login?next=/profile',
  '/school/1/../../login',
  '/%6Cogin',
  '//evil.example',
  '//evil.example/profile',
  '///evil.example/profile',
  '/\\evil.example/profile',
  '\\\\evil.example\\profile',
  '/\t/evil.example/profile',
  '/\n/evil.example/profile',
  '\n//evil.example/profile',
  ' //evil.example/profile',
  '%2F%2Fevil.example/profile',
  '/%2F%2Fevil.example',
  '/%5Cevil.example',
  'https://evil.example/profile',
  'https:evil.example/profile',
  'https://reviews.example.evil.example/profile',
  'https://reviews.example@evil.example/profile',
  'https://reviews.example:8443/profile',
  'http://reviews.example/profile',
  'javascript:alert(1)',
  'JavaScript:alert(1)//profile',
  'java\nscript:alert(1)',
  'javascript://reviews.example/%0Aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://reviews.example/profile',
  'filesystem:https://reviews.example/profile',
  'vbscript:msgbox(1)',
  'http://',
  '/nowhere',
  '/Profile',
  '/profile/',
  '/profile/extra',
  '/auth/logout',
  '/school/abc',
  '/school/0',
  '/school/-1',
  '/school/1;/profile',
  '/openapi.json',
  `/allschools?q=${'a'.repeat(500)}`,
];

const TAKEN: readonly (readonly [string, string])[] = [
  ['/dashboard', '/dashboard'],
  ['/myreviews', '/myreviews'],
  ['/admin', '/admin'],
  ['/school/999999999', '/school/999999999'],
  ['/clubsreview/5?sort=lowest&stars=1#write', '/clubsreview/5?sort=lowest&stars=1#write'],
  ['https://reviews.example/profile#best-match', '/profile#best-match'],
  ['https://somebody@reviews.example/profile', '/profile'],
  ['/allschools?q=//evil.example', '/allschools?q=//evil.example'],
  ['/school/1/../../profile', '/profile'],
  ['\\profile', '/profile'],
  [`/allschools?q=${'a'.repeat(500 - '/allschools?q='.length)}`, `/allschools?q=${'a'.repeat(486)}`],
];

describe('the page after a login', () => {
  test.each(IGNORED)('is not %j', (text) => {
    expect(readNextAddress(text, ORIGIN)).toBeUndefined();
  });

  test.each(TAKEN)('given as %j is %j', (text, address) => {
    expect(readNextAddress(text, ORIGIN)).toBe(address);
  });

  test('may be any other page of the product', () => {
    const addresses = ALL_PAGES.map(({ path }) => path.replace(':id', '7'));
    const refused = addresses.filter((address) => readNextAddress(address, ORIGIN) !== address);
    expect(refused).toEqual(['/', '/landing', '/login', '/signup', '/forgot', '/verify', '/change']);
  });

  test('stands in the address of an account page so that it can be read, and is read back as it was', () => {
    expect(accountAddress(PAGES.login, { next: '/myreviews' })).toBe('/login?next=/myreviews');
    const next = '/clubsreview/5?sort=lowest&stars=1#write';
    const address = accountAddress(PAGES.verify, { email: 'one+two@example.org', next });
    const { searchParams } = new URL(address, ORIGIN);
    expect([searchParams.get('email'), searchParams.get('next')]).toEqual(['one+two@example.org', next]);
    expect(accountAddress(PAGES.login, {})).toBe('/login');
    expect(withNextAddress('/signup', next)).toBe(accountAddress(PAGES.signup, { next }));
    expect(withNextAddress('/about', next)).toBe('/about');
  });
});
