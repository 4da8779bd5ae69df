import { useInfiniteQuery } from '@tanstack/react-query';
import { CATEGORIES } from '../../../contract/categories.ts';
import { getNewestReviews, type NewestReview } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { pagedQuery, queryClient } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { PagedRecordTable } from './paged-record-table.tsx';
import { RatingFigure } from './rating-figure.tsx';
import type { Column } from './scrolling-table.tsx';
import { whenText } from './when-text.ts';

const newestQuery = {
  ...pagedQuery(getNewestReviews),
  // Returning to the window would fetch every loaded page again.
  refetchOnWindowFocus: false,
};

export const loader = () => {
  void queryClient.prefetchInfiniteQuery(newestQuery);
};

const categoryOf = ({ category }: NewestReview) => CATEGORIES.find(({ kind }) => kind === category);
const accountOf = ({ isNewAccount }: NewestReview) => (isNewAccount ? 'New account' : '');
const textOf = (review: NewestReview) =>
  [review.entryName, categoryOf(review)?.label, review.schoolName, review.review, accountOf(review)].join(' ');

/** The entry's name, linked to the page where its reviews can be deleted. */
function EntryCell({ review }: { review: NewestReview }) {
  const category = categoryOf(review);
  return (
    <div className="grid gap-x-3 py-1">
      {category ? (
        <PageLink
          to={`${pageAddress(categoryPages(category).adminReviews, review.entryId)}#${review.id}`}
          className="text-link"
        >
          <bdi>{review.entryName}</bdi>
        </PageLink>
      ) : (
        <bdi>{review.entryName}</bdi>
      )}
      <span className="text-sm text-ink-soft">
        {category?.label} · <bdi>{review.schoolName}</bdi>
      </span>
    </div>
  );
}

const COLUMNS: Column<NewestReview>[] = [
  {
    head: 'When',
    width: 'w-40',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap tabular-nums">
        {whenText(createdAt)}
      </time>
    ),
  },
  {
    head: 'Entry',
    width: 'w-48',
    isRowHead: true,
    inNarrow: 'first line',
    cell: (review) => <EntryCell review={review} />,
  },
  { head: 'Rating', width: 'w-20', cell: ({ rating }) => <RatingFigure rating={rating} /> },
  { head: 'Account', width: 'w-32', cell: accountOf },
  {
    head: 'Review',
    inNarrow: 'first line',
    cell: ({ review }) => (
      <p dir="auto" className="max-w-prose py-1 whitespace-pre-line">
        {review}
      </p>
    ),
  },
];

/** The newest reviews of all entries: a flood of similar opinions shows here. */
export function Component() {
  const query = useInfiniteQuery(newestQuery);

  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={[{ label: PAGES.adminUsers.title, to: PAGES.adminUsers.path }]} />
        <PageHeading>{PAGES.adminNewest.title}</PageHeading>
      </div>
      <PagedRecordTable
        title="Reviews of all entries"
        nouns={['review', 'reviews']}
        query={query}
        empty="No reviews available."
        columns={COLUMNS}
        textOf={textOf}
      />
    </div>
  );
}
