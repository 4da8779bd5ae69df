import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type * as Type from 'typebox';
import type { DeletedKind } from '../../../contract/deletions.ts';
import { inOneLine, inputLimits } from '../../../contract/fields.ts';
import { actionFailureText, isExplained, queryClient } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field, FormError, TextArea } from '../../components/form/fields.tsx';
import { DraftNote, useDraft } from '../../draft.tsx';
import { readField, useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { updateCachedList, useRestore, useRowAction } from '../../shared/admin/row-actions.tsx';
import { RecordTable, type RecordTableProps } from './record-table.tsx';
import type { TableRow } from './scrolling-table.tsx';

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

/** The form of an admin page. A new key shows another record; what is typed is kept until it is saved or cleared. */
function RecordForm({ title, fields, schema, values, editor }: RecordFormProps) {
  const { takesFocus } = editor;
  const form = useRef<HTMLFormElement>(null);
  /** Earlier releases stored control characters in names, which nobody sees: they are left out. */
  const initialValueOf = ({ name, hasSeveralLines }: FormField) => {
    const value = String(values?.[name] ?? '');
    return hasSeveralLines ? value : inOneLine(value);
  };
  const draft = useDraft(
    values ? `${title} ${values.id}` : title,
    Object.fromEntries(fields.map((field) => [field.name, initialValueOf(field)])),
  );
  const { onSubmit, problem, isPending } = useForm({
    read: (element): FormValues => Object.fromEntries(fields.map(({ name }) => [name, readField(element, name)])),
    check: (typedValues) =>
      fields
        .filter(({ name }) => inputLimits(schema, name).required && !typedValues[name]?.trim())
        .map(({ name, label }) => ({ text: `Please enter the ${label.toLowerCase()}.`, field: name })),
    send: editor.save,
    onSent: (saved) => {
      draft.discard();
      return editor.showSaved(saved);
    },
    failureOf: (error) => actionFailureText(error, 'Nothing was saved.'),
    keepsFocus: true,
  });
  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [takesFocus]);

  function clear(): void {
    draft.discard();
    editor.clear();
  }

  return (
    <form method="post" noValidate ref={form} aria-label={title} onSubmit={onSubmit} className="grid gap-4">
      <DraftNote draft={draft} />
      <FormError>{problem.errorOf()}</FormError>
      {fields.map(({ name, label, hasSeveralLines, help }) => {
        const Input = hasSeveralLines ? TextArea : Field;
        return (
          <Input
            key={name}
            label={label}
            {...problem.field(name)}
            help={help}
            {...inputLimits(schema, name)}
            {...draft.text(name)}
            autoComplete="off"
          />
        );
      })}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending}>
          {values ? 'Update' : 'Add'}
        </Button>
        <Button variant="quiet" onClick={clear} disabled={isPending}>
          Clear
        </Button>
      </div>
    </form>
  );
}

export type FormValues = Readonly<Record<string, string>>;

interface RecordListOptions<Row, FormRecord> {
  kind: DeletedKind;
  /** The first word of the success notice: "School" makes "School added!". */
  noun: string;
  queryKey: QueryKey;
  reload: () => Promise<unknown>;
  nameOf: (row: Row) => string;
  /** Reads what the form needs of a row. */
  read: (row: Row) => Promise<FormRecord>;
  /** Updates the record, or adds one if `record` is null. @returns the saved row, where the answer contains it */
  save: (values: FormValues, record: FormRecord | null) => Promise<{ id: number } | undefined>;
  deleteRow: (row: Row) => Promise<unknown>;
}

/** The part of an editor that the form and its table need. */
type Editor = Omit<ReturnType<typeof useRecordList<TableRow, TableRow>>['editor'], 'editing'>;

/**
 * A list of schools or entries whose rows can be added, updated, deleted and restored. Its form has two modes (spec
 * §4): it adds until a row is chosen, and then updates that row.
 */
export function useRecordList<Row extends TableRow, FormRecord extends TableRow>(
  options: RecordListOptions<Row, FormRecord>,
) {
  const { kind, noun, queryKey, reload } = options;
  const [editing, setEditing] = useState<FormRecord | null>(null);
  const [formKey, setFormKey] = useState(0);
  const [mark, setMark] = useState<{ id: number } | null>(null);
  /** The ids of the list before an addition whose answer was lost. */
  const idsBefore = useRef<ReadonlySet<number>>(undefined);
  const readList = () => queryClient.getQueryData<Row[]>(queryKey) ?? [];

  function fillForm(record: FormRecord | null): void {
    setEditing(record);
    setFormKey((current) => current + 1);
  }

  /** Adds a record, unless an earlier request whose answer was lost has added it. */
  async function add(values: FormValues): Promise<{ id: number } | undefined> {
    if (idsBefore.current) {
      await reload();
      const added = readList().find(
        (row) => !idsBefore.current?.has(row.id) && Object.values(values).includes(options.nameOf(row)),
      );
      if (added) return added;
    }
    const ids = new Set(readList().map(({ id }) => id));
    try {
      return await options.save(values, null);
    } catch (error) {
      if (!isExplained(error)) idsBefore.current ??= ids;
      throw error;
    }
  }

  async function showSaved(saved: { id: number } | undefined): Promise<void> {
    idsBefore.current = undefined;
    notify.success(`${noun} ${editing ? 'updated' : 'added'}!`);
    fillForm(null);
    await reload();
    if (saved) setMark({ id: saved.id });
  }

  /** Leaves the edit mode if it is for this row, which was deleted or changed elsewhere. */
  function stopEditing({ id }: { id: number }): void {
    if (editing?.id === id) fillForm(null);
  }

  const update = useRowAction<Row>(`The ${kind} could not be loaded.`, async (row) =>
    fillForm(await options.read(row)),
  );
  const remove = useRowAction<Row>(`The ${kind} was not deleted.`, async (row) => {
    await options.deleteRow(row);
    await updateCachedList<Row[]>(queryKey, (rows) => rows.filter(({ id }) => id !== row.id));
    const undo = { label: 'Undo', run: () => restore.run(row) };
    notify.success(`${options.nameOf(row)} was deleted.`, `${kind} ${row.id}`, undo);
    stopEditing(row);
  });
  const restore = useRestore<Row>(kind, reload);
  const editor = {
    editing,
    /** The key of the form. It is increased whenever the form has to be cleared. */
    formKey,
    /** Whether an action has filled or cleared the form, which then takes the focus. */
    takesFocus: formKey > 0,
    /** The row to highlight: the one being edited, or the last one saved. */
    mark: editing ?? mark,
    /** Scrolls to a row that was changed elsewhere, and highlights it. */
    show: ({ id }: { id: number }) => setMark({ id }),
    clear: () => fillForm(null),
    save: (values: FormValues) => (editing ? options.save(values, editing) : add(values)),
    showSaved,
    stopEditing,
  };
  return { editor, update, remove };
}
