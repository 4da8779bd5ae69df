import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { LEADERBOARD_SHOWN, type Ranking, type Standing } from '../../../contract/leaderboard.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { Checkbox } from '../../components/form/fields.tsx';
import { PageLink, TextLink } from '../../components/layout/page-link.tsx';
import { Empty, Failed } from '../../components/list/list-states.tsx';
import { BeingChecked } from '../../components/school/score.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { countText } from '../../format.ts';
import { isFromDocument } from '../../page.ts';
import { hasFewReviews, type RankedSchool, ratingText, reviewCountText, topSchools } from './rankings.ts';
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

/** Gold, grey and bronze for the first three, light grey for all others (spec §2). */
const BADGES = ['bg-gold', 'bg-silver', 'bg-bronze'];
const OTHER_BADGE = 'bg-no-medal';

const COLUMN_HEADS = ['Position', 'School', 'Rating'];

/**
 * The ranked list. It is a table because it also serves readers who cannot see the chart; its column heads are for
 * screen readers only.
 */
function DetailedRankings({ schools }: { schools: readonly RankedSchool[] }) {
  return (
    <div className="relative min-w-0">
      <h3 id="rankings-title" className="text-lg">
        Detailed Rankings
      </h3>
      <table aria-labelledby="rankings-title" className="w-full border-collapse text-left">
        <thead>
          <tr>
            {COLUMN_HEADS.map((head) => (
              <th key={head} scope="col" className="p-0 leading-0">
                <span className="sr-only">{head}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {schools.map((school, index) => (
            // Every row has the height that the longest name takes: nothing below moves when the category changes.
            <tr key={school.schoolId ?? school.schoolName} className="group relative h-24 sm:h-16">
              <td className="w-12 py-2">
                <span
                  className={`grid size-9 place-items-center rounded-full font-semibold text-on-medal tabular-nums ${BADGES[index] ?? OTHER_BADGE}`}
                >
                  {index + 1}
                </span>
              </td>
              <th scope="row" className="py-2 font-normal">
                <RankedName schoolId={school.schoolId}>{school.schoolName}</RankedName>
                <span className="flex gap-x-3 leading-snug max-sm:flex-col sm:items-center">
                  {/* Whole stars only, rounded down (spec §9). The figure at the right is exact. */}
                  <Stars value={school.rating} filledStars={Math.floor(school.rating)} className="h-4 w-20" />
                  <span className="flex gap-x-2">
                    <span className="lines-1 text-sm text-ink-soft tabular-nums">{reviewCountText(school)}</span>
                    {school.isBeingChecked && <BeingChecked className="relative z-10" />}
                  </span>
                </span>
              </th>
              <td
                className={`py-2 pl-4 text-right font-serif text-lg font-semibold tabular-nums ${hasFewReviews(school) ? 'text-ink-soft' : ''}`}
              >
                {ratingText(school.rating)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The name of a school, which makes its whole row a link to the school. */
function RankedName({ schoolId, children }: { schoolId: number | undefined; children: string }) {
  const style = 'lines-2 sm:lines-1 min-h-6 leading-snug font-semibold wrap-anywhere';
  return schoolId === undefined ? (
    <span dir="auto" title={children} className={style}>
      {children}
    </span>
  ) : (
    <PageLink
      to={pageAddress(PAGES.school, schoolId)}
      state={{ name: children }}
      dir="auto"
      title={children}
      className={`${style} group-hover:underline after:absolute after:inset-0`}
    >
      {children}
    </PageLink>
  );
}
