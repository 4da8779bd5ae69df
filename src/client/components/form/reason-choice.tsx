import { REASONS, type ReasonKey } from '../../../contract/reasons.ts';
import { takeFocus } from '../../form-problem.ts';

interface ReasonChoiceProps {
  legend: string;
  onChoose: (reason: ReasonKey) => void;
}

// Object.entries loses the type of the keys; the record is a literal.
const CHOICES = Object.entries(REASONS) as [ReasonKey, string][];

/** Shows all the reasons, and takes the focus to the first. */
function startChoosing(first: HTMLInputElement | null): void {
  takeFocus(first);
  first?.closest('fieldset')?.scrollIntoView({ block: 'nearest' });
}

/** The reasons for which a review is reported or hidden, as radio buttons called "reason". */
export function ReasonChoice({ legend, onChoose }: ReasonChoiceProps) {
  return (
    <fieldset>
      <legend className="font-semibold">{legend}</legend>
      {CHOICES.map(([reason, words], index) => (
        <label key={reason} className="flex min-h-touch cursor-pointer items-center gap-3">
          <input
            type="radio"
            name="reason"
            value={reason}
            required
            ref={index === 0 ? startChoosing : undefined}
            className="radio"
            onChange={() => onChoose(reason)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
