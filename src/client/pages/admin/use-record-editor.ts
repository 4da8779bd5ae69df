import { useState } from 'react';
import { notify } from '../../notices.ts';
import { invalidateCache } from '../../shared/admin/row-actions.ts';
import type { TableRow } from './scrolling-table.tsx';

export type FormValues = Readonly<Record<string, string>>;

interface RecordEditorOptions<Row> {
  /** The first word of the success notice: "School" makes "School added!". */
  noun: string;
  /** Saves the values: updates the row, or adds a new one if it is null. The specification names no answer. */
  save: (values: FormValues, row: Row | null) => Promise<{ id: number } | undefined>;
  reload: () => Promise<unknown>;
}

/** The part of an editor that the form and its table need. */
export type Editor = Omit<ReturnType<typeof useRecordEditor<TableRow>>, 'editing' | 'edit'>;

/** The two modes of an admin form (spec §4): it adds until a row is chosen, and then updates that row. */
export function useRecordEditor<Row extends TableRow>({ noun, save, reload }: RecordEditorOptions<Row>) {
  const [editing, setEditing] = useState<Row | null>(null);
  const [formKey, setFormKey] = useState(0);
  const [mark, setMark] = useState<{ id: number } | null>(null);

  async function saveValues(values: FormValues): Promise<void> {
    const saved = await save(values, editing);
    notify.success(`${noun} ${editing ? 'updated' : 'added'}!`);
    start(null);
    await invalidateCache();
    await reload();
    if (saved) setMark({ id: saved.id });
  }

  function start(row: Row | null): void {
    setEditing(row);
    setFormKey((current) => current + 1);
  }

  return {
    editing,
    /** The key of the form. It is increased whenever the form has to be cleared. */
    formKey,
    /** Whether the form follows an action and takes the focus. */
    takesFocus: formKey > 0,
    /** The row to highlight: the one being edited, or the last one saved. */
    mark: editing ?? mark,
    edit: (row: Row) => start(row),
    /** Scrolls to a row that was changed elsewhere, and highlights it. */
    show: ({ id }: { id: number }) => setMark({ id }),
    clear: () => start(null),
    save: saveValues,
    /** Leaves the edit mode if this row was deleted. */
    forget: ({ id }: { id: number }) => {
      if (editing?.id === id) start(null);
    },
  };
}
