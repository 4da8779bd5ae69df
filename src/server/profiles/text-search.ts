import { setImmediate } from 'node:timers/promises';
import {
  countOf,
  FIELDS_MAX,
  fieldOf,
  type IndexedDocument,
  type TextIndex,
  termInField,
  termOf,
} from './text-index.ts';
import {
  countBits,
  distanceOf,
  findsLongerWords,
  lettersOf,
  PREFIX_LENGTH,
  stemOf,
  wrongLettersAllowed,
} from './words.ts';

/** Parameters of the ranking function BM25+. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 };
/** How much another form of a word counts, a longer word that begins with it, and a similar word. */
const WEIGHTS = { form: 0.9, prefix: 0.375, similar: 0.45 };
/** Forms of a word have this many first letters in common. */
const STEM_START = 3;
/** How many terms and documents are compared in one step. Other requests are served between two steps. */
const STEP = 2_000;

/** What is looked for in the texts. */
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

/** A term that matches a word of a query. */
interface Hit {
  readonly query: TextQuery;
  /** The position of the word in the query. */
  readonly word: number;
  readonly weight: number;
}

type HitsByTerm = Map<number, Hit[]>;

/** The postings of the terms that match a query, each with the position of its document. */
interface Found {
  readonly documents: readonly IndexedDocument[];
  readonly positions: number[];
  readonly postings: number[];
  /** How many documents have a term in a field. */
  readonly frequencies: Map<number, number>;
}

/**
 * Searches the texts for several queries. A word also finds longer ones that begin with it. Words with wrong letters
 * are tried only if those find nothing: "marine" would otherwise find San Marino.
 * @returns the scores for each query, in their order
 */
export async function searchTexts(index: TextIndex, queries: readonly TextQuery[]): Promise<Scores[]> {
  const results = new Map<TextQuery, Scores>();
  for (const allowsTypos of [false, true]) {
    const open = queries.filter((query) => !results.get(query)?.size && !(allowsTypos && query.isExact));
    if (open.length === 0) break;
    const hits = await findTerms(index, open, allowsTypos);
    const found = await findPostings(index, hits);
    for (const query of open) {
      for (const boosts of query.boosts) {
        results.set(query, score(index, query, boosts, hits, found));
        if (results.get(query)?.size) break;
      }
    }
  }
  return queries.map((query) => results.get(query) ?? new Map());
}

/** The terms that match the words of the given queries. */
async function findTerms(index: TextIndex, queries: readonly TextQuery[], allowsTypos: boolean): Promise<HitsByTerm> {
  const hits: HitsByTerm = new Map();
  const add = (term: number, hit: Hit) => {
    const others = hits.get(term);
    if (others) others.push(hit);
    else hits.set(term, [hit]);
  };
  const wanted = queries.flatMap((query) => query.words.map((text, word) => ({ query, word, text })));
  for (const { text, ...hit } of wanted) {
    const term = index.find(text);
    if (term !== undefined) add(term, { ...hit, weight: 1 });
  }
  const byStart = Map.groupBy(
    wanted.map((one) => ({ ...one, stem: stemOf(one.text) })),
    ({ text }) => text.slice(0, STEM_START),
  );
  const byPrefix = Map.groupBy(
    wanted.filter(({ text }) => findsLongerWords(text)),
    ({ text }) => text.slice(0, PREFIX_LENGTH),
  );
  const similar = allowsTypos
    ? wanted.map((one) => ({ one, max: wrongLettersAllowed(one.text), letters: lettersOf(one.text) }))
    : [];
  for (const [number, term] of index.terms.entries()) {
    if (number % STEP === 0) await setImmediate();
    for (const { text, stem, ...hit } of byStart.get(term.slice(0, STEM_START)) ?? []) {
      if (term !== text && stemOf(term) === stem) add(number, { ...hit, weight: WEIGHTS.form });
    }
    const longer = (byPrefix.get(term.slice(0, PREFIX_LENGTH)) ?? []).filter(
      ({ text }) => term.length > text.length && term.startsWith(text) && stemOf(term) !== stemOf(text),
    );
    for (const { text, ...hit } of longer) {
      const weight = (WEIGHTS.prefix * term.length) / (term.length + 0.3 * (term.length - text.length));
      add(number, { ...hit, weight });
    }
    for (const { one, max, letters } of similar) {
      // Each wrong letter changes two of these bits at most.
      if (countBits(letters ^ (index.letters[number] as number)) > 2 * max || longer.includes(one)) continue;
      const { text, ...hit } = one;
      const distance = distanceOf(text, term, max);
      if (distance) add(number, { ...hit, weight: (WEIGHTS.similar * term.length) / (term.length + distance) });
    }
  }
  return hits;
}

async function findPostings(index: TextIndex, hits: HitsByTerm): Promise<Found> {
  const isHit = new Uint8Array(index.terms.length);
  for (const term of hits.keys()) isHit[term] = 1;
  const found: Found = {
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
    if (position % STEP === STEP - 1) await setImmediate();
  }
  return found;
}

function score(
  index: TextIndex,
  query: TextQuery,
  boosts: ReadonlyMap<number, number>,
  hits: HitsByTerm,
  { documents, positions, postings, frequencies }: Found,
): Scores {
  const own: (readonly Hit[] | undefined)[] = [];
  for (const [term, all] of hits) own[term] = all.filter((hit) => hit.query === query);
  const boostOf = Float64Array.from({ length: FIELDS_MAX }, (_, field) => boosts.get(field) ?? 0);
  const sums = new Float64Array(documents.length);
  const words = new Uint32Array(documents.length);
  for (const [number, posting] of postings.entries()) {
    const boost = boostOf[fieldOf(posting)] as number;
    const ownHits = own[termOf(posting)];
    if (boost === 0 || !ownHits || ownHits.length === 0) continue;
    const position = positions[number] as number;
    const frequency = frequencies.get(termInField(posting)) as number;
    const raw = boost * rate(index, documents[position] as IndexedDocument, posting, frequency);
    for (const { weight, word } of ownHits) {
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
