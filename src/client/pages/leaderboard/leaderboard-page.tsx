import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { leaderboardCall } from '../../../contract/leaderboard.ts';
import { chosenCategory } from '../../../contract/page-reads.ts';
import { PageHeading } from '../../components/page-heading.tsx';
import { usePageQuery, usePageRead } from '../../page-reads.ts';
import { CategoryControls, CategoryTiles } from './category-choice.tsx';
import { RankingPanel } from './ranking-panel.tsx';

const READING = {
  // Choosing a category asks anew (spec §4), but not twice for what the loader has just brought.
  staleTime: 2_000,
  refetchOnWindowFocus: false,
  // A failure ends the loading at once and shows an empty list (spec §8); Retry stands beside it.
  retry: false,
};

/** The item at an index of the registry, counted around its ends. */
function categoryAt(index: number): Category {
  const category = CATEGORIES.at(index % CATEGORIES.length);
  if (!category) throw new Error('The registry of categories is empty.');
  return category;
}

export function Component() {
  const [, setSearch] = useSearchParams();
  const category = chosenCategory(usePageQuery());
  const index = CATEGORIES.indexOf(category);
  const query = usePageRead(leaderboardCall(category), READING);
  const choose = (chosen: Category) => setSearch({ category: chosen.kind }, { replace: true });
  const { error, data } = query;

  useEffect(() => {
    if (error) console.warn(`The rankings for ${category.leaderboardLabel} could not be loaded.`, error);
  }, [error, category]);

  return (
    <div className="page grid gap-6 py-10">
      <PageHeading subtitle="Compare schools across different categories and see which universities rank highest in student reviews">
        University Leaderboard
      </PageHeading>
      <CategoryTiles selected={category} onSelect={choose} />
      <div className="card category overflow-hidden" style={{ '--hue': category.hue }}>
        <CategoryControls selected={category} onSelect={choose} onStep={(step) => choose(categoryAt(index + step))} />
        <RankingPanel
          category={category}
          standings={error ? undefined : data}
          isFetching={query.isFetching}
          error={error}
          onRetry={() => void query.refetch()}
        />
      </div>
    </div>
  );
}
