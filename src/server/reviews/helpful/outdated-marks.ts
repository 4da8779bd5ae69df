import { toHalfStars, toWholeStars } from '../../../contract/stars.ts';

const segments = new Intl.Segmenter('en', { granularity: 'word' });

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { segment, isWordLike } of segments.segment(text.toLowerCase())) {
    if (isWordLike) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  }
  return counts;
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

/** The parts of a review that helpful marks are about. The rating is in stars. */
export interface MarkedContent {
  readonly rating: number;
  readonly review: string;
}

/**
 * Whether a review has changed so much that its marks say nothing any more: its rating in whole stars is another one,
 * or the words that were replaced, added or removed are more than a fifth of those in the marked text.
 */
export function outdatesMarks(marked: MarkedContent, edited: MarkedContent): boolean {
  const starsOf = ({ rating }: MarkedContent) => toWholeStars(toHalfStars(rating));
  if (starsOf(marked) !== starsOf(edited)) return true;
  const [before, after] = [countWords(marked.review), countWords(edited.review)];
  const kept = sum([...before].map(([word, count]) => Math.min(count, after.get(word) ?? 0)));
  const length = sum(before.values());
  return 5 * (Math.max(length, sum(after.values())) - kept) > length;
}
