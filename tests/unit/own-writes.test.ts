import { expect, test, vi } from 'vitest';
import { addOwnWrites, rememberOwnWrite } from '../../src/client/own-writes.ts';

const answered = (position?: number) =>
  rememberOwnWrite(new Response('', { headers: position ? { 'X-Change-Position': String(position) } : {} }));

function sent(): string | null {
  const headers = new Headers();
  addOwnWrites(headers);
  return headers.get('X-Change-Position');
}

test('a tab sends the positions of its last eight writes for ten seconds', () => {
  vi.useFakeTimers();
  expect(sent()).toBeNull();
  answered(7);
  answered();
  vi.advanceTimersByTime(9_000);
  answered(5);
  expect(sent()).toBe('7, 5');
  vi.advanceTimersByTime(1_000);
  expect(sent()).toBe('5');
  for (let position = 11; position <= 19; position += 1) answered(position);
  expect(sent()).toBe('12, 13, 14, 15, 16, 17, 18, 19');
  vi.advanceTimersByTime(10_000);
  expect(sent()).toBeNull();
});
