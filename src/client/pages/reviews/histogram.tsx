import type { ReactNode } from 'react';
import type { EntrySummary } from '../../../contract/entry-summary.ts';
import { PAGES } from '../../../contract/pages.ts';
import { PageLink, TextLink } from '../../components/layout/page-link.tsx';
import { FilledStar } from '../../components/school/stars.tsx';
import { countText, numberText } from '../../format.ts';

const STARS = [5, 4, 3, 2, 1] as const;

/** The height of the highest bar, where 100 is the whole drawing. */
const BAR_MAX = 96;

/** The number of reviews in a bar of the histogram: the one of 4 stars includes 3.5. */
export const countOf = ({ histogram }: EntrySummary, stars: number) =>
  (histogram[2 * stars - 2] ?? 0) + (histogram[2 * stars - 1] ?? 0);

interface HistogramProps {
  summary: EntrySummary;
  /** The stars that the list is filtered by; 0: no filter. */
  chosen?: number;
  /** Where a bar leads to. Default: it is a button that filters by its stars. */
  addressOf?: (stars: number) => string;
}

/** The number of reviews for each number of stars: five thin bars. */
export function Histogram({ summary, chosen = 0, addressOf }: HistogramProps) {
  const counts = STARS.map((stars) => countOf(summary, stars));
  const most = Math.max(...counts, 1);
  return (
    <div className="grid min-h-18 grid-cols-5 gap-2 print:max-w-md">
      {STARS.map((stars, index) => {
        const count = counts[index] ?? 0;
        const isFilled = chosen === 0 || chosen === stars;
        const bar = <Bar stars={stars} count={count} share={count / most} isFilled={isFilled} />;
        const style = 'flex flex-col items-stretch rounded-sm hover:bg-category-soft';
        if (addressOf) {
          return (
            <PageLink key={stars} to={addressOf(stars)} className={style}>
              {bar}
            </PageLink>
          );
        }
        return (
          <button
            key={stars}
            type="submit"
            name="stars"
            value={chosen === stars ? '' : stars}
            aria-pressed={chosen === stars}
            className={`${style} aria-pressed:bg-category-soft aria-pressed:font-semibold`}
          >
            {bar}
          </button>
        );
      })}
    </div>
  );
}

interface BarProps {
  stars: number;
  count: number;
  /** The height as a share of that of the highest bar. */
  share: number;
  isFilled: boolean;
}

function Bar({ stars, count, share, isFilled }: BarProps): ReactNode {
  const height = Math.max(2, share * BAR_MAX);
  return (
    <>
      <svg
        aria-hidden="true"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="mx-auto h-12 w-2 text-category"
      >
        <rect
          x="8"
          y={98 - height}
          width="84"
          height={height}
          fill={isFilled ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <span className="text-center text-xs leading-5 tabular-nums">
        {stars}
        <FilledStar className="mx-0.5 size-3 align-[-0.0625em]" />
        <span className="sr-only">{stars === 1 ? ' star, ' : ' stars, '}</span>
        <span className="text-ink-soft">{numberText(count)}</span>
        <span className="sr-only">{count === 1 ? ' review' : ' reviews'}</span>
      </span>
    </>
  );
}

/** The mean of the recent reviews and that of the earlier ones, in one line. */
export function Trend({ summary }: { summary: EntrySummary }) {
  return (
    <p className="text-sm text-ink-soft">
      <span>{trendText(summary)}</span>{' '}
      <TextLink to={`${PAGES.scores.path}#then-and-now`} className="no-print">
        How?
      </TextLink>
    </p>
  );
}

function trendText({ recent, earlier, change }: EntrySummary): string {
  if (recent.averageRating === null) return 'Too few recent reviews to tell';
  const now = `Last ${recent.months} months: ${recent.averageRating.toFixed(1)} (${countText(recent.totalReviews, 'review')})`;
  if (change === null || earlier.averageRating === null) return now;
  return change === 'steady' ? `${now}, steady` : `${now}, ${change} from ${earlier.averageRating.toFixed(1)}`;
}
