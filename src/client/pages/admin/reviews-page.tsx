import { type InfiniteData, useQuery } from '@tanstack/react-query';
import { entryCalls, entryName } from '../../../contract/entries.ts';
import { moderateReview } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { ANONYMOUS, type Review, reviewCalls } from '../../../contract/reviews.ts';
import { callQuery, request } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { notify } from '../../notices.ts';
import { useCategory, usePageId } from '../../page.ts';
import { usePagedRead, usePageRead, usePageReadKey } from '../../page-reads.ts';
import { changeHeldList, expireAnswers } from './held-lists.ts';
import { PagedRecordTable } from './paged-record-table.tsx';
import { RatingFigure } from './rating-figure.tsx';
import { RowButton } from './row-button.tsx';
import type { Column } from './scrolling-table.tsx';
import { SCHOOLS_TRAIL } from './trails.ts';
import { useRowAction } from './use-row-action.ts';

interface Pages extends InfiniteData<{ rows: Review[] }, object> {}

const withoutReview =
  (reviewId: number) =>
  (held: Pages): Pages => ({
    ...held,
    pages: held.pages.map((page) => ({ ...page, rows: page.rows.filter(({ id }) => id !== reviewId) })),
  });

const textOf = ({ id, review, rating, username }: Review) => `${id} ${review} ${rating} ${username ?? ANONYMOUS}`;

export function Component() {
  const category = useCategory();
  const { data: entry } = usePageRead(entryCalls(category).details);
  const { list } = reviewCalls(category);
  // Returning to the window would fetch every loaded page again.
  const query = usePagedRead(list, { refetchOnWindowFocus: false });
  const listKey = usePageReadKey(list, true);
  const total = useQuery(callQuery(reviewCalls(category).totalReviews, { params: { id: usePageId() } }));

  const remove = useRowAction<Review>('The review was not deleted.', async (review) => {
    await request(reviewCalls(category).remove, { params: { id: review.id } });
    await changeHeldList(listKey, withoutReview(review.id));
    notify.success('The review was deleted.', { label: 'Undo', run: () => restore.run(review) });
    await total.refetch();
  });

  const restore = useRowAction<Review>('The review was not restored.', async ({ id: reviewId }) => {
    await request(moderateReview, { params: { reviewId }, body: { action: 'restore' } });
    await expireAnswers();
    await Promise.all([query.refetch(), total.refetch()]);
    notify.success('The review is back.');
  });

  const columns: Column<Review>[] = [
    {
      head: 'ID',
      width: 'w-20',
      cell: (review) => <span className="text-ink-soft tabular-nums">{review.id}</span>,
    },
    {
      head: 'Review',
      inNarrow: 'first line',
      cell: ({ review }, nameId) => (
        <p id={nameId} dir="auto" className="max-w-prose py-1 whitespace-pre-line">
          {review}
        </p>
      ),
    },
    { head: 'Rating', width: 'w-20', cell: ({ rating }) => <RatingFigure rating={rating} /> },
    {
      head: 'Date',
      width: 'w-28',
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} className="tabular-nums">
          {new Date(createdAt).toLocaleDateString()}
        </time>
      ),
    },
    {
      head: 'Delete',
      width: 'w-24',
      inNarrow: 'end',
      cell: (review, nameId) => (
        <RowButton
          variant="danger"
          className="-mx-3"
          nameId={nameId}
          isBusy={remove.isBusy(review)}
          onClick={() => remove.run(review)}
        >
          Delete
        </RowButton>
      ),
    },
  ];

  const name = entry && entryName(category, entry);
  const trail = entry
    ? [
        ...SCHOOLS_TRAIL,
        { label: entry.schoolName, to: pageAddress(PAGES.adminChooser, entry.schoolId) },
        { label: category.label, to: pageAddress(categoryPages(category).adminEntries, entry.schoolId) },
      ]
    : SCHOOLS_TRAIL;
  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={trail} />
        <PageHeading title={name && `${name}: ${category.label} reviews`}>
          {name ?? `${category.label} reviews`}
        </PageHeading>
      </div>
      <PagedRecordTable
        title="Reviews"
        nouns={['review', 'reviews']}
        query={query}
        empty="No reviews available."
        columns={columns}
        textOf={textOf}
        total={total.data?.totalReviews}
      />
    </div>
  );
}
