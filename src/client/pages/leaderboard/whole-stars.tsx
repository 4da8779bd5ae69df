import { Star } from 'lucide-react';
import { RATING_MAX, starLabel } from '../../../contract/stars.ts';

/** Five stars, filled by the whole-number part of the rating only (spec §9); the figure beside them has the rest. */
export function WholeStars({ rating }: { rating: number }) {
  const full = Math.floor(rating);
  return (
    <span role="img" aria-label={starLabel(full)} className="flex gap-0.5 text-accent">
      {Array.from({ length: RATING_MAX }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a star is nothing but its place.
        <Star key={index} aria-hidden="true" className={`size-4 ${index < full ? 'fill-current' : ''}`} />
      ))}
    </span>
  );
}
