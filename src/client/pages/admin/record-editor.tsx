import { useEffect, useRef } from 'react';
import type * as Type from 'typebox';
import { inOneLine, inputLimits } from '../../../contract/fields.ts';
import { actionFailureText } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError, TextArea } from '../../components/form/fields.tsx';
import { useForm } from '../../form.ts';
import { readField } from '../../form-problem.ts';
import { RecordTable, type RecordTableProps } from './record-table.tsx';
import type { TableRow } from './scrolling-table.tsx';
import type { Editor, FormValues } from './use-record-list.ts';

interface FormField {
  name: string;
  label: string;
  hasSeveralLines?: true;
  help?: string;
}

interface RecordFormProps {
  /** The name of the form: "Add School". */
  title: string;
  fields: readonly FormField[];
  /** The body of the call. The limits of the fields are read from it. */
  schema: Type.TSchema;
  /** The row to update. Default: the form adds a new one. */
  values?: Readonly<Record<string, string | number | null | undefined>>;
  editor: Editor;
}

interface RecordEditorProps<Row> extends RecordFormProps {
  /** Whether the title is shown. Default: false, because the page's own heading says the same. */
  showsTitle?: boolean;
  table: Omit<RecordTableProps<Row>, 'mark'>;
}

/** A list of records with the form that adds one or updates a chosen one. On wide screens the form is beside it. */
export function RecordEditor<Row extends TableRow>(props: RecordEditorProps<Row>) {
  const { showsTitle = false, table, ...form } = props;
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[20rem_1fr]">
      <div className="card grid gap-4 p-5 lg:sticky lg:top-20">
        {showsTitle && <h2 className="text-xl">{form.title}</h2>}
        <RecordForm key={form.editor.formKey} {...form} />
      </div>
      <RecordTable {...table} mark={form.editor.mark} />
    </div>
  );
}

/** The form of an admin page. A new key clears it; after a failure the typed values stay. */
function RecordForm({ title, fields, schema, values, editor }: RecordFormProps) {
  const { takesFocus } = editor;
  const form = useRef<HTMLFormElement>(null);
  const { onSubmit, problem, isPending } = useForm({
    read: (element): FormValues => Object.fromEntries(fields.map(({ name }) => [name, readField(element, name)])),
    check: (typedValues) =>
      fields
        .filter(({ name }) => inputLimits(schema, name).required && !typedValues[name]?.trim())
        .map(({ name, label }) => ({ text: `Please enter the ${label.toLowerCase()}.`, field: name })),
    send: editor.save,
    failureOf: (error) => actionFailureText(error, 'Nothing was saved.'),
    keepsFocus: true,
  });
  /** Earlier releases stored control characters in names, which nobody sees: they are left out. */
  const initialValueOf = ({ name, hasSeveralLines }: FormField) => {
    const value = values?.[name] ?? undefined;
    return typeof value === 'string' && !hasSeveralLines ? inOneLine(value) : value;
  };
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [takesFocus]);

  return (
    <form method="post" noValidate ref={form} aria-label={title} onSubmit={onSubmit} className="grid gap-4">
      <FormError>{problem.errorOf()}</FormError>
      {fields.map((field) => {
        const { name, label, hasSeveralLines, help } = field;
        const Input = hasSeveralLines ? TextArea : Field;
        return (
          <Input
            key={name}
            label={label}
            {...problem.field(name)}
            help={help}
            {...inputLimits(schema, name)}
            defaultValue={initialValueOf(field)}
            autoComplete="off"
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
