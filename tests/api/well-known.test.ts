import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { startProduct } from '../support/product.ts';
import { startForTest } from '../support/site.ts';

const DAY = 24 * 60 * 60 * 1000;
const PUBLIC = new URL('../../src/client/public/', import.meta.url);

test('those who found a weakness learn whom to write to, until when that holds, and where it stands', async () => {
  const product = await startProduct('sqlite', {
    PUBLIC_URL: 'https://reviews.example',
    SUPPORT_EMAIL: 'help+security@reviews.example',
  });
  const { status, headers, text } = await call(product, 'GET /.well-known/security.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  );
  expect(fields).toMatchObject({
    Contact: 'mailto:help+security@reviews.example',
    'Preferred-Languages': 'en',
    Canonical: 'https://reviews.example/.well-known/security.txt',
  });
  const days = (Date.parse(fields.Expires) - Date.now()) / DAY;
  expect(days).toBeGreaterThan(179);
  expect(days).toBeLessThan(365);
  product.clock.ahead = 400 * DAY;
  const later = await call(product, 'GET /.well-known/security.txt');
  expect(Date.parse(/^Expires: (.*)$/m.exec(later.text)?.[1] ?? '')).toBeGreaterThan(Date.now() + 400 * DAY);
  await product.stop();
});

test('no address of one machine is called canonical', async () => {
  const product = await startForTest('sqlite');
  expect((await call(product, 'GET /.well-known/security.txt')).text).not.toContain('Canonical');
});

test('password managers are led to where anybody can change a password, and find nothing where nothing is', async () => {
  const product = await startForTest('sqlite');
  const { status, headers } = await call(product, 'GET /.well-known/change-password');
  expect([status, headers.get('location')]).toEqual([302, '/forgot']);
  const nothing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
  expect((await call(product, `GET ${nothing}`)).status).toBe(404);
});

/** Width and height as a PNG says them. */
function sizeOf(png: Buffer): string {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

test('every icon that is named is there in the size it is said to have', () => {
  const { icons } = JSON.parse(readFileSync(new URL('manifest.webmanifest', PUBLIC), 'utf8'));
  for (const { src, sizes, type } of icons) {
    const bytes = readFileSync(new URL(src.slice(1), PUBLIC));
    if (type === 'image/png') expect(sizeOf(bytes), src).toBe(sizes);
  }
  expect(icons.map(({ purpose }: { purpose?: string }) => purpose)).toContain('maskable');
  expect(sizeOf(readFileSync(new URL('apple-touch-icon.png', PUBLIC)))).toBe('180x180');
  const ico = readFileSync(new URL('favicon.ico', PUBLIC));
  const count = ico.readUInt16LE(4);
  const offsets = Array.from({ length: count }, (_, index) => ico.readUInt32LE(6 + 16 * index + 12));
  expect(offsets.map((offset) => sizeOf(ico.subarray(offset)))).toEqual(['16x16', '32x32', '48x48']);
  const html = readFileSync(new URL('../index.html', PUBLIC), 'utf8');
  for (const name of ['favicon.ico', 'favicon.svg', 'apple-touch-icon.png']) expect(html).toContain(`href="/${name}"`);
});
