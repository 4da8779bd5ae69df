import { useState } from 'react';
import { failureText } from '../../api.ts';
import { useGuard } from '../../guard.ts';
import { notify } from '../../notices.ts';

interface RowAction<Row> {
  run: (row: Row) => void;
  isBusy: (row: Row) => boolean;
}

/**
 * An action on rows of a list: on several rows at once, never twice at once on the same. A failure is told.
 * @param prefix begins the sentence when it was not the server that refused: "Delete failed: "
 */
export function useRowAction<Row extends { id: number }>(
  prefix: string,
  act: (row: Row) => Promise<void>,
): RowAction<Row> {
  const guard = useGuard();
  const [busyIds, setBusyIds] = useState<ReadonlySet<number>>(new Set());

  async function run(row: Row): Promise<void> {
    if (!guard.enter(row.id)) return;
    setBusyIds((ids) => new Set(ids).add(row.id));
    try {
      await act(row);
    } catch (cause) {
      notify.failure(failureText(cause, prefix));
    } finally {
      guard.leave(row.id);
      setBusyIds((ids) => new Set([...ids].filter((id) => id !== row.id)));
    }
  }

  return { run: (row) => void run(row), isBusy: (row) => busyIds.has(row.id) };
}
