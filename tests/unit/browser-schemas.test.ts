import { afterAll, expect, test, vi } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';

const asData = (calls: typeof CALLS) => JSON.parse(JSON.stringify(calls));

// Other files share the modules.
afterAll(() => {
  vi.doUnmock('typebox');
  vi.resetModules();
});

test('the schemas in the browser are those of the server, to the letter', async () => {
  vi.resetModules();
  vi.doMock('typebox', () => import('../../src/client/schemas.ts'));
  const { CALLS: ofBrowser } = await import('../../src/contract/calls.ts');
  expect(ofBrowser).not.toBe(CALLS);
  expect(Object.getOwnPropertyNames(ofBrowser[0]?.body)).not.toContain('~kind');
  expect(asData(ofBrowser)).toEqual(asData(CALLS));
});

test('schemas that no call uses yet are the same too', async () => {
  const browser = await import('../../src/client/schemas.ts');
  const Type = await vi.importActual<typeof import('typebox')>('typebox');
  // A cast, because the browser has only a part of the library.
  const made = [Type, browser as unknown as typeof Type].map(({ Enum, Literal, Union, Array: List, Object: Fields }) =>
    Fields({ one: Enum(['a', 'b'], { title: 'One' }), two: List(Union([Literal('a'), Literal(1)]), { maxItems: 3 }) }),
  );
  expect(JSON.parse(JSON.stringify(made[1]))).toEqual(JSON.parse(JSON.stringify(made[0])));
});
