/** The number of reviews with this many stars that were posted, and how many of them are hidden. */
interface StarTotal {
  readonly stars: number;
  readonly posted: number;
  readonly hidden: number;
}

const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 });

/** "2.5%" of the posted reviews; a dash if there are none. */
export function shareOf({ posted, hidden }: Pick<StarTotal, 'posted' | 'hidden'>): string {
  return posted === 0 ? '–' : PERCENT.format(hidden / posted);
}

/** One sentence that compares low ratings with high ones. */
export function comparisonSentence(totals: readonly StarTotal[]): string {
  const sumOf = (isMeant: (stars: number) => boolean) =>
    totals
      .filter(({ stars }) => isMeant(stars))
      .reduce((sum, { posted, hidden }) => ({ posted: sum.posted + posted, hidden: sum.hidden + hidden }), {
        posted: 0,
        hidden: 0,
      });
  const low = sumOf((stars) => stars <= 2);
  const high = sumOf((stars) => stars >= 4);
  if (totals.every(({ hidden }) => hidden === 0)) return 'No review is hidden now.';
  return `Of the reviews with one or two stars, ${shareOf(low)} are hidden; of those with four or five, ${shareOf(high)}.`;
}
