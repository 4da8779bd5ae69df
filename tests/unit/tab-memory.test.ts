import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const HOUR = 60 * 60_000;

/** A storage as the browser has it. */
function createStorage() {
  const texts: Record<string, string> = Object.create({
    getItem: (key: string) => texts[key] ?? null,
    setItem(key: string, text: string) {
      texts[key] = text;
    },
    removeItem: (key: string) => delete texts[key],
  });
  return texts;
}

/** The module as after a reload of the tab: its memory is gone. */
function reload() {
  vi.resetModules();
  return import('../../src/client/tab-memory.ts');
}

describe('the memory of a tab', () => {
  let storage: Record<string, string>;

  beforeEach(() => {
    storage = createStorage();
    vi.stubGlobal('sessionStorage', storage);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.spyOn(console, 'info').mockImplementation(() => {});
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('outlives a reload, for its owner and no one else', async () => {
    const before = await reload();
    before.keep(1, '/clubsreview/5 review', { review: 'Mine.' });
    before.keep(null, '/clubsreview/5 review', { review: 'A visitor’s.' });
    const after = await reload();
    expect(after.readKept(1, '/clubsreview/5 review')).toEqual({ review: 'Mine.' });
    expect(after.readKept(null, '/clubsreview/5 review')).toEqual({ review: 'A visitor’s.' });
    expect(after.readKept(2, '/clubsreview/5 review')).toBeUndefined();
  });

  test('as a visitor’s goes to the first who logs in, and what they had typed there before waits below', async () => {
    const memory = await reload();
    for (const text of ['of Monday', 'of Tuesday', 'of today']) {
      memory.keep(null, 'form', text);
      memory.giveToUser(1);
    }
    memory.giveToUser(2);
    const after = await reload();
    expect(['form', 'form earlier', 'form earlier earlier'].map((key) => after.readKept(1, key))).toEqual([
      'of today',
      'of Tuesday',
      'of Monday',
    ]);
    expect([after.readKept(null, 'form'), after.readKept(2, 'form')]).toEqual([undefined, undefined]);
  });

  test('tells on which page the newest draft of a user is', async () => {
    const memory = await reload();
    const ofUsers = () => memory.readNewestDraft((owner) => owner !== null);
    memory.keep(1, 'begun', '/school/4 save');
    memory.keep(null, '/clubs/4 review', 'A visitor’s.');
    expect(ofUsers()).toBeUndefined();
    memory.keep(1, '/clubs/5 review', 'Mine.');
    vi.advanceTimersByTime(1);
    memory.keep(2, '/clubs/6 review', 'Another’s.');
    expect(ofUsers()).toBe('/clubs/6 review');
    expect(memory.readNewestDraft((owner) => owner === 1)).toBe('/clubs/5 review');
  });

  test('is gone after 24 hours since the last change, or after the life it was given', async () => {
    const memory = await reload();
    memory.keep(1, 'form', 'typed');
    memory.keep(1, 'act', 'begun', HOUR / 2);
    vi.advanceTimersByTime(HOUR / 2);
    expect([memory.readKept(1, 'form'), memory.readKept(1, 'act')]).toEqual(['typed', undefined]);
    memory.keep(1, 'form', 'typed on');
    expect(Object.keys(storage)).toHaveLength(1);
    vi.advanceTimersByTime(24 * HOUR - 1);
    expect(memory.readKept(1, 'form')).toBe('typed on');
    vi.advanceTimersByTime(1);
    expect(memory.readKept(1, 'form')).toBeUndefined();
    expect((await reload()).readKept(1, 'form')).toBeUndefined();
    expect(Object.keys(storage)).toEqual([]);
  });

  test('is forgotten one by one, and all of one owner at once', async () => {
    const memory = await reload();
    for (const [owner, key] of [
      [1, 'one'],
      [1, 'other'],
      [2, 'one'],
    ] as const)
      memory.keep(owner, key, key);
    memory.forget(2, 'one');
    memory.forgetAllOf(1);
    expect(Object.keys(storage)).toEqual([]);
    expect(memory.readKept(1, 'other')).toBeUndefined();
  });

  test.each([
    ['off', () => vi.stubGlobal('sessionStorage', undefined)],
    [
      'full',
      () =>
        vi.stubGlobal('sessionStorage', {
          getItem: () => null,
          removeItem: () => {},
          setItem() {
            throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
          },
        }),
    ],
  ])('serves from memory where storage is %s', async (_how, stub) => {
    stub();
    const memory = await reload();
    memory.keep(null, 'form', 'typed');
    memory.giveToUser(1);
    expect(memory.readKept(1, 'form')).toBe('typed');
    memory.forget(1, 'form');
    expect(memory.readKept(1, 'form')).toBeUndefined();
    memory.storeText('token', 'a token');
    expect(memory.readText('token')).toBeNull();
  });

  test.each(['', 'null', '{', '[]', '{"owner":"1","key":"form","until":9e15}', '{"owner":1,"key":"form"}'])(
    'leaves out and removes an item of another shape: %s',
    async (text) => {
      storage['kept 1 form'] = text;
      storage.other = 'of somebody else';
      expect((await reload()).readKept(1, 'form')).toBeUndefined();
      expect(Object.keys(storage)).toEqual(['other']);
    },
  );
});
