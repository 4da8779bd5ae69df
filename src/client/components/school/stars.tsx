import { RATING_MAX, starFills, starLabel } from '../../../contract/stars.ts';

/** The side of the square that a star is drawn in. */
const SIDE = 24;

/** The top of the first star. Both shapes below start and end there. */
const TOP = 'm12 2.5';
const STAR = ' 2.8 6 6.5.8-4.8 4.5 1.3 6.4-5.8-3.2-5.8 3.2 1.3-6.4-4.8-4.5 6.5-.8z';
const LEFT_HALF = '-2.8 6-6.5.8 4.8 4.5-1.3 6.4 5.8-3.2z';

interface StarShapesProps {
  /** From 0 to 5. */
  value: number;
  /** Sets the size: the width is five times the height. */
  className: string;
  /** The space between two stars, as a fraction of a star's width. */
  gap?: number;
}

/**
 * Five stars, filled up to a value. Hidden from screen readers. Two paths instead of elements for each star: a page
 * can have a hundred of these, all of them in its first layout.
 */
export function StarShapes({ value, className, gap = 0 }: StarShapesProps) {
  const fills = starFills(value);
  const margin = (SIDE * gap) / 2;
  const width = SIDE + 2 * margin;
  const toNextStar = `m${width} 0`;
  const fullStars = `${STAR}${toNextStar}`.repeat(fills.filter((fill) => fill === 'full').length);
  return (
    <svg
      aria-hidden="true"
      viewBox={`${-margin} ${-margin} ${RATING_MAX * width} ${width}`}
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
    >
      <path d={TOP + `${STAR}${toNextStar}`.repeat(RATING_MAX)} />
      <path fill="currentColor" d={TOP + fullStars + (fills.includes('half') ? LEFT_HALF : '')} />
    </svg>
  );
}

/** One star, beside a figure. */
export function FilledStar({ className }: { className: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      className={`inline text-accent ${className}`}
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
    >
      <path d={TOP + STAR} />
    </svg>
  );
}

interface StarsProps {
  /** From 0 to 5. */
  value: number;
  /** How many stars are filled. Default: the value. */
  filledStars?: number;
  className?: string;
}

/** A rating as five stars. Its label is the name for screen readers and the text in text browsers. */
export function Stars({ value, filledStars = value, className = 'h-5 w-25' }: StarsProps) {
  const label = starLabel(Number(value.toFixed(2)));
  return (
    <span role="img" aria-label={label} className="relative inline-flex text-accent">
      <span className="sr-only">{label}</span>
      <StarShapes value={filledStars} className={className} />
    </span>
  );
}
