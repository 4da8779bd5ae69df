import { useEffect, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import type { OwnReview, PostedReview } from '../../../contract/reviews.ts';
import { TextLink } from '../../components/layout/page-link.tsx';
import { NewLight, usePostedLight } from '../../components/school/light.tsx';
import { takeFocus } from '../../form.ts';
import { usePageId } from '../../page.ts';
import {
  refetchReviews,
  useEntry,
  useMarkedReviewIds,
  useOwnReview,
  useReviews,
} from '../../shared/reviews/reading.ts';
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx';
import { FilterState, Filters } from './filters.tsx';
import { ReviewActions, useReviewActions } from './review-actions.tsx';
import { OWN_REVIEW_ID, ReviewItem } from './review-item.tsx';
import { ReviewList } from './review-list.tsx';
import { useEdit, Writing } from './writing.tsx';

/** The heading of the form, to which "Write yours" links: no other text of the page reads like it. */
const FORM_ID = 'write';
const LIST_ID = 'reviews';

/** @returns a function that focuses the element with this id once it is rendered, or else the heading of the form */
function useFocusAfterChange() {
  const [target, setTarget] = useState<{ id: string }>();
  useEffect(() => {
    if (target) (document.getElementById(target.id) ?? document.getElementById(FORM_ID))?.focus();
  }, [target]);
  return (id: string) => setTarget({ id });
}

/**
 * The reviews of an entry, with the form beside or below them. The user's own review stays in the list and is edited in
 * the form.
 */
export function ReadingAndWriting({ category }: { category: Category }) {
  const entryId = usePageId();
  const own = useOwnReview(category, entryId);
  const markedIds = useMarkedReviewIds([entryId]);
  const actions = useReviewActions(category, [own?.id]);
  const { name, details } = useEntry(category);
  const reviews = useReviews(category);
  const isListed = reviews.data?.some(({ id }) => id === own?.id) ?? false;
  const edit = useEdit(own);
  const focus = useFocusAfterChange();

  const ownItem = own && (
    <OwnReviewItem
      category={category}
      review={own}
      onEdit={edit.open}
      onDeleted={() => {
        edit.close();
        focus(LIST_ID);
      }}
    />
  );

  const [posted, setPosted] = useState<PostedReview>();
  const postedLight = usePostedLight(entryId);
  const newLight = posted ?? postedLight;

  function finish(review?: PostedReview): void {
    edit.close();
    setPosted(review);
    focus(OWN_REVIEW_ID);
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start justify-between gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,42rem)_22rem] print:block">
      <div className="min-w-0">
        <ListHeading offersForm={!own} />
        <Filters />
        {newLight && details && (
          <NewLight
            key={posted?.id}
            category={category}
            schoolId={details.schoolId}
            schoolName={details.schoolName}
            isFirst={newLight.isFirst}
          />
        )}
        <ReviewList category={category}>
          {(review) =>
            (review.id === own?.id && ownItem) || (
              <ReviewItem review={review}>
                <ReviewActions
                  actions={actions}
                  review={review}
                  entryId={entryId}
                  isMarked={markedIds.includes(review.id)}
                />
              </ReviewItem>
            )
          }
        </ReviewList>
      </div>
      {actions.dialog}
      <section className="writing no-print needs-script letters min-w-0">
        <h2 id={FORM_ID} tabIndex={-1} className="mb-1 flex min-h-touch items-center text-xl">
          {own ? 'Your review' : 'Write a Review'}
        </h2>
        {own?.isHidden && <HiddenNote />}
        <Writing
          category={category}
          entryId={entryId}
          entryName={name}
          own={own}
          isSettled={!reviews.isPending}
          edit={edit}
          onDone={finish}
          onGone={() => {
            edit.close();
            focus(FORM_ID);
          }}
        >
          {isListed ? <ListedNote /> : ownItem}
        </Writing>
      </section>
    </div>
  );
}

interface OwnReviewItemProps {
  category: Category;
  review: OwnReview;
  onEdit: () => void;
  onDeleted: () => void;
}

/** The user's own review, with buttons to edit and delete it. */
function OwnReviewItem({ category, review, onEdit, onDeleted }: OwnReviewItemProps) {
  const [step, setStep] = useState<'read' | 'confirm' | 'keep'>('read');
  return (
    <ReviewItem review={review} id={OWN_REVIEW_ID} isOwn isHidden={review.isHidden}>
      {step === 'confirm' ? (
        <div className="col-span-full flex flex-wrap items-center gap-3 pt-3">
          <p className="grow">Delete your review for good?</p>
          <ConfirmWithdrawal
            category={category}
            reviewId={review.id}
            onWithdrawn={async () => {
              await refetchReviews(category);
              onDeleted();
            }}
            onKeep={() => setStep('keep')}
          />
        </div>
      ) : (
        <p className="letter-actions">
          <button type="button" className="text-button" onClick={onEdit}>
            Edit
          </button>
          <button
            type="button"
            ref={step === 'keep' ? takeFocus : undefined}
            className="text-button"
            onClick={() => setStep('confirm')}
          >
            Delete
          </button>
        </p>
      )}
    </ReviewItem>
  );
}

/** The heading of the list, with the number of reviews and, where the form is below the list, a link to it. */
function ListHeading({ offersForm }: { offersForm: boolean }) {
  return (
    <div className="flex min-h-touch flex-wrap items-center gap-x-4">
      <h2 id={LIST_ID} tabIndex={-1} className="text-xl">
        Reviews
      </h2>
      <FilterState />
      {offersForm && (
        <a
          href={`#${FORM_ID}`}
          className="text-link needs-script no-print ml-auto inline-flex min-h-touch items-center lg:hidden"
        >
          Write yours
        </a>
      )}
    </div>
  );
}

function HiddenNote() {
  return (
    <p className="border-l-4 border-danger pl-3">
      <strong>An admin has hidden your review.</strong> Only you see it, and it does not count.{' '}
      <TextLink to={PAGES.myReviews.path}>See why and appeal</TextLink>
    </p>
  );
}

function ListedNote() {
  return (
    <p>
      You have reviewed this.{' '}
      <a href={`#${OWN_REVIEW_ID}`} className="text-link inline-flex min-h-touch items-center">
        Go to your review
      </a>
    </p>
  );
}
