import { type ChangeEvent, Fragment, type ReactNode, useState } from 'react';
import { RELATIONS } from '../../../contract/review-filters.ts';
import { BACKGROUND_FIELDS, type BackgroundField, YEAR_MIN } from '../../../contract/reviews.ts';
import { Field, Select } from '../../components/form/fields.tsx';
import { DRAWINGS, Drawing } from '../../components/layout/drawing.tsx';
import { RELATION_WORDS } from './background-words.ts';
import type { Draft } from './drafts.ts';

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
  ...RELATIONS.map((relation) => [relation, RELATION_WORDS[relation]] as const),
] as const;

/** The input of each optional field: a field without one does not compile. */
const INPUTS: Readonly<Record<BackgroundField, (props: InputProps) => ReactNode>> = {
  relation: (props) => <Select label="I am a" name="relation" options={RELATION_OPTIONS} {...props} />,
  since: (props) => <YearField label="From year" name="since" {...props} />,
  until: (props) => <YearField label="To year" name="until" {...props} />,
};

/** The fields that are hidden until "More about your experience" is opened. */
const FURTHER_FIELDS = BACKGROUND_FIELDS.filter((name) => name !== 'relation');

interface ExperienceFieldsProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  problemOf: (field: keyof Draft) => string | null;
}

/** The optional fields about the author. */
export function ExperienceFields({ draft, onChange, problemOf }: ExperienceFieldsProps) {
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
