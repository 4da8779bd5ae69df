import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { tags } from '../cache/tags.ts';
import type { TagListener } from '../database/database.ts';
import { refusals } from '../http/refusals.ts';

/** A sitemap of 40,000 addresses takes 3 MB. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** What an entry costs beside its bytes. */
const OVERHEAD_BYTES = 500;

/** Texts waiting to be made; more are refused. */
const WAITING_MAX = 8;

export interface KeptTexts {
  /**
   * The bytes of a text, written anew when schools or entries have changed since.
   * @throws a 503 when many are asked for at once
   */
  read(name: string, write: () => Promise<string>): Promise<Buffer>;
  fall: TagListener;
  fallAll(): void;
}

/**
 * Keeps texts that are made of all there is. Writing one takes a tenth of a second, so they are written one after
 * another with a turn for everybody else in between: a packet full of requests for the sitemap stopped everything for
 * over a minute.
 */
export function createKeptTexts(): KeptTexts {
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length + OVERHEAD_BYTES,
  });
  const underway = new Map<string, Promise<Buffer>>();
  let waiting = 0;
  let changes = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function make(name: string, write: () => Promise<string>): Promise<Buffer> {
    const changesBefore = changes;
    const bytes = Buffer.from(await write());
    if (changes === changesBefore) kept.set(name, bytes);
    return bytes;
  }

  function queue(name: string, write: () => Promise<string>): Promise<Buffer> {
    waiting += 1;
    const text = last
      .then(() => setImmediate())
      .then(() => make(name, write))
      .finally(() => {
        waiting -= 1;
        if (underway.get(name) === text) underway.delete(name);
      });
    underway.set(name, text);
    // The next one waits for its end, whatever it is.
    last = text.catch(() => {});
    return text;
  }

  function fallAll(): void {
    changes += 1;
    kept.clear();
    // Who asks after a change is not answered with what was begun before it.
    underway.clear();
  }

  return {
    async read(name, write) {
      const known = kept.get(name) ?? underway.get(name);
      if (known) return known;
      if (waiting >= WAITING_MAX) throw refusals.unavailable();
      return queue(name, write);
    },
    fall(changed) {
      if (changed.has(tags.addresses)) fallAll();
    },
    fallAll,
  };
}
