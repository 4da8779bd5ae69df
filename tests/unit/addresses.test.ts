import { expect, test, vi } from 'vitest';
import { clientBlock, createAddressLimit, tiersOf } from '../../src/server/http/limits/addresses.ts';
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';

const WIDE = ['2001:db8::/44 24', '2001:db8::/40 32'];

test.each([
  ['192.0.2.1', ['192.0.2.1 1', '192.0.2.0/24 16']],
  ['::ffff:192.0.2.1', ['192.0.2.1 1', '192.0.2.0/24 16']],
  ['2001:db8:1:abcd::1', ['2001:db8:1:abcd::/64 1', '2001:db8:1:ab00::/56 4', '2001:db8:1::/48 16', ...WIDE]],
  ['2001:db8:1:ab01:2:3:4:5', ['2001:db8:1:ab01::/64 1', '2001:db8:1:ab00::/56 4', '2001:db8:1::/48 16', ...WIDE]],
  ['2001:db8::1', ['2001:db8::/64 1', '2001:db8::/56 4', '2001:db8::/48 16', ...WIDE]],
  [
    '2001:db8:1234::1',
    [
      '2001:db8:1234::/64 1',
      '2001:db8:1234::/56 4',
      '2001:db8:1234::/48 16',
      '2001:db8:1230::/44 24',
      '2001:db8:1200::/40 32',
    ],
  ],
  ['::1', ['::/64 1', '::/56 4', '::/48 16', '::/44 24', '::/40 32']],
])('%s is counted as each block that it lies in, the larger ones with more room', (address, tiers) => {
  const blocksOf = (spelled: string) => tiersOf(spelled).map(({ block, factor }) => `${block} ${factor}`);
  expect(blocksOf(address)).toEqual(tiers);
  expect(blocksOf(clientBlock(address))).toEqual(tiers);
});

test('requests from many networks of one block are refused when the block has used its share', () => {
  const limit = createAddressLimit(2);
  const isRefused = (network: number) => limit.count(`2001:db8:7:${network.toString(16)}::1`) > 0;
  expect([isRefused(0x100), isRefused(0x100), isRefused(0x100)]).toEqual([false, false, true]);
  const others = Array.from({ length: 5 }, (_, index) => isRefused(0x101 + index));
  expect(others, 'eight of a /56 in all, the refused one among them').toEqual([false, false, false, false, false]);
  expect(isRefused(0x106)).toBe(true);
  expect(isRefused(0x200), 'a /56 beside it').toBe(false);
});

test('a client that continues to send stays refused, however many others send meanwhile', () => {
  const limit = createAddressLimit(2);
  const isRefused = () => limit.count('192.0.2.1') > 0;
  expect([isRefused(), isRefused(), isRefused()]).toEqual([false, false, true]);
  for (let other = 0; other < 2 * BOUNDS.addressesCounted.max; other += 1) {
    limit.count(`10.${other >> 16}.${(other >> 8) & 255}.${other & 255}`);
    if (other % 10_000 === 0) expect(isRefused()).toBe(true);
  }
});

test('other spellings are other addresses, and invalid ones are refused', () => {
  const limit = createAddressLimit(1);
  const addresses = ['1.2.3.4', '4.3.2.1', '12.3.4', '1.23.4', '1.2.34', '1.2.3.4.0', '1.2.3.', '.1.2.3', '1..2.3'];
  const more = ['255.255.255.255', '256.2.3.4', '1.2.3.260', '0.0.0.0', '127.0.0.1', '127.0.0.1a', 'unknown', ''];
  for (const address of [...addresses, ...more]) expect(limit.count(address), address).toBe(0);
  for (const address of [...addresses, ...more]) expect(limit.count(address), address).toBeGreaterThan(0);
  expect(limit.count('::ffff:4.3.2.1'), 'the same in IPv6').toBeGreaterThan(0);
});

test('a block is the first of its minute once, however many others are, until they are too many', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const { isFirstOfMinute: isFirst } = createAddressLimit(1);
  expect([isFirst('a'), isFirst('a'), isFirst('b')]).toEqual([true, false, true]);
  clock.mockReturnValue(60_999);
  expect([isFirst('a'), isFirst('c')]).toEqual([false, true]);
  clock.mockReturnValue(61_000);
  expect([isFirst('a'), isFirst('a'), isFirst('c')]).toEqual([true, false, false]);
  const { max } = BOUNDS.addressesCounted;
  for (let other = 0; other < max / 2 - 1; other += 1) isFirst(`other ${other}`);
  expect(isFirst('a')).toBe(false);
  for (let other = 0; other < max; other += 1) isFirst(`another ${other}`);
  expect(isFirst('a')).toBe(true);
});
