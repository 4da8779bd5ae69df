import { QUOTE_CODE_POINTS_MAX } from '../../../contract/voices.ts';

/** How much of a review is read: enough after the longest quote to see where a sentence or a word ends. */
const READ_CODE_POINTS = QUOTE_CODE_POINTS_MAX + 40;
/** The most UTF-16 units that this many code points take. */
const READ_LENGTH = 2 * READ_CODE_POINTS;

const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** A full stop before a small letter, where Unicode's rules end no sentence. An ellipsis is not a full stop. */
const BEFORE_SMALL_LETTER = /(?<!\.)\.\s+(?=\p{Ll})/gu;

/** A text that ends with an abbreviation: "Prof.", "e.g.", an initial. */
const ABBREVIATION =
  /(?:^|[\s(["'“])(?:\p{L}|(?:\p{L}\.)+\p{L}|dr|mrs?|ms|prof|st|vs|etc|approx|incl|esp|dept|univ)\.\s*$/iu;
/** Only so many characters before an end of a sentence are searched for an abbreviation. */
const ABBREVIATION_LENGTH_MAX = 12;

/** Scripts without spaces between words: the segmenter finds their words in a dictionary. */
const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The quote of a review: its beginning, as many whole sentences as fit, else as many whole words. Line breaks become
 * spaces.
 * @returns undefined when the first word alone is too long
 */
export function quoteOf(review: string): string | undefined {
  const text = beginningInOneLine(review.trim());
  const codePoints = [...text.slice(0, READ_LENGTH)].slice(0, READ_CODE_POINTS);
  const head = codePoints.join('');
  const lengthMax = codePoints.slice(0, QUOTE_CODE_POINTS_MAX).join('').length;
  if (text.length <= lengthMax) return text;
  return lastFitting(head, sentenceEnds(head), lengthMax) ?? lastFitting(head, wordEnds(head), lengthMax);
}

/**
 * The text, or at least its first `READ_LENGTH` units, with each line break and the whitespace around it as one space.
 * Whole runs of whitespace are matched: in a run without a line break, a pattern such as `\s*\n` would begin again at
 * each character, and a review may have thousands.
 */
function beginningInOneLine(text: string): string {
  let line = '';
  for (const [run] of text.matchAll(/[\s\u0085]+|[^\s\u0085]+/g)) {
    if (line.length >= READ_LENGTH) break;
    line += /[\n\r\u0085\u2028\u2029]/.test(run) ? ' ' : run;
  }
  return line;
}

/** The longest beginning of a text that fits and ends at one of the positions. @param ends in ascending order */
function lastFitting(text: string, ends: Iterable<number>, lengthMax: number): string | undefined {
  let last: string | undefined;
  for (const end of ends) {
    const beginning = text.slice(0, end).trimEnd();
    if (beginning.length > lengthMax) break;
    last = beginning;
  }
  return last;
}

/** Where sentences end: Unicode's rules, but not after "Dr.", and before small letters too, as many people write. */
function* sentenceEnds(text: string): Generator<number> {
  for (const { index, segment } of sentenceSegmenter.segment(text)) {
    const inside = [...segment.matchAll(BEFORE_SMALL_LETTER)].map((found) => found.index + found[0].length);
    for (const end of [...inside, segment.length].map((offset) => index + offset))
      if (!ABBREVIATION.test(text.slice(Math.max(0, end - ABBREVIATION_LENGTH_MAX), end))) yield end;
  }
}

/** Where whole words end: at whitespace, or at each word of an unspaced script. So a web address is one word. */
function* wordEnds(text: string): Generator<number> {
  let before = '';
  for (const { index, segment } of wordSegmenter.segment(text)) {
    const isEnd = /^\s/.test(segment) || UNSPACED_SCRIPTS.test(before) || UNSPACED_SCRIPTS.test(segment);
    if (index > 0 && isEnd) yield index;
    before = segment;
  }
}
