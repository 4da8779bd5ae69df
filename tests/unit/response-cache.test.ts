import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesOf, type NewResponse } from '../../src/server/http/cache/cached-response.ts';
import { createResponseCache } from '../../src/server/http/cache/response-cache.ts';
import { tags } from '../../src/server/http/cache/tags.ts';

const NO_HEADERS = { calls: [], documents: [], documentsWithForm: [], open: [] };

describe('the response cache', () => {
  /** Builds end when told, so that any change can overtake any build. */
  test('never answers a request with data from before an earlier change, in whatever order things happen', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('ask' as const), key: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('finish' as const), key: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('change' as const), key: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ do: fc.constant('changeAll' as const), key: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const cache = createResponseCache(100_000, NO_HEADERS);
        const truth = [0, 0, 0, 0];
        const waiting: { key: number; finish: () => void }[] = [];
        const asked: Promise<void>[] = [];
        for (const { do: what, key } of steps) {
          const url = `/${key}`;
          if (what === 'change') {
            truth[key] = (truth[key] ?? 0) + 1;
            cache.invalidate(new Set([tags.entry(key)]));
          } else if (what === 'changeAll') {
            for (const index of truth.keys()) truth[index] = (truth[index] ?? 0) + 1;
            cache.invalidateAll();
          } else if (what === 'finish') {
            const index = waiting.findIndex((build) => build.key === key);
            if (index >= 0) waiting.splice(index, 1)[0]?.finish();
            await new Promise(setImmediate);
          } else {
            const atLeast = truth[key] ?? 0;
            const found = cache.find(url);
            if (found) {
              expect(Number(bytesOf(found.plain).toString())).toBe(atLeast);
              continue;
            }
            const built = cache.findOrMake(url, async () => {
              const read = truth[key];
              await new Promise<void>((finish) => waiting.push({ key, finish }));
              return { route: url, format: 'json' as const, text: String(read), tags: [tags.entry(key)], headers: [] };
            });
            asked.push(
              built.then((answer) => expect(Number(bytesOf(answer.plain).toString())).toBeGreaterThanOrEqual(atLeast)),
            );
          }
        }
        for (const build of waiting) build.finish();
        await Promise.all(asked);
      }),
      { numRuns: 500 },
    );
  });

  test('stays within its bounds and drops invalidated responses', async () => {
    const cache = createResponseCache(50_000, NO_HEADERS);
    for (let index = 0; index < 500; index += 1) {
      await cache.findOrMake(`/${index}`, async () => ({
        route: '/',
        text: 'x'.repeat(500),
        format: 'json',
        tags: [tags.schools, tags.school(index)],
        headers: [],
      }));
    }
    expect(cache.statistics().bytes).toBeLessThanOrEqual(50_000);
    expect(cache.find('/499')).toBeDefined();
    cache.invalidate(new Set([tags.school(499)]));
    expect(cache.find('/499')).toBeUndefined();
    cache.invalidate(new Set([tags.schools]));
    expect(cache.statistics().entries).toBe(0);
  });

  describe('when it is full', () => {
    const cache = () => createResponseCache(100_000, NO_HEADERS);
    type Cache = ReturnType<typeof cache>;

    /** Makes responses of a route, some fifty of which fill the cache. */
    async function fill(filled: Cache, route: string, amount: number, name = ''): Promise<string[]> {
      const urls = Array.from({ length: amount }, (_, index) => `${route}/${name}${index}`);
      for (const url of urls) {
        const made = async () => ({ route, text: 'x'.repeat(500), format: 'json' as const, tags: [tags.schools] });
        await filled.findOrMake(url, made);
      }
      return urls;
    }
    const count = (filled: Cache, urls: readonly string[]) => urls.filter((url) => filled.find(url)).length;

    test('addresses that somebody invents for one call push out no response of the others', async () => {
      const filled = cache();
      const [schools, entries] = [await fill(filled, '/schools', 10), await fill(filled, '/entries', 10)];
      const invented = await fill(filled, '/invented', 1_000);
      expect([count(filled, schools), count(filled, entries)]).toEqual([10, 10]);
      expect(count(filled, invented)).toBeGreaterThan(10);
    });

    test('what was requested again outlives what was not, in one route too', async () => {
      const filled = cache();
      const popular = await fill(filled, '/reviews', 10);
      for (let times = 0; times < 3; times += 1) expect(count(filled, popular)).toBe(10);
      await fill(filled, '/reviews', 100, 'once');
      expect(count(filled, popular)).toBe(10);
    });

    test('nothing stays for ever because it was once popular', async () => {
      const filled = cache();
      const popular = await fill(filled, '/reviews', 10);
      for (let times = 0; times < 100; times += 1) count(filled, popular);
      await fill(filled, '/reviews', 1_000, 'later');
      expect(count(filled, popular)).toBe(0);
    });

    test('two calls that many addresses are asked of share the room', async () => {
      const filled = cache();
      const [one, other] = [await fill(filled, '/one', 1_000), await fill(filled, '/other', 1_000)];
      const [ofOne, ofOther] = [count(filled, one), count(filled, other)];
      expect(Math.abs(ofOne - ofOther)).toBeLessThanOrEqual(1);
      expect(ofOne).toBeGreaterThan(10);
    });
  });

  test('finds nothing while it is not subscribed, and afterwards nothing stale', async () => {
    const cache = createResponseCache(50_000, NO_HEADERS);
    await cache.findOrMake('/a', async () => ({
      route: '/',
      format: 'json' as const,
      text: '1',
      tags: [tags.schools],
      headers: [],
    }));
    cache.setSubscribed(false);
    expect(cache.find('/a')).toBeUndefined();
    expect(cache.findStale('/a')).toBeDefined();
    let truth = 1;
    const build = () => {
      const read = truth;
      return new Promise<NewResponse>((finish) =>
        setImmediate(finish, {
          route: '/',
          format: 'json' as const,
          text: String(read),
          tags: [tags.schools],
          headers: [],
        }),
      );
    };
    const before = cache.findOrMake('/a', build);
    truth = 2;
    expect((await cache.findOrMake('/a', build)).plain.bytes).toBe('2');
    await before;
    cache.setSubscribed(true);
    expect(cache.find('/a')).toBeUndefined();
  });
});
