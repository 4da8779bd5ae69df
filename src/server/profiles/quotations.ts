import { QUOTE_MAX } from '../../contract/profiles.ts';

/** The part of a text from one position to another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The beginning of a text with whole words, of at most so many characters. */
export function cutAtWord(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, wordSegmenter.segment(text).containing(max)?.index ?? 0);
}

/**
 * The part of a text around a word, with whole words at both ends. It begins with the word's sentence if that fits.
 * @returns undefined when the word alone is too long
 */
export function findQuotation(text: string, { from, to }: Span): Span | undefined {
  if (text.length <= QUOTE_MAX) return { from: 0, to: text.length };
  const segments = wordSegmenter.segment(text);
  const wordStartBy = (at: number) => (at >= text.length ? text.length : (segments.containing(at)?.index ?? 0));
  const wordEndFrom = (at: number) => {
    const { index = 0, segment = '' } = segments.containing(at) ?? {};
    return index === at ? at : index + segment.length;
  };
  const sentenceStart = sentenceSegmenter.segment(text).containing(from)?.index ?? 0;
  const start =
    to - sentenceStart <= QUOTE_MAX
      ? sentenceStart
      : Math.min(from, wordEndFrom(Math.max(0, Math.ceil(to - QUOTE_MAX / 2))));
  const end = wordStartBy(start + QUOTE_MAX);
  return end < to ? undefined : { from: start, to: end };
}
