import { Star, StarHalf } from 'lucide-react';
import { RATING_MAX, starFills, starLabel } from '../../contract/stars.ts';

const STARS = Array.from({ length: RATING_MAX }, (_, index) => index);

interface StarShapesProps {
  /** From 0 to 5. */
  value: number;
  className: string;
  /** A class for the square around each star. */
  square?: string;
}

/** Five stars, filled up to a value. Hidden from screen readers. */
export function StarShapes({ value, className, square = '' }: StarShapesProps) {
  const fills = starFills(value);
  return STARS.map((star) => (
    <span key={star} className={`grid place-items-center *:[grid-area:1/1] ${square}`} aria-hidden="true">
      <Star className={className} fill={fills[star] === 'full' ? 'currentColor' : 'none'} strokeWidth={1.5} />
      {fills[star] === 'half' && <StarHalf className={className} fill="currentColor" strokeWidth={1.5} />}
    </span>
  ));
}

interface StarsProps {
  /** From 0 to 5. */
  value: number;
  /** How many stars are filled. Default: the value. */
  filled?: number;
  className?: string;
}

/** A rating as five stars. Its label is the name for screen readers and the text in text browsers. */
export function Stars({ value, filled = value, className = 'size-5' }: StarsProps) {
  const label = starLabel(Number(value.toFixed(2)));
  return (
    <span role="img" aria-label={label} className="relative inline-flex text-accent">
      <span className="sr-only">{label}</span>
      <StarShapes value={filled} className={className} />
    </span>
  );
}
