import { Star, StarHalf } from 'lucide-react';
import { starFills, starLabel } from '../../contract/stars.ts';

interface StarsProps {
  /** 0 to 5. */
  value: number;
  /** How much of the stars is filled, where that is less than the value. */
  filled?: number;
  className?: string;
}

/** A rating as five stars, to read. Its words are a name for screen readers and text for browsers that draw nothing. */
export function Stars({ value, filled = value, className = 'size-5' }: StarsProps) {
  const label = starLabel(Number(value.toFixed(2)));
  return (
    <span role="img" aria-label={label} className="relative inline-flex text-accent">
      <span className="sr-only">{label}</span>
      {starFills(filled).map((fill, index) => (
        // The five places never change order.
        // biome-ignore lint/suspicious/noArrayIndexKey: a star is its place.
        <span key={index} className="relative" aria-hidden="true">
          <Star className={className} fill={fill === 'full' ? 'currentColor' : 'none'} strokeWidth={1.5} />
          {fill === 'half' && (
            <StarHalf className={`absolute inset-0 ${className}`} fill="currentColor" strokeWidth={1.5} />
          )}
        </span>
      ))}
    </span>
  );
}
