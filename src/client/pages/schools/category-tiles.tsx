import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import type { SchoolSummary } from '../../../contract/comparison.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import type { Voice as Quoted } from '../../../contract/voices.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { BeingChecked, Score } from '../../components/school/score.tsx';
import { Voice } from '../../components/school/voice.tsx';

interface CategoryTilesProps {
  schoolId: number;
  /** Undefined when it could not be loaded. */
  summary: SchoolSummary | undefined;
  voices: readonly Quoted[];
}

/** The categories as windows: large and lit where there are reviews, with what somebody says. */
export function CategoryTiles({ schoolId, summary, voices }: CategoryTilesProps) {
  return (
    <ul className="tiles">
      {CATEGORIES.map((category, index) => (
        <Tile
          key={category.kind}
          category={category}
          schoolId={schoolId}
          figures={summary?.categories[index]}
          voice={voices.find((voice) => voice.category === category.kind)}
        />
      ))}
    </ul>
  );
}

interface TileProps {
  category: Category;
  schoolId: number;
  figures: SchoolSummary['categories'][number] | undefined;
  voice: Quoted | undefined;
}

function Tile({ category, schoolId, figures, voice }: TileProps) {
  const isLit = figures !== undefined && figures.totalReviews > 0;
  return (
    <li className={isLit ? 'tile tile-lit' : 'tile bg-night text-on-night'} data-category={category.kind}>
      <PageLink to={pageAddress(categoryPages(category).list, schoolId)} className="tile-link">
        <CategoryIcon category={category} className={isLit ? 'size-8 text-category' : 'size-8'} />
        <span className="grid min-w-0 justify-items-center">
          <span className="font-serif leading-snug font-semibold">{category.label}</span>
          {figures && <Score {...figures} />}
        </span>
      </PageLink>
      {figures?.isBeingChecked && <BeingChecked className="mt-1" />}
      {voice && <Voice voice={voice} about={voice.entryName} className="mt-2" />}
    </li>
  );
}
