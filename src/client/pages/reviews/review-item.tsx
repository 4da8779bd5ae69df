import type { ReactNode } from 'react';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { ANONYMOUS, type Review } from '../../../contract/reviews.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { dateText } from '../../format.ts';
import { backgroundText } from '../../shared/reviews/background-words.ts';

interface ReviewItemProps {
  review: Review;
  /** Whether it is the user's own review, of which a list has at most one. */
  isOwn?: boolean;
  /** Whether only its author can see it. It then has no page to link to. */
  isHidden?: boolean;
  /** Whether the current page is that of this review, which then needs no link to itself. */
  isAlone?: boolean;
  /** Buttons for the review. */
  children?: ReactNode;
}

/** The element id of the user's own review in the list. */
export const OWN_REVIEW_ID = 'own-review';

/** One review. */
export function ReviewItem({ review, isOwn = false, isHidden = false, isAlone = false, children }: ReviewItemProps) {
  const author = review.username ?? ANONYMOUS;
  const background = backgroundText(review);
  const posted = <time dateTime={review.createdAt}>{dateText(review.createdAt)}</time>;
  return (
    <article {...(isOwn && { id: OWN_REVIEW_ID, tabIndex: -1 })} className="letter">
      <p className="flex flex-wrap items-center gap-x-3">
        <Stars value={review.rating} />
        {isOwn && <b className="rounded-sm bg-brand-soft px-2 text-xs text-brand-strong">Your review</b>}
      </p>
      <p className="letter-date text-sm whitespace-nowrap text-ink-soft">
        {isHidden || isAlone ? (
          posted
        ) : (
          <PageLink
            to={pageAddress(PAGES.review, review.id)}
            className="inline-flex min-h-6 items-center hover:underline"
          >
            {posted}
          </PageLink>
        )}
        {review.editedAt && (
          <>
            {' · '}
            <time dateTime={review.editedAt} title={dateText(review.editedAt)}>
              edited
            </time>
          </>
        )}
      </p>
      <p dir="auto" className="letter-text">
        {review.review}
      </p>
      <p className="letter-author flex items-center gap-2 text-sm leading-snug text-ink-soft">
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-category-soft font-serif font-semibold text-category"
        >
          {author.charAt(0).toUpperCase()}
        </span>
        <span className="min-w-0 wrap-anywhere">
          by <bdi>{author}</bdi>
          {background && <span className="letter-background block">{background}</span>}
        </span>
      </p>
      {children}
    </article>
  );
}
