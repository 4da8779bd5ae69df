import type { ReactNode } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { LEADERBOARD_SHOWN, type Standing } from '../../../contract/leaderboard.ts';
import { Empty, Failed, Loading } from '../../components/list-states.tsx';
import { DetailedRankings } from './detailed-rankings.tsx';
import { topSchools } from './rankings.ts';
import { RatingsChart } from './ratings-chart.tsx';

interface RankingPanelProps {
  category: Category;
  /** Undefined: not there (yet). */
  standings: readonly Standing[] | undefined;
  isFetching: boolean;
  /** Why they are not there. */
  error: unknown;
  onRetry: () => void;
}

/** The best schools of one category, as a chart and as a table. */
export function RankingPanel({ category, standings, isFetching, error, onRetry }: RankingPanelProps) {
  const title = `Top ${LEADERBOARD_SHOWN} Schools - ${category.leaderboardLabel}`;
  const schools = topSchools(standings ?? []);

  function content(): ReactNode {
    if (schools.length > 0) {
      return (
        <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[3fr_2fr]">
          <figure className="-mx-3 min-w-0 sm:mx-0">
            <RatingsChart standings={schools} title={`${title}, as a bar chart`} />
          </figure>
          <DetailedRankings standings={schools} />
        </div>
      );
    }
    if (standings) return <Empty>Nobody has reviewed a school in this category yet.</Empty>;
    if (isFetching) return <Loading>Loading rankings...</Loading>;
    return (
      <Failed error={error} onRetry={onRetry}>
        The rankings could not be loaded.
      </Failed>
    );
  }

  return (
    <section aria-labelledby="ranking-title" aria-busy={isFetching} className="grid gap-6 p-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2" aria-live="polite">
        <div>
          <h2 id="ranking-title" className="text-xl">
            {title}
          </h2>
          <p className="text-ink-soft">Based on student reviews and ratings</p>
        </div>
        {/* No count before the first answer; a refreshed one says beside the list that it is being renewed. */}
        {(standings || !isFetching) && (
          <p className="rounded-full bg-category-soft px-3 py-1 text-sm font-semibold text-category tabular-nums">
            {isFetching ? 'Loading rankings...' : `${schools.length} ${schools.length === 1 ? 'school' : 'schools'}`}
          </p>
        )}
      </div>
      {content()}
    </section>
  );
}
