import { beforeEach, expect, test } from 'vitest';
import { changes } from '../../src/server/cache/tags.ts';
import { createKeptTexts, type KeptTexts } from '../../src/server/site/kept-texts.ts';

let texts: KeptTexts;
let written: string[];
let running: number;
beforeEach(() => {
  texts = createKeptTexts();
  written = [];
  running = 0;
});

/** Writes a text that says how often it has been written, alone. */
const write = (name: string) => async () => {
  running += 1;
  await Promise.resolve();
  expect(running).toBe(1);
  running -= 1;
  written.push(name);
  return `${name} ${written.length}`;
};
const read = async (name: string) => String(await texts.read(name, write(name)));

test('a text is written once for all who ask, until schools or entries change', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => read('whole')));
  expect(new Set(answers)).toEqual(new Set(['whole 1']));
  texts.fall(new Set([...changes.reviewsChanged({ entryId: 7, schoolId: 1 }, 'clubs'), ...changes.entryChanged(3, 1)]));
  expect(await read('whole')).toBe('whole 1');
  texts.fall(new Set(changes.entriesAdded(3)));
  expect(await read('whole')).toBe('whole 2');
  texts.fall(new Set(changes.schoolsAdded));
  expect(await read('whole')).toBe('whole 3');
  texts.fallAll();
  expect(await read('whole')).toBe('whole 4');
});

test('who asks after a change is not answered with what was begun before it', async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<string>();
  const slow = texts.read('whole', () => {
    begun.resolve();
    return end.promise;
  });
  await begun.promise;
  texts.fallAll();
  const after = read('whole');
  end.resolve('out of date');
  expect(String(await slow)).toBe('out of date');
  expect([await after, await read('whole')]).toEqual(['whole 1', 'whole 1']);
});

test('different texts are written one after another, and more than eight at once are refused', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => read(`part ${index}`)));
  expect(answers.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), ...Array(2).fill('rejected')]);
  expect(answers[9]).toMatchObject({ reason: { status: 503 } });
  expect(await read('part 9')).toBe('part 9 9');
});

test('a text that could not be written is tried again', async () => {
  const failing = texts.read('whole', () => Promise.reject(new Error('no database')));
  await expect(failing).rejects.toThrow('no database');
  expect(await read('whole')).toBe('whole 1');
});
