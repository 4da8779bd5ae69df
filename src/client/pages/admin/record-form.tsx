import { type FormEvent, useEffect, useRef } from 'react';
import type * as Type from 'typebox';
import { inOneLine, inputLimits } from '../../../contract/fields.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError, TextArea } from '../../components/form/fields.tsx';
import { readField, useFormProblem } from '../../form-problem.ts';
import type { Editor } from './use-record-editor.ts';

interface FormField {
  name: string;
  label: string;
  hasSeveralLines?: true;
  help?: string;
}

export interface RecordFormProps {
  /** The accessible name: "Add School". */
  label: string;
  fields: readonly FormField[];
  /** The body of the call. The limits of the fields are read from it. */
  schema: Type.TSchema;
  /** The row to update. Default: the form adds a new one. */
  values?: Readonly<Record<string, string | number | null | undefined>>;
  editor: Editor;
}

/** The form of an admin page. A new key clears it; after a failure the typed values stay. */
export function RecordForm({ label, fields, schema, values, editor }: RecordFormProps) {
  const { error, isSaving, takesFocus } = editor;
  const form = useRef<HTMLFormElement>(null);
  const problem = useFormProblem();
  /** A name that an earlier version stored with control characters, which nobody sees, is filled in without them. */
  const filledIn = ({ name, hasSeveralLines }: FormField) => {
    const value = values?.[name] ?? undefined;
    return typeof value === 'string' && !hasSeveralLines ? inOneLine(value) : value;
  };
  const isOfField = fields.some(({ name }) => name === error?.field);

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [takesFocus]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = event.currentTarget;
    const blank = fields.filter(({ name }) => inputLimits(schema, name).required && !readField(typed, name).trim());
    const problems = blank.map(({ name, label: noun }) => ({
      text: `Please enter the ${noun.toLowerCase()}.`,
      field: name,
    }));
    if (problems.length > 0) return problem.tell(problems, typed);
    problem.clear();
    editor.submit(Object.fromEntries(fields.map(({ name }) => [name, readField(typed, name)])));
  }

  return (
    <form method="post" noValidate ref={form} aria-label={label} onSubmit={submit} className="grid gap-4">
      <FormError>{!isOfField && error?.text}</FormError>
      {fields.map((field) => {
        const { name, label: fieldLabel, hasSeveralLines, help } = field;
        const FieldKind = hasSeveralLines ? TextArea : Field;
        return (
          <FieldKind
            key={name}
            label={fieldLabel}
            name={name}
            help={help}
            {...inputLimits(schema, name)}
            defaultValue={filledIn(field)}
            autoComplete="off"
            error={problem.of(name) ?? (error?.field === name ? error.text : null)}
          />
        );
      })}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isSaving}>
          {values ? 'Update' : 'Add'}
        </Button>
        <Button variant="quiet" onClick={editor.clear} disabled={isSaving}>
          Clear
        </Button>
      </div>
    </form>
  );
}
