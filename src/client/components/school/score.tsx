import { PAGES } from '../../../contract/pages.ts';
import { numberText } from '../../format.ts';
import { PageLink } from '../layout/page-link.tsx';
import { FilledStar } from './stars.tsx';

interface ScoreProps {
  /** Null: there are no reviews. Undefined: nothing is known, and nothing is shown. */
  averageRating: number | null | undefined;
  totalReviews: number | undefined;
  /** For narrow places: the word "reviews" is for screen readers only, and without reviews nothing is shown. */
  isShort?: boolean;
}

/**
 * A mean, the number of its reviews and one star. Five stars are for single reviews: a mean would have to be rounded to
 * halves.
 */
export function Score({ averageRating, totalReviews, isShort = false }: ScoreProps) {
  if (averageRating === undefined || totalReviews === undefined || (averageRating === null && isShort)) return null;
  if (averageRating === null) return <span className="text-sm whitespace-nowrap text-ink-soft">Not yet rated</span>;
  const noun = totalReviews === 1 ? 'review' : 'reviews';
  return (
    <span className="whitespace-nowrap tabular-nums">
      <FilledStar className="mr-1 size-4 align-[-0.125em]" />
      <b className="font-serif text-lg leading-none font-semibold">{averageRating.toFixed(1)}</b>
      <span className="text-sm text-ink-soft">
        <span>{` · ${numberText(totalReviews)}`}</span>
        <span className={isShort ? 'sr-only' : undefined}>{` ${noun}`}</span>
      </span>
    </span>
  );
}

/** Says beside a figure that it counts reviews that are being checked, and links to what that means. */
export function BeingChecked({ className = '' }: { className?: string }) {
  return (
    <PageLink
      to={`${PAGES.scores.path}#left-out`}
      className={`text-link inline-block text-sm leading-6 whitespace-nowrap ${className}`}
    >
      being checked
    </PageLink>
  );
}
