import type { InfiniteData } from '@tanstack/react-query';
import type { Category } from '../../../contract/categories.ts';
import { entryCalls, entryName } from '../../../contract/entries.ts';
import { moderateReview } from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { ANONYMOUS, type Review, reviewCalls } from '../../../contract/reviews.ts';
import { request } from '../../api.ts';
import { notify } from '../../notices.ts';
import { useCategory, useDeclaredKey, useDeclaredPagedRead, useDeclaredRead, usePageId, useRead } from '../../page.ts';
import { AdminPage } from '../../shared/admin/admin-page.tsx';
import { updateCachedList, useRowAction } from '../../shared/admin/row-actions.tsx';
import { tableDate } from '../../shared/admin/table-dates.ts';
import { useOwnReview } from '../../shared/reviews/reading.ts';
import { deleteColumn, idColumn, RecordTable, ratingColumn, textColumn } from './record-table.tsx';
import type { Column } from './scrolling-table.tsx';

interface Pages extends InfiniteData<{ rows: Review[] }, object> {}

const withoutReview =
  (reviewId: number) =>
  (cached: Pages): Pages => ({
    ...cached,
    pages: cached.pages.map((page) => ({ ...page, rows: page.rows.filter(({ id }) => id !== reviewId) })),
  });

const textOf = ({ id, review, rating, username }: Review) => `${id} ${review} ${rating} ${username ?? ANONYMOUS}`;

export function Component() {
  const category = useCategory();
  const calls = reviewCalls(category);
  const { data: entry } = useDeclaredRead(entryCalls(category).details);
  // Returning to the window would fetch every loaded page again.
  const query = useDeclaredPagedRead(calls.list, { refetchOnWindowFocus: false });
  const listKey = useDeclaredKey(calls.list, true);
  const own = useOwnReview(category, usePageId());
  const total = useRead(calls.totalReviews, { params: { id: usePageId() } });

  const remove = useRowAction<Review>('The review was not deleted.', async (review) => {
    await request(calls.remove, { params: { id: review.id } });
    await updateCachedList(listKey, withoutReview(review.id));
    // An admin withdraws their own review, which cannot be undone, and hides those of others.
    if (review.id === own?.id) notify.success('Your review was deleted.');
    else
      notify.success('The review is hidden from readers.', `review ${review.id}`, {
        label: 'Undo',
        run: () => restore.run(review),
      });
    await total.refetch();
  });

  const restore = useRowAction<Review>('The review was not restored.', async ({ id: reviewId }) => {
    await request(moderateReview, { params: { reviewId }, body: { action: 'restore' } });
    await Promise.all([query.refetch(), total.refetch()]);
    notify.success('The review is back.', `review ${reviewId}`);
  });

  const fallback = `${category.label} reviews`;
  const name = entry && entryName(category, entry);
  return (
    <AdminPage
      heading={name ?? fallback}
      title={name && `${name}: ${fallback}`}
      inSchools={entry ? trailOf(category, entry) : []}
    >
      <RecordTable
        title="Reviews"
        nouns={['review', 'reviews']}
        query={query}
        empty="No reviews available."
        columns={[...COLUMNS, deleteColumn(remove)]}
        textOf={textOf}
        total={total.data?.totalReviews}
      />
    </AdminPage>
  );
}

const trailOf = (category: Category, { schoolId, schoolName }: { schoolId: number; schoolName: string }) => [
  { label: schoolName, to: pageAddress(PAGES.adminChooser, schoolId) },
  { label: category.label, to: pageAddress(categoryPages(category).adminEntries, schoolId) },
];

const COLUMNS: Column<Review>[] = [
  idColumn,
  textColumn('Review', ({ review }) => review, true),
  ratingColumn,
  {
    head: 'Date',
    width: 'w-28',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="tabular-nums">
        {tableDate(createdAt)}
      </time>
    ),
  },
];
