import { letterMaskOf } from '../schools/search/typos.ts';
import { splitWords, TERM_MAX, toTerm } from './words.ts';

/** The bits of a posting, from the right: how often the term is in the field, the field, and the term. */
const COUNT_BITS = 6;
const FIELD_BITS = 4;
const TERM_SHIFT = COUNT_BITS + FIELD_BITS;
const COUNT_MAX = (1 << COUNT_BITS) - 1;
export const FIELDS_MAX = 1 << FIELD_BITS;
/** The maximum number of terms. Further words are not indexed. */
const TERMS_MAX = 1 << (32 - TERM_SHIFT);

/** How many spellings of words are remembered with their terms while texts are indexed. */
const SPELLINGS_MAX = 100_000;
const NO_TERM = -1;

/** The parts of a posting: a term, the field that it is in, and how often it is there. */
export const termOf = (posting: number) => posting >>> TERM_SHIFT;
export const fieldOf = (posting: number) => (posting >>> COUNT_BITS) & (FIELDS_MAX - 1);
export const countOf = (posting: number) => posting & COUNT_MAX;
/** The same number for the same term in the same field. */
export const termInField = (posting: number) => posting >>> COUNT_BITS;

export interface IndexedDocument {
  readonly id: number;
  readonly postings: Uint32Array;
  /** The number of different words in each field. */
  readonly lengths: Uint16Array;
}

export type TextIndex = ReturnType<typeof createTextIndex>;

/**
 * Texts of documents in memory. Each document has a list of numbers, one for each term in each of its fields: 4 bytes,
 * where an index of maps needs thirty times as much. A search reads all of them, a few nanoseconds for each.
 * @param fields how many fields a document has, at most `FIELDS_MAX`
 */
export function createTextIndex(fields: number) {
  const documents = new Map<number, IndexedDocument>();
  const numbers = new Map<string, number>();
  /** The terms by their numbers; empty for a number that is not in use. */
  const terms: string[] = [];
  /** The letters of each term, to pass over most of those that are not similar to a word. */
  const letters: number[] = [];
  /** In how many documents each term is. */
  const documentCounts: number[] = [];
  const unused: number[] = [];
  const lengthSums = new Float64Array(fields);
  const documentsWith = new Float64Array(fields);
  const termsBySpelling = new Map<string, number>();

  function addTerm(word: string): number {
    const number = unused.pop() ?? terms.length;
    if (number >= TERMS_MAX) return NO_TERM;
    numbers.set(word, number);
    terms[number] = word;
    letters[number] = letterMaskOf(word);
    documentCounts[number] = 0;
    return number;
  }

  function removeTerm(number: number): void {
    numbers.delete(terms[number] as string);
    terms[number] = '';
    unused.push(number);
    // The cache does not say which spellings belong to the term.
    termsBySpelling.clear();
  }

  function numberOf(spelling: string): number {
    const known = termsBySpelling.get(spelling);
    if (known !== undefined) return known;
    const word = toTerm(spelling);
    const number = word === null ? NO_TERM : (numbers.get(word) ?? addTerm(word));
    // Not cached: so many long spellings would take hundreds of megabytes.
    if (spelling.length > TERM_MAX) return number;
    if (termsBySpelling.size >= SPELLINGS_MAX) termsBySpelling.clear();
    termsBySpelling.set(spelling, number);
    return number;
  }

  /** Updates the figures of all documents. @param by 1 for a new document, -1 for a removed one */
  function count({ postings, lengths }: IndexedDocument, by: 1 | -1): void {
    for (const [field, length] of lengths.entries()) {
      if (length === 0) continue;
      lengthSums[field] = (lengthSums[field] as number) + by * length;
      documentsWith[field] = (documentsWith[field] as number) + by;
    }
    for (const number of new Set(Array.from(postings, termOf))) {
      documentCounts[number] = (documentCounts[number] as number) + by;
      if (documentCounts[number] === 0) removeTerm(number);
    }
  }

  function drop(id: number): void {
    const document = documents.get(id);
    if (!document) return;
    documents.delete(id);
    count(document, -1);
  }

  return {
    documents,
    /** The number of a word's term; undefined when no document has it. */
    find: (word: string) => numbers.get(word),
    terms,
    letters,
    /** The mean of the lengths of a field, in the documents that have it. */
    meanLength: (field: number) => (lengthSums[field] as number) / (documentsWith[field] as number),
    /** Adds or replaces a document. @param texts of its fields, by their numbers */
    put(id: number, texts: readonly (string | undefined)[]): void {
      const counts = new Map<number, number>();
      const lengths = new Uint16Array(fields);
      for (const [field, text] of texts.entries()) {
        if (!text) continue;
        const words = splitWords(text);
        lengths[field] = Math.min(new Set(words).size, 0xffff);
        for (const word of words) {
          const number = numberOf(word);
          if (number === NO_TERM) continue;
          const key = number * FIELDS_MAX + field;
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
      const postings = Uint32Array.from(counts, ([key, times]) => key * (1 << COUNT_BITS) + Math.min(times, COUNT_MAX));
      const document = { id, postings, lengths };
      // The new document is counted before the old one is removed, so that the terms of both stay.
      count(document, 1);
      drop(id);
      documents.set(id, document);
    },
    drop,
  };
}
