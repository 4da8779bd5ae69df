export const CROSS = 'M6 6l12 12M18 6 6 18';

interface DrawingProps {
  /** A path in a 24 by 24 view box. */
  d: string;
  className?: string;
}

/** An icon beside a text, in the current text colour. Its lines have the same thickness at every size. */
export function Drawing({ d, className = 'size-6' }: DrawingProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path vectorEffect="non-scaling-stroke" d={d} />
    </svg>
  );
}
