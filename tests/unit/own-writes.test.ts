import { expect, test, vi } from 'vitest';
import { noteOwnWrite, sayOwnWrites } from '../../src/client/own-writes.ts';

const answered = (position?: number) =>
  noteOwnWrite(new Response('', { headers: position ? { 'X-Change-Position': String(position) } : {} }));

function said(): string | null {
  const headers = new Headers();
  sayOwnWrites(headers);
  return headers.get('X-Change-Position');
}

test('a tab says the positions of its last eight writes for ten seconds', () => {
  vi.useFakeTimers();
  expect(said()).toBeNull();
  answered(7);
  answered();
  vi.advanceTimersByTime(9_000);
  answered(5);
  expect(said()).toBe('7, 5');
  vi.advanceTimersByTime(1_000);
  expect(said()).toBe('5');
  for (let position = 11; position <= 19; position += 1) answered(position);
  expect(said()).toBe('12, 13, 14, 15, 16, 17, 18, 19');
  vi.advanceTimersByTime(10_000);
  expect(said()).toBeNull();
});
