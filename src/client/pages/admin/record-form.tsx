import { useEffect, useRef } from 'react';
import type * as Type from 'typebox';
import { inOneLine, inputLimits } from '../../../contract/fields.ts';
import { actionFailureText } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError, TextArea } from '../../components/form/fields.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';
import type { Editor, FormValues } from './use-record-editor.ts';

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
  const { takesFocus } = editor;
  const form = useRef<HTMLFormElement>(null);
  const { onSubmit, problem, isPending } = useForm({
    read: (typed): FormValues => Object.fromEntries(fields.map(({ name }) => [name, readField(typed, name)])),
    check: (given) =>
      fields
        .filter(({ name }) => inputLimits(schema, name).required && !given[name]?.trim())
        .map(({ name, label: noun }) => ({ text: `Please enter the ${noun.toLowerCase()}.`, field: name })),
    send: editor.save,
    failureOf: (error) => actionFailureText(error, 'Nothing was saved.'),
    keepsFocus: true,
  });
  /** A name that an earlier version stored with control characters, which nobody sees, is filled in without them. */
  const filledIn = ({ name, hasSeveralLines }: FormField) => {
    const value = values?.[name] ?? undefined;
    return typeof value === 'string' && !hasSeveralLines ? inOneLine(value) : value;
  };
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [takesFocus]);

  return (
    <form method="post" noValidate ref={form} aria-label={label} onSubmit={onSubmit} className="grid gap-4">
      <FormError>{problem.of()}</FormError>
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
            error={problem.of(name)}
          />
        );
      })}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending}>
          {values ? 'Update' : 'Add'}
        </Button>
        <Button variant="quiet" onClick={editor.clear} disabled={isPending}>
          Clear
        </Button>
      </div>
    </form>
  );
}
