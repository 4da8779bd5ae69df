import { setImmediate } from 'node:timers/promises';
import { CATEGORIES } from '../../contract/categories.ts';
import {
  PROFILE_FIELDS,
  type Preferences,
  type ProfileField,
  QUOTE_MAX,
  type Recommendation,
} from '../../contract/profiles.ts';
import { toStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import type { IndexedReview } from './indexed-reviews.ts';
import { readVisibleTexts } from './queries.ts';
import { isPrefix, processTerm, wordsOf } from './words.ts';

export type Evidence = Recommendation['evidence'];

/** The maximum number of quotations for one preference. */
const QUOTES_MAX = 3;

/** The factor for a review in a category that can satisfy the preference, as in the index. */
const FULFILS = 3;

/** A word of a review, and where it stands there. */
interface Word {
  readonly folded: string;
  readonly from: number;
  readonly to: number;
}

interface ReadReview {
  readonly review: IndexedReview;
  readonly words: readonly Word[];
}

/** Splits reviews into their words, once for all preferences. Serves other requests between two of them. */
async function readWords(reviews: readonly IndexedReview[]): Promise<ReadReview[]> {
  const read: ReadReview[] = [];
  for (const review of reviews) {
    const words = [...review.review.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
      const folded = processTerm(word);
      return folded === null ? [] : [{ folded, from: index, to: index + word.length }];
    });
    read.push({ review, words });
    await setImmediate();
  }
  return read;
}

const wordSegments = new Intl.Segmenter('en', { granularity: 'word' });
const sentenceSegments = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The part of a text around a word, with whole words at both ends. It begins with the word's sentence if that fits.
 * @returns undefined when the word alone is too long
 */
function cutQuote(text: string, { from, to }: Word): string | undefined {
  if (text.length <= QUOTE_MAX) return text;
  const segments = wordSegments.segment(text);
  const lastBoundBy = (at: number) => (at >= text.length ? text.length : (segments.containing(at)?.index ?? 0));
  const firstBoundFrom = (at: number) => {
    const { index = 0, segment = '' } = segments.containing(at) ?? {};
    return index === at ? at : index + segment.length;
  };
  const sentenceStart = sentenceSegments.segment(text).containing(from)?.index ?? 0;
  const start =
    to - sentenceStart <= QUOTE_MAX
      ? sentenceStart
      : Math.min(from, firstBoundFrom(Math.max(0, Math.ceil(to - QUOTE_MAX / 2))));
  const end = lastBoundBy(start + QUOTE_MAX);
  return end < to ? undefined : text.slice(start, end).trim();
}

/** A review that matches a preference. */
interface Found {
  readonly review: IndexedReview;
  /** Each word of the preference that it has. */
  readonly terms: ReadonlySet<string>;
  readonly first: Word;
}

/** The words of a review that match those of a preference. */
function findWords(wanted: readonly string[], { review, words }: ReadReview): Found[] {
  const beginnings = wanted.filter(isPrefix);
  const terms = new Set<string>();
  let first: Word | undefined;
  for (const word of words) {
    const term = wanted.includes(word.folded) ? word.folded : beginnings.find((one) => word.folded.startsWith(one));
    if (term === undefined) continue;
    terms.add(term);
    first ??= word;
  }
  return first ? [{ review, terms, first }] : [];
}

/** Quotations for one preference, from the reviews that match it best. */
function quotesFor(field: ProfileField, wish: string, reviews: readonly ReadReview[]) {
  const wanted = wordsOf(wish);
  const found = reviews.flatMap((review) => findWords(wanted, review));
  const weightOf = (term: string) => {
    const having = found.filter(({ terms }) => terms.has(term)).length;
    return Math.log(1 + reviews.length / having);
  };
  const weights = new Map(wanted.map((term) => [term, weightOf(term)]));
  const fulfilling = new Set(CATEGORIES.filter(({ fulfils }) => fulfils?.includes(field)).map(({ kind }) => kind));
  const scoreOf = ({ review, terms }: Found) => {
    const sum = [...terms].reduce((total, term) => total + (weights.get(term) ?? 0), 0);
    return sum * (fulfilling.has(review.category) ? FULFILS : 1);
  };
  const bestFirst = found
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .sort((one, other) => other.score - one.score || other.review.reviewId - one.review.reviewId);
  const quotes: Evidence[number]['quotes'] = [];
  for (const { review: reviewed, first } of bestFirst) {
    if (quotes.length === QUOTES_MAX) break;
    const { review, ...about } = reviewed;
    const quote = cutQuote(review, first);
    if (quote !== undefined) quotes.push({ ...about, quote });
  }
  return quotes;
}

/** Quotations from a school's indexed reviews for each filled field of a profile. */
export async function findEvidence(preferences: Preferences, reviews: readonly IndexedReview[]): Promise<Evidence> {
  const read = await readWords(reviews);
  const evidence: Evidence = [];
  for (const field of PROFILE_FIELDS.filter((one) => preferences[one] !== '')) {
    evidence.push({ field, wish: preferences[field], quotes: quotesFor(field, preferences[field], read) });
    await setImmediate();
  }
  return evidence;
}

/** Removes quotations that are no longer in a visible review of the school. */
export async function verifyEvidence(db: Connection, schoolId: number, evidence: Evidence): Promise<Evidence> {
  const ids = new Set(evidence.flatMap(({ quotes }) => quotes.map(({ reviewId }) => reviewId)));
  if (ids.size === 0) return evidence;
  const rows = await readVisibleTexts(db, schoolId, [...ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return evidence.map((item) => ({
    ...item,
    quotes: item.quotes.flatMap((quote) => {
      const row = byId.get(quote.reviewId);
      return row?.review.includes(quote.quote) ? [{ ...quote, rating: toStars(row.halfStars) }] : [];
    }),
  }));
}
