/** The paths that several components draw. */
export const DRAWINGS = {
  compare: 'M12 4v16.5M7 20.5h10M5 7h14M5 7l-2.5 6.5h5ZM19 7l-2.5 6.5h5Z',
  cross: 'M6 6l12 12M18 6 6 18',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM16 16l4.5 4.5',
  place:
    'M12 3a7 7 0 0 0-7 7c0 4.5 4 8.2 7 11 3-2.8 7-6.5 7-11a7 7 0 0 0-7-7ZM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
};

/** An icon beside a text, in the current text colour. Its lines have the same thickness at every size. */
export function Drawing({ d, className = 'size-6' }: { d: string; className?: string }) {
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
