import { ChevronDown } from 'lucide-react';
import { type ChangeEvent, useState } from 'react';
import { RELATIONS } from '../../../contract/review-filters.ts';
import { YEAR_MIN } from '../../../contract/reviews.ts';
import { Field, Select } from '../../components/form/fields.tsx';
import { RELATION_WORDS } from './background-words.ts';
import type { Draft } from './drafts.ts';

const YEARS = [
  ['since', 'From year'],
  ['until', 'To year'],
] as const;

interface ExperienceFieldsProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  problemOf: (field: keyof Draft) => string | null;
}

/** The optional fields about the author. */
export function ExperienceFields({ draft, onChange, problemOf }: ExperienceFieldsProps) {
  const hasProblem = YEARS.some(([name]) => problemOf(name) !== null);
  const [isOpen, setOpen] = useState(draft.since !== '' || draft.until !== '');
  const changeTo = (name: keyof Draft) => (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
    onChange({ [name]: event.target.value });
  return (
    <div className="grid gap-2">
      <Select
        label="I am a"
        name="relation"
        value={draft.relation}
        error={problemOf('relation')}
        onChange={changeTo('relation')}
      >
        <option value="">Prefer not to say</option>
        {RELATIONS.map((relation) => (
          <option key={relation} value={relation}>
            {RELATION_WORDS[relation]}
          </option>
        ))}
      </Select>
      <details open={isOpen || hasProblem} onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
        <summary className="flex min-h-touch items-center justify-between gap-3 font-semibold">
          More about your experience
          <ChevronDown aria-hidden="true" className="size-5 shrink-0 group-open:rotate-180" strokeWidth={1.75} />
        </summary>
        <div className="grid grid-cols-2 gap-4 pb-2">
          {YEARS.map(([name, label]) => (
            <Field
              key={name}
              label={label}
              name={name}
              type="number"
              inputMode="numeric"
              min={YEAR_MIN}
              max={new Date().getUTCFullYear()}
              step={1}
              value={draft[name]}
              error={problemOf(name)}
              onChange={changeTo(name)}
            />
          ))}
        </div>
      </details>
      <p className="text-sm text-ink-soft">Shown with your review, even anonymously. Leave it out if few people fit.</p>
    </div>
  );
}
