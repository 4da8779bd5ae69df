import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { inHashingSlot } from '../../src/server/http/limits/hashing-slots.ts';

/** Work that lasts until it is told to end. */
function occupy(address: string, order: string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = inHashingSlot(address, async () => {
    order.push(address);
    await promise;
  });
  return { done, end: resolve };
}

describe('the slots for hashing', () => {
  test('are given address after address: who asks for many waits for them alone', async () => {
    const order: string[] = [];
    const first = Array.from({ length: availableParallelism() }, () => occupy('busy', order));
    const more = Array.from({ length: 5 }, () => occupy('busy', order));
    const other = occupy('other', order);
    for (const { end } of [...first, ...more, other]) end();
    await Promise.all([...first, ...more, other].map(({ done }) => done));
    expect(order.indexOf('other')).toBeLessThanOrEqual(availableParallelism() + 1);
    expect(order.filter((address) => address === 'busy')).toHaveLength(first.length + more.length);
  });

  test('keep five hundred waiting, and refuse who comes after them', async () => {
    const order: string[] = [];
    const all = Array.from({ length: availableParallelism() + 500 }, (_, index) => occupy(`busy ${index}`, order));
    await expect(inHashingSlot('other', async () => 'done')).rejects.toMatchObject({ status: 503 });
    for (const { end } of all) end();
    await Promise.all(all.map(({ done }) => done));
    await expect(inHashingSlot('other', async () => 'done')).resolves.toBe('done');
  });

  test('are not filled by one address: its newest request is refused when another address needs the place', async () => {
    const order: string[] = [];
    const all = Array.from({ length: availableParallelism() + 500 }, () => occupy('busy', order));
    const last = expect(all.at(-1)?.done).rejects.toMatchObject({ status: 503 });
    const other = occupy('other', order);
    await expect(inHashingSlot('busy', async () => 'done')).rejects.toMatchObject({ status: 503 });
    for (const { end } of [...all, other]) end();
    await last;
    await Promise.all([...all.slice(0, -1), other].map(({ done }) => done));
    expect(order).toContain('other');
    await expect(inHashingSlot('other', async () => 'done')).resolves.toBe('done');
  });
});
