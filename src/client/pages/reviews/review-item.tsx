import { ANONYMOUS, type Review } from '../../../contract/reviews.ts';
import { Stars } from '../../components/stars.tsx';

// In UTC, as the server renders it: a browser elsewhere would write another day over it.
const DATE = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** One review, to read. */
export function ReviewItem({ review }: { review: Review }) {
  const author = review.username ?? ANONYMOUS;
  return (
    <article className="card flex gap-4 p-4 sm:p-5">
      <span
        aria-hidden="true"
        className="grid size-11 shrink-0 place-items-center rounded-full bg-category-soft font-serif text-lg font-semibold text-category"
      >
        {author.charAt(0).toUpperCase()}
      </span>
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center justify-between gap-x-4">
          <Stars value={review.rating} />{' '}
          <span className="text-sm text-ink-soft">
            <time dateTime={review.createdAt}>{DATE.format(new Date(review.createdAt))}</time>
            {review.editedAt && (
              <>
                {' · edited '}
                <time dateTime={review.editedAt}>{DATE.format(new Date(review.editedAt))}</time>
              </>
            )}
          </span>
        </p>
        <p className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">{review.review}</p>
        <p className="mt-2 text-sm text-ink-soft">by {author}</p>
      </div>
    </article>
  );
}
