import { type ReactNode, useId } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { type OwnReview, REVIEW_MAX } from '../../../contract/reviews.ts';
import { Checkbox, TextArea } from '../../components/form/fields.tsx';
import { lengthOf } from '../../form-problem.ts';
import { countText } from '../../format.ts';
import { type Session, useSession } from '../../session.ts';
import type { Draft } from './drafts.ts';
import { ExperienceFields } from './experience-fields.tsx';
import { StarInput } from './star-input.tsx';

/** The length from which the form shows how many characters are left. */
const COUNTED_FROM = REVIEW_MAX - 500;

const HINT = 'What would you tell a friend who is thinking of going?';

/** How the author will be named, beside the checkbox that decides it. @param isSigned whether the name is shown now */
function authorNote({ isAnonymous }: Draft, session: Session | null, isSigned: boolean): ReactNode {
  // Readers may remember the name, and copies of the page keep it.
  if (isAnonymous && isSigned) {
    return 'Shown as Anonymous once you save. It has stood here under your name: whoever has read or copied it may know that it was you.';
  }
  if (isAnonymous) return 'Shown as Anonymous. Readers and your school cannot see that it was you.';
  if (!session) return 'Shown with the username of your account.';
  return (
    <span>
      Shown as <bdi>{session.username}</bdi>.
    </span>
  );
}

interface ReviewFieldsProps {
  category: Category;
  draft: Draft;
  /** The review to edit. Default: a new one. */
  editing?: OwnReview | undefined;
  onChange: (part: Partial<Draft>) => void;
  problemOf: (field: keyof Draft) => string | null;
}

/** The fields of a review. */
export function ReviewFields({ category, draft, editing, onChange, problemOf }: ReviewFieldsProps) {
  const helpful = editing?.helpful ?? 0;
  const session = useSession();
  const id = useId();
  const charactersLeft = draft.review.length < COUNTED_FROM ? undefined : REVIEW_MAX - lengthOf(draft.review);
  return (
    <>
      <StarInput value={draft.rating} onChange={(rating) => onChange({ rating })} error={problemOf('rating')} />
      <TextArea
        label="Your review"
        name="review"
        dir="auto"
        rows={5}
        maxLength={REVIEW_MAX}
        required={category.requiresReviewText}
        value={draft.review}
        onChange={(event) => onChange({ review: event.target.value })}
        help={charactersLeft === undefined ? HINT : `${countText(charactersLeft, 'character')} left`}
        error={problemOf('review')}
      />
      {helpful > 0 && (
        <p className="text-sm text-ink-soft">
          {countText(helpful, 'reader')} marked your review as helpful. Marks start anew when you change the whole star
          or more than a fifth of the words.
        </p>
      )}
      <div>
        <Checkbox
          label="Post anonymously"
          checked={draft.isAnonymous}
          aria-describedby={`${id}-name`}
          onChange={(event) => onChange({ isAnonymous: event.target.checked })}
        />
        <p id={`${id}-name`} className="pl-8 text-sm text-ink-soft">
          {authorNote(draft, session, editing?.username !== undefined)}
        </p>
      </div>
      <ExperienceFields draft={draft} onChange={onChange} problemOf={problemOf} />
    </>
  );
}
