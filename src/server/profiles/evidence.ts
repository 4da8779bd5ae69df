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

interface Match {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/** The positions of the words of a preference in a text. */
function findWords(words: readonly string[], text: string): Match[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
    const folded = processTerm(word);
    const term = words.find((one) => folded === one || (isPrefix(one) && folded?.startsWith(one)));
    return term === undefined ? [] : [{ term, from: index, to: index + word.length }];
  });
}

const wordSegments = new Intl.Segmenter('en', { granularity: 'word' });
const sentenceSegments = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The part of a text around a word, with whole words at both ends. It begins with the word's sentence if that fits.
 * @returns undefined when the word alone is too long
 */
function cutQuote(text: string, { from, to }: { from: number; to: number }): string | undefined {
  if (text.length <= QUOTE_MAX) return text;
  const bounds = [...wordSegments.segment(text)].map(({ index }) => index).concat(text.length);
  const sentence = sentenceSegments.segment(text).containing(from);
  const sentenceStart = sentence?.index ?? 0;
  const start =
    to - sentenceStart <= QUOTE_MAX
      ? sentenceStart
      : (bounds.find((bound) => bound >= to - QUOTE_MAX / 2 && bound <= from) ?? from);
  const end = bounds.findLast((bound) => bound <= start + QUOTE_MAX) ?? start;
  return end < to ? undefined : text.slice(start, end).trim();
}

/** The reviews that match one preference, best first, each with the matching words. */
function quotesFor(field: ProfileField, wish: string, reviews: readonly IndexedReview[]) {
  const words = wordsOf(wish);
  const found = reviews.map((review) => ({ review, matches: findWords(words, review.review) }));
  const weightOf = (term: string) => {
    const having = found.filter(({ matches }) => matches.some((match) => match.term === term)).length;
    return Math.log(1 + reviews.length / having);
  };
  const fulfilling = new Set(CATEGORIES.filter(({ fulfils }) => fulfils?.includes(field)).map(({ kind }) => kind));
  const scoreOf = ({ review, matches }: (typeof found)[number]) => {
    const terms = new Set(matches.map(({ term }) => term));
    const sum = [...terms].reduce((total, term) => total + weightOf(term), 0);
    return sum * (fulfilling.has(review.category) ? FULFILS : 1);
  };
  return found
    .filter(({ matches }) => matches.length > 0)
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .sort((one, other) => other.score - one.score || other.review.reviewId - one.review.reviewId)
    .flatMap(({ review: { review, indexed: _indexed, ...about }, matches: [first] }) => {
      const quote = first && cutQuote(review, first);
      return quote === undefined ? [] : [{ ...about, quote }];
    })
    .slice(0, QUOTES_MAX);
}

/** Quotations from a school's indexed reviews for each filled field of a profile. */
export function findEvidence(preferences: Preferences, reviews: readonly IndexedReview[]): Evidence {
  return PROFILE_FIELDS.filter((field) => preferences[field] !== '').map((field) => ({
    field,
    wish: preferences[field],
    quotes: quotesFor(field, preferences[field], reviews),
  }));
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
