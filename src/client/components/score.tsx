import { Star } from 'lucide-react';

interface ScoreProps {
  /** Null: without reviews. */
  averageRating: number | null;
  totalReviews: number;
  /** Where there is little room: the word for reviews is only read aloud, and nothing is said of none. */
  isShort?: boolean;
}

/** A mean, how many reviews it is of, and one star; five are for single reviews, which they cannot misquote. */
export function Score({ averageRating, totalReviews, isShort = false }: ScoreProps) {
  if (averageRating === null && isShort) return null;
  if (averageRating === null) return <span className="text-sm whitespace-nowrap text-ink-soft">Not yet rated</span>;
  const noun = totalReviews === 1 ? 'review' : 'reviews';
  return (
    <span className="whitespace-nowrap tabular-nums">
      <Star aria-hidden="true" className="mr-1 inline size-4 align-[-0.125em] text-accent" fill="currentColor" />
      <b className="font-serif text-lg font-semibold">{averageRating.toFixed(1)}</b>
      <span className="text-sm text-ink-soft">
        {' · '}
        {totalReviews.toLocaleString('en-US')}
        <span className={isShort ? 'sr-only' : undefined}> {noun}</span>
      </span>
    </span>
  );
}
