import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import type { Comparison, SchoolSummary } from '../../../contract/comparison.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { MANY_REVIEWS } from '../../../contract/scores.ts';
import { DRAWINGS, Drawing } from '../../components/layout/drawing.tsx';
import { PageLink, StandaloneLink } from '../../components/layout/page-link.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { BeingChecked } from '../../components/school/score.tsx';
import { CoverageWindows, MeanWindow } from '../../components/school/windows.tsx';
import { countText } from '../../format.ts';

type Verdict = Comparison['verdicts'][number];
type Figures = SchoolSummary['categories'][number];

/** What a lead is. */
export const LEADING_ADDRESS = `${PAGES.scores.path}#leading`;

const VERDICT_TEXTS = {
  close: 'too close to call',
  few: 'too few reviews to say',
  none: 'too few reviews to say',
} as const;

function VerdictText({
  verdict: { verdict, leader },
  schools,
}: {
  verdict: Verdict;
  schools: readonly SchoolSummary[];
}) {
  if (verdict !== 'lead') return <span>{VERDICT_TEXTS[verdict]}</span>;
  return (
    <>
      <bdi>{schools.find(({ id }) => id === leader)?.schoolName}</bdi>
      <span> leads</span>
    </>
  );
}

interface ComparisonTableProps {
  comparison: Comparison;
  onRemove: (id: number) => void;
}

/**
 * Schools are columns, categories are rows, and each row begins with its verdict. Where four columns have no room, on
 * narrow screens and on paper, the same table shows a block for each category.
 */
export function ComparisonTable({ comparison: { schools, verdicts }, onRemove }: ComparisonTableProps) {
  return (
    <table
      aria-label="Schools compared"
      className="w-full border-collapse text-left max-lg:block max-lg:max-w-160 lg:table-fixed"
    >
      <thead className="max-lg:block lg:sticky lg:top-14 lg:z-10 lg:bg-paper">
        <tr className="max-lg:block lg:border-b lg:border-line-strong">
          <th scope="col" className="max-lg:sr-only lg:w-40">
            <span className="sr-only">Category</span>
          </th>
          <th scope="col" className="max-lg:sr-only lg:w-44 lg:pr-4 lg:align-bottom">
            Who leads
            {/* A link that nobody sees must not take the focus. */}
            <StandaloneLink to={LEADING_ADDRESS} className="ml-2 text-sm font-normal max-lg:hidden">
              How?
            </StandaloneLink>
          </th>
          {schools.map((school) => (
            <th
              key={school.id}
              scope="col"
              className="font-normal max-lg:block max-lg:border-b max-lg:border-line max-lg:py-2 lg:px-3 lg:pb-3 lg:align-bottom"
            >
              <ChosenSchool school={school} onRemove={() => onRemove(school.id)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">
        {CATEGORIES.map((category, index) => (
          <CategoryRow
            key={category.kind}
            category={category}
            schools={schools}
            figures={schools.map(({ categories }) => categories[index])}
            verdict={verdicts[index]}
          />
        ))}
      </tbody>
    </table>
  );
}

/** A school of a comparison, with a button that removes it. */
export function ChosenSchool({ school, onRemove }: { school: SchoolSummary; onRemove: () => void }) {
  const { id, schoolName, location, categories } = school;
  return (
    // In columns, a name has the full width of its cell: in less, words would break.
    <span className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 gap-y-0.5">
      <PageLink
        to={pageAddress(PAGES.school, id)}
        state={{ name: schoolName }}
        dir="auto"
        title={schoolName}
        className="lines-3 font-serif leading-snug font-semibold wrap-anywhere hover:underline max-lg:text-lg lg:col-span-2"
      >
        {schoolName}
      </PageLink>
      <span className="grid gap-0.5 max-lg:row-start-2">
        <bdi className="text-sm wrap-anywhere text-ink-soft">{location.split(',').at(-1)?.trim()}</bdi>
        <CoverageWindows categories={categories} isSmall className="mt-1 h-3 text-accent" />
      </span>
      <button
        type="button"
        aria-label={`Remove ${schoolName}`}
        className="no-print grid size-11 place-items-center max-lg:row-span-2 max-lg:row-start-1 rounded-sm text-ink-soft hover:bg-sunken"
        onClick={onRemove}
      >
        <Drawing d={DRAWINGS.cross} className="size-5" />
      </button>
    </span>
  );
}

interface CategoryRowProps {
  category: Category;
  schools: readonly SchoolSummary[];
  /** In the order of the schools. */
  figures: readonly (Figures | undefined)[];
  verdict: Verdict | undefined;
}

/** One category: its verdict in words, then the figures. */
function CategoryRow({ category, schools, figures, verdict }: CategoryRowProps) {
  const isRated = figures.some((one) => one !== undefined && one.averageRating !== null);
  // The figures are faint where they prove nothing.
  const isProven = verdict?.verdict === 'lead' || verdict?.verdict === 'close';
  return (
    <tr className="border-b border-line max-lg:block max-lg:py-4" data-category={category.kind}>
      <th scope="row" className="py-3 font-serif font-semibold max-lg:block max-lg:py-0">
        <span className="flex items-center gap-3">
          <CategoryIcon category={category} className="size-7 text-category" />
          {category.label}
        </span>
      </th>
      <td colSpan={isRated ? 1 : schools.length + 1} className="max-lg:block max-lg:py-1 lg:py-3 lg:pr-4">
        <span
          className={`block wrap-anywhere first-letter:uppercase ${verdict?.verdict === 'lead' ? 'font-semibold' : 'text-ink-soft'}`}
        >
          {isRated ? verdict && <VerdictText verdict={verdict} schools={schools} /> : <span>Not yet rated</span>}
        </span>
      </td>
      {isRated &&
        schools.map((school, index) => (
          <SchoolCell
            key={school.id}
            school={school}
            category={category}
            figures={figures[index]}
            isProven={isProven}
            leads={verdict?.leader === school.id}
          />
        ))}
    </tr>
  );
}

interface SchoolCellProps {
  school: SchoolSummary;
  category: Category;
  figures: Figures | undefined;
  isProven: boolean;
  leads: boolean;
}

/** A window lit up to the mean, the mean, and the number of its reviews. The leader has bold type. */
function SchoolCell({ school: { id, schoolName }, category, figures, isProven, leads }: SchoolCellProps) {
  const { averageRating = null, totalReviews = 0, isBeingChecked = false } = figures ?? {};
  const isFaint = !isProven || totalReviews < MANY_REVIEWS;
  return (
    <td className="max-lg:block max-lg:py-1 lg:px-3 lg:py-3">
      <span className="flex items-center justify-between gap-3">
        {/* On narrow screens the column head is too far away. */}
        <span dir="auto" className="lines-2 min-w-0 wrap-anywhere lg:hidden">
          {schoolName}
        </span>
        {averageRating === null ? (
          <span className="text-sm whitespace-nowrap text-ink-soft">Not yet rated</span>
        ) : (
          <span className="flex flex-wrap items-center gap-x-2 max-lg:justify-end">
            <PageLink
              to={pageAddress(categoryPages(category).list, id)}
              className="inline-flex min-h-touch items-center gap-2 tabular-nums max-lg:whitespace-nowrap hover:underline"
            >
              <MeanWindow mean={averageRating} isFaint={isFaint} className="h-8 text-accent" />
              <span>
                <span
                  className={`font-serif text-lg ${leads ? 'font-semibold' : ''} ${isFaint ? 'text-ink-soft' : ''}`}
                >
                  {averageRating.toFixed(1)}
                </span>
                <span className="text-sm text-ink-soft">
                  <span>{' · '}</span>
                  <span className="whitespace-nowrap">{countText(totalReviews, 'review')}</span>
                </span>
              </span>
            </PageLink>
            {isBeingChecked && <BeingChecked />}
          </span>
        )}
      </span>
    </td>
  );
}
