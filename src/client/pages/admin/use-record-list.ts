import type { QueryKey } from '@tanstack/react-query';
import type { DeletedKind } from '../../../contract/deletions.ts';
import { notify } from '../../notices.ts';
import { updateCachedList, useRestore, useRowAction } from '../../shared/admin/row-actions.ts';
import type { TableRow } from './scrolling-table.tsx';
import { type FormValues, useRecordEditor } from './use-record-editor.ts';

interface RecordListOptions<Row, Whole> {
  kind: DeletedKind;
  /** "School" makes "School added!". */
  noun: string;
  queryKey: QueryKey;
  reload: () => Promise<unknown>;
  nameOf: (row: Row) => string;
  /** Reads what the form needs of a row. */
  read: (row: Row) => Promise<Whole>;
  save: (values: FormValues, record: Whole | null) => Promise<{ id: number } | undefined>;
  /** Deletes a row on the server. */
  send: (row: Row) => Promise<unknown>;
}

/** A list of schools or entries whose rows can be added, updated, deleted and restored. */
export function useRecordList<Row extends TableRow, Whole extends TableRow>({
  kind,
  noun,
  queryKey,
  reload,
  nameOf,
  read,
  save,
  send,
}: RecordListOptions<Row, Whole>) {
  const editor = useRecordEditor<Whole>({ noun, save, reload });
  const update = useRowAction<Row>(`The ${kind} could not be loaded.`, async (row) => editor.edit(await read(row)));
  const remove = useRowAction<Row>(`The ${kind} was not deleted.`, async (row) => {
    await send(row);
    await updateCachedList<Row[]>(queryKey, (rows) => rows.filter(({ id }) => id !== row.id));
    notify.success(`${nameOf(row)} was deleted.`, { label: 'Undo', run: () => restore.run(row) });
    editor.forget(row);
  });
  const restore = useRestore<Row>(() => kind, reload);
  return { editor, update, remove };
}
