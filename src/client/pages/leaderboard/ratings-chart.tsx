import { useState } from 'react';
import { RATING_MAX } from '../../../contract/stars.ts';
import { hasFewReviews, type RankedSchool, ratingText } from './rankings.ts';

/** Pixels (spec §9): the whole chart, the space above it for the top label and the space below it for the names. */
const HEIGHT = 350;
const TOP = 12;
const NAMES_HEIGHT = 84;
const PLOT_HEIGHT = HEIGHT - TOP - NAMES_HEIGHT;
const CORNER = 4;

/** The width of a bar as a share of its column. */
const BAR_SHARE = 0.6;
const WHOLE_RATINGS = Array.from({ length: RATING_MAX + 1 }, (_, rating) => rating);

/** The vertical position of a rating, in pixels below the top of the plot. */
const levelOf = (rating: number) => PLOT_HEIGHT * (1 - rating / RATING_MAX);
const percent = (share: number) => `${share * 100}%`;

interface RatingsChartProps {
  schools: readonly RankedSchool[];
  /** The subject of the chart. The values are added to it for screen readers. */
  title: string;
}

/** The ratings as bars, without animation. The same numbers are in a table beside it. */
export function RatingsChart({ schools, title }: RatingsChartProps) {
  const [pointed, setPointed] = useState<number>();
  const values = schools.map(({ schoolName, rating }) => `${schoolName} ${ratingText(rating)}`);
  const room = 1 / schools.length;
  const pointedAt = pointed === undefined ? undefined : schools[pointed];

  return (
    <div className="flex" onPointerLeave={() => setPointed(undefined)}>
      <Scale />
      <div className="relative min-w-0 grow">
        <svg role="img" aria-label={`${title}: ${values.join(', ')}`} width="100%" height={HEIGHT} className="block">
          <Bars schools={schools} pointed={pointed} onPoint={setPointed} />
          <line x2="100%" y1={TOP + PLOT_HEIGHT} y2={TOP + PLOT_HEIGHT} className="stroke-line-strong" />
          {schools.map(({ schoolId, schoolName, rating }, index) => (
            <foreignObject
              key={schoolId ?? schoolName}
              x={percent(index * room)}
              y={TOP + PLOT_HEIGHT + 8}
              width={percent(room)}
              height={NAMES_HEIGHT - 8}
            >
              <SchoolName>{schoolName}</SchoolName>
              {/* For browsers that do not draw the bars. */}
              <span className="sr-only"> {ratingText(rating)}</span>
            </foreignObject>
          ))}
        </svg>
        {pointed !== undefined && pointedAt && (
          <p
            className="card pointer-events-none absolute -translate-x-1/2 px-3 py-2 text-sm font-semibold whitespace-nowrap tabular-nums shadow-lg"
            style={{ left: percent((pointed + 0.5) * room), top: TOP + levelOf(pointedAt.rating) + 12 }}
          >
            {`Rating: ${ratingText(pointedAt.rating)}/${RATING_MAX.toFixed(1)}`}
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
          y={TOP + levelOf(rating)}
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

interface BarsProps {
  schools: readonly RankedSchool[];
  /** The index of the school that the pointer is on. */
  pointed: number | undefined;
  onPoint: (index: number) => void;
}

function Bars({ schools, pointed, onPoint }: BarsProps) {
  const room = 1 / schools.length;
  return (
    <svg aria-hidden="true" y={TOP} width="100%" height={PLOT_HEIGHT}>
      {WHOLE_RATINGS.map((rating) => (
        <line key={rating} x2="100%" y1={levelOf(rating)} y2={levelOf(rating)} className="stroke-line" />
      ))}
      {schools.map((school, index) => (
        <g key={school.schoolId ?? school.schoolName} onPointerEnter={() => onPoint(index)}>
          <rect
            x={percent(index * room)}
            width={percent(room)}
            height={PLOT_HEIGHT}
            className={index === pointed ? 'fill-sunken' : 'fill-transparent'}
          />
          {/* The bar extends below the plot, which cuts off its rounded lower corners. */}
          <rect
            x={percent((index + (1 - BAR_SHARE) / 2) * room)}
            y={levelOf(school.rating)}
            width={percent(room * BAR_SHARE)}
            height={PLOT_HEIGHT - levelOf(school.rating) + CORNER}
            rx={CORNER}
            className="fill-category stroke-category"
            fillOpacity={hasFewReviews(school) ? 0.2 : 1}
          />
        </g>
      ))}
    </svg>
  );
}

/** A school's name below its bar, wrapped between words. A word that is too wide is cut; the title and the list show it whole. */
function SchoolName({ children }: { children: string }) {
  return (
    <div
      title={children}
      dir="auto"
      className="line-clamp-5 px-px text-center text-[0.75rem] leading-tight text-ink-soft sm:line-clamp-4 sm:px-1 sm:text-sm sm:leading-tight"
    >
      {[...children.matchAll(/\S+\s*/g)].map(({ 0: word, index }) => (
        <span key={index} className="inline-block max-w-full overflow-hidden align-top text-ellipsis whitespace-pre">
          {word}
        </span>
      ))}
    </div>
  );
}
