import { useId } from 'react';
import { REASONS, type ReasonKey } from '../../../contract/reasons.ts';
import { takeFocus } from '../../form.ts';

interface ReasonChoiceProps {
  legend: string;
  /** Empty when no reason is chosen. */
  chosen: ReasonKey | '';
  onChoose: (reason: ReasonKey) => void;
  error?: string | null;
}

// Object.entries loses the type of the keys; the record is a literal.
const CHOICES = Object.entries(REASONS) as [ReasonKey, string][];

/** The ref of the chosen reason, or else of the first: focuses it, and scrolls all reasons into view. */
function focusRadio(radio: HTMLInputElement | null): void {
  takeFocus(radio);
  radio?.closest('fieldset')?.scrollIntoView({ block: 'nearest' });
}

/** The reasons for which a review is reported or hidden, as radio buttons called "reason". */
export function ReasonChoice({ legend, chosen, onChoose, error }: ReasonChoiceProps) {
  const errorId = useId();
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="font-semibold">{legend}</legend>
      {CHOICES.map(([reason, label]) => (
        <label key={reason} className="flex min-h-touch cursor-pointer items-center gap-3">
          <input
            type="radio"
            name="reason"
            value={reason}
            checked={chosen === reason}
            ref={reason === (chosen || CHOICES[0]?.[0]) ? focusRadio : undefined}
            className="radio"
            onChange={() => onChoose(reason)}
          />
          {label}
        </label>
      ))}
      {/* Announced: the focus may be on the first reason already. */}
      <p id={errorId} role="alert" className="text-sm font-semibold text-danger empty:hidden">
        {error}
      </p>
    </fieldset>
  );
}
