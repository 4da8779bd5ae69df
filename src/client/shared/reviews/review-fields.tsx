import { type ChangeEvent, Fragment, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { RELATIONS } from '../../../contract/review-filters.ts';
import {
  BACKGROUND_FIELDS,
  type BackgroundField,
  type OwnReview,
  REVIEW_MAX,
  YEAR_MIN,
} from '../../../contract/reviews.ts';
import { RATING_MAX, RATING_MIN, RATINGS, starLabel } from '../../../contract/stars.ts';
import { Checkbox, Field, FieldError, Select, TextArea } from '../../components/form/fields.tsx';
import { DRAWINGS, Drawing } from '../../components/layout/drawing.tsx';
import { StarShapes } from '../../components/school/stars.tsx';
import { countText, lengthOf } from '../../format.ts';
import { type Session, useSession } from '../../session.ts';
import { RELATION_LABELS } from './background-texts.ts';
import type { Draft } from './drafts.ts';

/** The length from which the form shows how many characters are left. */
const CHARACTERS_LEFT_FROM = REVIEW_MAX - 500;

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

export interface ReviewFieldsProps {
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
  const charactersLeft = draft.review.length < CHARACTERS_LEFT_FROM ? undefined : REVIEW_MAX - lengthOf(draft.review);
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

interface InputProps {
  value: string;
  error: string | null;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;
}

function YearField(props: InputProps & { label: string; name: BackgroundField }) {
  const max = new Date().getUTCFullYear();
  return <Field type="number" inputMode="numeric" min={YEAR_MIN} max={max} step={1} {...props} />;
}

const RELATION_OPTIONS = [
  ['', 'Prefer not to say'],
  ...RELATIONS.map((relation) => [relation, RELATION_LABELS[relation]] as const),
] as const;

/** The input of each optional field: a field without one does not compile. */
const INPUTS: Readonly<Record<BackgroundField, (props: InputProps) => ReactNode>> = {
  relation: (props) => <Select label="I am a" name="relation" options={RELATION_OPTIONS} {...props} />,
  since: (props) => <YearField label="From year" name="since" {...props} />,
  until: (props) => <YearField label="To year" name="until" {...props} />,
};

/** The fields that are hidden until "More about your experience" is opened. */
const FURTHER_FIELDS = BACKGROUND_FIELDS.filter((name) => name !== 'relation');

/** The optional fields about the author. */
function ExperienceFields({ draft, onChange, problemOf }: Omit<ReviewFieldsProps, 'category' | 'editing'>) {
  const hasProblem = FURTHER_FIELDS.some((name) => problemOf(name) !== null);
  const [isOpen, setOpen] = useState(FURTHER_FIELDS.some((name) => draft[name] !== ''));
  const inputOf = (name: BackgroundField) =>
    INPUTS[name]({
      value: draft[name],
      error: problemOf(name),
      onChange: (event) => onChange({ [name]: event.target.value }),
    });
  return (
    <div className="grid gap-2">
      {inputOf('relation')}
      <details open={isOpen || hasProblem} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="flex min-h-touch items-center justify-between gap-3 font-semibold">
          More about your experience
          <Drawing d={DRAWINGS.down} className="size-5 group-open:rotate-180" />
        </summary>
        <div className="grid grid-cols-2 gap-4 pb-2">
          {FURTHER_FIELDS.map((name) => (
            <Fragment key={name}>{inputOf(name)}</Fragment>
          ))}
        </div>
      </details>
      <p className="text-sm text-ink-soft">Shown with your review, even anonymously. Leave it out if few people fit.</p>
    </div>
  );
}

interface StarInputProps {
  /** 0: no rating chosen. */
  value: number;
  onChange: (value: number) => void;
  error?: string | null;
}

/**
 * The rating for a key: a digit is that many stars (0: none), Page Up and Page Down go by whole stars, Home and End to
 * the limits. Undefined for other keys: the arrows of the radio buttons go by half stars.
 */
function ratingForKey(key: string, value: number): number | undefined {
  if (key === 'Home') return RATING_MIN;
  if (key === 'End') return RATING_MAX;
  if (key === 'PageUp') return Math.min(RATING_MAX, value + 1);
  if (key === 'PageDown') return Math.max(RATING_MIN, value - 1);
  return /^[0-5]$/.test(key) ? Number(key) : undefined;
}

/**
 * Chooses a rating in half stars. Ten radio buttons lie over five stars, one on each half, so that mouse, keyboard and
 * screen reader use the same control. Choosing the same value again clears it (spec §4).
 */
function StarInput({ value, onChange, error }: StarInputProps) {
  const [hovered, setHovered] = useState(0);
  const id = useId();

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const rating = event.ctrlKey || event.metaKey || event.altKey ? undefined : ratingForKey(event.key, value);
    if (rating === undefined) return;
    event.preventDefault();
    onChange(rating);
    const inputs = event.currentTarget.querySelectorAll('input');
    inputs[RATINGS.indexOf(rating)]?.focus();
  }

  return (
    <div className="grid gap-1">
      <p className="flex items-baseline justify-between gap-4">
        <span id={`${id}-label`} className="font-semibold">
          Rating
        </span>
        {/* Announced, but no <output>: its role is that of the message that a review was posted. */}
        <span aria-live="polite" className="text-sm text-ink-soft">
          {value > 0 ? starLabel(value) : 'No rating yet'}
        </span>
      </p>
      <div
        role="radiogroup"
        aria-labelledby={`${id}-label`}
        aria-describedby={error ? `${id}-error` : undefined}
        // As wide as five stars of 3 rem, where there is room: not with large text on a phone.
        className="relative -ml-1.5 w-[min(15rem,100%)] text-accent"
        onPointerLeave={() => setHovered(0)}
        onKeyDown={onKeyDown}
      >
        <StarShapes value={hovered || value} className="block w-full" gap={1 / 3} />
        <span className="absolute inset-0 flex">
          {RATINGS.map((rating) => (
            <input
              key={rating}
              type="radio"
              name="rating"
              aria-label={starLabel(rating)}
              checked={rating === value}
              onChange={() => onChange(rating)}
              // A radio button that is already checked fires no change event when clicked.
              onClick={() => rating === value && onChange(0)}
              onKeyDown={(event) => {
                if (event.key === ' ' && rating === value) {
                  event.preventDefault();
                  onChange(0);
                }
              }}
              onPointerEnter={(event) => event.pointerType === 'mouse' && setHovered(rating)}
              className="m-0 h-full min-w-0 flex-1 cursor-pointer appearance-none rounded-sm"
            />
          ))}
        </span>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
