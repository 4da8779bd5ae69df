import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeletedKind } from '../../../contract/deletions.ts';
import { notify } from '../../notices.ts';
import { updateCachedList, useRestore, useRowAction } from '../../shared/admin/row-actions.ts';
import type { TableRow } from './scrolling-table.tsx';

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
  /** Deletes a row on the server. */
  deleteRow: (row: Row) => Promise<unknown>;
}

/** The part of an editor that the form and its table need. */
export type Editor = Omit<ReturnType<typeof useRecordList<TableRow, TableRow>>['editor'], 'editing'>;

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

  function fillForm(record: FormRecord | null): void {
    setEditing(record);
    setFormKey((current) => current + 1);
  }

  async function save(values: FormValues): Promise<void> {
    const saved = await options.save(values, editing);
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
    notify.success(`${options.nameOf(row)} was deleted.`, { label: 'Undo', run: () => restore.run(row) });
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
    save,
    stopEditing,
  };
  return { editor, update, remove };
}
