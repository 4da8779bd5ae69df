import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import type { Comparison, SchoolSummary } from '../../../contract/comparison.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { RATING_MAX } from '../../../contract/stars.ts';
import { DRAWINGS, Drawing } from '../../components/layout/drawing.tsx';
import { PageLink } from '../../components/layout/page-link.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { CoverageWindows } from '../../components/school/windows.tsx';
import { countText } from '../../format.ts';

type Verdict = Comparison['verdicts'][number];
type Figures = SchoolSummary['categories'][number];

const WORDS = {
  close: 'too close to call',
  few: 'too few reviews to say',
} as const;

function verdictText({ verdict, leader }: Verdict, schools: readonly SchoolSummary[], isRated: boolean): string {
  if (verdict === 'lead') return `${schools.find(({ id }) => id === leader)?.schoolName} leads`;
  if (verdict === 'none') return isRated ? WORDS.few : 'Not yet rated';
  return WORDS[verdict];
}

interface ComparisonTableProps {
  comparison: Comparison;
  onRemove: (id: number) => void;
}

/** Schools are columns, categories are rows. On narrow screens the same table shows a block for each category. */
export function ComparisonTable({ comparison: { schools, verdicts }, onRemove }: ComparisonTableProps) {
  return (
    <table aria-label="Schools compared" className="w-full border-collapse text-left max-md:block md:table-fixed">
      <thead className="max-md:block md:sticky md:top-14 md:z-10 md:bg-paper">
        <tr className="max-md:block md:border-b md:border-line-strong">
          <th scope="col" className="max-md:sr-only md:w-44">
            <span className="sr-only">Category</span>
          </th>
          {schools.map((school) => (
            <th
              key={school.id}
              scope="col"
              className="font-normal max-md:block max-md:border-b max-md:border-line max-md:py-2 md:px-3 md:pb-3 md:align-bottom"
            >
              <ChosenSchool school={school} onRemove={() => onRemove(school.id)} />
            </th>
          ))}
          <th scope="col" className="max-md:sr-only md:w-48 md:pl-4 md:align-bottom md:pb-3">
            Who leads
            <PageLink to={`${PAGES.scores.path}#leading`} className="text-link ml-2 text-sm font-normal">
              How?
            </PageLink>
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {CATEGORIES.map((category, index) => (
          <tr
            key={category.kind}
            className="border-b border-line max-md:block max-md:py-4"
            data-category={category.kind}
          >
            <th scope="row" className="py-3 font-serif font-semibold max-md:block max-md:py-0">
              <span className="flex items-center gap-3">
                <CategoryIcon category={category} className="size-7 text-category" />
                {category.label}
              </span>
            </th>
            {schools.map((school) => (
              <Cell
                key={school.id}
                school={school}
                category={category}
                figures={school.categories[index]}
                leads={verdicts[index]?.leader === school.id}
              />
            ))}
            {verdicts[index] && (
              <td className="max-md:block max-md:pt-1 md:py-3 md:pl-4">
                <span
                  dir="auto"
                  className={`block wrap-anywhere first-letter:uppercase ${verdicts[index].verdict === 'lead' ? 'font-semibold' : 'text-ink-soft'}`}
                >
                  {verdictText(
                    verdicts[index],
                    schools,
                    schools.some(({ categories }) => (categories[index]?.totalReviews ?? 0) > 0),
                  )}
                </span>
              </td>
            )}
          </tr>
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
        dir="auto"
        className="font-serif leading-snug font-semibold wrap-anywhere hover:underline max-md:text-lg md:col-span-2"
      >
        {schoolName}
      </PageLink>
      <span className="grid gap-0.5 max-md:row-start-2">
        <bdi className="text-sm wrap-anywhere text-ink-soft">{location.split(',').at(-1)?.trim()}</bdi>
        <CoverageWindows categories={categories} className="mt-1 h-2.5 text-accent" />
      </span>
      <button
        type="button"
        aria-label={`Remove ${schoolName}`}
        className="no-print grid size-11 place-items-center max-md:row-span-2 max-md:row-start-1 rounded-sm text-ink-soft hover:bg-sunken"
        onClick={onRemove}
      >
        <Drawing d={DRAWINGS.cross} className="size-5" />
      </button>
    </span>
  );
}

interface CellProps {
  school: SchoolSummary;
  category: Category;
  figures: Figures | undefined;
  leads: boolean;
}

/** A mean, the number of its reviews and a bar from 0 to 5. The leader has bold type, and the verdict names it. */
function Cell({ school: { id, schoolName }, category, figures, leads }: CellProps) {
  const { averageRating = null, totalReviews = 0 } = figures ?? {};
  return (
    <td className="max-md:block max-md:py-1 md:px-3 md:py-3">
      <span className="flex items-baseline justify-between gap-3">
        {/* On narrow screens the column head is too far away. */}
        <span dir="auto" className="min-w-0 wrap-anywhere md:hidden">
          {schoolName}
        </span>
        {averageRating === null ? (
          <span className="text-sm whitespace-nowrap text-ink-soft">Not yet rated</span>
        ) : (
          <PageLink
            to={pageAddress(categoryPages(category).list, id)}
            className="whitespace-nowrap tabular-nums hover:underline"
          >
            <span className={`font-serif text-lg ${leads ? 'font-semibold' : ''}`}>{averageRating.toFixed(1)}</span>
            <span className="text-sm text-ink-soft">
              {' · '}
              {countText(totalReviews, 'review')}
            </span>
          </PageLink>
        )}
      </span>
      {averageRating !== null && (
        <svg aria-hidden="true" width="100%" height="4" className="mt-1 block rounded-sm bg-sunken">
          <rect width={`${(averageRating / RATING_MAX) * 100}%`} height="4" className="fill-category" />
        </svg>
      )}
    </td>
  );
}
