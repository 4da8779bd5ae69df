/** The rating of one review in a table without a column head for it. */
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
