import type { EntrySummary } from '../../../contract/entry-summary.ts';
import { PAGES } from '../../../contract/pages.ts';
import { RELATIONS, type Relation, SORTS, type Sort } from '../../../contract/review-filters.ts';
import { Select } from '../../components/form/fields.tsx';
import { PageLink } from '../../components/layout/page-link.tsx';
import { FilledStar } from '../../components/school/stars.tsx';
import { countText, numberText } from '../../format.ts';
import { usePageQuery, useQueryChange } from '../../page-reads.ts';
import { useSummary } from '../../shared/reviews/reading.ts';

const SORT_WORDS: Readonly<Record<Sort, string>> = {
  newest: 'Newest',
  oldest: 'Oldest',
  highest: 'Highest rated',
  lowest: 'Lowest rated',
  helpful: 'Most helpful',
};

const GROUP_WORDS: Readonly<Record<Relation, string>> = {
  student: 'Students',
  alumnus: 'Alumni',
  parent: 'Parents',
  educator: 'Educators',
};

const STARS = [5, 4, 3, 2, 1] as const;

/** The height of the highest bar, where 100 is the whole drawing. */
const BAR_MAX = 96;

/** The number of reviews in a row of the histogram: 4 stars include 3.5. */
const countOf = ({ histogram }: EntrySummary, stars: number) =>
  (histogram[2 * stars - 2] ?? 0) + (histogram[2 * stars - 1] ?? 0);

/** The number of reviews that the filter in the address selects; undefined while it is unknown. */
export function useShownCount(): number | undefined {
  const summary = useSummary();
  const { stars } = usePageQuery();
  return summary && (stars ? countOf(summary, Number(stars)) : summary.totalReviews);
}

/** Beside the heading: the number of reviews shown, and a button that removes the filter. */
export function FilterState() {
  const { stars = '', relation = '' } = usePageQuery();
  const filter = useQueryChange();
  const summary = useSummary();
  const shown = useShownCount();
  if (!summary || shown === undefined) return null;
  const { student, alumnus, parent, educator, undeclared } = summary.relations;
  const all = countText(student + alumnus + parent + educator + undeclared, 'review');
  const isFiltered = stars !== '' || relation !== '';
  return (
    // On phones it has a line of its own, because the link to the form is beside the heading.
    <div
      className={`flex items-center gap-x-4 ${isFiltered ? 'max-sm:order-last max-sm:basis-full max-sm:justify-between' : ''}`}
    >
      <p aria-live="polite" className="text-sm text-ink-soft">
        {isFiltered ? `${numberText(shown)} of ${all}` : all}
      </p>
      {isFiltered && (
        <button
          type="button"
          className="text-button no-print"
          onClick={() => filter({ stars: '', relation: '', sort: '' })}
        >
          Clear filters
        </button>
      )}
    </div>
  );
}

/** The histogram, the trend, and the controls to sort and filter. */
export function Filters() {
  const query = usePageQuery();
  const filter = useQueryChange();
  const summary = useSummary();
  const isEmpty = summary?.totalReviews === 0 && Object.keys(query).length === 0;
  if (!summary || isEmpty) return null;
  return (
    <div className="grid gap-2 pb-1">
      {summary.isBeingChecked && (
        <p className="border-l-4 border-accent pl-3 font-semibold">
          <span>Unusual activity: recent reviews here are being checked.</span>{' '}
          <PageLink to={`${PAGES.scores.path}#left-out`} className="text-link no-print text-sm font-normal">
            Why?
          </PageLink>
        </p>
      )}
      <p className="text-sm text-ink-soft">
        <span>{trendText(summary)}</span>{' '}
        <PageLink to={`${PAGES.scores.path}#then-and-now`} className="text-link no-print">
          How?
        </PageLink>
      </p>
      <Histogram
        summary={summary}
        chosen={Number(query.stars ?? 0)}
        onChoose={(stars) => filter({ stars: stars === Number(query.stars) ? '' : String(stars) })}
      />
      <div className="needs-script no-print grid grid-cols-2 gap-3">
        <Select
          label="Sort by"
          name="sort"
          className="label-inside"
          value={query.sort ?? 'newest'}
          // The first order is the default, which the address leaves out.
          onChange={({ target }) => filter({ sort: target.value })}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORT_WORDS[sort]}
            </option>
          ))}
        </Select>
        <Select
          label="Written by"
          name="relation"
          className="label-inside"
          value={query.relation ?? ''}
          onChange={({ target }) => filter({ relation: target.value })}
        >
          <option value="">Everyone</option>
          {RELATIONS.map((relation) => (
            <option key={relation} value={relation}>
              {GROUP_WORDS[relation]}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}

interface HistogramProps {
  summary: EntrySummary;
  /** 0: no filter. */
  chosen: number;
  onChoose: (stars: number) => void;
}

/** The number of reviews for each number of stars: five bars, each a button that filters by it. */
function Histogram({ summary, chosen, onChoose }: HistogramProps) {
  const counts = STARS.map((stars) => countOf(summary, stars));
  const most = Math.max(...counts, 1);
  return (
    <div className="grid h-18 grid-cols-5 gap-2 print:max-w-md">
      {STARS.map((stars, index) => {
        const count = counts[index] ?? 0;
        const height = Math.max(2, (count / most) * BAR_MAX);
        const isFull = chosen === 0 || chosen === stars;
        return (
          <button
            key={stars}
            type="button"
            aria-pressed={chosen === stars}
            className="flex flex-col items-stretch rounded-sm hover:bg-category-soft aria-pressed:bg-category-soft aria-pressed:font-semibold"
            onClick={() => onChoose(stars)}
          >
            <svg
              aria-hidden="true"
              viewBox="0 0 100 100"
              preserveAspectRatio="none"
              className="h-12 w-full text-category"
            >
              <rect
                x="1"
                y={98 - height}
                width="98"
                height={height}
                fill={isFull ? 'currentColor' : 'none'}
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
          </button>
        );
      })}
    </div>
  );
}

/** The trend as one sentence. */
function trendText({ recent, earlier, change }: EntrySummary): string {
  if (recent.averageRating === null) return 'Too few recent reviews to tell';
  const now = `Last ${recent.months} months: ${recent.averageRating.toFixed(1)} (${countText(recent.totalReviews, 'review')})`;
  if (change === null || earlier.averageRating === null) return now;
  return change === 'steady' ? `${now}, steady` : `${now}, ${change} from ${earlier.averageRating.toFixed(1)}`;
}
