import { foldCase } from '../../contract/folding.ts';
import type { Preferences } from '../../contract/profiles.ts';
import { digitsOf, hasContactDetails, isSameNumber, numbersOf } from './contact-details.ts';
import type { Candidate } from './ranking.ts';

const ANSWER_MAX = 1_500;

/**
 * Before its whitespace is tidied, an answer may be longer than `ANSWER_MAX`. One longer than `RAW_MAX` is refused at
 * once.
 */
const RAW_MAX = 4 * ANSWER_MAX;

const MARKUP = /[<>]|!\[|\]\(/;

/** Capitalised words that begin or end like the name of an institution, anywhere in a sentence. */
const INSTITUTION =
  /(?:\p{Lu}[\p{L}'’&.-]*\s+)+(?:University|College|Institute|Academy|Polytechnic|School)\b|\b(?:University|College|Institute|Academy) of (?:the )?\p{Lu}/u;

/** Removes a name from a text, ignoring case. */
function removeName(text: string, name: string): string {
  const folded = foldCase(text);
  const at = folded.indexOf(foldCase(name));
  return at < 0 ? text : removeName(`${text.slice(0, at)} … ${text.slice(at + name.length)}`, name);
}

/** A quotation that the model may cite by its number. */
export interface NumberedQuote {
  readonly number: number;
  readonly schoolId: number;
  readonly reviewId: number;
  readonly quote: string;
}

/** The data that the model was given. */
interface ModelInput {
  readonly preferences: Preferences;
  readonly candidates: readonly Candidate[];
  readonly quotes: readonly NumberedQuote[];
}

/** An answer that can be shown. */
export interface CheckedAnswer {
  readonly text: string;
  readonly schoolId: number;
  /** The quotations that the answer cites or repeats. They must still be in visible reviews when the answer is sent. */
  readonly quotes: readonly NumberedQuote[];
}

const CITATION = / ?\[(\d{1,4})\]/g;
/** A text in quotation marks. A single quote may be an apostrophe, and opens a quotation only before a word. */
const QUOTATION = /["“”„«]([^"“”„«»]+)["“”»]|(?<![\p{L}\p{N}])[‘']([^‘’']+(?:[’'](?=\p{L})[^‘’']+)*)[’'](?!\p{L})/gu;
/** "4.2 of 5 stars", "4.2/5", "4.2 stars", "rated 4.2". */
const RATING =
  /(\d+(?:\.\d+)?)\s*(?:\/|(?:out )?of)\s*(?:5|five)\b(?:[\s-]*stars?)?|(\d+(?:\.\d+)?)[\s-]*stars?\b|\brat(?:ed|es|ing)\b\D{0,20}(\d+(?:\.\d+)?)/giu;
const REVIEW_COUNT = /(\d[\d,]*)\s+(?:\p{L}+\s+)?reviews?\b/giu;

/** Normalises a text for comparing: keyboards and models change apostrophes and whitespace without being asked. */
const normalise = (text: string) => text.replaceAll(/[’‘]/g, "'").replaceAll(/\s+/g, ' ').trim();

/** Whether every figure in a text is one of the school's own. */
function statesOwnFigures(text: string, { average, reviewCount }: Candidate): boolean {
  const ratings = [...text.matchAll(RATING)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const isOwn = (stated: string) => reviewCount > 0 && average.toFixed(stated.split('.')[1]?.length ?? 0) === stated;
  const counts = [...text.matchAll(REVIEW_COUNT)].map(([, amount = '']) => Number(amount.replaceAll(',', '')));
  return ratings.every(isOwn) && counts.every((amount) => amount === reviewCount);
}

/** The most digits of an amount of money that a student may have named. A longer number could be a telephone's. */
const AMOUNT_DIGITS_MAX = 6;

/** Whether a number is the school's own, stands in its names or location, or is an amount out of the preferences. */
function isOwnNumber(number: string, named: Candidate, { preferences }: ModelInput): boolean {
  const isIn = (texts: readonly string[]) => numbersOf(texts.join('\n')).some((stated) => isSameNumber(stated, number));
  if (isSameNumber(number, String(named.reviewCount))) return true;
  if (isIn([named.schoolName, named.location, ...named.entryNames])) return true;
  return digitsOf(number).length <= AMOUNT_DIGITS_MAX && isIn(Object.values(preferences));
}

/** Whether a text states the location or the offers of another candidate. */
function statesFactsOfOthers(text: string, named: Candidate, { candidates, preferences }: ModelInput): boolean {
  const own = [named.location, named.description, ...named.entryNames, ...Object.values(preferences)].join('\n');
  return candidates
    .filter(({ id }) => id !== named.id)
    .flatMap(({ location, entryNames }) => [location, ...entryNames])
    .some((fact) => text.includes(fact) && !own.includes(fact));
}

/** The candidate that a text names, if it names exactly one. */
function findNamed(text: string, candidates: readonly Candidate[]): { named: Candidate; rest: string } | undefined {
  // Longest names first: "City University" inside "New City University" is no other school.
  const longestFirst = candidates.toSorted((one, other) => other.schoolName.length - one.schoolName.length);
  let rest = text;
  const named = new Map<string, Candidate>();
  for (const candidate of longestFirst) {
    const name = candidate.schoolName.normalize('NFC');
    const remaining = removeName(rest, name);
    if (remaining === rest) continue;
    rest = remaining;
    named.set(name, candidate);
  }
  const [only, ...others] = named.values();
  return only && others.length === 0 ? { named: only, rest } : undefined;
}

/**
 * Checks the answer of a model: plain text of a reasonable length that names exactly one candidate, cites and quotes
 * only reviews of it, and states nothing about another school.
 * @returns undefined when the answer cannot be shown
 */
export function checkModelAnswer(answer: string, input: ModelInput): CheckedAnswer | undefined {
  if (answer.length > RAW_MAX) return undefined;
  const tidied = answer
    .normalize('NFC')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  const text = tidied.replaceAll(CITATION, '').trim();
  if (text === '' || text.length > ANSWER_MAX || MARKUP.test(tidied)) return undefined;
  const unquoted = text.replaceAll(QUOTATION, ' … ');
  const found = findNamed(unquoted, input.candidates);
  if (!found) return undefined;
  const { named, rest } = found;
  const quotes = input.quotes.filter(({ schoolId }) => schoolId === named.id);
  const cited = new Set([...tidied.matchAll(CITATION)].map(([, number]) => Number(number)));
  const isCitedFromOwn = [...cited].every((number) => quotes.some((quote) => quote.number === number));
  const own = normalise([named.schoolName, named.description, ...named.entryNames].join('\n'));
  const repeated = new Set<NumberedQuote>(quotes.filter(({ number }) => cited.has(number)));
  const leadsElsewhere = (part: string) => hasContactDetails(part, (number) => isOwnNumber(number, named, input));
  for (const [, double, single] of text.matchAll(QUOTATION)) {
    const words = normalise(double ?? single ?? '').replace(/[.,;:!?…]+$/, '');
    if (leadsElsewhere(removeName(words, named.schoolName))) return undefined;
    const source = quotes.find(({ quote }) => normalise(quote).includes(words));
    if (source) repeated.add(source);
    else if (!own.includes(words)) return undefined;
  }
  // "4.5/5 (120 reviews)" would be taken for one number. Figures are compared on their own.
  const withoutFigures = rest.replaceAll(RATING, ' … ').replaceAll(REVIEW_COUNT, ' … ');
  const isPlain = !leadsElsewhere(withoutFigures) && !INSTITUTION.test(rest);
  const isTrue = isCitedFromOwn && statesOwnFigures(rest, named) && !statesFactsOfOthers(rest, named, input);
  return isPlain && isTrue ? { text, schoolId: named.id, quotes: [...repeated] } : undefined;
}
