import { findCategory } from '../../../contract/categories.ts';
import { getNewestReviews, type NewestReview } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { TextLink } from '../../components/layout/page-link.tsx';
import { usePagedRead } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { HideButton } from '../../shared/moderation/hide-button.tsx';
import { RecordTable, ratingColumn, textColumn, whenColumn } from './record-table.tsx';
import type { Column } from './scrolling-table.tsx';

const accountText = ({ isNewAccount }: NewestReview) => (isNewAccount ? 'New account' : '');
const textOf = (review: NewestReview) =>
  [review.entryName, findCategory(review.category)?.label, review.schoolName, review.review, accountText(review)].join(
    ' ',
  );

/** The entry's name, linked to the page where its reviews can be deleted. */
function EntryCell({ review }: { review: NewestReview }) {
  const category = findCategory(review.category);
  return (
    <div className="grid gap-x-3 py-1">
      {category ? (
        <TextLink
          to={`${pageAddress(categoryPages(category).adminReviews, review.entryId)}#${review.id}`}
          className="min-h-6"
        >
          <bdi>{review.entryName}</bdi>
        </TextLink>
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
  whenColumn(({ createdAt }) => createdAt),
  {
    head: 'Entry',
    width: 'w-48',
    isRowHead: true,
    inNarrow: 'first line',
    cell: (review) => <EntryCell review={review} />,
  },
  ratingColumn,
  { head: 'Account', width: 'w-32', cell: accountText },
  textColumn('Review', ({ review }) => review),
  {
    head: 'Hide',
    width: 'w-24',
    inNarrow: 'end',
    cell: ({ id }, nameId) => (
      <HideButton
        reviewId={id}
        describedBy={nameId}
        className="-mx-3 inline-flex min-h-touch min-w-touch items-center rounded-sm px-3 font-semibold text-danger hover:bg-danger-soft"
      />
    ),
  },
];

/** The newest reviews of all entries: a flood of similar opinions shows here. */
export function Component() {
  return (
    <AdminPage heading={PAGES.adminNewest.title}>
      <RecordTable
        title="Reviews of all entries"
        nouns={['review', 'reviews']}
        // Returning to the window would fetch every loaded page again.
        query={usePagedRead(getNewestReviews, {}, { refetchOnWindowFocus: false })}
        empty="No reviews available."
        columns={COLUMNS}
        textOf={textOf}
      />
    </AdminPage>
  );
}
