import { type ComponentType, lazy } from 'react';
import { CHART_HEIGHT } from './rankings.ts';
import type { RatingsChartProps } from './ratings-chart.tsx';

/** Stands in for a chart whose code did not arrive: the list below says the same. */
function MissingChart() {
  return (
    <p className="grid place-items-center text-ink-soft" style={{ height: CHART_HEIGHT }}>
      The chart could not be loaded.
    </p>
  );
}

/** Fetches the chart and its library, which no other page needs. */
export async function fetchRatingsChart(): Promise<{ default: ComponentType<RatingsChartProps> }> {
  try {
    return { default: (await import('./ratings-chart.tsx')).RatingsChart };
  } catch (cause) {
    console.warn('The chart could not be loaded.', cause);
    return { default: MissingChart };
  }
}

export const LazyRatingsChart = lazy(fetchRatingsChart);
