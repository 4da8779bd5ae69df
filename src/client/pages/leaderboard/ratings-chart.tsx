import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { Standing } from '../../../contract/leaderboard.ts';
import { RATING_MAX } from '../../../contract/stars.ts';
import { CHART_HEIGHT, ratingText } from './rankings.ts';

export interface RatingsChartProps {
  standings: readonly Standing[];
  /** What the chart is about, for whoever cannot see it. */
  title: string;
}

const NAMES_HEIGHT = 84;
const WHOLE_RATINGS = Array.from({ length: RATING_MAX + 1 }, (_, rating) => rating);

/** The ratings as bars. Nothing in it moves, and its numbers stand in a table beside it. */
export function RatingsChart({ standings, title }: RatingsChartProps) {
  return (
    <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
      <BarChart data={[...standings]} margin={{ top: 12, right: 0, bottom: 0, left: 0 }} aria-label={title}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="schoolName"
          interval={0}
          height={NAMES_HEIGHT}
          tickLine={false}
          axisLine={{ stroke: 'var(--line-strong)' }}
          tick={(props) => <SchoolName {...props} count={standings.length} />}
          // Two schools may share a name: each keeps a bar of its own.
          allowDuplicatedCategory
        />
        <YAxis
          domain={[0, RATING_MAX]}
          ticks={WHOLE_RATINGS}
          width={24}
          tickLine={false}
          axisLine={false}
          tick={{ fill: 'var(--ink-soft)', fontSize: 14 }}
        />
        <Tooltip content={RatingTooltip} cursor={{ fill: 'var(--sunken)' }} isAnimationActive={false} />
        <Bar
          dataKey="averageRating"
          fill="var(--category)"
          radius={[4, 4, 0, 0]}
          maxBarSize={64}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

interface SchoolNameProps {
  x?: number | string;
  y?: number | string;
  width?: number | string;
  payload?: { value: string };
  count: number;
}

/** A name below its bar: broken into as many lines as fit, then cut; the list has it in full. */
function SchoolName({ x, y, width, payload, count }: SchoolNameProps) {
  const room = Number(width) / count;
  return (
    <foreignObject x={Number(x) - room / 2} y={Number(y)} width={room} height={NAMES_HEIGHT}>
      <div className="line-clamp-5 px-px sm:line-clamp-4 sm:px-1 text-center text-[0.75rem] leading-tight wrap-anywhere hyphens-auto text-ink-soft sm:text-sm sm:leading-tight">
        {payload?.value}
      </div>
    </foreignObject>
  );
}

interface RatingTooltipProps {
  active?: boolean;
  payload?: readonly { value?: unknown }[];
}

function RatingTooltip({ active, payload }: RatingTooltipProps) {
  const rating = payload?.[0]?.value;
  if (!active || typeof rating !== 'number') return null;
  return (
    <p className="card px-3 py-2 text-sm font-semibold tabular-nums shadow-lg">{`Rating: ${ratingText(rating)}/${RATING_MAX.toFixed(1)}`}</p>
  );
}
