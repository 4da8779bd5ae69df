import { QUOTE_CODE_POINTS_MAX } from '../../../contract/voices.ts';

/** How much of a review is read: enough after the longest quote to see where a sentence or a word ends. */
const READ_CODE_POINTS = QUOTE_CODE_POINTS_MAX + 40;
/** So many UTF-16 units have these code points, whichever they are. */
const READ_LENGTH = 2 * READ_CODE_POINTS;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

/** A full stop before a small letter. Unicode's rules end no sentence there. Of an ellipsis none is meant. */
const BEFORE_SMALL_LETTER = /(?<!\.)\.\s+(?=\p{Ll})/gu;

/** A text that ends with an abbreviation: "Prof.", "e.g.", an initial. Further back than the limit is not looked. */
const ABBREVIATION =
  /(?:^|[\s(["'“])(?:\p{L}|(?:\p{L}\.)+\p{L}|dr|mrs?|ms|prof|st|vs|etc|approx|incl|esp|dept|univ)\.\s*$/iu;
const ABBREVIATION_MAX = 12;

/** Scripts that put no blanks between words: their words are those of a dictionary. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The beginning of a review that stands for it: as many whole sentences as fit, else as many whole words. Line breaks
 * become blanks.
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
 * The text with each line break, and the blanks around it, as one blank; of a longer one at least the beginning that is
 * read. It takes whole runs of blanks: an expression that looks for a line break after blanks would read a run without
 * one again from each of its blanks, and a review may have thousands.
 */
function beginningInOneLine(text: string): string {
  let line = '';
  for (const [run] of text.matchAll(/[\s\u0085]+|[^\s\u0085]+/g)) {
    if (line.length >= READ_LENGTH) break;
    line += /[\n\r\u0085\u2028\u2029]/.test(run) ? ' ' : run;
  }
  return line;
}

/** The longest beginning of a text that is not longer than allowed and ends at one of some ascending positions. */
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
  for (const { index, segment } of sentences.segment(text)) {
    const inside = [...segment.matchAll(BEFORE_SMALL_LETTER)].map((found) => found.index + found[0].length);
    for (const end of [...inside, segment.length].map((offset) => index + offset))
      if (!ABBREVIATION.test(text.slice(Math.max(0, end - ABBREVIATION_MAX), end))) yield end;
  }
}

/** Where whole words end: at a blank, or at any word in a script without blanks. So a web address is one word. */
function* wordEnds(text: string): Generator<number> {
  let before = '';
  for (const { index, segment } of words.segment(text)) {
    const isEnd = /^\s/.test(segment) || WITHOUT_BLANKS.test(before) || WITHOUT_BLANKS.test(segment);
    if (index > 0 && isEnd) yield index;
    before = segment;
  }
}
