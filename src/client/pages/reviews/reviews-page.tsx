import type { Category } from '../../../contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { Card } from '../../components/card.tsx';
import { CategoryBadge } from '../../components/category-icon.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageProblem } from '../../components/page-problem.tsx';
import { Stars } from '../../components/stars.tsx';
import { StatCard } from '../../components/stat-card.tsx';
import { useCategory, usePageId } from '../../page.ts';
import { OwnReviewPanel } from './own-review.tsx';
import { retryReads, useEntry, useFigures, useOwnReview } from './reading.ts';
import { ReviewForm } from './review-form.tsx';
import { ReviewList } from './review-list.tsx';

/** The reviews of one entry: one page for every category. */
export function Component() {
  const category = useCategory();
  const id = usePageId();
  const own = useOwnReview(category, id);
  const { name, nameRead } = useEntry(category);
  if (name === undefined && nameRead.error) {
    return <PageProblem error={nameRead.error} onRetry={retryReads} isRetrying={nameRead.isFetching} />;
  }
  return (
    <div className="category" style={{ '--hue': category.hue }}>
      <Hero category={category} />
      <div className="page grid gap-8 py-8">
        <Figures category={category} />
        <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="grid gap-4">
            <h2 className="text-xl">Reviews</h2>
            <ReviewList category={category} />
          </div>
          <Card className="no-print needs-script">
            <h2 className="mb-4 text-xl">{own ? 'Your review' : 'Write a Review'}</h2>
            {own ? (
              <OwnReviewPanel key={own.id} category={category} entryId={id} review={own} />
            ) : (
              <ReviewForm key={id} category={category} entryId={id} />
            )}
          </Card>
        </div>
      </div>
    </div>
  );
}

function Hero({ category }: { category: Category }) {
  const { name, details } = useEntry(category);
  const trail = details
    ? [
        { label: details.schoolName, to: pageAddress(PAGES.school, details.schoolId) },
        { label: category.label, to: pageAddress(categoryPages(category).list, details.schoolId) },
      ]
    : [];
  return (
    <div className="border-b border-category-line bg-category-soft">
      <div className="page flex gap-5 py-8">
        <CategoryBadge category={category} className="mt-12 bg-surface max-sm:hidden" />
        <div className="min-w-0">
          {/* Its place is kept while its names are on their way. */}
          <div className="min-h-touch">{details && <Breadcrumb trail={trail} />}</div>
          {/* Not before it says what it is about: the focus goes to it, and it is read out, once. */}
          {name === undefined ? (
            <div className="min-h-lh text-2xl" />
          ) : (
            <PageHeading title={`${name} reviews`} subtitle={details?.description}>
              Student {name} Reviews
            </PageHeading>
          )}
        </div>
      </div>
    </div>
  );
}

const countWords = (text: string) => text.trim().split(/\s+/).length;

function Figures({ category }: { category: Category }) {
  const { average, total } = useFigures(category);
  const { name } = useEntry(category);
  return (
    <dl className={`grid gap-4 sm:grid-cols-3 ${category.showsProgramAreas ? 'lg:grid-cols-4' : ''}`}>
      <StatCard label="Average Rating">
        <span className="flex flex-wrap items-center gap-x-3">
          {average === undefined ? '…' : average.toFixed(1)}
          {average !== undefined && <Stars value={average} />}
        </span>
      </StatCard>
      <StatCard label="Total Reviews">{total?.toLocaleString('en-US') ?? '…'}</StatCard>
      <StatCard label="Category">{name ?? '…'}</StatCard>
      {category.showsProgramAreas && <StatCard label="Program Areas">{name ? countWords(name) : '…'}</StatCard>}
    </dl>
  );
}
