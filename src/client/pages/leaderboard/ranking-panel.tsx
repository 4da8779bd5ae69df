import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { LEADERBOARD_SHOWN, type Ranking, type Standing } from '../../../contract/leaderboard.ts';
import { PAGES } from '../../../contract/pages.ts';
import { Checkbox } from '../../components/form/fields.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { Empty, Failed } from '../../components/list/list-states.tsx';
import { countText } from '../../format.ts';
import { isFromDocument } from '../../page-reads.ts';
import { DetailedRankings } from './detailed-rankings.tsx';
import { type RankedSchool, topSchools } from './rankings.ts';
import { RatingsChart } from './ratings-chart.tsx';

const PANES = 'grid gap-x-10 gap-y-6 lg:grid-cols-2';
// On phones as wide as the card, so that there is room for the names below the bars.
const CHART = '-mx-4 min-w-0 bg-night px-1 text-on-night sm:mx-0 sm:rounded-lg sm:px-2';

/** A refetch of the list that the document contains is shown as loading only when it takes longer than this. */
const LOADING_SHOWN_AFTER_MS = 300;

/** Whether the page says that it is loading: at every read (spec §4), except short refetches of the document's list. */
function useIsLoading(query: UseQueryResult): boolean {
  const { isFetching } = query;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = isFetching ? setTimeout(setLong, LOADING_SHOWN_AFTER_MS, true) : undefined;
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isFetching]);
  return isFetching && (isLong || !isFromDocument(query));
}

interface RankingPanelProps {
  category: Category;
  query: UseQueryResult<readonly Standing[] | Ranking>;
  /** Whether the ranking uses the weighted mean, which takes the number of reviews into account. */
  isWeighted: boolean;
  onWeigh: (weighs: boolean) => void;
  /** The buttons for the other categories, below the list. */
  controls: ReactNode;
}

/** The best schools of one category, as a chart and as a table. */
export function RankingPanel(props: RankingPanelProps) {
  const { category, query, isWeighted, onWeigh, controls } = props;
  const isLoading = useIsLoading(query);
  const answer = query.error ? undefined : query.data;
  const title = `Top ${LEADERBOARD_SHOWN} Schools - ${category.leaderboardLabel}`;
  const schools = topSchools(answer ?? []);

  function content(): ReactNode {
    if (schools.length > 0) {
      return (
        <div className={PANES}>
          <figure className={CHART}>
            <RatingsChart schools={schools} title={`${title}, as a bar chart`} />
          </figure>
          <DetailedRankings schools={schools} />
        </div>
      );
    }
    if (answer) return <Empty>Nobody has reviewed a school in this category yet.</Empty>;
    if (query.isFetching) return <RankingPlaceholder />;
    return <Failed query={query}>The rankings could not be loaded.</Failed>;
  }

  return (
    <section aria-labelledby="ranking-title" aria-busy={isLoading} className="grid gap-4 p-4 sm:p-6 sm:pb-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <div aria-live="polite">
          <h2 id="ranking-title" className="text-xl">
            {title}
          </h2>
          <p className="text-ink-soft">
            <span>Based on student reviews and ratings</span>
            <span className="max-sm:hidden"> · </span>
            <span className="whitespace-nowrap tabular-nums max-sm:block max-sm:min-h-lh">
              {isLoading ? 'Loading rankings...' : countText(schools.length, 'school')}
            </span>
          </p>
        </div>
        <Checkbox
          role="switch"
          label="Weigh by number of reviews"
          className="needs-script"
          checked={isWeighted}
          onChange={(event) => onWeigh(event.target.checked)}
        />
      </div>
      {/* Always as high as a chart and five rows: "Next" stays below the finger whatever is loading or found. */}
      <div className="min-h-222 sm:min-h-182 lg:min-h-89">{content()}</div>
      {controls}
      <Calculations schools={schools} isWeighted={isWeighted} />
    </section>
  );
}

/** The placeholder of a ranking that is loading: dark windows, and the lines of the list. */
function RankingPlaceholder() {
  return (
    <div aria-hidden="true" className={PANES}>
      <div className={CHART}>
        <RatingsChart schools={[]} title="" />
      </div>
      <div className="skeleton-rows mt-8 h-120 [--row:6rem] sm:h-80 sm:[--row:4rem]" />
    </div>
  );
}

/** The calculation of every row, so that readers can check it. */
function Calculations({ schools, isWeighted }: { schools: readonly RankedSchool[]; isWeighted: boolean }) {
  return (
    <details>
      <summary className="text-link inline-flex min-h-touch items-center text-sm">How is this worked out?</summary>
      <p className="max-w-prose">
        <span>
          {isWeighted
            ? 'The stars of all reviews are added up, together with ten reviews that give the mean of the category, and divided by how many they are: few reviews move a school less than many.'
            : 'The stars of all reviews are added up and divided by how many they are.'}
        </span>{' '}
        <TextLink to={`${PAGES.scores.path}#${isWeighted ? 'weighing' : 'average'}`}>How scores work</TextLink>
      </p>
      <ul className="mt-2 grid gap-1 pb-3 text-sm tabular-nums">
        {schools
          .filter(({ calculation }) => calculation !== undefined)
          .map(({ schoolId, schoolName, calculation }) => (
            <li key={schoolId ?? schoolName} className="wrap-anywhere">
              <bdi>{schoolName}</bdi>
              <span>{`: ${calculation}`}</span>
            </li>
          ))}
      </ul>
    </details>
  );
}
