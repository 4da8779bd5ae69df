import type { ReactNode } from 'react';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { ANONYMOUS, type Review } from '../../../contract/reviews.ts';
import { PageLink } from '../../components/layout/page-link.tsx';
import { BeingChecked } from '../../components/school/score.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { dateText } from '../../format.ts';
import { backgroundText } from '../../shared/reviews/background-texts.ts';

interface ReviewItemProps {
  review: Review;
  /** The id of the element, with which it can take the focus. */
  id?: string;
  isOwn?: boolean;
  /** Whether only the author can see the review. It then has no page to link to. */
  isHidden?: boolean;
  /** Whether the current page is that of this review, which then needs no link to itself. */
  isAlone?: boolean;
  /** The entry that the review is about, in a list of reviews of several entries. */
  entry?: { readonly name: string; readonly address: string };
  isBeingChecked?: boolean | undefined;
  /** Buttons for the review. */
  children?: ReactNode;
}

/** The element id of the user's own review in the list of an entry. */
export const OWN_REVIEW_ID = 'own-review';

export function ReviewItem({
  review,
  id,
  isOwn = false,
  isHidden = false,
  isAlone = false,
  entry,
  isBeingChecked = false,
  children,
}: ReviewItemProps) {
  const author = review.username || ANONYMOUS;
  const background = backgroundText(review);
  const authorId = id && `${id}-author`;
  const posted = <time dateTime={review.createdAt}>{dateText(review.createdAt)}</time>;
  return (
    <article id={id} tabIndex={id === undefined ? undefined : -1} aria-labelledby={authorId} className="letter">
      <p className="flex flex-wrap items-center gap-x-3">
        <Stars value={review.rating} />
        {isOwn && <b className="rounded-sm bg-brand-soft px-2 text-xs text-brand-strong">Your review</b>}
        {entry && (
          <PageLink to={entry.address} className="text-link inline-flex min-h-6 min-w-0 items-center">
            <bdi className="wrap-anywhere">{entry.name}</bdi>
          </PageLink>
        )}
        {isBeingChecked && <BeingChecked />}
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
          <span>
            {' · '}
            <time dateTime={review.editedAt} title={dateText(review.editedAt)}>
              edited
            </time>
          </span>
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
          {[...author][0]?.toUpperCase()}
        </span>
        <span className="min-w-0 wrap-anywhere">
          <span id={authorId}>
            by <bdi>{author}</bdi>
          </span>
          {background && <span className="letter-background block">{background}</span>}
        </span>
      </p>
      {children}
    </article>
  );
}
