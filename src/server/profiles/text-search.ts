import { setImmediate } from 'node:timers/promises';
import { countBits, letterMaskOf } from '../schools/search/typos.ts';
import { Steps } from './steps.ts';
import {
  countOf,
  FIELDS_MAX,
  fieldOf,
  type IndexedDocument,
  type TextIndex,
  termInField,
  termOf,
} from './text-index.ts';
import { editDistance, findsLongerWords, PREFIX_LENGTH, pairsCompared, stemOf, wrongLettersAllowed } from './words.ts';

/** Parameters of the ranking function BM25+. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 };
/** How much another form of a word counts, a longer word that begins with it, and a similar word. */
const WEIGHTS = { form: 0.9, prefix: 0.375, similar: 0.45 };
/** Forms of a word have this many first letters in common. */
const STEM_START = 3;
/** The maximum number of longer and similar terms that a word finds. Ordinary words find fewer. */
const FOUND_MAX = 1_000;
/** How many letters are compared in one step: some milliseconds. */
export const SEARCH_STEP = 500_000;
/** The cost of other work, as the number of letters that could be compared in that time. */
const WORK = { stem: 150, rating: 30 };

/** A query for the texts. */
export interface TextQuery {
  readonly words: readonly string[];
  /**
   * Weights of the fields; absent fields do not count. Each further map is tried only when those before it find
   * nothing.
   */
  readonly boosts: readonly ReadonlyMap<number, number>[];
  /** Whether only words without wrong letters match, even if nothing is found. */
  readonly isExact?: boolean;
}

/** The score of each document that matches. */
type Scores = Map<number, number>;

/** A word that is looked for. */
interface WantedWord {
  readonly query: TextQuery;
  /** The position of the word in the query. */
  readonly word: number;
  readonly text: string;
  readonly stem: string;
  readonly letters: number;
  /** How many letters may be wrong. */
  readonly max: number;
  /** How many further terms, longer or similar, it may find. */
  findsLeft: number;
}

/** A term that matches a word of a query. */
interface Hit {
  readonly word: number;
  readonly weight: number;
}

/** The hits of each term, for each query. */
type Hits = ReadonlyMap<TextQuery, Map<number, Hit[]>>;

/** The postings of the terms that match a query, each with the position of its document. */
interface MatchingPostings {
  readonly documents: readonly IndexedDocument[];
  readonly positions: number[];
  readonly postings: number[];
  /** How many documents have a term in a field. */
  readonly frequencies: Map<number, number>;
}

/**
 * Searches the texts for several queries. A word also finds longer ones that begin with it. Wrong letters are
 * allowed only in a query that finds nothing without them: "marine" would otherwise find San Marino.
 * @param steps counts the work. Other requests are served between two steps
 * @returns the scores for each query, in their order
 */
export async function searchTexts(
  index: TextIndex,
  queries: readonly TextQuery[],
  steps = new Steps(SEARCH_STEP),
): Promise<Scores[]> {
  const results = new Map<TextQuery, Scores>();
  for (const allowsTypos of [false, true]) {
    const open = queries.filter((query) => !results.get(query)?.size && !(allowsTypos && query.isExact));
    if (open.length === 0) break;
    const hits = await findTerms(index, open, allowsTypos, steps);
    const found = await findPostings(index, hits, steps);
    for (const query of open) {
      for (const boosts of query.boosts) {
        results.set(query, await score(index, hits.get(query) ?? new Map(), boosts, found, steps));
        if (results.get(query)?.size) break;
      }
    }
  }
  return queries.map((query) => results.get(query) ?? new Map());
}

const listWanted = (queries: readonly TextQuery[]): WantedWord[] =>
  queries.flatMap((query) =>
    query.words.map((text, word) => {
      const about = { stem: stemOf(text), letters: letterMaskOf(text), max: wrongLettersAllowed(text) };
      return { query, word, text, ...about, findsLeft: FOUND_MAX };
    }),
  );

/** The terms that match the words of the given queries. */
async function findTerms(
  index: TextIndex,
  queries: readonly TextQuery[],
  allowsTypos: boolean,
  steps: Steps,
): Promise<Hits> {
  const hits = new Map(queries.map((query) => [query, new Map<number, Hit[]>()]));
  const add = (term: number, { query, word }: WantedWord, weight: number) => {
    const own = hits.get(query) as Map<number, Hit[]>;
    const others = own.get(term);
    if (others) others.push({ word, weight });
    else own.set(term, [{ word, weight }]);
  };
  const wanted = listWanted(queries);
  for (const one of wanted) {
    const term = index.find(one.text);
    if (term !== undefined) add(term, one, 1);
  }
  const byStart = Map.groupBy(wanted, ({ text }) => text.slice(0, STEM_START));
  const byPrefix = Map.groupBy(
    wanted.filter(({ text }) => findsLongerWords(text)),
    ({ text }) => text.slice(0, PREFIX_LENGTH),
  );
  for (const [number, term] of index.terms.entries()) {
    let work = 1;
    const sameStart = byStart.get(term.slice(0, STEM_START)) ?? [];
    // Only terms that begin like a wanted word can share its stem or prefix.
    const stem = sameStart.length > 0 ? stemOf(term) : '';
    if (sameStart.length > 0) work += WORK.stem + sameStart.length;
    for (const one of sameStart) if (term !== one.text && one.stem === stem) add(number, one, WEIGHTS.form);
    const longer = (byPrefix.get(term.slice(0, PREFIX_LENGTH)) ?? []).filter(
      (one) => term.length > one.text.length && term.startsWith(one.text) && one.stem !== stem,
    );
    for (const one of longer) {
      if (one.findsLeft === 0) continue;
      one.findsLeft -= 1;
      add(number, one, (WEIGHTS.prefix * term.length) / (term.length + 0.3 * (term.length - one.text.length)));
    }
    for (const one of allowsTypos ? wanted : []) {
      work += 1;
      if (one.findsLeft === 0) continue;
      // Each wrong letter changes two of these bits at most.
      if (countBits(one.letters ^ (index.letters[number] as number)) > 2 * one.max || longer.includes(one)) continue;
      work += pairsCompared(one.text, one.max);
      const distance = editDistance(one.text, term, one.max);
      if (!distance) continue;
      one.findsLeft -= 1;
      add(number, one, (WEIGHTS.similar * term.length) / (term.length + distance));
    }
    if (steps.add(work)) await setImmediate();
  }
  return hits;
}

async function findPostings(index: TextIndex, hits: Hits, steps: Steps): Promise<MatchingPostings> {
  const isHit = new Uint8Array(index.terms.length);
  for (const own of hits.values()) for (const term of own.keys()) isHit[term] = 1;
  const found: MatchingPostings = {
    documents: [...index.documents.values()],
    positions: [],
    postings: [],
    frequencies: new Map(),
  };
  for (const [position, { postings }] of found.documents.entries()) {
    for (const posting of postings) {
      if (isHit[termOf(posting)] === 0) continue;
      found.positions.push(position);
      found.postings.push(posting);
      const key = termInField(posting);
      found.frequencies.set(key, (found.frequencies.get(key) ?? 0) + 1);
    }
    if (steps.add(1 + postings.length)) await setImmediate();
  }
  return found;
}

async function score(
  index: TextIndex,
  hits: ReadonlyMap<number, readonly Hit[]>,
  boosts: ReadonlyMap<number, number>,
  { documents, positions, postings, frequencies }: MatchingPostings,
  steps: Steps,
): Promise<Scores> {
  const hitsByTerm: (readonly Hit[] | undefined)[] = [];
  for (const [term, ofTerm] of hits) hitsByTerm[term] = ofTerm;
  const boostOf = Float64Array.from({ length: FIELDS_MAX }, (_, field) => boosts.get(field) ?? 0);
  const sums = new Float64Array(documents.length);
  const words = new Uint32Array(documents.length);
  for (const [number, posting] of postings.entries()) {
    const boost = boostOf[fieldOf(posting)] as number;
    const ofTerm = hitsByTerm[termOf(posting)];
    if (steps.add(boost === 0 || !ofTerm ? 1 : WORK.rating + ofTerm.length)) await setImmediate();
    if (boost === 0 || !ofTerm) continue;
    const position = positions[number] as number;
    const frequency = frequencies.get(termInField(posting)) as number;
    const raw = boost * rate(index, documents[position] as IndexedDocument, posting, frequency);
    for (const { weight, word } of ofTerm) {
      sums[position] = (sums[position] as number) + weight * raw;
      words[position] = (words[position] as number) | (1 << word);
    }
  }
  const scores: Scores = new Map();
  // A document with several of the words counts that many times as much.
  for (const [position, sum] of sums.entries())
    if (sum > 0) scores.set((documents[position] as IndexedDocument).id, sum * countBits(words[position] as number));
  return scores;
}

/** How much a term in a field says about a document (BM25+). */
function rate(index: TextIndex, { lengths }: IndexedDocument, posting: number, frequency: number): number {
  const { k, b, d } = BM25;
  const rarity = Math.log(1 + (index.documents.size - frequency + 0.5) / (frequency + 0.5));
  const field = fieldOf(posting);
  const length = (lengths[field] as number) / index.meanLength(field);
  const times = countOf(posting);
  return rarity * (d + (times * (k + 1)) / (times + k * (1 - b + b * length)));
}
