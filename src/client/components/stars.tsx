import { Star, StarHalf } from 'lucide-react';
import { starFills, starLabel } from '../../contract/stars.ts';

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
      {starFills(filled).map((fill, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the five stars never change order, so the index identifies one.
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
