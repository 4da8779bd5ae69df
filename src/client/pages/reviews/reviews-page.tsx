import type { ReactNode } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { reviewCalls } from '../../../contract/reviews.ts';
import { PageProblem } from '../../components/feedback/page-problem.tsx';
import { Breadcrumb, stepsTo } from '../../components/layout/breadcrumb.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { ManageLink } from '../../components/layout/page-link.tsx';
import { Loading } from '../../components/list/list-states.tsx';
import { LongText } from '../../components/school/long-text.tsx';
import { BeingChecked } from '../../components/school/score.tsx';
import { Share } from '../../components/school/share.tsx';
import { FilledStar } from '../../components/school/stars.tsx';
import { NO_DESCRIPTION, numberText } from '../../format.ts';
import { useCategory, useDeclaredRead, usePageId } from '../../page.ts';
import { retryReads, useEntry, useIsEntryPending, useReviews, useSummary } from '../../shared/reviews/reading.ts';
import { Siblings } from './entry-rows.tsx';
import { PrintLine } from './print-line.tsx';
import { ReadingAndWriting } from './reading-and-writing.tsx';

/** The reviews of one entry: one page for every category. */
export function Component() {
  const category = useCategory();
  const { name, nameRead } = useEntry(category);
  const reviews = useReviews(category);
  const isPending = useIsEntryPending(category);
  if (nameRead.error && reviews.error) {
    return <PageProblem query={{ ...nameRead, refetch: retryReads }} />;
  }
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-3 pt-1 pb-12 sm:gap-5" data-category={category.kind}>
      <Head category={category} isPending={isPending} />
      {isPending ? (
        <Loading>Loading reviews...</Loading>
      ) : (
        <>
          <Figures category={category} />
          <ReadingAndWriting category={category} />
          <Siblings category={category} />
          <Share kind="entry" name={name} />
          <PrintLine />
        </>
      )}
    </div>
  );
}

function Head({ category, isPending }: { category: Category; isPending: boolean }) {
  const { name, details } = useEntry(category);
  return (
    <div className="min-w-0">
      {/* Space is reserved while the names for the breadcrumb are loading. */}
      <div className="flex min-h-touch items-start gap-4">
        {details && <Breadcrumb trail={stepsTo(category, details)} />}
        <ManageLink to={pageAddress(categoryPages(category).adminReviews, usePageId())} />
      </div>
      {/* Rendered only with its text: it takes the focus, and screen readers read it once. */}
      {name === undefined ? (
        <div className="min-h-lh text-2xl max-sm:text-xl" />
      ) : (
        <PageHeading title={`${name} reviews${details ? ` · ${details.schoolName}` : ''}`} className="max-sm:*:text-xl">
          <HeadingAside>Student</HeadingAside> <bdi>{name}</bdi> <HeadingAside>Reviews</HeadingAside>
        </PageHeading>
      )}
      {details && !isPending && (
        <div className="mt-1 text-ink-soft max-sm:text-sm">
          <LongText lines="lines-2">{details.description || NO_DESCRIPTION}</LongText>
        </div>
      )}
    </div>
  );
}

/** Smaller words beside the name in the heading. */
function HeadingAside({ children }: { children: string }) {
  return <span className="text-[0.62em] font-normal text-ink-soft">{children}</span>;
}

const countWords = (text: string) => text.trim().split(/\s+/).length;

function Figures({ category }: { category: Category }) {
  const { averageRating, totalReviews } = reviewCalls(category);
  const average = useDeclaredRead(averageRating).data?.averageRating;
  const total = useDeclaredRead(totalReviews).data?.totalReviews;
  const { name } = useEntry(category);
  const isBeingChecked = useSummary()?.isBeingChecked;
  return (
    // Side by side, between two thin lines.
    <dl className="flex gap-x-4 gap-y-2 border-y border-line py-2 sm:gap-x-12 max-[22rem]:flex-wrap sm:py-2.5">
      <Stat label="Average Rating">
        {average !== undefined && (
          <>
            <Mean value={average} />
            {isBeingChecked && <BeingChecked className="ml-2 font-sans font-normal" />}
          </>
        )}
      </Stat>
      <Stat label="Total Reviews">{total !== undefined && numberText(total)}</Stat>
      <Stat label="Category" isText>
        {name && <bdi>{name}</bdi>}
      </Stat>
      {category.showsProgramAreas && <Stat label="Program Areas">{name && countWords(name)}</Stat>}
    </dl>
  );
}

/** The mean is 0 when there are no reviews (spec §2). A text says so, because 0 looks like the worst rating. */
function Mean({ value }: { value: number | string | null }) {
  // Other servers answer null, which is what SQL makes of a mean of nothing, or a decimal as a text.
  if (!value) {
    return (
      <span className="block text-base leading-6 font-normal">
        0.0 <span className="font-sans text-sm text-ink-soft">Not yet rated</span>
      </span>
    );
  }
  return (
    <>
      <FilledStar className="mr-1 size-5 align-[-0.125em]" />
      <span>{Number(value).toFixed(1)}</span>
    </>
  );
}

interface StatProps {
  label: string;
  /** The value; false or undefined when it could not be loaded. */
  children: ReactNode;
  /** The value is a name and not a number: it takes the remaining width and at most two lines. */
  isText?: boolean;
}

function Stat({ label, children, isText = false }: StatProps) {
  const style = isText
    ? 'lines-2 text-[0.9375rem] pt-1 leading-4.75 wrap-anywhere'
    : 'font-serif text-xl leading-6 font-semibold';
  return (
    <div className={isText ? 'min-w-0 basis-auto max-sm:grow max-sm:basis-24' : ''}>
      <dt className="text-xs leading-4 text-ink-soft">{label}</dt>
      <dd className={`tabular-nums ${style}`}>{children || 'Not loaded'}</dd>
    </div>
  );
}
