import { setImmediate } from 'node:timers/promises';
import { NAMED_IN, type Recommendation } from '../../contract/profiles.ts';
import { toStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import type { IndexedReview } from './indexed-reviews.ts';
import { canFulfil, type Preference, stemsOf, WORD } from './preferences.ts';
import { readVisibleTexts } from './queries.ts';
import { findQuotation, type Span } from './quotations.ts';
import { stemOf } from './words.ts';

export type Evidence = Recommendation['evidence'];

/** The maximum number of quotations for one preference. */
const QUOTES_MAX = 3;

/** The factor for a review in a category that can satisfy the preference, as in the index. */
const FULFILLING_FACTOR = 3;

/**
 * The maximum number of words of a review around which a quotation for a preference is tried. Otherwise a review with
 * something unwanted beside each of hundreds of words would be cut as many times in vain.
 */
const TRIES_MAX = 10;

/** A word of a review by its stem, and where it stands there. */
interface Word extends Span {
  readonly stem: string;
}

interface SplitReview {
  readonly review: IndexedReview;
  readonly words: readonly Word[];
}

/** Splits reviews into their words, once for all preferences. Other requests are served between two reviews. */
async function splitReviews(reviews: readonly IndexedReview[]): Promise<SplitReview[]> {
  const split: SplitReview[] = [];
  for (const review of reviews) {
    const words = [...review.review.matchAll(WORD)].map(({ 0: word, index }) => {
      return { stem: stemOf(word), from: index, to: index + word.length };
    });
    split.push({ review, words });
    await setImmediate();
  }
  return split;
}

/** A review that matches a preference. */
interface FoundQuote {
  readonly review: IndexedReview;
  /** Each stem of the preference that its quotation has. */
  readonly stems: ReadonlySet<string>;
  readonly quote: string;
}

/** The stems that a quotation must not have, and those that are too common to be evidence. */
interface ExcludedStems {
  readonly isUnwanted: (stem: string) => boolean;
  readonly common: ReadonlySet<string>;
}

/** The length from which an unwanted word also excludes words that begin with it: "rain" excludes "rainy". */
const PREFIX_MIN = 4;

/** Makes the function that says whether a stem means something unwanted. */
function createIsUnwanted(unwanted: ReadonlySet<string>): (stem: string) => boolean {
  const prefixes = [...unwanted].filter(({ length }) => length >= PREFIX_MIN);
  return (stem) => unwanted.has(stem) || prefixes.some((prefix) => stem.startsWith(prefix));
}

/** The part of a review that is evidence for a preference. Text about something unwanted is never quoted. */
function findQuote(
  wanted: ReadonlySet<string>,
  { review, words }: SplitReview,
  { isUnwanted }: ExcludedStems,
): FoundQuote[] {
  const matching = words.filter(({ stem }) => wanted.has(stem)).slice(0, TRIES_MAX);
  if (matching.length === 0 || [...stemsOf(review.entryName).keys()].some(isUnwanted)) return [];
  for (const word of matching) {
    const span = findQuotation(review.review, word);
    if (!span || words.some(({ stem, from, to }) => from < span.to && to > span.from && isUnwanted(stem))) continue;
    const quote = review.review.slice(span.from, span.to).trim();
    const stems = [...stemsOf(quote).keys()];
    // A word in a script without spaces can be cut, and its parts are other words.
    if (stems.some(isUnwanted)) continue;
    return [{ review, quote, stems: new Set(stems.filter((stem) => wanted.has(stem))) }];
  }
  return [];
}

/** Quotations for one preference, from the reviews that match it best. */
function quotesFor(preference: Preference, reviews: readonly SplitReview[], excluded: ExcludedStems) {
  const wanted = new Set(preference.wanted.map(({ stem }) => stem).filter((stem) => !excluded.common.has(stem)));
  const found = reviews.flatMap((review) => findQuote(wanted, review, excluded));
  const weightOf = (stem: string) => {
    const having = found.filter(({ stems }) => stems.has(stem)).length;
    return Math.log(1 + reviews.length / having);
  };
  const weights = new Map([...wanted].map((stem) => [stem, weightOf(stem)]));
  const scoreOf = ({ review, stems }: FoundQuote) => {
    const sum = [...stems].reduce((total, stem) => total + (weights.get(stem) ?? 0), 0);
    return sum * (canFulfil(review.category, [preference.field]) ? FULFILLING_FACTOR : 1);
  };
  return found
    .map((one) => ({ ...one, score: scoreOf(one) }))
    .sort((one, other) => other.score - one.score || other.review.reviewId - one.review.reviewId)
    .slice(0, QUOTES_MAX)
    .map(({ review: { review: _review, ...about }, quote }) => ({ ...about, quote }));
}

/** The evidence for each filled field of a profile: quotations from reviews, and words of the school's own texts. */
export async function findEvidence(
  preferences: readonly Preference[],
  own: OwnTexts,
  reviews: readonly IndexedReview[],
  common: ReadonlySet<string>,
): Promise<Evidence> {
  const split = await splitReviews(reviews);
  const unwanted = new Set(preferences.flatMap((preference) => preference.unwanted.map(({ stem }) => stem)));
  const excluded = { isUnwanted: createIsUnwanted(unwanted), common };
  const evidence: Evidence = [];
  for (const preference of preferences) {
    const quotes = quotesFor(preference, split, excluded);
    evidence.push({ field: preference.field, wish: preference.text, named: findNamed(preference, own), quotes });
    await setImmediate();
  }
  return evidence;
}

/** The texts of a school that are not reviews. */
interface OwnTexts {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly location: string;
  readonly description: string;
  readonly entries: readonly string[];
}

/** The words of a preference in a school's own texts, as they are written there. Each is listed once for each text. */
function findNamed(
  preference: Preference,
  { name, aliases, location, description, entries }: OwnTexts,
): Evidence[number]['named'] {
  // A word of several names is written as in the last one, because that name is shown.
  const names = [...aliases, name].join('\n');
  const places = { name: names, location, description, entry: entries.join('\n') } as const;
  return NAMED_IN.flatMap((where) => {
    const stems = stemsOf(places[where]);
    return preference.wanted.flatMap(({ stem }) => {
      const word = stems.get(stem);
      return word === undefined ? [] : [{ in: where, word }];
    });
  });
}

/** Removes quotations that are no longer in a visible review of the school. */
export async function withVisibleQuotes(db: Connection, schoolId: number, evidence: Evidence): Promise<Evidence> {
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
