import { type DeletedKind, restoreDeleted } from '../../../contract/deletions.ts';
import { request } from '../../api.ts';
import { notify } from '../../notices.ts';
import { invalidateCache } from './cached-lists.ts';
import { type RowAction, useRowAction } from './use-row-action.ts';

/** Brings back a deleted school or entry. @param reload the lists that show it, or no longer do */
export function useRestore<Row extends { id: number }>(
  kindOf: (row: Row) => DeletedKind,
  reload: () => Promise<unknown>,
): RowAction<Row> {
  return useRowAction<Row>('It was not brought back.', async (row) => {
    const { name } = await request(restoreDeleted, { body: { kind: kindOf(row), id: row.id } });
    await invalidateCache();
    await reload();
    notify.success(`${name} is back.`);
  });
}
