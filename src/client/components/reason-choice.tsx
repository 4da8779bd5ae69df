import { useEffect, useRef } from 'react';
import { REASONS, type ReasonKey } from '../../contract/reasons.ts';

interface ReasonChoiceProps {
  legend: string;
  onChoose: (reason: ReasonKey) => void;
}

// Object.entries loses the type of the keys; the record is a literal.
const CHOICES = Object.entries(REASONS) as [ReasonKey, string][];

/** The reasons for which a review is reported or hidden, as radio buttons called "reason". */
export function ReasonChoice({ legend, onChoose }: ReasonChoiceProps) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
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
            ref={index === 0 ? first : undefined}
            className="size-5 scroll-mb-28 accent-(--brand)"
            onChange={() => onChoose(reason)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
