import { Star, StarHalf } from 'lucide-react';
import { starFills, starLabel } from '../../contract/stars.ts';

interface StarsProps {
  /** 0 to 5. */
  value: number;
  className?: string;
}

/** A rating as five stars, to read. */
export function Stars({ value, className = 'size-5' }: StarsProps) {
  return (
    <span role="img" aria-label={starLabel(Number(value.toFixed(2)))} className="inline-flex text-accent">
      {starFills(value).map((fill, index) => (
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
