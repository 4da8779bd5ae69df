import { useSearchParams } from 'react-router';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { chosenCategory, leaderboardCallOf } from '../../../contract/page-reads.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { usePageQuery, usePageRead } from '../../page-reads.ts';
import { CategoryControls, CategoryTiles } from './category-choice.tsx';
import { RankingPanel } from './ranking-panel.tsx';

const READ_OPTIONS = {
  // Choosing a category reads it again (spec §4), but not when the loader has just done so.
  staleTime: 2_000,
  refetchOnWindowFocus: false,
  // The loader has asked already: after a failure only Retry and another choice ask again.
  enabled: ({ state }: { state: { status: string } }) => state.status !== 'error',
};

export function Component() {
  const [, setSearch] = useSearchParams();
  const address = usePageQuery();
  const category = chosenCategory(address);
  const isWeighted = address.order === 'weighted';
  const index = CATEGORIES.indexOf(category);
  const query = usePageRead(leaderboardCallOf(address), READ_OPTIONS);
  const open = (chosen: Category, weighs: boolean) =>
    setSearch({ category: chosen.kind, ...(weighs && { order: 'weighted' }) }, { replace: true });
  const choose = (chosen: Category) => open(chosen, isWeighted);

  return (
    <div className="page grid gap-5 pt-8 pb-16 sm:pt-10">
      <PageHeading subtitle="Compare schools across different categories and see which universities rank highest in student reviews">
        University Leaderboard
      </PageHeading>
      <CategoryTiles selected={category} onSelect={choose} />
      <div className="card min-w-0 overflow-hidden" data-category={category.kind}>
        <RankingPanel
          category={category}
          query={query}
          isWeighted={isWeighted}
          onWeigh={(weighs) => open(category, weighs)}
          controls={
            <CategoryControls
              selected={category}
              onSelect={choose}
              // Beyond one end it goes on at the other.
              onStep={(step) => choose(CATEGORIES.at((index + step) % CATEGORIES.length) ?? category)}
            />
          }
        />
      </div>
    </div>
  );
}
