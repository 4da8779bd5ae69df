import { type KeyboardEvent, useId, useState } from 'react';
import { RATING_MAX, RATING_MIN, RATINGS, starLabel } from '../../../contract/stars.ts';
import { StarShapes } from '../../components/school/stars.tsx';

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
export function StarInput({ value, onChange, error }: StarInputProps) {
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
      <div>
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
      </div>
      {error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-danger">
          {error}
        </p>
      )}
    </div>
  );
}
