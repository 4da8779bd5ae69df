/** One review's rating in a table: a figure that needs no head above it. */
export function RatingFigure({ rating }: { rating: number }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span aria-hidden="true" className="text-accent">
        ★
      </span>{' '}
      {rating}
    </span>
  );
}
