import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { PROFILE_FIELD_MAX, PROFILE_FIELDS } from '../../src/contract/profiles.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { findEvidence } from '../../src/server/profiles/evidence.ts';
import { parsePreference } from '../../src/server/profiles/preferences.ts';
import { Steps } from '../../src/server/profiles/steps.ts';
import { createTextIndex } from '../../src/server/profiles/text-index.ts';
import { SEARCH_STEP, searchTexts } from '../../src/server/profiles/text-search.ts';

const { below, pick } = createRandom(31);
const CONSONANTS = [...'bcdfghjklmnpqrstvwxz'];
const invent = (length: number) => Array.from({ length }, () => pick(CONSONANTS)).join('');

/** A word with three letters changed: it is similar to every other one made of the same word. */
function vary(word: string): string {
  const letters = [...word];
  for (let change = 0; change < 3; change += 1) letters[below(letters.length)] = pick(CONSONANTS);
  return letters.join('');
}

/** A text of about this length, of varied words. */
const fillText = (word: string, length: number) =>
  Array.from({ length: Math.max(1, Math.floor(length / (word.length + 1))) }, () => vary(word)).join(' ');

/** Indexes a text for each of `schools` schools. */
function indexTexts(schools: number, makeText: () => string) {
  const index = createTextIndex(1);
  for (let id = 1; id <= schools; id += 1) index.put(id, [makeText()]);
  return index;
}

const parse = (texts: readonly string[]) =>
  PROFILE_FIELDS.map((field, number) => parsePreference(field, texts[number] ?? ''));

/** The queries of a profile. */
const queriesFor = (texts: readonly string[]) =>
  parse(texts).map(({ wanted }) => ({ words: wanted.map(({ word }) => word), boosts: [new Map([[0, 1]])] }));

/** Runs something. @returns the most work between two iterations of the event loop, and all of it */
async function watchWork(steps: Steps, run: () => Promise<unknown>) {
  let isDone = false;
  let most = 0;
  const watching = (async () => {
    for (let before = 0; !isDone; before = steps.done) {
      await setImmediate();
      most = Math.max(most, steps.done - before);
    }
  })();
  await run();
  isDone = true;
  await watching;
  return { most, all: steps.done };
}

describe('the work of a search in texts', () => {
  const search = (word: string, schools: number) => {
    const index = indexTexts(schools, () => fillText(word, 3_000));
    const queries = queriesFor(PROFILE_FIELDS.map(() => fillText(word, PROFILE_FIELD_MAX)));
    const steps = new Steps(SEARCH_STEP);
    return watchWork(steps, () => searchTexts(index, queries, steps));
  };

  test.each([
    ['twelve letters', 12],
    ['thirty-nine letters', 39],
  ])('is done in steps for words of %s that are similar to all others', async (_what, length) => {
    const { most, all } = await search(invent(length), 30);
    expect(all).toBeGreaterThan(10 * SEARCH_STEP);
    // A step ends with a term, which is compared with every word of the profile.
    expect(most).toBeLessThan(1.2 * SEARCH_STEP);
  });

  test('is less than a step for words of two thousand letters', async () => {
    const { all } = await search(invent(1_990), 90);
    expect(all).toBeGreaterThan(1_000);
    expect(all).toBeLessThan(SEARCH_STEP);
  });

  test('hardly grows once each word has found a thousand similar ones', async () => {
    const word = invent(39);
    const [some, twice] = [await search(word, 30), await search(word, 60)];
    expect(twice.all).toBeLessThan(1.2 * some.all);
  });

  test('finds words of two thousand letters by their beginnings, and no word takes more memory than forty', async () => {
    const word = invent(1_990);
    const index = indexTexts(3, () => `calm ${word}${invent(9)}`);
    expect(index.terms.map(({ length }) => length)).toEqual([4, 40]);
    const [scores] = await searchTexts(index, queriesFor([word]));
    expect(scores?.size).toBe(3);
  });

  test('finds a phrase without blanks by its beginning', async () => {
    const phrase = '宿舍很温暖食堂便宜';
    const index = indexTexts(1, () => `${phrase.repeat(6)}。`);
    const [first, whole] = await searchTexts(index, queriesFor([phrase, phrase.repeat(6)]));
    expect([first?.size, whole?.size]).toEqual([1, 1]);
  });
});

describe('the work of finding evidence', () => {
  const WORDS = Array.from({ length: 20 }, () => invent(3));
  const wishes = PROFILE_FIELDS.map(() => `${WORDS.join(' ')}. no dog`);
  const own = { name: 'A School', aliases: [], location: 'Nowhere', description: 'A school.', entries: [] };

  /** One review in each category. */
  const reviewsOf = (review: string) =>
    CATEGORIES.map(({ kind }, number) => ({
      ...{ reviewId: number + 1, category: kind, entryId: 1, entryName: 'An entry', rating: 4, review },
    }));

  /** Counts how often a text is cut into words or sentences. */
  function countCuts() {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    onTestFinished(() => segment.mockRestore());
    return () => segment.mock.calls.length;
  }

  test('is some tries a review, when each word that is wanted stands beside one that is not', async () => {
    const cuts = countCuts();
    const text = Array.from({ length: 600 }, (_, number) => `${WORDS[number % 20]} dog`).join(' ');
    const evidence = await findEvidence(parse(wishes), own, reviewsOf(text), new Set());
    expect(evidence.flatMap(({ quotes }) => quotes)).toEqual([]);
    // Ten words of each review, with two segmenters, for each field.
    expect(cuts()).toBeLessThanOrEqual(10 * 2 * CATEGORIES.length * PROFILE_FIELDS.length);
  });

  test('still finds what stands apart from the unwanted', async () => {
    const about = (word: string) => `${word} dog, `.repeat(4);
    const text = `${about(WORDS[0] as string)}${'and so on and on, '.repeat(20)}but the ${WORDS[1]} is fine.`;
    const [item] = await findEvidence(parse(wishes), own, reviewsOf(text), new Set());
    expect(item?.quotes).toHaveLength(3);
    for (const { quote } of item?.quotes ?? []) {
      expect(quote).toContain(`but the ${WORDS[1]} is fine.`);
      expect(quote).not.toContain('dog');
    }
  });
});
