import { useState } from 'react';
import { LEADERBOARD_SHOWN } from '../../../contract/leaderboard.ts';
import { RATING_MAX } from '../../../contract/stars.ts';
import { hasFewReviews, type RankedSchool, ratingText } from './rankings.ts';

/** In pixels (spec §9): the whole chart, the space above the plot for the top label, and that below for the names. */
const HEIGHT = 350;
const TOP = 12;
const NAMES_HEIGHT = 84;
const PLOT_HEIGHT = HEIGHT - TOP - NAMES_HEIGHT;

/** The width of a column and of the window in it, as shares of the chart with the maximum number of columns. */
const COLUMN_WIDTH = 1 / LEADERBOARD_SHOWN;
const WINDOW_WIDTH = COLUMN_WIDTH * 0.6;
/** How far windows extend below the plot, which cuts off their lower round corners: only the tops are to be arches. */
const OVERHANG = 100;

const COLUMNS = Array.from({ length: LEADERBOARD_SHOWN }, (_, index) => index);
const WHOLE_RATINGS = Array.from({ length: RATING_MAX + 1 }, (_, rating) => rating);

/** The vertical position of a rating, in pixels below the top of the plot. */
const yOf = (rating: number) => PLOT_HEIGHT * (1 - rating / RATING_MAX);
const percent = (share: number) => `${share * 100}%`;
const xOfMiddle = (column: number) => (column + 0.5) * COLUMN_WIDTH;

interface RatingsChartProps {
  schools: readonly RankedSchool[];
  /** The subject of the chart. The values are added to it for screen readers. */
  title: string;
}

/** The ratings as bars without animation: windows lit from below up to the rating. A table beside has the numbers. */
export function RatingsChart({ schools, title }: RatingsChartProps) {
  const [pointedIndex, setPointedIndex] = useState<number>();
  const values = schools.map(({ schoolName, rating }) => `${schoolName} ${ratingText(rating)}`);
  const pointedSchool = pointedIndex === undefined ? undefined : schools[pointedIndex];

  return (
    <div className="flex" onPointerLeave={() => setPointedIndex(undefined)}>
      <Scale />
      <div className="relative min-w-0 grow">
        <svg role="img" aria-label={`${title}: ${values.join(', ')}`} width="100%" height={HEIGHT} className="block">
          <Windows schools={schools} pointedIndex={pointedIndex} onPoint={setPointedIndex} />
          <line x2="100%" y1={TOP + PLOT_HEIGHT} y2={TOP + PLOT_HEIGHT} className="stroke-line-strong" />
          {schools.map(({ schoolId, schoolName, rating }, index) => (
            <foreignObject
              key={schoolId ?? schoolName}
              x={percent(index * COLUMN_WIDTH)}
              y={TOP + PLOT_HEIGHT + 8}
              width={percent(COLUMN_WIDTH)}
              height={NAMES_HEIGHT - 8}
            >
              <SchoolName>{schoolName}</SchoolName>
              {/* For browsers that do not draw the bars. */}
              <span className="sr-only"> {ratingText(rating)}</span>
            </foreignObject>
          ))}
        </svg>
        {pointedIndex !== undefined && pointedSchool && (
          <p
            className="card pointer-events-none absolute -translate-x-1/2 px-3 py-2 text-sm font-semibold whitespace-nowrap tabular-nums shadow-lg"
            style={{ left: percent(xOfMiddle(pointedIndex)), top: TOP + yOf(pointedSchool.rating) + 12 }}
          >
            {`Rating: ${ratingText(pointedSchool.rating)}/${RATING_MAX.toFixed(1)}`}
          </p>
        )}
      </div>
    </div>
  );
}

/** The numbers at the left of the plot. */
function Scale() {
  return (
    <svg width="24" height={HEIGHT} aria-hidden="true" className="shrink-0 overflow-visible">
      {WHOLE_RATINGS.map((rating) => (
        <text
          key={rating}
          x="16"
          y={TOP + yOf(rating)}
          textAnchor="end"
          dominantBaseline="central"
          className="fill-ink-soft text-[0.875rem]"
        >
          {rating}
        </text>
      ))}
    </svg>
  );
}

interface WindowsProps {
  schools: readonly RankedSchool[];
  /** The index of the school that the pointer is on. */
  pointedIndex: number | undefined;
  onPoint: (index: number) => void;
}

/** As many windows as there can be schools. Those without a school stay dark. */
function Windows({ schools, pointedIndex, onPoint }: WindowsProps) {
  return (
    <svg aria-hidden="true" y={TOP} width="100%" height={PLOT_HEIGHT}>
      {COLUMNS.map((column) => {
        const school = schools[column];
        const arch = {
          x: percent(xOfMiddle(column) - WINDOW_WIDTH / 2),
          width: percent(WINDOW_WIDTH),
          height: PLOT_HEIGHT + OVERHANG,
          rx: percent(WINDOW_WIDTH / 2),
        };
        return (
          <g key={column} onPointerEnter={() => onPoint(column)}>
            <rect
              x={percent(column * COLUMN_WIDTH)}
              width={percent(COLUMN_WIDTH)}
              height={PLOT_HEIGHT}
              className={school && column === pointedIndex ? 'fill-sunken' : 'fill-transparent'}
            />
            {school && (
              // A nested drawing clips the light above its top edge.
              <svg aria-hidden="true" y={yOf(school.rating)} width="100%" height={PLOT_HEIGHT - yOf(school.rating)}>
                <rect
                  {...arch}
                  y={-yOf(school.rating)}
                  className="fill-accent"
                  fillOpacity={hasFewReviews(school) ? 0.6 : 1}
                />
              </svg>
            )}
            <rect {...arch} className={`fill-none ${school ? 'stroke-accent' : 'stroke-line-strong'}`} />
            <line
              x1={percent(xOfMiddle(column))}
              x2={percent(xOfMiddle(column))}
              y2={PLOT_HEIGHT}
              strokeWidth="3"
              className="pointer-events-none stroke-night"
            />
          </g>
        );
      })}
      {/* Lines in front of the windows divide them into panes of one star each. */}
      {WHOLE_RATINGS.map((rating) => (
        <line key={rating} x2="100%" y1={yOf(rating)} y2={yOf(rating)} className="pointer-events-none stroke-line" />
      ))}
    </svg>
  );
}

/**
 * A part of a name, up to where a Latin word may be hyphenated: after a vowel or one more letter, before a syllable.
 */
const NAME_PART = /.+?(?:$|(?<=\p{L}{2}[aeiouy][bcdfghjklmnpqrstvwxz]?)(?=[bcdfgjklmnpqrstvwxz][aeiouy]\p{L}))/giu;

/**
 * A school's name below its bar. On phones words that are wider than the bar are divided here, because not every browser
 * divides words by itself. The hyphens are no part of the text, so that the name is found and copied as it is.
 */
function SchoolName({ children }: { children: string }) {
  return (
    <div
      title={children}
      dir="auto"
      className="line-clamp-5 px-px text-center text-[0.75rem] leading-tight wrap-anywhere text-ink-soft sm:line-clamp-4 sm:px-1 sm:text-sm sm:leading-tight"
    >
      {[...children.matchAll(NAME_PART)].map(({ 0: part, index }) => (
        <span key={index} className="not-first:max-sm:before:content-['\00ad']">
          {part}
        </span>
      ))}
    </div>
  );
}
